#pragma once

#include <string>

#include "sim/scene/lua_state.h"
#include "sim/scene/param_call.h"
#include "sim/scene/value.h"

namespace mote::sim {

/// What the functions of a scene share; the context of its LuaState.
struct Script {
  std::string file;
  ParamCalls params;
  int lines = LUA_NOREF;  ///< registry: which table was made at which line
  lua_Integer made = 0;   ///< generators called so far: numbers their random streams
  bool read = false;      ///< the scene has been read: there are no more params to make
};

/// Adds param, the generators, csv, translate, boost, rotate and copy. The state's context must be `script`.
void add_scene_functions(LuaState& lua, Script& script);

/// The line of the call that made the table on top of the stack, 0 when none of these functions did.
int line_of_call(lua_State* L, const Script& script);

/// A Lua value that is no table, without its line; a table or a function is Unusable.
Value scalar_value(lua_State* L, int index);

/// Tables nest no deeper than this.
inline constexpr int deepest_table = 32;

}  // namespace mote::sim
