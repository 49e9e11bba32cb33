#include <algorithm>
#include <filesystem>

#include "engine/files.h"
#include "engine/text.h"
#include "sim/lua/lua_functions.h"
#include "sim/lua/lua_tables.h"

namespace mote::sim {
namespace {

/// Lists a file as running until it returns or fails.
class Running {
 public:
  Running(Script& script, const std::string& file) : script_(script) {
    script_.including.push_back(file);
  }
  ~Running() { script_.including.pop_back(); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Script& script_;
};

void raise_error(lua_State* L, const std::string& problem, const std::string& remedy) {
  luaL_where(L, 1);
  lua_pushstring(L, (problem + (remedy.empty() ? "" : "; " + remedy)).c_str());
  lua_concat(L, 2);
  lua_error(L);
}

/// Keeps a file that was included before under its new path too.
void keep_again(Script& script, const std::string& path, const SceneFolder::Found& found) {
  for (const SceneFile& file : script.folder.kept())
    if (file.canonical == found.canonical)
      return script.folder.keep(path, found, std::string(file.text));
}

/// Runs a file and leaves its table on top of the stack.
void run_file(lua_State* L, Script& script, const std::string& path,
              const SceneFolder::Found& found) {
  const auto number = script.files.size();
  if (number >= static_cast<std::size_t>(max_files))
    raise_error(L, "the scene includes too many files", "");
  const std::string text = engine::read_file(found.bytes);
  script.length += text.size();
  if (script.length > max_scene_bytes)
    raise_error(L, "the files of the scene are longer than 64 MiB", "put bodies into a csv file");
  script.folder.keep(path, found, text);
  script.files.push_back(found.file.string());
  const int first_line = static_cast<int>(number) * lines_per_file + 1;
  std::string_view code = text;
  if (code.starts_with("\xEF\xBB\xBF")) code.remove_prefix(3);
  LuaState::run_inside(L, code, chunk_name(number));
  if (!lua_istable(L, -1))
    raise_error(
        L,
        engine::quoted(path) + " returns " + describe(scalar_value(L, -1)) + " instead of a table",
        "an included file ends with: return { ... }");
  script.maps.resize(std::max(script.maps.size(), number + 1));  // its own includes came first
  script.maps[number] = std::make_unique<SourceMap>(code, SceneLanguage::lua, first_line);
  if (line_of_call(L, script) == 0) note_line(L, first_line - 1);
}

/// Pushes the table that the file returns; every file runs once.
void push_included(lua_State* L) {
  Script& script = *static_cast<Script*>(LuaState::context(L));
  if (lua_type(L, 1) != LUA_TSTRING || lua_gettop(L) != 1)
    raise_error(L, "include expects one path", "as in include(\"parts/sun.lua\")");
  if (script.read)
    raise_error(L, "include cannot be called in hooks",
                "include the file in the scene and use the result");
  const std::string path = *scalar_value(L, 1).text();
  const SceneFolder::Found found = script.folder.find(path, max_scene_bytes);
  if (!found.problem.empty()) raise_error(L, "include: " + found.problem, found.remedy);
  if (found.file.extension() != ".lua")
    raise_error(L, "include: " + engine::quoted(path) + " is not a Lua file",
                "included files end in .lua");
  const std::string& canonical = found.canonical;
  if (std::find(script.including.begin(), script.including.end(), canonical) !=
      script.including.end())
    raise_error(L, "include: " + engine::quoted(path) + " includes itself", "");
  lua_rawgeti(L, LUA_REGISTRYINDEX, script.included);
  if (lua_getfield(L, -1, canonical.c_str()) == LUA_TTABLE) return keep_again(script, path, found);
  if (script.including.size() > max_include_depth)
    raise_error(L, "include: files are nested too deeply", "16 levels at most");
  const Running running(script, canonical);
  run_file(L, script, path, found);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, canonical.c_str());
}

}  // namespace

int include_file(lua_State* L) {
  luaL_checkstack(L, 16, "including a file");
  try {
    push_included(L);
  } catch (const engine::SystemError& e) {
    raise_error(L, e.what(), "");
  }
  return 1;
}

}  // namespace mote::sim
