#pragma once

#include <lua.hpp>

namespace mote::sim {

// Deterministic replacements of Lua functions whose results differ between runs: addresses, or an
// order that depends on the clock.

/// tostring(value): a table or a function is "table" or "function", without its address.
int plain_tostring(lua_State* L);

/// string.format, with Lua's own as its first upvalue: %s formats as tostring does, %p is an error.
int plain_format(lua_State* L);

/// table.sort(list, order), `order` required: a stable merge sort. Lua's own chooses pivots of long
/// lists by the clock, and with them the order of equal items.
int stable_sort(lua_State* L);

}  // namespace mote::sim
