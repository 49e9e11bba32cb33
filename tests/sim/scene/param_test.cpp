#include <gtest/gtest.h>

#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

/// A scene whose title is the text of an expression.
SceneText titled(const std::string& script, const std::string& expression) {
  return SceneText(
      script + "\nreturn { title = tostring(" + expression +
      "), integrator = { dt = 1 }, bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
}

std::string title(const SceneText& scene, const Settings& settings = {}) {
  const Lines problems = scene.problems(settings);
  return problems.empty() ? scene.read(settings).head.title : problems.front();
}

TEST(Param, ReturnsItsDefault) {
  EXPECT_EQ(title(titled("local n = param('n', 5)", "n")), "5");
  EXPECT_EQ(
      title(titled(
          "local x = param('x', 0.5, { min = 0, max = 1, unit = 'length', doc = 'a length' })",
          "x")),
      "0.5");
  EXPECT_EQ(title(titled("local s = param('s', 'b', { choices = { 'a', 'b' } })", "s")), "b");
  EXPECT_EQ(title(titled("local f = param('f', true)", "not f")), "false");
}

TEST(Param, ReturnsTheSettingInItsOwnType) {
  EXPECT_EQ(title(titled("local n = param('n', 5)", "n"), {{"n", "7"}}), "7");
  EXPECT_EQ(title(titled("local n = param('n', 5)", "n"), {{"n", "1e3"}}), "1000")
      << "a whole number stays whole";
  EXPECT_EQ(title(titled("local x = param('x', 0.5)", "x"), {{"x", "3"}}), "3.0")
      << "a real number stays real";
  EXPECT_EQ(title(titled("local a = param('a', 60, { unit = 'angle' })", "a"), {{"a", "45.5"}}),
            "45.5")
      << "a quantity with a unit is real";
  EXPECT_EQ(title(titled("local s = param('s', 'x')", "s"), {{"s", "42"}}), "42");
  EXPECT_EQ(title(titled("local f = param('f', true)", "f"), {{"f", "false"}}), "false");
}

TEST(Param, RefusesWhatIsOutOfRangeOrOfAnotherType) {
  EXPECT_EQ(title(titled("local n = param('n', 5, { min = 1, max = 9 })", "n"), {{"n", "10"}}),
            "--set n: 10 is out of range; allowed: 1 .. 9, default 5");
  EXPECT_EQ(title(titled("local n = param('n', 5)", "n"), {{"n", "many"}}),
            "--set n: expected a whole number, got text \"many\"; default 5");
  EXPECT_EQ(
      title(titled("local s = param('s', 'b', { choices = { 'a', 'b' } })", "s"), {{"s", "c"}}),
      "--set s: text \"c\" is not one of the choices; allowed: one of: a, b, default \"b\"");
  EXPECT_EQ(title(titled("local f = param('f', true)", "f"), {{"f", "1"}}),
            "--set f: expected true or false, got 1; default true");
  EXPECT_EQ(title(titled("local x = param('x', 0.5)", "x"), {{"x", "inf"}}),
            "--set x: inf is not a finite number; allowed: , default 0.5");
}

TEST(Param, IsDescribedInTheScene) {
  const SceneDescription scene =
      titled("local n = param('n', 5, { min = 1, max = 9, unit = 'mass', doc = 'how many' })", "n")
          .read({{"n", "6"}});
  ASSERT_EQ(scene.params.size(), 1u);
  const SceneParam& p = scene.params[0];
  EXPECT_EQ(p.info.name, "n");
  EXPECT_EQ(p.info.minimum, 1);
  EXPECT_EQ(p.info.maximum, 9);
  EXPECT_EQ(p.info.unit, "mass");
  EXPECT_EQ(p.info.help, "how many");
  EXPECT_EQ(p.standard, engine::ParamValue(5.0));
  EXPECT_EQ(p.value, engine::ParamValue(6.0));
}

TEST(Param, NeedsANameAndAUsableDefault) {
  EXPECT_EQ(title(titled("\nlocal n = param(3, 5)", "n")),
            "2: param: the first argument must be a name, not 3");
  EXPECT_EQ(title(titled("local n = param('n')", "n")),
            "1: n: the default must be a number, a boolean or text, not nothing");
  EXPECT_EQ(title(titled("local n = param('n', {})", "n")),
            "1: n: the default must be a number, a boolean or text, not a table");
}

TEST(Param, ListsEveryParameterWhenANameIsUnknown) {
  EXPECT_EQ(title(titled("local n = param('count', 5)", "n"), {{"cuont", "3"}}),
            "--set cuont: the scene has no parameter of this name; did you mean 'count'?");
  EXPECT_EQ(title(titled("param('a', 5) param('b', 5)", "1"), {{"other", "3"}}),
            "--set other: the scene has no parameter of this name; it has: a, b");
  EXPECT_EQ(title(titled("", "1"), {{"n", "3"}}),
            "--set n: the scene has no parameter of this name; it has none; a path such as "
            "integrator.dt can "
            "be set in "
            "every scene");
}

}  // namespace
}  // namespace mote::sim
