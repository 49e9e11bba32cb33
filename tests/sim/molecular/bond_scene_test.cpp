// Bonds and angles in scenes.
#include <gtest/gtest.h>

#include <string>

#include "engine/json.h"
#include "sim/molecular/bonds.h"
#include "sim/scene/read_scene.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using sim::Angle;
using sim::Bond;

const sim::BondForces& bonds_of(const sim::SceneDescription& scene) {
  return *scene.physics.find<sim::BondForces>();
}

const std::string kinds_of_bonds =
    "bond_kinds = { b = { stiffness = 100, length = 1 }, f = { form = \"fene\", stiffness = 30, "
    "extension = "
    "1.5 } }, "
    "angle_kinds = { a = { stiffness = 5 } }, ";

sim::SceneDescription bonded_scene(const std::string& text, const std::string& more = "") {
  return scene_of("return { " + (more.find("bond_kinds") == 0 ? "" : kinds_of_bonds) + more +
                  "integrator = { dt = 0.001 }, " + text + " }");
}

std::string error_of(const std::string& text, const std::string& more = "",
                     bool all_of_it = false) {
  try {
    const sim::SceneDescription scene = all_of_it
                                            ? scene_of("return { " + text +
                                                       ", integrator = { dt = 0.001 }, bodies = "
                                                       "{ lattice { counts = { 3, 1, 1 }, mass = "
                                                       "3 } } }")
                                            : bonded_scene(text, more);
    sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
  } catch (const engine::InputError& error) {
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(BondedScenes, BondChainsInTheOrderOfTheirBodiesInGroupsToo) {
  const sim::SceneDescription scene = bonded_scene(
      "bodies = { { mass = 1, position = { 9, 9, 9 } }, scale({ chain { n = 3, bond = \"b\", angle "
      "= \"a\" "
      "}, translate(chain { n "
      "= 3, shape = \"ring\", bond = \"f\" }, { 0, 5, 0 }) }, { length = 2 }) }");
  ASSERT_TRUE(scene.physics.find<sim::BondForces>());
  const auto kind = [&](const char* name) -> std::uint32_t {
    return bonds_of(scene).bond_kinds[0].name == name ? 0u : 1u;
  };
  EXPECT_EQ(bonds_of(scene).bonds, (std::vector<Bond>{{1, 2, kind("b")},
                                                      {2, 3, kind("b")},
                                                      {4, 5, kind("f")},
                                                      {5, 6, kind("f")},
                                                      {4, 6, kind("f")}}));
  EXPECT_EQ(bonds_of(scene).angles, (std::vector<Angle>{{1, 2, 3, 0}}));
}

TEST(BondedScenes, SurviveARoundTripThroughJson) {
  const sim::SceneDescription scene = bonded_scene(
      "bonds = { { kind = \"f\", bodies = { {3, 0} } } }, angles = { { kind = \"a\", bodies = { "
      "{3, 0, 1} } "
      "} }, bodies = { chain { n "
      "= 3, bond = \"b\", angle = \"a\" }, { mass = 1, position = { 1, 1, 0 } } }");
  const sim::SceneDescription again =
      sim::read_scene_text("full.json", engine::json_text(scene.expanded, 1));
  ASSERT_TRUE(scene.physics.find<sim::BondForces>() && again.physics.find<sim::BondForces>());
  EXPECT_EQ(bonds_of(scene).bonds.size(), 3u);
  EXPECT_EQ(bonds_of(scene).angles.size(), 2u);
  EXPECT_EQ(bonds_of(again).bonds, bonds_of(scene).bonds);
  EXPECT_EQ(bonds_of(again).angles, bonds_of(scene).angles);
  EXPECT_EQ(*again.expanded, *scene.expanded);
}

TEST(BondedScenes, TakeUnits) {
  const sim::SceneDescription scene = scene_of(
      "return { units = \"molecular\", bond_kinds = { b = { stiffness = \"300 kJ/mol/angstrom^2\", "
      "length = "
      "\"1.5 angstrom\" } }, "
      "integrator = { dt = 0.0001 }, bodies = { chain { n = 2, mass = 24, spacing = 0.15, bond = "
      "\"b\" } } "
      "}");
  // 1 kJ/mol = 1 u nm^2/ps^2; 1 angstrom = 0.1 nm.
  EXPECT_NEAR(*bonds_of(scene).bond_kinds[0].stiffness, 300 / 0.01, 1e-6 * 30000);
  EXPECT_NEAR(*bonds_of(scene).bond_kinds[0].length, 0.15, 1e-15);
}

TEST(BondedScenes, MakeChainsOfEveryShape) {
  for (const char* shape : {"straight", "ring", "walk"}) {
    const sim::Bodies bodies = sim::make_bodies(
        bonded_scene(
            "bodies = { chain { n = 20, spacing = 0.7, direction = { 1, 2, 2 }, shape = \"" +
            std::string(shape) + "\" } }"),
        1);
    for (std::size_t i = 1; i < 20; ++i)
      EXPECT_NEAR(distance(bodies.position[i], bodies.position[i - 1]), 0.7, 1e-14) << shape;
    if (std::string(shape) == "ring") {
      EXPECT_NEAR(distance(bodies.position[19], bodies.position[0]), 0.7, 1e-14);
    }
    if (std::string(shape) == "straight") {
      EXPECT_NEAR(bodies.position[19].x - bodies.position[0].x, 19 * 0.7 / 3, 1e-13);
    }
  }
}

TEST(BondedScenes, RefuseRodsThatCannotStartOrGoWithOtherPhysics) {
  const auto rod = [](const std::string& bodies, const std::string& more = "") {
    return error_of(
        "bonds = { { kind = \"r\", bodies = { {0, 1} } } }, bodies = { " + bodies + " }",
        "bond_kinds = { r = { form = \"rigid\", length = 1 } }, " + more);
  };
  const std::string at = "{ mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = ",
                    two = at + "{ 1, 0, 0 } }";
  EXPECT_EQ(rod(two), "");
  expect_contains(rod(at + "{ 1.001, 0, 0 } }"),
                  "the rod of bodies 0 and 1 has a length of 1, and they are 1.001 apart");
  expect_contains(rod(at + "{ 1, 0, 0 }, velocity = { 0.5, 1, 0 } }"),
                  "they separate with a speed of 0.5");
  EXPECT_EQ(rod(at + "{ 1, 0, 0 }, velocity = { 0, 1, 0 } }"), "");
  expect_contains(rod("{ mass = 1, position = { 0, 0, 0 }, fixed = true }, "
                      "{ mass = 1, position = { 1, 0, 0 }, fixed = true }"),
                  "connects two fixed bodies");
  expect_contains(rod(two, "thermostat = { \"langevin\", temperature = 1 }, "),
                  "of the form rigid cannot be combined with a thermostat yet");
  expect_contains(rod(two + ", rope { n = 3, mass = 1 }", "soft = {}, "),
                  "of the form rigid cannot be combined with soft bodies yet");
  expect_contains(rod(two, "domain = { size = { 9, 9, 9 }, boundary = \"wall\" }, "),
                  "of the form rigid cannot be combined with walls of a domain yet");
}

TEST(BondedScenes, RefuseWhatIsWrongWithPlaceReasonAndRemedy) {
  const std::string three = "bodies = { lattice { counts = { 3, 1, 1 }, mass = 3 } }";
  const auto bonds = [&](const std::string& list) {
    return error_of("bonds = { " + list + " }, " + three);
  };
  expect_contains(bonds("{ kind = \"c\", bodies = { {0, 1} } }"), "bonds.1.kind");
  expect_contains(bonds("{ kind = \"c\", bodies = { {0, 1} } }"), "no such kind of bonds: \"c\"");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, 1}, {1, 1} } }"), "bonds.1.bodies.2");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, 1}, {1, 1} } }"),
                  "body 1 has a bond with itself");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, 1}, {1, 0} } }"),
                  "the bond of bodies 1, 0 exists already");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, 3} } }"), "there is no body 3");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, -1} } }"), "there is no body -1");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, 1, 2} } }"),
                  "expected the ids of two bodies");
  expect_contains(bonds("{ kind = \"b\", bodies = { {0, 1.5} } }"),
                  "expected the ids of two bodies");
  expect_contains(bonds("{ kind = \"b\" }"), "bonds.1.bodies");
  expect_contains(bonds("{ kind = \"b\", bodys = {} }"), "unknown key");
  expect_contains(error_of("angles = { { kind = \"a\", bodies = { {0, 1, 0} } } }, " + three),
                  "body 0 has an angle with itself");
  expect_contains(
      error_of("angles = { { kind = \"a\", bodies = { {0, 1, 2}, {2, 1, 0} } } }, " + three),
      "exists already");
  expect_contains(
      error_of("bonds = { { kind = \"b\", bodies = { {1, 0} } } }, bodies = { chain { n = "
               "3, bond = \"b\" } }"),
      "exists already");
  expect_contains(error_of("bodies = { chain { n = 3, bond = \"bb\" } }"), "bodies.1.bond");
  expect_contains(error_of("bodies = { chain { n = 3, angle = \"b\" } }"),
                  "no such kind of angles: \"b\"");
  expect_contains(error_of("bodies = { chain { n = 2, shape = \"ring\" } }"), "make no ring");
  expect_contains(error_of("bodies = { chain { n = 2, direction = { 0, 0, 0 } } }"),
                  "has no length");
}

TEST(BondedScenes, RefuseKindsThatCannotBe) {
  const auto kind = [](const std::string& text) {
    return error_of("bond_kinds = { b = { " + text + " } }", "", true);
  };
  expect_contains(kind("length = 1"), "bond_kinds.b.stiffness");
  expect_contains(kind("stiffness = 1"), "bonds of the form harmonic need it");
  expect_contains(kind("stiffness = 1, form = \"fene\""), "bonds of the form fene need it");
  expect_contains(kind("stiffness = 1, length = 1, extension = 2"),
                  "is for bonds of the form fene");
  expect_contains(kind("stiffness = -1, length = 1"), "bond_kinds.b.stiffness");
  expect_contains(kind("form = \"rigid\""), "bonds of the form rigid need it");
  expect_contains(kind("form = \"rigid\", length = 0"), "gives a rod no direction");
  expect_contains(kind("form = \"rigid\", length = 1, stiffness = 1"),
                  "is for bonds of the form harmonic or fene");
  expect_contains(kind("form = \"rigid\", length = 1, damping = 1"),
                  "is for bonds of the form harmonic or fene");
  expect_contains(kind("stiffness = \"3 kg\", length = 1"), "bond_kinds.b.stiffness");
  expect_contains(error_of("angle_kinds = { a = { stiffness = 1, angle = 181 } }", "", true),
                  "angle_kinds.a.angle");
  expect_contains(error_of("bonds = 3", "", true), "expected a list");
  expect_contains(
      error_of(
          "bodies = { chain { n = 3, spacing = 1, bond = \"b\" } }",
          "lennard_jones = { epsilon = 0, cutoff = 0.5 }, domain = { size = { 9, 1.9, 9 } }, "),
      "more than half of the periodic domain");
}

TEST(BondedScenes, RefuseStartsThatCannotBe) {
  expect_contains(
      error_of("bodies = { chain { n = 3, spacing = 1.5, bond = \"f\" } }"),
      "the bond of bodies 0 and 1 has an initial length of 1.5, not below its extension of 1.5");
  expect_contains(error_of("bodies = { chain { n = 3, mass = 0, bond = \"b\" } }"),
                  "body 0 has a bond and no mass");
  // Two bodies of mass 1/3 on a spring of 100: w^2 = 600, 2 / w = 0.0816.
  const auto with_step = [](const std::string& dt, const std::string& kind) {
    try {
      const sim::SceneDescription scene = scene_of(
          "return { bond_kinds = { b = { length = 1, " + kind + " } }, integrator = { dt = " + dt +
          " }, bodies = { chain { n = 3, bond = \"b\" } } }");
      sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
    } catch (const engine::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  expect_contains(with_step("0.082", "stiffness = 100"), "a step must be at most 0.0816");
  EXPECT_EQ(with_step("0.081", "stiffness = 100"), "");
  // g = 6 c = 12: 4 / (12 + sqrt(144 + 2400)) = 0.0641.
  expect_contains(with_step("0.065", "stiffness = 100, damping = 2"),
                  "a step must be at most 0.064");
  EXPECT_EQ(with_step("0.064", "stiffness = 100, damping = 2"), "");
}

TEST(BondedScenes, RefuseDampingWithIntegratorsOfHigherOrder) {
  const auto message_of = [](const char* integrator) {
    try {
      scene_of(
          "return { bond_kinds = { b = { stiffness = 1, length = 1, damping = 1 } }, integrator = "
          "{ \"" +
          std::string(integrator) +
          "\", dt = 0.001 }, bodies = { chain { n = 3, bond = \"b\" } } }");
    } catch (const engine::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  expect_contains(message_of("yoshida4"),
                  "bonds: cannot be combined with the integrator yoshida4; use leapfrog, or remove "
                  "the damping");
  EXPECT_EQ(message_of("leapfrog"), "");
}

}  // namespace
}  // namespace mote::test
