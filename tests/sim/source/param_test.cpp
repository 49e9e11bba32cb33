#include <gtest/gtest.h>

#include "sim/gravity/direct.h"
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

/// A scene that passes `softening` on; `script` defines it.
SceneText softened(const std::string& script, const std::string& more = "") {
  return SceneText(script +
                   "\nreturn { gravity = { softening = softening }, integrator = { dt = 1 }," +
                   more + " bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
}

TEST(LiveValue, IsTheValueOfTheKeysThatItIsPassedOnTo) {
  const SceneText text = softened(
      "local softening = live('softening', 0.1, { max = 2, doc = 'of all' })\n"
      "local light = live('light', -1)\nlocal drags = { drag { linear = softening } }",
      " view = { exposure = light }, fields = { uniform { acceleration = { 0, 0, 1 } }, drags },");
  const SceneDescription scene = text.read({{"softening", "0.5"}});
  EXPECT_EQ(scene.physics.find<Gravity>()->softening, 0.5);
  EXPECT_EQ(scene.view.exposure, -1);
  ASSERT_EQ(scene.params.size(), 2u);
  EXPECT_TRUE(scene.params[0].live);
  EXPECT_EQ(scene.params[0].paths, (Lines{"fields.2.linear", "gravity.softening"}));
  EXPECT_EQ(scene.params[0].value, engine::ParamValue(0.5));
  EXPECT_EQ(scene.params[0].info.help, "of all");
  EXPECT_EQ(scene.params[1].paths, Lines{"view.exposure"});
  // A setting of a key stands, and the key still belongs to the value.
  const SceneDescription set = text.read({{"gravity.softening", "0.7"}});
  EXPECT_EQ(set.physics.find<Gravity>()->softening, 0.7);
  EXPECT_EQ(set.params[0].paths, scene.params[0].paths);
}

TEST(LiveValue, CountsItemsAsTheExpandedSceneDoes) {
  const std::string script =
      "local softening = live('softening', 1)\nlocal drags = { drag { linear = softening } }";
  for (const auto& [fields, path] :
       {std::pair("drag { linear = softening }", "fields.1.linear"),
        {"{ uniform { acceleration = { 0, 0, 1 } }, { { drag { linear = softening } } } }",
         "fields.2.linear"},
        {"{ drags, uniform { acceleration = { 0, 0, 1 } } }", "fields.1.linear"}}) {
    const SceneText text = softened(script, " fields = " + std::string(fields) + ",");
    const SceneDescription scene = text.read();
    EXPECT_EQ(scene.params[0].paths, (Lines{path, "gravity.softening"})) << fields;
    EXPECT_EQ(scene.params[0].value, engine::ParamValue(1.0)) << "a live number is real";
    const SceneDescription set = text.read({{path, "0.25"}, {"softening", "0.5"}});
    EXPECT_EQ(set.physics.find<Gravity>()->softening, 0.5);
    for (const PhysicsParam& p : params_of(set)) {
      EXPECT_TRUE(p.path != path || p.value == engine::ParamValue(0.25)) << fields;
    }
  }
}

TEST(LiveValue, OfAnIncludedFileIsOneOfTheScene) {
  const SceneText text =
      softened("local part = include('part.lua')\nlocal softening = part.softening");
  text.with("part.lua", "return { softening = live('softening', 0.3) }");
  EXPECT_EQ(text.read().params[0].paths, Lines{"gravity.softening"});
}

TEST(LiveValue, MayHaveAUnit) {
  const SceneDescription scene =
      softened("local softening = live('softening', '20 pc', { unit = 'length' })",
               " units = 'galactic',")
          .read();
  EXPECT_DOUBLE_EQ(scene.physics.find<Gravity>()->softening, 0.02);
  EXPECT_EQ(scene.params[0].paths, Lines{"gravity.softening"});
}

TEST(LiveValue, CannotBeComputedWith) {
  for (const char* computed :
       {"2 * s", "s + 1", "-s", "s // 2", "s .. ''", "s < 1 and 1 or 2", "#s", "s.x", "s()",
        "tostring(s)", "string.format('%s', s)", "math.sqrt(s)", "units.kpc(s)", "param('t', s)"}) {
    const SceneText text =
        softened("local s = live('s', 0.1)\nlocal softening = " + std::string(computed));
    ASSERT_EQ(text.problems().size(), 1u) << computed;
    EXPECT_TRUE(text.problems()[0].starts_with("2:")) << text.problems()[0];
    EXPECT_NE(text.problems()[0].find("live value"), std::string::npos) << text.problems()[0];
  }
  EXPECT_EQ(softened("local softening = 2 * live('s', 0.1)").problems(),
            Lines{"1: a live value can only be passed on, as in { softening = live(\"softening\", "
                  "0.1) }; use param to compute with it"});
}

TEST(LiveValue, IsRefusedWhereAValueCannotChange) {
  EXPECT_EQ(
      softened("local softening = 0.1\nlocal m = live('m', 1)",
               " stop = { time = m }, health = { energy_error = m },")
          .problems(),
      (Lines{"2: m: is the value of health.energy_error, which cannot change while the scene "
             "runs; use param instead of live; live values can be those of gravity.softening, "
             "integrator.dt and of `view`",
             "2: m: is the value of stop.time, which cannot change while the scene runs; use "
             "param instead of live; live values can be those of gravity.softening, "
             "integrator.dt and of `view`"}));
}

TEST(LiveValue, HasARangeAndANameOfItsOwn) {
  EXPECT_EQ(softened("local softening = live('s', 2, { max = 1 })").problems().size(), 1u);
  EXPECT_EQ(softened("live('s', 1)\nlive('s', 2)\nlocal softening = 1").problems(),
            Lines{"2: s: a parameter of this name exists already; give each its own name"});
}

}  // namespace
}  // namespace mote::sim
