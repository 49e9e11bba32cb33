#pragma once

#include <lua.hpp>

namespace mote::sim {

/// The table `units` of scripts: a function for each unit, and for the usual quotients of two.
void add_units(lua_State* L);

/// A field that this global table does not have becomes an error that names those near: a script
/// would go on with nil.
void refuse_missing_fields(lua_State* L, const char* table);

}  // namespace mote::sim
