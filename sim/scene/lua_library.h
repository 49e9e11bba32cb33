#pragma once

#include <lua.hpp>

namespace mote::sim {

// Functions of scripts that take the place of Lua's own, which give something else at every start:
// addresses, or an order that follows the clock.

/// tostring(value): a table or a function is "table" or "function", without its address.
int plain_tostring(lua_State* L);

/// string.format, whose own function is the first upvalue: %s as tostring has it, and no %p.
int plain_format(lua_State* L);

/// table.sort(list, order), order being given: a merge sort, so equals stay in their order. Lua's
/// own takes pivots by the clock where a list is long, and leaves equals wherever that led.
int stable_sort(lua_State* L);

}  // namespace mote::sim
