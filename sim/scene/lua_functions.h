#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/scene/lua_shared.h"
#include "sim/scene/lua_state.h"
#include "sim/scene/param_call.h"
#include "sim/scene/scene_folder.h"
#include "sim/scene/source_map.h"
#include "sim/scene/value.h"

namespace mote::sim {

/// What the functions of a scene share; the context of its LuaState.
struct Script {
  Script(std::vector<std::string>& the_files, SceneFolder& the_folder, const Settings& settings,
         std::vector<engine::Diagnostic>& problems)
      : files(the_files), folder(the_folder), params(files, settings, problems) {}

  std::vector<std::string>& files;  ///< the scene and what it included, see lines_a_file
  std::vector<std::unique_ptr<SourceMap>> maps;  ///< of each of them
  SceneFolder& folder;
  ParamCalls params;
  std::uintmax_t length = 0;             ///< of all texts
  std::vector<std::string> including;    ///< files that are being run now, outermost first
  int lines = LUA_NOREF;                 ///< registry: which table was made at which line
  int included = LUA_NOREF;              ///< registry: what the included files gave
  lua_Integer made = 0;                  ///< generators called so far: numbers their random streams
  std::unique_ptr<SharedValues> shared;  ///< of a scene with hooks, once it has been read
  /// The scene has been read: there are no more params to make, and nothing more to include.
  bool read = false;
};

/// What Lua calls the file of this number in its messages: a path would be shortened.
std::string chunk_name(std::size_t number);

/// The line in a message of the interpreter, "scene:7: ..." or "scene#2:7: ...", as values carry
/// it, and the message behind it. False when there is none.
bool split_message(const std::string& message, int& line, std::string& rest);

/// A message of the interpreter at a line as values carry it: split_message turns it round.
std::string message_at(int line, const std::string& text);

/// What the functions of this state share.
Script& script_of(lua_State* L);

/// From here on the random streams of generators follow from this seed.
void start_streams(lua_State* L, std::uint64_t seed);

/// Adds param, the generators, files of bodies, fields, groups, units and include. The state's
/// context must be `script`.
void add_scene_functions(LuaState& lua, Script& script);

/// Names of all that a scene's script finds: functions, `units` and the libraries.
std::vector<std::string> script_names();

/// The line where the running function of the scene's own is called, see lines_a_file; 0 when it is
/// not known.
int current_line(lua_State* L);

/// Remembers a line for the table on top of the stack.
void note_line(lua_State* L, int line);

/// The line of the call that made the table on top of the stack, 0 when none of these functions
/// did. The first line of an included file less one stands for the table that it returned.
int line_of_call(lua_State* L, const Script& script);

/// The function include(path): runs another file in the same state, once.
int include_file(lua_State* L);

/// The table on top of the stack with all that is in it, at this line where no call made it.
Value table_value(lua_State* L, const Script& script, int line);

/// A Lua value that is no table, without its line; a table or a function is Unusable.
Value scalar_value(lua_State* L, int index);

/// Tables nest no deeper than this.
inline constexpr int deepest_table = 32;
/// Files include each other no deeper than this.
inline constexpr std::size_t deepest_include = 16;

}  // namespace mote::sim
