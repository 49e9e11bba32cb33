#include <gtest/gtest.h>

#include "engine/json.h"
#include "tests/sim/scene/scene_text.h"

namespace mote::sim {
namespace {

SceneText placed_at(const std::string& units, const std::string& position,
                    const std::string& before = "") {
  return SceneText(before + "\nreturn { units = '" + units +
                   "', integrator = { dt = 1 }, bodies = { { mass = 1, position = " + position +
                   " } } }");
}

engine::Vec3d first_position(const SceneText& text, const Settings& settings = {}) {
  return make_bodies(text.read(settings), 1).position[0];
}

TEST(UnitsOnValues, BecomeNumbersOfTheScene) {
  const engine::Vec3d p = first_position(placed_at("galactic", "{ '4.3 kpc', '500 pc', 2 }"));
  EXPECT_EQ(p.x, 4.3);
  EXPECT_EQ(p.y, 0.5);
  EXPECT_EQ(p.z, 2);
}

TEST(UnitsOnValues, StandInTheExpandedSceneAsNumbers) {
  const SceneDescription read =
      placed_at("solar", "{ '1 au', 0, 0 }").read({{"integrator.dt", "12 hours"}});
  EXPECT_EQ(read.integrator.dt, 0.5);
  EXPECT_EQ((*read.expanded)["integrator"]["dt"], 0.5);
  EXPECT_EQ((*read.expanded)["bodies"][0]["position"][0], 1.0);
}

TEST(UnitsOnValues, AreMadeByFunctionsOfTheirNames) {
  EXPECT_EQ(first_position(placed_at("galactic", "units.pc { 500, 1000, 0 }")).y, 1);
  EXPECT_EQ(first_position(placed_at("galactic", "{ units.kpc(2.5), 0, 0 }")).x, 2.5);
  EXPECT_EQ(placed_at("galactic", "{ units.kpc('x'), 0, 0 }").problems(),
            Lines{"2: units expect a number or a list of numbers, got text \"x\""});
}

TEST(UnitsOnValues, AreCheckedForTheirDimension) {
  EXPECT_EQ(placed_at("galactic", "{ '1 km/s', 0, 0 }").problems(),
            Lines{"2: bodies.1.position.1: \"1 km/s\" is a velocity, but a length is needed"});
  EXPECT_EQ(placed_at("nbody", "{ '1 km', 0, 0 }").problems(),
            Lines{"2: bodies.1.position.1: \"1 km\" has a unit, but the unit system 'nbody' has no "
                  "physical units; "
                  "give a plain number, or choose units = \"si\", \"solar\", \"galactic\" or "
                  "\"molecular\""});
}

TEST(UnitsOnValues, AreNoProblemOfTheirOwnWhereTheUnitsAreWrong) {
  EXPECT_EQ(placed_at("galaktic", "{ '1 km', 0, 0 }").problems().size(), 1u);
}

TEST(UnitsOnValues, AreNoProblemOfParametersWhereTheUnitsAreWrong) {
  EXPECT_EQ(
      placed_at("galaktic", "{ x, 0, 0 }", "local x = param('x', '2 kpc', { unit = 'length' })")
          .problems()
          .size(),
      1u);
}

TEST(UnitsOnValues, AreRefusedWhereANumberHasNoDimension) {
  EXPECT_EQ(placed_at("si", "{ 0, 0, 0 }").problems({{"view.exposure", "2 km"}}),
            Lines{"--set view.exposure: takes a plain number, no unit, got text \"2 km\"; allowed: "
                  "-20 .. 20, "
                  "default 0"});
}

TEST(UnitsOnValues, ServeAsDefaultsOfParameters) {
  const std::string before = "local x = param('x', '2 kpc', { unit = 'length', min = 1, max = 3 })";
  const SceneText text = placed_at("galactic", "{ x, 0, 0 }", before);
  EXPECT_EQ(first_position(text).x, 2);
  EXPECT_EQ(first_position(text, {{"x", "2.5"}}).x, 2.5);
  EXPECT_EQ(first_position(text, {{"x", "1500 pc"}}).x, 1.5);
  const SceneParam p = text.read({{"x", "1500 pc"}}).params[0];
  EXPECT_EQ(p.type, engine::ParamType::real);
  EXPECT_EQ(p.standard, engine::ParamValue(2.0));
  EXPECT_EQ(p.value, engine::ParamValue(1.5));
  EXPECT_EQ(text.problems({{"x", "4 kpc"}}),
            Lines{"--set x: 4 kpc is out of range; allowed: 1 .. 3"});
  EXPECT_EQ(text.problems({{"x", "2 kg"}}),
            Lines{"--set x: \"2 kg\" is a mass, but a length is needed"})
      << "once, though it is wrong in the scene too";
  EXPECT_EQ(
      placed_at("galactic", "{ 1, 0, 0 }", "param('x', '2 kg', { unit = 'length' })").problems(),
      Lines{"1: x: \"2 kg\" is a mass, but a length is needed"});
}

}  // namespace
}  // namespace mote::sim
