#pragma once

#include "sim/run/hook_sim.h"

namespace mote::sim {

// Bodies that a hook adds and removes. They are collected, and put into the simulation together as
// soon as the hook asks for something that depends on them, or returns: a hundred calls in a row
// cost one change.

/// sim:add(body, generator, group or list): pushes the id of a single body, else the list of ids.
int add_bodies(lua_State* L, HookSim& sim);
/// sim:remove(id or name).
int remove_body(lua_State* L, HookSim& sim);

/// Puts into the simulation what was collected. Throws InputError when it cannot be; then it is
/// forgotten.
void settle(HookSim& sim);
/// How many bodies there are with what was collected.
engine::Index count_of(const HookSim& sim);

/// The id or the name of a body at a place of the stack, as an id. Throws InputError when there is
/// no such body.
std::uint32_t body_at(lua_State* L, HookSim& sim, int index);

}  // namespace mote::sim
