#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/lua/lua_shared.h"
#include "sim/lua/lua_state.h"
#include "sim/source/param_call.h"
#include "sim/source/scene_folder.h"
#include "sim/source/source_map.h"
#include "sim/source/value.h"

namespace mote::sim {

/// State shared by the functions of a scene; the context of its LuaState.
struct Script {
  Script(std::vector<std::string>& the_files, SceneFolder& the_folder, const Settings& settings,
         std::vector<engine::Diagnostic>& problems)
      : files(the_files), folder(the_folder), params(files, settings, problems) {}

  std::vector<std::string>& files;  ///< the scene and what it included, see lines_per_file
  std::vector<std::unique_ptr<SourceMap>> maps;  ///< one per file
  SceneFolder& folder;
  ParamCalls params;
  std::uintmax_t length = 0;             ///< length of all texts [bytes]
  std::vector<std::string> including;    ///< files that are being run now, outermost first
  int lines = LUA_NOREF;                 ///< registry: the line where each table was made
  int included = LUA_NOREF;              ///< registry: tables that included files returned
  lua_Integer generator_calls = 0;       ///< so far; the default random stream
  std::unique_ptr<SharedValues> shared;  ///< set for a scene with hooks, once it has been read
  /// Set once the scene has been read; param, live and include then raise errors.
  bool read = false;
};

/// Chunk name of a file in Lua's messages, where a path would be shortened.
std::string chunk_name(std::size_t number);

/// Splits a message of the interpreter, "scene:7: ..." or "scene#2:7: ...", into its line, encoded
/// as in Value::line, and the rest. False if it has no line.
bool split_message(const std::string& message, int& line, std::string& rest);

/// The inverse of split_message.
std::string message_at(int line, const std::string& text);

/// The shared state of the functions of this interpreter.
Script& script_of(lua_State* L);

/// Derives the random streams of the following generators from this seed.
void start_streams(lua_State* L, std::uint64_t seed);

/// Adds param, live, generators, body files, fields, obstacles, groups, units and include. The
/// state's context must be `script`.
void add_scene_functions(LuaState& lua, Script& script);

/// Names defined in a scene's script: functions, `units` and the libraries.
std::vector<std::string> script_names();

/// The line of the scene where the running function was called, see lines_per_file; 0 if unknown.
int current_line(lua_State* L);

/// Remembers a line for the table on top of the stack.
void note_line(lua_State* L, int line);

/// The line of the call that made the table on top of the stack; 0 if no such call did. For a table
/// that an included file returned, the file's first line minus one.
int line_of_call(lua_State* L, const Script& script);

/// The function include(path): runs another file in the same state, once.
int include_file(lua_State* L);

/// Converts the table on top of the stack; `line` applies to tables that no call made.
Value table_value(lua_State* L, const Script& script, int line);

/// Limit on the nesting of tables.
inline constexpr int max_table_depth = 32;
/// Limit on the nesting of includes.
inline constexpr std::size_t max_include_depth = 16;

}  // namespace mote::sim
