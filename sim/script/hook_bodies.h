#pragma once

#include "sim/script/hook_target.h"

namespace mote::sim {

// Bodies that a hook adds and removes. Changes are collected and applied together when the hook
// reads something that depends on them, or returns: a hundred calls in a row cost one change.

/// sim:add(body, generator, group or list): pushes the id of a single body, otherwise a list of
/// ids.
int add_bodies(lua_State* L, HookSim& sim);
/// sim:remove(id or name).
int remove_body(lua_State* L, HookSim& sim);

/// Applies collected changes to the simulation. Throws InputError, and discards them, when they are
/// invalid.
void apply_pending(HookSim& sim);
/// Number of bodies, collected changes included.
engine::Index count_of(const HookSim& sim);

/// Converts the id or name of a body at a stack index to an id. Throws InputError when there is no
/// such body.
std::uint32_t body_at(lua_State* L, HookSim& sim, int index);

}  // namespace mote::sim
