// Grains of several materials: contacts of species with themselves, each other and obstacles.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "sim/contact/contact_formula.h"
#include "sim/scene/read_scene.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Precision;
using sim::Simulation;

class MaterialsOfGrains : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(MaterialsOfGrains);

/// Pairs of spheres of species a and a, b and b, a and b, that collide head on with 2 length units
/// per time unit.
std::string collisions(const std::string& a, const std::string& b, const std::string& more = "") {
  std::string bodies;
  const char* const pairs[3][2] = {{"a", "a"}, {"b", "b"}, {"a", "b"}};
  for (int k = 0; k < 3; ++k)
    for (int side = -1; side <= 1; side += 2)
      bodies += "{ position = { " + std::to_string(0.1 * side) + ", " + std::to_string(k) +
                ", 0 }, velocity = { " + std::to_string(-side) + ", 0, 0 }, species = \"" +
                pairs[k][side < 0 ? 0 : 1] + "\" }, ";
  return "return { species = { a = { " + a + " }, b = { " + b +
         " } }, grains = { radius = 0.1, density = 2500 }, integrator = { dt = 0.00001 }, bodies = "
         "{ " +
         bodies + " }, " + more + " }";
}

/// Relative speed along x of pair k, of those above: > 0 once they part.
double speed_of_pair(Simulation& sim, std::uint32_t k) {
  return body(sim, 2 * k + 1).velocity.x - body(sim, 2 * k).velocity.x;
}

/// A collision takes 1,800 steps; with 200 the restitution errs by a thousandth (docs/physics).
TEST_P(MaterialsOfGrains, PartWithTheGeometricMeanOfTheirRestitution) {
  const std::string a = "restitution = 0.9", b = "restitution = 0.4";
  const auto sim = open(scene_of(collisions(a, b)), {.precision = Precision::double_});
  sim->advance(3000, {});
  EXPECT_NEAR(speed_of_pair(*sim, 0) / 2, 0.9, 0.002);
  EXPECT_NEAR(speed_of_pair(*sim, 1) / 2, 0.4, 0.002);
  EXPECT_NEAR(speed_of_pair(*sim, 2) / 2, std::sqrt(0.9 * 0.4), 0.002);
  const auto pair =
      open(scene_of(collisions(
               a, b, "grain_pairs = { { species = { \"b\", \"a\" }, restitution = 0.2 } }")),
           {.precision = Precision::double_});
  pair->advance(3000, {});
  EXPECT_NEAR(speed_of_pair(*pair, 0) / 2, 0.9, 0.002);
  EXPECT_NEAR(speed_of_pair(*pair, 2) / 2, 0.2, 0.002);
}

/// Spheres that touch at the start rest relative to each other after half of the duration of
/// their collision (Hertz), which depends on 1 / E* = sum of (1 - nu^2) / E. In one step the
/// velocity changes by less than a hundredth of that before.
TEST_P(MaterialsOfGrains, ActAsSpringsInSeries) {
  const auto sim = open(scene_of(collisions("young_modulus = 1e7, restitution = 1",
                                            "young_modulus = 4e7, poisson = 0.1, restitution = 1")),
                        {.precision = Precision::double_});
  const double soft = (1 - 0.3 * 0.3) / 1e7, hard = (1 - 0.1 * 0.1) / 4e7;
  const double mass = 4 * std::numbers::pi / 3 * 1e-3 * 2500, step = 1e-5;
  const double moduli[3] = {1 / (soft + soft), 1 / (hard + hard), 1 / (soft + hard)};
  double turned[3] = {};
  for (int k = 1; k < 1000; ++k) {
    sim->advance(1, {});
    for (std::uint32_t pair = 0; pair < 3; ++pair)
      if (turned[pair] == 0 && speed_of_pair(*sim, pair) > 0) turned[pair] = k * step;
  }
  for (int pair = 0; pair < 3; ++pair)
    EXPECT_NEAR(turned[pair], sim::hertz_contact_time(moduli[pair], mass / 2, 0.05, 2) / 2,
                1.5 * step)
        << pair;
}

/// Without friction a ball slides down a slope with g sin; with enough it rolls with 5/7 of that
/// acceleration. An obstacle without a friction of its own has that of each material.
TEST_P(MaterialsOfGrains, SlideOrRollByTheirOwnFriction) {
  const auto slope = [](const std::string& friction) {
    return R"(return {
      species = { smooth = { friction = 0 }, rough = { friction = 0.8 } },
      grains = { radius = 0.1, density = 2500, restitution = 0 }, integrator = { dt = 0.0001 },
      fields = { uniform { acceleration = { 0, 0, -9.81 } } },
      obstacles = { plane { normal = { 0.29552020666, 0, 0.95533648912 }, )" +
           friction + R"( } },
      bodies = { { position = { 0.029552, 0, 0.0955336 }, species = "smooth" },
                 { position = { 0.029552, 1, 0.0955336 }, species = "rough" } } })";
  };
  const double speed = 9.81 * std::sin(0.3) * 0.5;
  for (const bool own : {false, true}) {
    const auto sim =
        open(scene_of(slope(own ? "friction = 0.8" : "")), {.precision = Precision::double_});
    sim->advance(5000, {});
    EXPECT_NEAR(length(body(*sim, 0).velocity), own ? 5.0 / 7 * speed : speed, 0.01 * speed);
    EXPECT_NEAR(length(body(*sim, 1).velocity), 5.0 / 7 * speed, 0.01 * speed);
  }
}

TEST_P(MaterialsOfGrains, HaveTheMassOfTheirDensity) {
  const auto sim = open(scene_of(collisions("density = 7800", "friction = 0.1")));
  const double volume = 4 * std::numbers::pi / 3 * 1e-3;
  sim->state().visit([&](const auto& s) {
    EXPECT_NEAR(s.mass[0], 7800 * volume, 1e-5 * 7800 * volume);
    EXPECT_NEAR(s.mass[2], 2500 * volume, 1e-5 * 2500 * volume);
  });
}

/// A heap of species that spell out the material of all grains moves with the bits of one without.
TEST_P(MaterialsOfGrains, ThatAreTheSameMoveWithTheSameBits) {
  const auto heap = [](const std::string& own) {
    return R"(return {
      species = { a = { )" +
           own + R"( }, b = {} },
      grains = { radius = 0.07, spread = 0.2, density = 2500, young_modulus = 1e6, friction = 0.6,
                 rolling_friction = 0.1 },
      fields = { uniform { acceleration = { 0, 0, -9.81 } } },
      obstacles = { plane { normal = { 0, 0, 1 } }, plane { point = { 0, -0.4, 0 }, normal = { 0, 1, 0.5 } } },
      integrator = { dt = 0.0005 },
      bodies = { translate(lattice { counts = { 3, 3, 3 }, spacing = 0.19, mass = 1, dispersion = 0.3,
                                     species = "a" }, { 0, 0, 0.4 }),
                 translate(lattice { counts = { 3, 3, 3 }, spacing = 0.19, mass = 1, dispersion = 0.3,
                                     species = "b" }, { 0.05, 0, 1 }) } })";
  };
  const auto one = open(scene_of(heap(""))),
             two = open(scene_of(heap("young_modulus = 1e6, friction = 0.6"))),
             other = open(scene_of(heap("young_modulus = 1e6, friction = 0.3")));
  for (Simulation* sim : {one.get(), two.get(), other.get()}) sim->advance(600, {});
  EXPECT_EQ(two->hash(), one->hash());
  EXPECT_NE(other->hash(), one->hash());
}

TEST(MaterialsOfGrainsAre, RefusedWhereTheyMeanNothing) {
  const auto refused = [](const std::string& lua, const std::string& why) {
    try {
      scene_of(lua);
      ADD_FAILURE() << "accepted: " << lua;
    } catch (const engine::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused(R"(return { species = { a = { friction = 0.2 } }, bodies = { { mass = 1 } } })",
          "is for grains, which the scene does not have");
  refused(
      R"(return { grain_pairs = { { species = { "a", "a" }, friction = 0.2 } }, bodies = { { mass = 1 } } })",
      "needs grains");
  refused(collisions("", "", R"(grain_pairs = { { species = { "a", "c" }, friction = 0.2 } })"),
          "grain_pairs.1.species: no such species");
  refused(collisions("", "", R"(grain_pairs = { { species = { "a", "b" }, frction = 0.2 } })"),
          "frction");
  refused(collisions("restitution = 1.5", ""), "species.a.restitution");
  refused(
      R"(return { species = { a = { matter = "fluid", friction = 0.2 }, b = { matter = "grains" } },
             fluid = { spacing = 1, largest_speed = 1 }, grains = { radius = 1 },
             bodies = { { mass = 1, species = "b" } } })",
      "has values of grains, but is another kind of matter");
}

}  // namespace
}  // namespace mote::test
