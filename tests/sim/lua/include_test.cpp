#include <gtest/gtest.h>

#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

SceneText scene_of_parts(const std::string& bodies) {
  return SceneText("return {\n  integrator = { dt = 1 },\n  bodies = " + bodies + ",\n}");
}

TEST(Include, ReturnsTheTableOfAnotherFile) {
  const SceneText text = scene_of_parts("{ include('parts/sun.lua') }");
  text.with("parts/sun.lua", "return { name = 'Sun', mass = 7, position = { 1, 2, 3 } }");
  const Bodies bodies = make_bodies(text.read(), 1);
  EXPECT_EQ(bodies.names[0], "Sun");
  EXPECT_EQ(bodies.mass[0], 7);
}

TEST(Include, PathsStartAtTheFolderOfTheSceneAndFilesRunOnce) {
  const SceneText text =
      scene_of_parts("{ include('parts/a.lua'), include('parts/b.lua'), include('parts/b.lua') }");
  text.with("parts/a.lua", "return include('parts/b.lua')");
  text.with("parts/b.lua",
            "local m = param('m', 2.0, { min = 1 }) return { mass = m, position = { 0, 0, 0 } }");
  EXPECT_EQ(text.problems(), Lines{});
  const SceneDescription read = text.read({{"m", "3"}});
  EXPECT_EQ(make_bodies(read, 1).mass, (std::vector<double>{3, 3, 3}));
  ASSERT_EQ(read.params.size(), 1u);
  ASSERT_EQ(read.files.size(), 3u);
  EXPECT_EQ(read.files[0], text.folder() / "scene.lua");
  EXPECT_EQ(read.files[2], text.folder() / "parts/b.lua");
}

TEST(Include, ProblemsNameTheFileAndItsLine) {
  const SceneText text = scene_of_parts("{ include('sun.lua'), include('disk.lua') }");
  text.with("sun.lua", "\nreturn {\n  mass = -1,\n  position = { 0, 0, 0 },\n  colour = 1\n}");
  text.with("disk.lua", "local x = 1\nreturn disk {\n  n = 0 }");
  const std::string folder = text.folder().string() + "/";
  const Lines problems = text.problems();
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(
      problems[0],
      folder + "sun.lua:3: bodies.1.mass: -1 is out of range; allowed: >= 0 in units of mass");
  EXPECT_TRUE(problems[1].starts_with(folder + "sun.lua:5: bodies.1.colour: unknown key"))
      << problems[1];
  EXPECT_TRUE(problems[2].starts_with(folder + "disk.lua:3: bodies.2.n: 0 is out of range"))
      << problems[2];
}

TEST(Include, ErrorsOfTheScriptNameTheFileAndItsLine) {
  const SceneText text = scene_of_parts("{ include('sun.lua') }");
  const std::string file = (text.folder() / "sun.lua").string();
  text.with("sun.lua", "\nlocal x = nil + 1");
  EXPECT_EQ(text.problems(), Lines{file + ":2: attempt to perform arithmetic on a nil value"});
  text.with("sun.lua", "\n\nreturn { 1 2 }");
  EXPECT_EQ(text.problems(), Lines{file + ":3: '}' expected near '2'"});
  text.with("sun.lua", "return 7");
  EXPECT_EQ(text.problems(), Lines{"3: \"sun.lua\" returns 7 instead of a table; an included file "
                                   "ends with: return { ... }"});
}

TEST(Include, RefusesWhatIsNotThereOutsideOrEndless) {
  EXPECT_TRUE(scene_of_parts("{ include('sun.lua') }")
                  .problems()[0]
                  .starts_with("3: include: no such file: "));
  EXPECT_EQ(scene_of_parts("{ include('../sun.lua') }").problems(),
            Lines{"3: include: \"../sun.lua\" is outside the folder of the scene; put the file "
                  "beside the scene or below, or run with --trust if you trust the scene"});
  EXPECT_EQ(scene_of_parts("{ include('scene.lua') }").problems(),
            Lines{"3: include: \"scene.lua\" includes itself"});
  EXPECT_EQ(scene_of_parts("{ include() }").problems(),
            Lines{"3: include expects one path; as in include(\"parts/sun.lua\")"});
  const SceneText deep = scene_of_parts("{ include('1.lua') }");
  for (int i = 1; i <= 17; ++i)
    deep.with(std::to_string(i) + ".lua", "return include('" + std::to_string(i + 1) + ".lua')");
  EXPECT_EQ(deep.problems(), Lines{(deep.folder() / "16.lua").string() +
                                   ":1: include: files are nested too deeply; 16 levels at most"});
}

TEST(Include, WorksAgainAfterACaughtError) {
  const SceneText text(
      "pcall(include, 'bad.lua')\nreturn { integrator = { dt = 1 }, bodies = include('good.lua') "
      "}");
  text.with("bad.lua", "error('no')")
      .with("good.lua", "return { mass = 1, position = { 0, 0, 0 } }");
  EXPECT_EQ(text.problems(), Lines{});
}

}  // namespace
}  // namespace mote::sim
