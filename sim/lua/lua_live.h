#pragma once

#include <lua.hpp>

#include "sim/source/value.h"

namespace mote::sim {

/// Replaces the value on top of the stack by one that a script can pass on, but not compute with:
/// the result of `live`. `param`: as in Value.
void push_live(lua_State* L, int param);

/// True for such a value.
bool is_live(lua_State* L, int index);

/// Raises the error of a script that computes with one.
int refuse_live(lua_State* L);

/// Its value, with the number of its parameter.
Value live_value(lua_State* L, int index);

}  // namespace mote::sim
