#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/units.h"
#include "tests/support/backend.h"
#include "tests/support/extended.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Vec3d;

class KnownAnswers : public LongOnEveryBackend {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; Simulations.* and Integrators.* take such steps");
    LongOnEveryBackend::SetUp();
  }
};
MOTE_ON_EVERY_BACKEND(KnownAnswers);

/// Jupiter to Pluto after 36,525 days, from 113-bit arithmetic.
const Vec3d outer_planets[] = {{-5.168828523583525, -1.713877614778448, -0.034365245319511},
                               {-9.221311883518819, -2.835704377196099, 0.138280426216483},
                               {-10.584905297624552, 15.214567541100835, 0.034475130314315},
                               {24.738341476669690, 16.640323700938162, -0.089181398652621},
                               {32.051853513263278, -21.790540201922102, -6.252490807645323}};

TEST_P(KnownAnswers, OuterPlanetsArriveWithin1e9AuAfterACentury) {
  const sim::SceneDescription scene = shipped_scene("outer_solar_system");
  auto simulation = open(scene);
  simulation->measure();
  simulation->advance(7305, {});
  EXPECT_EQ(simulation->time(), 36525);
  for (Index i = 0; i < 5; ++i)
    EXPECT_LT(distance(body(*simulation, i + 1).position, outer_planets[i]), 1e-9)
        << simulation->name(static_cast<std::uint32_t>(i + 1));
  EXPECT_LT(std::fabs(simulation->measure().energy_error), 1e-13);
}

// Checks the table above independently, against typing errors: 2.5-day steps in 64-bit mantissas
// have a truncation error of 1e-12 (a 64th of the engine's) and less round-off.
TEST(OuterPlanets, ReferenceAgreesWithExtendedPrecision) {
  const sim::Bodies made = sim::make_bodies(shipped_scene("outer_solar_system"), 1);
  std::vector<ExtendedBody> bodies;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3d x = made.position[i], v = made.velocity[i];
    bodies.push_back({made.mass[i], {x.x, x.y, x.z}, {v.x, v.y, v.z}});
  }
  const long double k = 0.01720209895L;
  extended_steps(bodies, k * k, 2.5L, 14610);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& x = bodies[i + 1].position;
    EXPECT_LT(distance({double(x[0]), double(x[1]), double(x[2])}, outer_planets[i]), 5e-12);
  }
}

// From 113-bit arithmetic. A step of 1e-5 with sixth order resolves every passage before t = 10.
TEST_P(KnownAnswers, PythagoreanBodiesAreRightAtTimeTen) {
  auto simulation = open(shipped_scene("pythagorean"));
  EXPECT_NEAR(simulation->measure().energy, -12.8166666666667, 1e-13);
  simulation->advance(1'000'000, {});
  EXPECT_LT(distance(body(*simulation, 0).position, {0.778480410138, 0.141392300290, 0}), 1e-6);
  EXPECT_LT(distance(body(*simulation, 1).position, {-2.025092477978, 0.097219384146, 0}), 1e-6);
  EXPECT_LT(distance(body(*simulation, 2).position, {1.152985736300, -0.162610887491, 0}), 1e-6);
}

// The exact flow of these eight-digit data misses closure by 4.1e-8.
TEST_P(KnownAnswers, FigureEightClosesAfterOnePeriod) {
  const sim::SceneDescription scene = shipped_scene("figure_eight");
  auto simulation = open(scene);
  EXPECT_NEAR(simulation->measure().energy, -1.287141991766325530, 1e-14);
  const Vec3d start[] = {body(*simulation, 0).position, body(*simulation, 1).position,
                         body(*simulation, 2).position};
  simulation->advance(static_cast<std::uint64_t>(*scene.stop.steps), {});
  for (Index i = 0; i < 3; ++i) {
    const double miss = distance(body(*simulation, i).position, start[i]);
    EXPECT_LT(miss, 1e-7);
    EXPECT_LT(miss, 5e-8);
  }
}

// A Plummer sphere in equilibrium is stationary: over ten crossing times the Lagrangian radii (10,
// 50, 90 %) change by less than the shot noise of their estimate from n bodies. At mass fraction p,
// that estimate has the standard error sqrt(p (1 - p) / n) / (dp/dr), here by the Plummer law M(r)
// = (1 + a^2/r^2)^(-3/2); three of them are allowed, as both start and end are samples (sqrt 2) of
// three radii. Crossing time: 2 sqrt(2) in Henon units.
TEST_P(KnownAnswers, PlummerSphereStaysInEquilibrium) {
  const int n = 4096;
  const sim::SceneDescription scene = shipped_scene("plummer", {{"n", std::to_string(n)}});
  auto simulation = open(scene);
  const sim::Measurement start = simulation->measure();
  // Sampling: the kinetic energy of n bodies scatters by about 1 / sqrt(n); the cutoff raises both
  // energies by 0.7 %.
  const double noise = 3 / std::sqrt(static_cast<double>(n));
  EXPECT_NEAR(start.kinetic, 0.25 * 1.007, 0.25 * noise);
  EXPECT_NEAR(start.potential, -0.5 * 1.007, 0.5 * noise);
  EXPECT_NEAR(start.virial_ratio, 1, noise);
  simulation->advance(static_cast<std::uint64_t>(20 * std::sqrt(2.0) / scene.integrator.dt), {});
  const sim::Measurement end = simulation->measure();
  EXPECT_NEAR(end.virial_ratio, 1, noise);
  const double a = 3 * M_PI / 16;
  for (std::size_t k = 0; k < 3; ++k) {
    const double p = sim::lagrangian_fractions[k], r = start.lagrangian_radii[k];
    const double slope = 3 * a * a * r * r * std::pow(r * r + a * a, -2.5);
    const double error = std::sqrt(p * (1 - p) / n) / slope;
    EXPECT_NEAR(end.lagrangian_radii[k], r, 3 * error) << 100 * p << " %";
  }
  // The error is 1.6e-4 with these bodies and a step of 1/64, and a quarter of that with half the
  // step, in second order.
  EXPECT_LT(std::fabs(end.energy_error), 4e-5);
  // Momentum and angular momentum are conserved to the round-off of float: u per step and body with
  // random signs, 2^-24 sqrt(3,620 steps) sqrt(4,096 bodies) / 4,096 of typical momenta.
  const Vec3d drift = end.momentum - start.momentum,
              turn = end.angular_momentum - start.angular_momentum;
  EXPECT_LT(std::sqrt(dot(drift, drift)), 1e-6);
  EXPECT_LT(std::sqrt(dot(turn, turn)), 1e-6);
}

/// Result of the collapse of a cold sphere of M = R = 1: the smallest half-mass radius, and when.
struct Collapse {
  double smallest = 1, when = 0, energy_error = 0;
};

class ColdSphere : public KnownAnswers {
 protected:
  Collapse collapse(int n) {
    // A quarter of the scene's step, which is for more bodies with softer encounters.
    auto simulation =
        open(shipped_scene("cold_collapse", {{"n", std::to_string(n)},
                                             {"integrator.dt", std::to_string(1.0 / 2048)}}));
    simulation->measure();
    Collapse c;
    while (simulation->time() < 1.5) {
      simulation->advance(16, {});
      const sim::Measurement m = simulation->measure();
      c.energy_error = std::max(c.energy_error, std::fabs(m.energy_error));
      if (m.lagrangian_radii[1] < c.smallest) {
        c.smallest = m.lagrangian_radii[1];
        c.when = simulation->time();
      }
    }
    return c;
  }
};
MOTE_ON_EVERY_BACKEND(ColdSphere);

// Every shell of a uniform sphere follows the cycloid r = (1 + cos eta)/2, t = (eta + sin eta)/pi
// t_ff: at eta = pi/2 all have shrunk by a half. The mass in the half-mass shell of n bodies has a
// relative error of 1/sqrt(n), and its radius at a given time a few times half of that: 0.02 for
// 2,048.
TEST_P(ColdSphere, ShrinksAsTheCycloidSays) {
  const sim::SceneDescription scene = shipped_scene("cold_collapse", {{"n", "2048"}});
  auto simulation = open(scene);
  const double start = simulation->measure().lagrangian_radii[1];
  EXPECT_NEAR(start, std::cbrt(0.5), 0.02);
  const double half_way = 1.1107 * (M_PI / 2 + 1) / M_PI;
  simulation->advance(static_cast<std::uint64_t>(std::lround(half_way / scene.integrator.dt)), {});
  EXPECT_NEAR(simulation->measure().lagrangian_radii[1] / start, 0.5, 0.02);
}

// It is smallest at the free-fall time (pi/2) sqrt(1/2) = 1.1107: the masses in shells have errors
// of 1/sqrt(n/2), so their times half of that, 0.011 t_ff for 4,096 bodies; four of these are
// allowed. The smallest size scales as n^(-1/3): a factor of two between 512 and 4,096. Each size
// comes from one sphere and scatters by its mass fluctuations, several percent for the small one: a
// quarter is allowed. The scene promises an energy error of 3e-3.
TEST_P(ColdSphere, IsSmallestAtTheFreeFallTimeAndTheSmallerTheMoreBodies) {
  const Collapse few = collapse(512), many = collapse(4096);
  EXPECT_NEAR(many.when, 1.1107, 0.05);
  EXPECT_NEAR(few.smallest / many.smallest, 2, 0.5);
  EXPECT_LT(many.energy_error, 3e-3);
}

/// The largest relative energy error of a cold sphere of 1,024 bodies, softened by 1/64, up to t =
/// 0.9: shrunk to a fifth and not yet through the centre.
double largest_energy_error(sim::Simulation& simulation) {
  double largest = 0;
  simulation.measure();
  while (simulation.time() < 0.9) {
    simulation.advance(256, {});
    largest = std::max(largest, std::fabs(simulation.measure().energy_error));
  }
  return largest;
}

class EnergyFloor : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(EnergyFloor);

// With a step of 1/16,384 the truncation error of leapfrog is 7.8e-9 here (in double; 4 times that
// with twice the step). The float terms of mixed precision must not exceed it: the errors of single
// forces are 1e-7, but average out if they are unbiased. A bias b of all forces gives an error of b
// times the change of the potential energy, about b here: square roots that are too small by 6e-8
// on average would give 5e-8.
TEST_P(EnergyFloor, OfMixedPrecisionIsBelow1e8) {
  MOTE_SKIP_IF_SANITIZED("long; Simulations.* take such steps");
  const sim::SceneDescription scene = shipped_scene(
      "cold_collapse", {{"n", "1024"}, {"integrator.dt", std::to_string(1.0 / 16384)}});
  auto mixed = open(scene, {.precision = engine::Precision::mixed});
  EXPECT_LT(largest_energy_error(*mixed), 1e-8);
}

}  // namespace
}  // namespace mote::test
