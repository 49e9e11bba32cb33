// Grains on surfaces: sliding, rolling, resting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/sim/contact/grain_run.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::ContactParams;

constexpr double weight_of_one = 10;  // gravity, and the force on a mass of 1

/// A grain of radius 0.1 and mass 1 on an incline along x, with the overlap at which the plane
/// carries it.
GrainRun<double> grain_on_incline(const ContactParams& params, double slope) {
  GrainRun<double> run(params);
  const Vec3d up{-std::sin(slope), 0, std::cos(slope)};
  run.put({sim::PlaneObstacle{{}, {0, 0, 0}, up}});
  run.gravity = {0, 0, -weight_of_one};
  const double load = weight_of_one * std::cos(slope);
  const double overlap =
      params.model == "linear"
          ? load / params.stiffness
          : std::pow(0.75 * load / (sim::contact_stiffness(params).normal * std::sqrt(0.1)),
                     2.0 / 3);
  run.grains.add((0.1 - overlap) * up, 0.1, 1);
  return run;
}

/// Speed down the incline.
double speed_down(const GrainRun<double>& run, double slope) {
  return dot(run.grains.velocity(0), Vec3d{-std::cos(slope), 0, -std::sin(slope)});
}
double distance_down(const GrainRun<double>& run, double slope) {
  return dot(run.grains.at(0), Vec3d{-std::cos(slope), 0, -std::sin(slope)});
}

class Friction : public ::testing::TestWithParam<const char*> {
 protected:
  ContactParams params() const {
    return {.model = GetParam(),
            .young_modulus = 1e8,
            .stiffness = 1e6,
            .restitution = 0.5,
            .friction = 0.5};
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Friction, ::testing::Values("hertz", "linear"));

TEST_P(Friction, HoldsAGrainThatCannotTurnUpToItsAngleAndLetsItSlideAbove) {
  for (const double tangent : {0.3, 0.49, 0.51, 1.0}) {
    const double slope = std::atan(tangent), duration = 0.5;
    GrainRun<double> run = grain_on_incline(params(), slope);
    run.turns = false;
    // After release it slips and oscillates for some ms, until the spring is stretched.
    run.run_for(0.2, 1e-4);
    const double speed = speed_down(run, slope), distance = distance_down(run, slope);
    run.run_for(duration, 1e-4);
    const double gained =
        duration * weight_of_one * std::max(0.0, std::sin(slope) - 0.5 * std::cos(slope));
    // The residual oscillation is below 1e-6 of the speed g t.
    EXPECT_NEAR(speed_down(run, slope) - speed, gained, 2e-6) << tangent;
    if (tangent < 0.5) {
      EXPECT_NEAR(distance_down(run, slope), distance, 1e-8) << tangent;
      EXPECT_NEAR(distance, 0, 1e-3) << tangent;
    }
  }
}

TEST_P(Friction, MakesASphereRollDownAtFiveSeventhsOrSlipWhereTheSlopeIsTooSteep) {
  const double duration = 0.5;
  for (const double tangent : {0.3, 1.0, 3.0}) {
    const double slope = std::atan(tangent);
    GrainRun<double> run = grain_on_incline(params(), slope);
    run.run_for(duration, 1e-4);
    // It rolls while friction can supply 2/7 of the downhill force: tan < 7/2 mu = 1.75. The
    // lever is shorter than the radius by the overlap, 1e-4 of it; the spring is stretched within a
    // few ms.
    const bool rolls = tangent < 1.75;
    const double down = weight_of_one * std::sin(slope),
                 held = 0.5 * weight_of_one * std::cos(slope);
    const double speed = duration * (rolls ? 5.0 / 7 * down : down - held);
    const double spin = rolls ? speed / 0.1 : duration * 2.5 * held / 0.1;
    EXPECT_NEAR(speed_down(run, slope), speed, 0.01 * speed) << tangent;
    EXPECT_NEAR(-run.grains.wy[0], spin, 0.01 * spin) << tangent;
  }
}

TEST_P(Friction, LeavesFiveSeventhsOfTheSpeedWhenASlidingSphereHasComeToRoll) {
  GrainRun<double> run = grain_on_incline(params(), 0);
  run.grains.vx[0] = 2;
  // Slipping ends after 2/7 v / (mu g) = 0.11.
  run.run_for(0.08, 1e-4);
  EXPECT_NEAR(run.grains.vx[0], 2 - 0.5 * weight_of_one * 0.08, 0.01 * 2);
  run.run_for(0.2, 1e-4);
  // Angular momentum about the contact: the lever is shorter by the overlap, at most 4e-4 of the
  // radius, and the tangential spring, once it holds, oscillates by mu g over its frequency until
  // it is damped.
  EXPECT_NEAR(run.grains.vx[0], 10.0 / 7, 1e-3 * 10 / 7);
  EXPECT_NEAR(run.grains.wy[0] * 0.1, 10.0 / 7, 1e-3 * 10 / 7);
}

TEST_P(Friction, OfABeltCarriesASphereAtTwoSeventhsOfItsSpeed) {
  GrainRun<double> run = grain_on_incline(params(), 0);
  sim::PlaneObstacle belt;
  belt.velocity = {0, 1.5, 0};
  run.put({belt});
  run.run_for(0.3, 1e-4);
  EXPECT_NEAR(run.grains.vy[0], 1.5 * 2 / 7, 1e-3);
}

TEST_P(Friction, OfATurntableDragsASphereTheWayItsSurfaceMoves) {
  GrainRun<double> run = grain_on_incline(params(), 0);
  sim::PlaneObstacle table;
  table.angular_velocity = {0, 0, 3};
  table.pivot = Vec3d{0.5, 0, 0};
  run.put({table});
  run.run_for(0.02, 1e-4);
  // Dragged at mu g against 3 * 0.5 along -y from the start.
  EXPECT_NEAR(run.grains.vy[0], -0.5 * weight_of_one * 0.02, 0.02 * 0.1);
}

TEST_P(Friction, OfRollingSlowsARollingSphereAndKeepsItWhereItStops) {
  ContactParams p = params();
  p.rolling_friction = 0.02;
  GrainRun<double> run = grain_on_incline(p, 0);
  const double speed = 0.3;
  run.grains.vx[0] = speed, run.grains.wy[0] = speed / 0.1;
  // m v' = -f and 2/5 m r^2 w' = f r - mu_r r m g with v = w r: v' = -5/7 mu_r g.
  const double slows = 5.0 / 7 * 0.02 * weight_of_one, distance = speed * speed / (2 * slows);
  // The springs are stretched within a tenth of a second; the lever is shorter than the radius by
  // the overlap, 4e-4 of it.
  run.run_for(0.4, 1e-4);
  const double then = run.grains.vx[0];
  run.run_for(1, 1e-4);
  EXPECT_NEAR(then - run.grains.vx[0], slows, 1e-3 * slows);
  // Then it rocks at 14 radians a second and comes to rest with 0.3 of critical damping: exp(-20)
  // after 5 s.
  run.run_for(speed / slows - 1.4 + 5, 1e-4);
  const double stopped = run.grains.x[0];
  EXPECT_NEAR(stopped, distance, 0.05 * distance);
  EXPECT_NEAR(run.grains.vx[0], 0, 1e-8);
  run.run_for(1, 1e-4);
  EXPECT_NEAR(run.grains.x[0], stopped, 1e-9);
}

TEST_P(Friction, OfRollingHoldsASphereOnASlopeUpToItsAngle) {
  ContactParams p = params();
  p.rolling_friction = 0.1;
  for (const double tangent : {0.09, 0.11}) {
    const double slope = std::atan(tangent), duration = 1;
    GrainRun<double> run = grain_on_incline(p, slope);
    run.run_for(0.4, 1e-4);
    const double speed = speed_down(run, slope);
    run.run_for(duration, 1e-4);
    // 7/5 m v' = m g (sin - mu_r cos), a tenth of either term: the relative error of the lever,
    // shorter by the overlap of 6e-4, counts tenfold.
    const double gained =
        5.0 / 7 * weight_of_one * std::max(0.0, std::sin(slope) - 0.1 * std::cos(slope)) * duration;
    EXPECT_NEAR(speed_down(run, slope) - speed, gained, 0.01 * gained + 3e-6) << tangent;
  }
}

TEST_P(Friction, KeepsAPyramidOfFourAtRest) {
  ContactParams p = params();
  p.rolling_friction = 0.05;
  GrainRun<double> run(p);
  run.put({sim::PlaneObstacle{}});
  run.gravity = {0, 0, -weight_of_one};
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * std::numbers::pi / 3 * k;
    run.grains.add(
        {0.2 / std::sqrt(3) * std::cos(angle), 0.2 / std::sqrt(3) * std::sin(angle), 0.1}, 0.1, 1);
  }
  run.grains.add({0, 0, 0.1 + 0.2 * std::sqrt(2.0 / 3)}, 0.1, 1);
  run.run_for(1, 1e-4);
  const double top = run.grains.z[3];
  EXPECT_NEAR(top, 0.1 + 0.2 * std::sqrt(2.0 / 3), 1e-3);
  EXPECT_LT(run.grains.kinetic_energy(), 1e-15);
  run.force.record(true);
  run.run_for(1, 1e-4);
  EXPECT_NEAR(run.grains.z[3], top, 1e-8);
  // The floor carries all four, up to residual oscillations.
  double carried = 0;
  for (const auto& c : run.force.contacts())
    if (c.partner >= sim::first_obstacle) carried += c.normal_force;
  EXPECT_NEAR(carried, 4 * weight_of_one, 1e-4);
}

TEST(FrictionOfAHeap, BringsGrainsOfManySizesInABoxToRestOnItsFloor) {
  MOTE_SKIP_IF_SANITIZED("long; Friction.* and GrainScenes.* take such steps");
  GrainRun<double> run({.model = "linear",
                        .stiffness = 4e4,
                        .restitution = 0.3,
                        .friction = 0.5,
                        .rolling_friction = 0.05});
  sim::BoxObstacle box;
  box.size = {1, 1, 3}, box.center = {0, 0, 1.5}, box.container = true;
  run.put({box});
  run.gravity = {0, 0, -weight_of_one};
  run.threads = 2;
  double mass = 0;
  for (int k = 0; k < 150; ++k) {
    engine::Random random(5, 0, static_cast<std::uint64_t>(k));
    const double radius = random.uniform(0.05, 0.1), m = 1000 * radius * radius * radius;
    run.grains.add({-0.33 + 0.22 * (k % 4) + random.uniform(0, 0.01), -0.33 + 0.22 * (k / 4 % 4),
                    0.12 + 0.22 * (k / 16)},
                   radius, m);
    mass += m;
  }
  run.force.record(true);
  const double step = sim::contact_times(run.params(), 0.125, 0.05, 0).good_step;
  run.run_for(6, step);
  EXPECT_LT(run.grains.kinetic_energy(), 1e-6 * mass * weight_of_one);
  double carried = 0, sides = 0;
  for (const auto& c : run.force.contacts()) {
    if (c.partner < sim::first_obstacle) continue;
    const Vec3d on_grain = -c.normal_force * c.normal + c.tangential;
    carried += on_grain.z;
    sides += std::fabs(on_grain.x);
  }
  EXPECT_NEAR(carried, mass * weight_of_one, 1e-3 * mass * weight_of_one);
  EXPECT_GT(sides, 0.01 * mass * weight_of_one);
  EXPECT_LT(run.report.largest_overlap, 0.05);
}

}  // namespace
}  // namespace mote::test
