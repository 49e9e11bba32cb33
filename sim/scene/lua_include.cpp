#include <algorithm>
#include <filesystem>

#include "engine/files.h"
#include "engine/text.h"
#include "sim/scene/lua_functions.h"

namespace mote::sim {
namespace {

/// Keeps a file on the list of those that run, also when it ends with an error.
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

void complain(lua_State* L, const std::string& problem, const std::string& remedy) {
  luaL_where(L, 1);
  lua_pushstring(L, (problem + (remedy.empty() ? "" : "; " + remedy)).c_str());
  lua_concat(L, 2);
  lua_error(L);
}

/// Remembers a file that was included before under the path that asks for it now.
void keep_again(Script& script, const std::string& path, const SceneFolder::Found& found) {
  for (const SceneFile& file : script.folder.kept())
    if (file.whole == found.whole) return script.folder.keep(path, found, std::string(file.text));
}

/// Runs a file that was found; its table is then on top of the stack.
void run_file(lua_State* L, Script& script, const std::string& path,
              const SceneFolder::Found& found) {
  const auto number = script.files.size();
  if (number >= static_cast<std::size_t>(most_files))
    complain(L, "the scene includes too many files", "");
  const std::string text = engine::read_whole(found.bytes);
  script.length += text.size();
  if (script.length > longest_scene)
    complain(L, "the files of the scene are longer than 64 MiB",
             "put bodies into files of their own");
  script.folder.keep(path, found, text);
  script.files.push_back(found.file.string());
  const int first_line = static_cast<int>(number) * lines_a_file + 1;
  std::string_view code = text;
  if (code.starts_with("\xEF\xBB\xBF")) code.remove_prefix(3);
  LuaState::run_inside(L, code, chunk_name(number));
  if (!lua_istable(L, -1))
    complain(
        L,
        engine::quoted(path) + " returns " + describe(scalar_value(L, -1)) + " instead of a table",
        "an included file ends with: return { ... }");
  script.maps.resize(std::max(script.maps.size(), number + 1));  // those that it included came
                                                                 // first
  script.maps[number] = std::make_unique<SourceMap>(code, SceneLanguage::lua, first_line);
  if (line_of_call(L, script) == 0) note_line(L, first_line - 1);
}

/// Pushes what the file gives; every file runs once.
void push_included(lua_State* L) {
  Script& script = *static_cast<Script*>(LuaState::context(L));
  if (lua_type(L, 1) != LUA_TSTRING || lua_gettop(L) != 1)
    complain(L, "include expects one path", "as in include(\"parts/sun.lua\")");
  if (script.read) complain(L, "include is for the scene itself", "a hook uses what was included");
  const std::string path = *scalar_value(L, 1).text();
  const SceneFolder::Found found = script.folder.find(path, longest_scene);
  if (!found.problem.empty()) complain(L, "include: " + found.problem, found.remedy);
  if (found.file.extension() != ".lua")
    complain(L, "include: " + engine::quoted(path) + " is no Lua file",
             "included files end in .lua");
  const std::string& whole = found.whole;
  if (std::find(script.including.begin(), script.including.end(), whole) != script.including.end())
    complain(L, "include: " + engine::quoted(path) + " includes itself", "");
  lua_rawgeti(L, LUA_REGISTRYINDEX, script.included);
  if (lua_getfield(L, -1, whole.c_str()) == LUA_TTABLE) return keep_again(script, path, found);
  if (script.including.size() > deepest_include)
    complain(L, "include: files include each other too deep", "16 levels at most");
  const Running running(script, whole);
  run_file(L, script, path, found);
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, whole.c_str());
}

}  // namespace

int include_file(lua_State* L) {
  luaL_checkstack(L, 16, "including a file");
  try {
    push_included(L);
  } catch (const engine::SystemError& e) {
    complain(L, e.what(), "");
  }
  return 1;
}

}  // namespace mote::sim
