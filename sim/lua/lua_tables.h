#pragma once

#include <lua.hpp>

#include "sim/source/value.h"

namespace mote::sim {

/// Adds the table `units`: a function for each unit and for the usual quotients of two.
void add_units(lua_State* L);

/// Makes access to a missing field of this global table an error that suggests similar names,
/// instead of nil.
void refuse_missing_fields(lua_State* L, const char* table);

/// Converts a scalar Lua value, without a line; a table or a function becomes Unusable.
Value scalar_value(lua_State* L, int index);

}  // namespace mote::sim
