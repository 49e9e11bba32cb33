// Collisions of two grains, or of a grain and a wall.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/sim/contact/grain_run.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::ContactParams;

struct HeadOn {
  double restitution, duration;
};

/// Head-on collision of grains of masses 1 and 3 and radii 0.5 and 0.8.
HeadOn collide_head_on(const ContactParams& params, double speed, double h) {
  GrainRun<double> run(params);
  run.grains.add({0, 0, 0}, 0.5, 1, {0.75 * speed, 0, 0});
  run.grains.add({1.3 + 1e-9, 0, 0}, 0.8, 3, {-0.25 * speed, 0, 0});
  run.evaluate(0);
  double touching = 0;
  for (int n = 0; n < 1000000; ++n) {
    run.step(h);
    if (run.report.contacts > 0)
      touching += h;
    else if (touching > 0)
      break;
  }
  return {(run.grains.vx[1] - run.grains.vx[0]) / speed, touching};
}

/// The dashpot uses velocities half a step old, a relative error of about w h / 2 = pi / 2000 with
/// a thousand steps a contact; the relative error of the restitution is |ln e| times that, 0.4 %
/// for e = 0.1. Contacts begin and end within a step.
constexpr double steps_in_contact = 1000;

TEST(Collisions, OfLinearSpringsKeepTheRestitutionAndLastAsLongAsTheClosedForm) {
  ContactParams params{.model = "linear", .stiffness = 1e5};
  for (const double e : {0.1, 0.5, 0.9, 1.0}) {
    params.restitution = e;
    const double zeta = sim::damping_of_restitution(e), mass = 0.75;
    EXPECT_NEAR(std::exp(-std::numbers::pi * zeta / std::sqrt(1 - zeta * zeta)), e, 1e-14);
    const double duration = std::numbers::pi / (std::sqrt(1e5 / mass) * std::sqrt(1 - zeta * zeta));
    EXPECT_NEAR(sim::linear_contact_time(1e5, mass, zeta), duration, 1e-14 * duration);
    const HeadOn seen = collide_head_on(params, 0.5, duration / steps_in_contact);
    EXPECT_NEAR(seen.restitution, e, 0.005 * e);
    EXPECT_NEAR(seen.duration, duration, 0.005 * duration) << e;
  }
}

TEST(Collisions, OfHertzSpheresKeepTheRestitutionAtEverySpeed) {
  ContactParams params{.young_modulus = 1e7};
  const double radius = 0.5 * 0.8 / 1.3;
  for (const double e : {0.2, 0.6, 0.95})
    for (const double speed : {0.01, 1.0}) {
      params.restitution = e;
      const double duration =
          sim::hertz_contact_time(sim::contact_stiffness(params).normal, 0.75, radius, speed);
      const HeadOn seen = collide_head_on(params, speed, duration / steps_in_contact);
      EXPECT_NEAR(seen.restitution, e, 0.01 * e) << speed;
    }
}

TEST(Collisions, OfElasticHertzSpheresLastAsLongAsTheClosedForm) {
  const ContactParams params{.young_modulus = 2e7, .poisson = 0.25, .restitution = 1};
  // Johnson 1985, eq. 11.24: 2.87 (m^2 / (R E*^2 v))^(1/5), given there to three digits.
  const double modulus = 2e7 / (2 * (1 - 0.0625)), radius = 0.4 / 1.3, mass = 0.75, speed = 0.3;
  const double duration = 2.87 * std::pow(mass * mass / (radius * modulus * modulus * speed), 0.2);
  EXPECT_NEAR(sim::hertz_contact_time(modulus, mass, radius, speed), duration, 2e-3 * duration);
  const HeadOn seen = collide_head_on(params, speed, duration / steps_in_contact);
  EXPECT_NEAR(seen.duration, duration, 0.004 * duration);
  EXPECT_NEAR(seen.restitution, 1, 1e-6);  // w h = pi / 1000, squared
}

class ObliqueCollisions : public ::testing::TestWithParam<const char*> {};

TEST_P(ObliqueCollisions, ConserveMomentumAndAngularMomentumToRounding) {
  GrainRun<double> run({.model = GetParam(),
                        .young_modulus = 1e6,
                        .stiffness = 1e5,
                        .restitution = 0.6,
                        .friction = 0.4,
                        .rolling_friction = 0.1,
                        .cohesion = 10});
  run.grains.add({0.1, 0.2, 0.3}, 0.5, 1.3, {1, 0.2, 0.1}, {3, -2, 5});
  run.grains.add({0.9, 0.7, 0.1}, 0.3, 0.4, {-1.5, -0.3, 0.2}, {-1, 4, 2});
  const auto momentum = [&] {
    Vec3d sum{0, 0, 0};
    for (std::size_t i = 0; i < 2; ++i) sum += run.grains.mass[i] * run.grains.velocity(i);
    return sum;
  };
  const auto angular_momentum = [&] {
    Vec3d sum{0, 0, 0};
    for (std::size_t i = 0; i < 2; ++i)
      sum += run.grains.mass[i] * cross(run.grains.at(i), run.grains.velocity(i)) +
             run.grains.inertia(i) * run.grains.spin(i);
    return sum;
  };
  const Vec3d p = momentum(), l = angular_momentum();
  const Vec3d spin_before = run.grains.spin(0);
  double touched = 0;
  run.evaluate(0);
  for (int n = 0; n < 2000; ++n) {
    run.step(1e-4);
    touched += static_cast<double>(run.report.contacts);
  }
  EXPECT_GT(touched, 10);
  EXPECT_GT(engine::length(run.grains.spin(0) - spin_before), 0.1);
  // 2000 steps of about ten roundings of numbers up to 5, in random directions: 1e-16 * 5 *
  // sqrt(20000).
  EXPECT_LT(engine::length(momentum() - p), 1e-13);
  EXPECT_LT(engine::length(angular_momentum() - l), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Of, ObliqueCollisions, ::testing::Values("hertz", "linear"));

template <class Real>
void expect_opposite_forces(const ContactParams& params) {
  GrainRun<Real> run(params);
  run.domain = {{-1, -1, -1}, {3.1, 3.1, 3.1}, {true, true, true}};
  // Across a periodic boundary; the mass ratio is a power of two, so that accelerations too are
  // bitwise opposite.
  run.grains.add({-0.9, 0.13, 0.2}, 0.4, 1, {-1, 0.2, 0.1}, {3, -2, 5});
  run.grains.add({1.77, -0.1, 0.4}, 0.4, 4, {0.3, 0.3, 0.2}, {-1, 4, 2});
  run.evaluate(0);
  int touched = 0;
  for (int n = 0; n < 3000; ++n) {
    run.step(1e-4);
    const Grains<Real>& g = run.grains;
    ASSERT_EQ(g.ax[0], -4 * g.ax[1]);
    ASSERT_EQ(g.ay[0], -4 * g.ay[1]);
    ASSERT_EQ(g.az[0], -4 * g.az[1]);
    touched += run.report.contacts > 0 && g.ax[0] != 0 ? 1 : 0;
    const auto stored = run.force.stored_contacts();
    ASSERT_EQ(stored.size(), 2 * run.report.contacts);
    if (stored.empty()) continue;
    ASSERT_TRUE(stored[0].spring.tangential == Real(-1) * stored[1].spring.tangential);
    ASSERT_TRUE(stored[0].spring.rolling == Real(-1) * stored[1].spring.rolling);
  }
  EXPECT_GT(touched, 10);
}

TEST(Collisions, GiveBothPartnersForcesWithTheSameBitsAndOppositeSign) {
  const ContactParams params{.young_modulus = 1e5, .friction = 0.3, .rolling_friction = 0.1};
  expect_opposite_forces<double>(params);
  expect_opposite_forces<float>(params);
}

TEST(Collisions, OnAFloorBounceToTheSquareOfTheRestitution) {
  for (const char* model : {"hertz", "linear"}) {
    GrainRun<double> run(
        {.model = model, .young_modulus = 1e8, .stiffness = 1e7, .restitution = 0.8});
    run.put({sim::PlaneObstacle{}});
    run.gravity = {0, 0, -10};
    run.grains.add({0, 0, 1.1}, 0.1, 1);
    run.evaluate(0);
    double expected = 1, highest = 0;
    bool rose = false;
    int bounces = 0;
    // Stiff springs: overlaps of 1e-3 of the height. The restitution has an error of a few steps
    // over the steps a contact, 1/300.
    for (long n = 0; n < 4000000 && bounces < 3; ++n) {
      run.step(4e-6);
      const double height = run.grains.z[0] - 0.1;
      const bool rises = run.grains.vz[0] > 0;
      if (rises) highest = height;
      if (rose && !rises) {
        expected *= 0.64;
        EXPECT_NEAR(highest, expected, 0.01 * expected) << model;
        ++bounces;
      }
      rose = rises && height > 0;
    }
    EXPECT_EQ(bounces, 3);
  }
}

TEST(Collisions, WithAnObstacleHaveItsRestitutionAndFriction) {
  GrainRun<double> run({.young_modulus = 1e7, .restitution = 0.9, .friction = 0.1});
  sim::PlaneObstacle floor;
  floor.restitution = 0.4, floor.friction = 0.25;
  run.put({floor});
  run.grains.add({0, 0, 0.1}, 0.1, 1, {5, 0, -1});
  run.run_for(0.05, 2e-6);
  EXPECT_EQ(run.report.contacts, 0u);
  EXPECT_NEAR(run.grains.vz[0], 0.4, 0.004);
  // It slides during the whole contact, so that the friction impulse is mu times the normal
  // impulse 1.4; the attractive dashpot at the end changes that by 5 % with this restitution.
  EXPECT_LT(run.grains.vx[0], 5 - 0.25 * 1.4);
  EXPECT_GT(run.grains.vx[0], 5 - 0.25 * 1.4 * 1.06);
}

TEST(Collisions, WithoutDashpotsMakeNoEnergyByFriction) {
  for (const char* model : {"hertz", "linear"})
    for (std::uint64_t k = 0; k < 60; ++k) {
      engine::Random random(9, 0, k);
      const auto any = [&] { return random.uniform(-1, 1); };
      GrainRun<double> run({.model = model,
                            .young_modulus = 1e6,
                            .stiffness = 1e5,
                            .restitution = 1,
                            .friction = 0.5 * (1 + any()),
                            .rolling_friction = 0.05,
                            .rolling_damping = 0});
      run.grains.add({0, 0, 0}, 0.5, 1, {1, any(), any()}, {3 * any(), 3 * any(), 3 * any()});
      run.grains.add({0.82, 0.1 * any(), 0}, 0.3, 0.5, {-1, 0, 0},
                     {3 * any(), 3 * any(), 3 * any()});
      const double energy = run.grains.kinetic_energy();
      double most = 0;
      run.evaluate(0);
      for (int n = 0; n < 3000; ++n) {
        run.step(2e-5);
        most = std::max(most, run.grains.kinetic_energy() + run.report.energy);
      }
      EXPECT_EQ(run.report.contacts, 0u);
      // Springs use velocities half a step old: an error of at most w h / 2 = 0.005 of their
      // energy.
      EXPECT_LT(most, energy * 1.005) << model << k;
      EXPECT_LT(run.grains.kinetic_energy(), energy * 1.001) << model << k;
    }
}

TEST(Collisions, KeepTheSumOfKineticAndStoredEnergyWithoutFriction) {
  for (const auto& [model, cohesion] : {std::pair("hertz", 0.0), {"linear", 0.0}, {"hertz", 5.0}}) {
    GrainRun<double> run({.model = model,
                          .young_modulus = 1e6,
                          .stiffness = 1e5,
                          .restitution = 1,
                          .friction = 0,
                          .cohesion = cohesion});
    run.grains.add({0, 0, 0}, 0.5, 1, {1, 0, 0});
    run.grains.add({1.01, 0.2, 0}, 0.5, 1, {-1, 0, 0});
    const double energy = run.grains.kinetic_energy();
    run.evaluate(0);
    double stored = 0;
    // Second order: w h = 450 * 1e-5, for an oscillator at most (w h)^2 / 8. Adhesion sets in with
    // a jump, 2 pi 5 0.25, mistimed by up to a full step at relative speed 2.
    const double tolerance = cohesion > 0 ? 7.9 * 2 * 1e-5 : 5e-6;
    for (int n = 0; n < 4000; ++n) {
      run.step(1e-5);
      stored = std::max(stored, run.report.energy);
      ASSERT_NEAR(run.grains.kinetic_energy() + run.report.energy, energy, tolerance * energy)
          << model << n;
    }
    EXPECT_GT(stored, 0.5 * energy);
    EXPECT_EQ(run.report.contacts, 0u);
  }
}

TEST(Collisions, WithACeilingHoldACohesiveGrainThatIsLightEnough) {
  // Derjaguin, Muller & Toporov: 2 pi w r holds it, against m g = 10.
  const double work_at_weight = 10 / (2 * std::numbers::pi * 0.1);
  for (const double fraction : {0.95, 1.05}) {
    GrainRun<double> run(
        {.young_modulus = 1e7, .restitution = 0.3, .cohesion = fraction * work_at_weight});
    run.put({sim::PlaneObstacle{{}, {0, 0, 1}, {0, 0, -1}}});
    run.gravity = {0, 0, -10};
    // It rests where 4/3 E* sqrt(r) d^(3/2) = 2 pi w r - m g.
    const double left = 10 * (fraction - 1), modulus = sim::contact_stiffness(run.params()).normal;
    const double overlap =
        left > 0 ? std::pow(left / (4.0 / 3 * modulus * std::sqrt(0.1)), 2.0 / 3) : 1e-6;
    run.grains.add({0, 0, 0.9 + overlap}, 0.1, 1);
    run.run_for(0.5, 1e-4);
    if (fraction > 1)
      EXPECT_NEAR(run.grains.z[0], 0.9 + overlap, 1e-9);
    else
      EXPECT_LT(run.grains.z[0], 0.8);
  }
}

}  // namespace
}  // namespace mote::test
