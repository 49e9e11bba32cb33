// Temperature and pressure count what can move, on every backend.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/run/initial_state.h"
#include "sim/space/fixed_field.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

class Temperatures : public OnEveryBackend {
 protected:
  /// Bodies of mass 1 that are too far apart to feel each other, in a box of volume 1000.
  std::unique_ptr<sim::Simulation> open_gas(const std::string& bodies,
                                            const std::string& more = "") {
    return open("return { domain = { size = { 10, 10, 10 } }, precision = 'double', " + more +
                " lennard_jones = { sigma = 0.1, cutoff = 0.25 }, integrator = { dt = 1e-3 }, "
                "bodies = { " +
                bodies + " } }");
  }
};
MOTE_ON_EVERY_BACKEND(Temperatures);

std::string unit_mass_at(double x, double y, const std::string& more = "") {
  return "{ mass = 1, position = { " + std::to_string(x) + ", " + std::to_string(y) + ", 5 }" +
         more + " }, ";
}
const std::string held_fast = ", fixed = true", moving_along_x = ", velocity = { 1, 0, 0 }",
                  moving_back = ", velocity = { -1, 0, 0 }",
                  moving_along_z = ", velocity = { 0, 0, 1 }";

// All sums are of small whole numbers and halves, and exact: a speed of 1 is a kinetic energy of
// 1/2, and k T is twice the sum over the degrees of freedom.

TEST_P(Temperatures, OfABodyBesideAFixedOneAreThoseOfThreeDegreesOfFreedom) {
  const auto m =
      open_gas(unit_mass_at(1, 1, held_fast) + unit_mass_at(2, 2, moving_along_x))->measure();
  EXPECT_EQ(m.temperature, 1.0 / 3);
  EXPECT_EQ(m.pressure, 1.0 / 3000);
}

TEST_P(Temperatures, HaveMomentumForHeatWhereAFixedBodyTakesItUp) {
  const auto m = open_gas(unit_mass_at(1, 1, held_fast) + unit_mass_at(2, 2, moving_along_x) +
                          unit_mass_at(3, 3, moving_along_x))
                     ->measure();
  EXPECT_EQ(m.temperature, 2.0 / 6);
  EXPECT_EQ(m.pressure, 2.0 / 3000);
}

TEST_P(Temperatures, OfAChainOnSpringsAreThoseOfItsBodiesThatAreNotClamped) {
  const auto sim = open_gas(
      "chain { n = 5, mass = 5, spacing = 1, position = { 3, 5, 5 }, bond = 's', clamped = { "
      "'start' } }, " +
          unit_mass_at(1, 1, moving_along_x),
      "bond_kinds = { s = { stiffness = 1, length = 1 } },");
  EXPECT_EQ(sim->measure().temperature, 1.0 / 12);  // three of the chain, and another
}

TEST_P(Temperatures, DoNotCountTheMotionOfFixedBodies) {
  const auto m = open_gas(unit_mass_at(1, 1, held_fast + ", velocity = { 8, 0, 0 }") +
                          unit_mass_at(2, 2, moving_along_x))
                     ->measure();
  EXPECT_EQ(m.kinetic, 32.5);
  EXPECT_EQ(m.temperature, 1.0 / 3);
  EXPECT_EQ(m.pressure, 1.0 / 3000);
}

TEST_P(Temperatures, AreZeroWhereNothingCanMove) {
  const auto m =
      open_gas(unit_mass_at(1, 1, held_fast) + unit_mass_at(2, 2, held_fast + moving_along_x))
          ->measure();
  EXPECT_EQ(m.temperature, 0);
  EXPECT_EQ(m.pressure, 0);
}

TEST_P(Temperatures, FollowFixedBodiesThatComeAndGo) {
  const auto sim = open_gas(unit_mass_at(1, 1, held_fast) + unit_mass_at(2, 2, moving_along_x) +
                            unit_mass_at(3, 3, moving_back));
  EXPECT_EQ(sim->measure().temperature, 2.0 / 6);
  sim::BodyChange change{.removed = {0}};
  sim->change_bodies(change);  // momentum is conserved now, and 0: 3 n - 3 degrees of freedom
  EXPECT_EQ(sim->measure().temperature, 2.0 / 3);
  change = {};
  change.added.mass = {1, 1}, change.added.position = {{4, 4, 4}, {5, 5, 5}},
  change.added.velocity = {{0, 0, 0}, {0, 0, 0}}, change.added.fixed = {1, 0};
  sim->change_bodies(change);
  EXPECT_EQ(sim->measure().temperature, 2.0 / 9);
}

// A rod takes a degree of freedom from the bodies that it joins, if one of them can move.
TEST_P(Temperatures, OfBodiesOnRodsAreThoseOfTheMotionsThatRodsLeave) {
  const auto rods = [](const std::string& pairs) {
    return "bond_kinds = { rod = { form = 'rigid', length = 1 } }, bonds = { { kind = 'rod', "
           "bodies = { " +
           pairs + " } } },";
  };
  const auto temperature = [&](const std::string& bodies, const std::string& pairs) {
    return open_gas(bodies, rods(pairs))->measure().temperature;
  };
  const std::string swings = unit_mass_at(2, 1, moving_along_z), end = unit_mass_at(3, 1);
  EXPECT_EQ(temperature(unit_mass_at(1, 1, held_fast) + swings, "{0, 1}"), 1.0 / 2);
  EXPECT_EQ(temperature(unit_mass_at(1, 1, held_fast) + swings + unit_mass_at(2, 2, held_fast),
                        "{0, 1}, {1, 2}"),
            1.0);
  EXPECT_EQ(temperature(unit_mass_at(1, 1, held_fast) + swings + end, "{0, 1}, {1, 2}"), 1.0 / 4);
  // A dumbbell that turns about a centre that moves: 1/4 is the energy about it, of 2 motions.
  EXPECT_EQ(temperature(unit_mass_at(1, 1) + swings, "{0, 1}"), 0.5 / 2);
  const std::string above = "{ mass = 1, position = { 2, 1, 6 }, fixed = true }, ";
  EXPECT_EQ(
      temperature(unit_mass_at(1, 1, held_fast) + unit_mass_at(2, 1) +
                      unit_mass_at(2, 2, held_fast) + above + unit_mass_at(5, 5, moving_along_x),
                  "{0, 1}, {1, 2}, {1, 3}"),
      1.0 / 3);
}

// The forces are made again for a state in which other bodies are fixed.
TEST_P(Temperatures, DoNotCountRodsBetweenBodiesThatAreFixedByAResumedState) {
  const auto sim = open_gas(
      unit_mass_at(1, 1, held_fast) + unit_mass_at(2, 1) + unit_mass_at(3, 1, moving_along_z),
      "bond_kinds = { rod = { form = 'rigid', length = 1 } }, bonds = { { "
      "kind = 'rod', bodies = { {0, 1}, {1, 2} } } },");
  EXPECT_EQ(sim->measure().temperature, 1.0 / 4);
  sim::State<engine::Host> state(sim->count(), sim->precision(), sim->layout());
  copy_columns(state, sim->state(), true);
  state.visit([](const auto& s) { s[sim::fields::fixed][1] = 1; });
  sim->resume(state, {}, sim->live());
  EXPECT_EQ(sim->measure().temperature, 1.0 / 2);
}

// On a circle the spring pulls with m v^2 / r: m v^2 and the virial d . F = -F r cancel, as they do
// on average for all that fixed bodies hold. It does not push against the sides of the box.
TEST_P(Temperatures, GoWithNoPressureWhereASpringHoldsABodyToAFixedOne) {
  const auto m = open_gas(unit_mass_at(1, 1, held_fast) + unit_mass_at(3, 1, moving_along_z),
                          "bond_kinds = { s = { stiffness = 0.5, length = 1 } }, bonds = { { kind "
                          "= 's', bodies = { {0, 1} } } },")
                     ->measure();
  EXPECT_EQ(m.temperature, 1.0 / 3);
  EXPECT_NEAR(m.pressure, 0, 1e-18);  // some units in the last place of 1 / 3000
}

}  // namespace
}  // namespace mote::test
