#include <gtest/gtest.h>

#include <string>

#include "engine/json.h"
#include "sim/field/fields.h"
#include "sim/gravity/direct.h"
#include "sim/run/plan.h"
#include "tests/sim/scene/scene_text.h"
#include "tests/support/backend.h"

namespace mote::sim {
namespace {

const std::vector<sim::Field>& fields_of(const sim::SceneDescription& scene) {
  return *scene.physics.find<std::vector<sim::Field>>();
}

std::string scene_with(const std::string& fields, const std::string& more = "") {
  return "return {\n  integrator = { dt = 0.1 }, bodies = { { mass = 1, position = { 1, 0, 0 } } "
         "}, " +
         more + "\n  fields = {\n" + fields + "\n} }";
}

TEST(FieldScenes, AreReadInLua) {
  const auto scene = SceneText(scene_with(R"(
    field { acceleration = { "-k*x", "-k*y", "-g" }, potential = "0.5*k*(x^2+y^2) + g*z", k = 1, g = 9.81 },
    uniform { acceleration = { 0, 0, -9.81 } },
    point_mass { mass = 1 }, logarithmic_halo { speed = 200 }, harmonic_trap { rates = { 1, 1, 1 } },
    miyamoto_nagai { mass = 1, scale_length = 3, scale_height = 0.2 },
    drag { linear = 0.1 }, rotating_frame { angular_velocity = { 0, 0, 1 } })"))
                         .read();
  ASSERT_EQ(fields_of(scene).size(), 8u);
  const char* const names[] = {"field",         "uniform",        "point_mass", "logarithmic_halo",
                               "harmonic_trap", "miyamoto_nagai", "drag",       "rotating_frame"};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_STREQ(name_of(fields_of(scene)[i]), names[i]);
}

TEST(FieldScenes, ReadBackFromTheirExpandedForm) {
  const auto scene = SceneText(scene_with(R"(
    field { acceleration = { "-k*x", "-k*y", -9.5 }, potential = "0.5*k*(x^2+y^2) + 9.5*z", k = 0.1 },
    drag { linear = 0.1 })"))
                         .read();
  const std::string expanded = engine::json_text(scene.expanded, 1);
  const auto again = SceneText(expanded, ".json").read();
  EXPECT_EQ(engine::json_text(*again.expanded, 1), expanded);
  ASSERT_EQ(fields_of(again).size(), 2u);
  EXPECT_EQ((*scene.expanded)["fields"][0]["acceleration"][0], "-k*x");
  EXPECT_EQ((*scene.expanded)["fields"][0]["k"], 0.1);
}

TEST(FieldScenes, TakeSettingsFromTheCommandLine) {
  const SceneText text(scene_with(R"(field { acceleration = { "-k*x", 0, 0 }, k = 1 })"));
  EXPECT_EQ((*text.read({{"fields.1.k", "2.5"}}).expanded)["fields"][0]["k"], 2.5);
  EXPECT_EQ(text.problems({{"fields.1.acceleration.1", "q*x"}}),
            Lines{"--set fields.1.acceleration.1: unknown name 'q', at character 1; known are x, "
                  "y, z, vx, vy, "
                  "vz, m, t, r, pi, k\n  q*x\n  ^"});
}

TEST(WrongFieldScenes, ArePointedAtByLineKeyAndCharacter) {
  EXPECT_EQ(
      SceneText(scene_with("    field { acceleration = {\n    0,\n    \"-k*q\", 0 }, k = 2 }"))
          .problems(),
      Lines{"6: fields.1.acceleration.2: unknown name 'q', at character 4; known are x, y, z, vx, "
            "vy, "
            "vz, m, t, r, pi, k\n  -k*q\n     ^"});
}

TEST(WrongFieldScenes, AreReportedAllAtOnce) {
  const Lines lines = SceneText(scene_with(R"(
    field { acceleration = { "x +", 0, 0 } },
    field { acceleration = { "x", 0 } },
    field { potential = "x" },
    field { acceleration = { 0, 0, "g" }, g = "much" },
    field { acceleration = { 0, 0, "g" }, g = 0/0 },
    field { acceleration = { 0, 0, "g" }, g = 1, h = 2 },
    field { acceleration = { 0, 0, "-sin*x" }, sin = 1 },
    field { acceleration = { "-x", 0, 0 }, potental = "x^2/2" },
    field { acceleration = { "-x", 0, 0 }, potential = "vx^2/2" },
    field { acceleration = { true, {}, 0 } },
    drag { linear = -1 },
    drag { lineal = 1 },
    { kind = "drags" },
    7,
    rotating_frame { angular_velocity = { 0, 0, 1 } }, rotating_frame { angular_velocity = { 0, 0, 1 } },
    harmonic_trap { rates = 3 })"))
                          .problems();
  const char* const expected[] = {
      "5: fields.1.acceleration.1: ends where a number",
      "6: fields.2.acceleration: expected a list of three expressions, got {\"x\", 0}",
      "7: fields.3.acceleration: is missing",
      "8: fields.4.g: expected a number, got text \"much\"",
      "9: fields.5.g: nan is not a finite number",
      "10: fields.6.h: is not used by any expression",
      "11: fields.7.sin: is a reserved name in expressions",
      "11: fields.7.acceleration.3: the function sin has no argument, at character 2",
      "12: fields.8.potental: expected a number, got text \"x^2/2\"; did you mean 'potential'?",
      "13: fields.9.potential: depends on the velocity",
      "14: fields.10.acceleration.1: expected an expression, got true",
      "14: fields.10.acceleration.2: expected an expression, got an empty table",
      "15: fields.11.linear: -1 is out of range",
      "16: fields.12.lineal: unknown key; did you mean 'linear'?",
      "17: fields.13.kind: no such kind of field: \"drags\"; did you mean 'drag'?",
      "18: fields.14: expected a field, got 7",
      "19: fields.16: is a second rotating frame",
      "20: fields.17.rates: expected a vector",
  };
  ASSERT_EQ(lines.size(), std::size(expected)) << testing::PrintToString(lines);
  for (std::size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].substr(0, std::string(expected[i]).size()), expected[i]);
}

TEST(WrongFieldScenes, ShowOnlyThePartOfALongExpressionThatIsWrong) {
  const Lines lines = SceneText(scene_with("field { acceleration = { string.rep('x+', 500) .. 'q' "
                                           ".. string.rep('+x', 500), 0, 0 } }"))
                          .problems();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("unknown name 'q', at character 1001"), std::string::npos) << lines[0];
  const std::size_t excerpt = lines[0].find("\n  ..."), mark = lines[0].find("\n  ", excerpt + 1);
  ASSERT_NE(excerpt, std::string::npos) << lines[0];
  EXPECT_EQ(lines[0].find('q', excerpt) - excerpt, lines[0].find('^') - mark)
      << "the mark stands below it";
  EXPECT_LT(lines[0].size(), 350u);
}

TEST(WrongFieldScenes, AreShownInOneLineWithLettersOfOtherLanguages) {
  const Lines lines =
      SceneText(scene_with("field { acceleration = { '\u00b5\u00b5 + x', 0, 0 } }")).problems();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_TRUE(lines[0].ends_with("\n  \u00b5\u00b5 + x\n  ^")) << lines[0];
  const Lines behind =
      SceneText(scene_with("field { acceleration = { 0, 0, 'x +\\n\u00b5' } }")).problems();
  ASSERT_EQ(behind.size(), 1u);
  EXPECT_NE(behind[0].find("at character 5"), std::string::npos) << behind[0];
  EXPECT_TRUE(behind[0].ends_with("\n  x + \u00b5\n      ^")) << behind[0];
}

TEST(FieldScenes, MayBeOneOrListsOfThem) {
  const SceneText one(
      "return { integrator = { dt = 1 }, fields = drag { linear = 2 }, bodies = { { mass = 1, "
      "position = { "
      "0, 0, 0 } } } }");
  ASSERT_EQ(fields_of(one.read()).size(), 1u);
  EXPECT_EQ(std::get<Drag>(fields_of(one.read())[0]).linear, 2);
  EXPECT_EQ(std::get<Drag>(fields_of(one.read({{"fields.linear", "3"}}))[0]).linear, 3);
  EXPECT_EQ(std::get<Drag>(fields_of(one.read({{"fields.1.linear", "4"}}))[0]).linear, 4);
  const SceneText lists(scene_with(
      "uniform { acceleration = { 0, 0, 1 } }, { drag { linear = 1 }, { drag { linear = 2 } } }"));
  ASSERT_EQ(fields_of(lists.read()).size(), 3u);
  EXPECT_EQ(std::get<Drag>(fields_of(lists.read())[2]).linear, 2);
  EXPECT_EQ((*lists.read().expanded)["fields"].size(), 3u);
  EXPECT_EQ(std::get<Drag>(fields_of(lists.read({{"fields.3.linear", "5"}}))[2]).linear, 5);
  EXPECT_EQ(lists.problems({{"fields.linear", "5"}}),
            Lines{"--set fields.linear: unknown key; a list has no keys: leave out 'linear ='"});
  EXPECT_EQ(
      SceneText(
          scene_with("{ rotating_frame { angular_velocity = { 0, 0, 1 } } },\n{ rotating_frame { "
                     "angular_velocity = { 0, 0, 1 } } }"))
          .problems(),
      Lines{"5: fields.2: is a second rotating frame; keep one"});
}

TEST(FieldScenes, TakeUnits) {
  const auto scene = SceneText(R"(return { units = "galactic", integrator = { dt = 1 },
    gravity = { constant = "4.30091727e-3 pc/Msun km^2/s^2" },
    bodies = { { mass = 1, position = { 0, 0, 0 } } },
    fields = {
      uniform { acceleration = { 0, "1 km^2/s^2/pc", 0 } },
      harmonic_trap { rates = { "25 km/s/kpc", 0, 0 } },
      drag { linear = "1 km/s/kpc", quadratic = "1 1/pc" },
      rotating_frame { angular_velocity = { 0, 0, "25 km/s/kpc" } } } })")
                         .read();
  EXPECT_NEAR(*scene.physics.find<sim::Gravity>()->constant, 43009.1727, 1e-9);
  EXPECT_NEAR(std::get<UniformField>(fields_of(scene)[0]).acceleration.y, 1000, 1e-11);
  EXPECT_NEAR(std::get<HarmonicTrap>(fields_of(scene)[1]).rates.x, 25, 1e-13);
  EXPECT_NEAR(std::get<Drag>(fields_of(scene)[2]).linear, 1, 1e-14);
  EXPECT_NEAR(std::get<Drag>(fields_of(scene)[2]).quadratic, 1000, 1e-11);
  EXPECT_NEAR(std::get<RotatingFrame>(fields_of(scene)[3]).angular_velocity.z, 25, 1e-13);
}

TEST(FieldScenes, RefuseALimitOnTheErrorOfAnEnergyThatMayRise) {
  const auto problems = [](const char* field) {
    return SceneText(scene_with(field, "health = { energy_error = 0.1 },")).problems();
  };
  EXPECT_EQ(problems("drag { linear = 1 }"), Lines{}) << "it may not rise";
  EXPECT_EQ(
      problems("field { acceleration = { '-x', 0, 0 } }"),
      (Lines{"2: health.energy_error: energy is not constant with fields.1 (field): it has no "
             "`potential`; leave the limit out"}));
  EXPECT_EQ(problems("field { acceleration = { '-x*t', 0, 0 }, potential = 't*x^2/2' }").size(),
            1u);
  EXPECT_EQ(problems("field { acceleration = { '-x', 0, 0 }, potential = 'x^2/2' }"), Lines{});
  EXPECT_EQ(problems("rotating_frame { angular_velocity = { 0, 0, 1 } }"), Lines{});
}

TEST(EnergyLimits, AreRefusedWhereverEnergyMayRise) {
  const std::string refusal = test::message_of<engine::InputError>([] {
    test::shipped_scene("rotating_drum", {{"health.energy_error", "0.1"}});
  });
  EXPECT_NE(refusal.find("health.energy_error: energy is not constant with grains: "),
            std::string::npos)
      << refusal;
  EXPECT_NE(refusal.find("leave the limit out"), std::string::npos) << refusal;
  for (const char* name : {"plummer", "demixing", "foucault", "penning_trap", "argon", "cloth",
                           "dam_break", "hourglass", "projectiles", "jelly", "fountain"})
    EXPECT_NO_THROW(test::shipped_scene(name, {{"health.energy_error", "0.1"}})) << name;
}

TEST(FieldScenes, SayThatBodiesFallWithoutEndAlongAPeriodicAxis) {
  const auto notes = [](const char* boundary) {
    return energy_notes(SceneText(scene_with("uniform { acceleration = { 0, 0, -1 } }",
                                             std::string("lennard_jones = {}, domain = { size = { "
                                                         "9, 9, 9 }, z = '") +
                                                 boundary + "' },"))
                            .read());
  };
  EXPECT_EQ(notes("periodic"), (Lines{"energy is not constant with fields.1 (uniform): along a "
                                      "periodic axis bodies fall without end"}));
  EXPECT_EQ(notes("wall"), Lines{});
}

TEST(FieldScenes, SayInThePlanWhenEnergyIsNotConstant) {
  const auto scene =
      SceneText(scene_with("uniform { acceleration = { 0, 0, 1 } }, drag { linear = 1 }")).read();
  RunOptions options;
  options.backend = engine::Backend::cpu;
  const Plan plan = make_plan(scene, options);
  EXPECT_NE(std::find(plan.reasons.begin(), plan.reasons.end(),
                      "energy is not constant with fields.2 (drag): drag has no potential"),
            plan.reasons.end());
}

}  // namespace
}  // namespace mote::sim
