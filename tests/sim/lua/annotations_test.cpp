// Annotations of scenes for editors.
#include "sim/lua/annotations.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/lua/lua_functions.h"

namespace mote::sim {
namespace {

std::set<std::string> globals_of(LuaState& lua) {
  std::set<std::string> names;
  lua_pushglobaltable(lua.get());
  for (lua_pushnil(lua.get()); lua_next(lua.get(), -2) != 0; lua_pop(lua.get(), 1))
    names.insert(lua_tostring(lua.get(), -2));
  lua_pop(lua.get(), 1);
  return names;
}

TEST(Annotations, CoverEveryFunctionOfScenesBesideThoseOfLua) {
  std::vector<std::string> files{"scene.lua"};
  std::vector<engine::Diagnostic> problems;
  SceneFolder folder(".", Trust::no);
  Script script(files, folder, {}, problems);
  LuaState with({}, 1, &script), without({}, 1, nullptr);
  add_scene_functions(with, script);
  const std::set<std::string> of_lua = globals_of(without);
  const std::string text = lua_annotations();
  int found = 0;
  for (const std::string& name : globals_of(with)) {
    if (of_lua.contains(name)) continue;
    EXPECT_TRUE(text.find("\nfunction " + name + "(") != text.npos ||
                text.find("\n" + name + " = ") != text.npos)
        << name;
    ++found;
  }
  EXPECT_GT(found, 30);
}

}  // namespace
}  // namespace mote::sim
