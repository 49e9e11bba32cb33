// Bodies with fixed = true.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/check.h"
#include "sim/history/history.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Vec3d;

class Fixed : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(Fixed);

/// A free pair of masses 1 and 1 at distance 1 has the period 2 pi / sqrt(2), a body about a fixed
/// one 2 pi. Leapfrog of n steps a period is ahead by 2 pi a^2 / 24, a = 2 pi / n.
TEST_P(Fixed, StarIsOrbitedByABodyOfItsOwnMassAsByAPlanet) {
  constexpr double a = 2 * std::numbers::pi / 1000;
  const auto sim = open(
      "return { precision = 'double', gravity = {}, integrator = { dt = math.pi / 500 }, bodies = "
      "{ { mass = 1, position = { 0, 0, 0 }, fixed = true }, { mass = 1, position = { 1, 0, 0 }, "
      "velocity = { 0, 1, 0 } } } }");
  sim->advance(1000, {});
  const Orbit star = body(*sim, 0), planet = body(*sim, 1);
  EXPECT_EQ(length(star.position), 0);
  EXPECT_EQ(length(star.velocity), 0);
  const double ahead = 2 * std::numbers::pi * a * a / 24;
  // The circle of leapfrog differs from that of radius 1 by a^2 / 8, so that it is an ellipse.
  EXPECT_NEAR(planet.position.x, 1, a * a);
  EXPECT_NEAR(planet.position.y, 0, ahead + 2 * std::numbers::pi * 1.5 * a * a);
  EXPECT_LT(std::fabs(sim->measure().energy_error), a * a);
}

TEST_P(Fixed, BodyWithAVelocityKeepsIt) {
  const auto sim = open(
      "return { precision = 'double', gravity = { softening = 0.1 }, integrator = { dt = 0.25 }, "
      "bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { 0.5, 0, 0 }, fixed = true }, "
      "plummer { n = 20 } } }");
  sim->advance(40, {});
  EXPECT_EQ(body(*sim, 0).velocity.x, 0.5);
  EXPECT_EQ(body(*sim, 0).position.x, 5);  // exact: multiples of 1/8
  EXPECT_EQ(body(*sim, 0).position.y, 0);
  EXPECT_NE(body(*sim, 1).velocity.x, 0);
}

/// One that moves works on others, so that their energy may rise; one at rest does not.
TEST_P(Fixed, BodyThatMovesMayGiveEnergy) {
  const auto kind_with = [&](const std::string& speed) {
    const auto sim = open(
        "return { precision = 'double', gravity = { softening = 0.1 }, integrator = { dt = 0.25 }, "
        "bodies = { { mass = 1, position = { 0, 0, 0 }, velocity = { " +
        speed + ", 0, 0 }, fixed = true }, plummer { n = 20 } } }");
    return sim->reference_for(sim->measure()).balance.kind;
  };
  EXPECT_EQ(kind_with("0.5"), sim::EnergyEffect::Kind::gives);
  EXPECT_EQ(kind_with("0"), sim::EnergyEffect::Kind::counted);
}

/// A stream of grains rests on a lattice of fixed ones.
TEST_P(Fixed, GrainsCarryOthersWithoutMovingOrTurning) {
  const auto sim = open(R"(return { precision = "double", units = "si",
    grains = { radius = 0.005, density = 2500, young_modulus = 1e6, restitution = 0.3, friction = 0.5 },
    fields = { uniform { acceleration = { 0, 0, -9.81 } } },
    integrator = { dt = 1e-4 },
    bodies = { lattice { counts = { 5, 5, 1 }, spacing = 0.0101, fixed = true },
               { position = { 0.003, 0.002, 0.03 } } } })");
  const Vec3d before = body(*sim, 7).position;
  sim->advance(4000, {});
  EXPECT_EQ(distance(body(*sim, 7).position, before), 0);
  EXPECT_GT(body(*sim, 25).position.z, 0);  // on the layer: it would have fallen by 0.8
  EXPECT_LT(length(body(*sim, 25).velocity), 0.1);
  sim->state().visit([](const auto& s) {
    for (const auto& axis : {"SpinX", "SpinY", "SpinZ"})
      for (int k = 0; k < s.field_count; ++k)
        if (s.field_info[k]->name == axis) {
          EXPECT_EQ(s.field_column[k][7], 0);
          EXPECT_EQ(s.field_column[k][12], 0);
        }
  });
}

/// Discrete beam: bead j of n bends by its bending moment over k, the moment of the weights
/// beyond it. Angles of 0.07 change lengths across by their square, 0.5 %.
TEST_P(Fixed, CantileverSagsByEulerAndBernoulli) {
  const auto scene = shipped_scene("cantilever");
  const auto sim = open(scene);
  const double dt = scene.integrator.dt;
  sim->advance(static_cast<std::uint64_t>(std::ceil(12 / dt)), {});
  const int parts = 20, n = parts + 1;
  double sag = 0;
  const double joint = 1 / (8 * 0.05) * parts, weight = 1.0 / parts, part = 1.0 / parts;
  for (int j = 1; j < n - 1; ++j) {
    double moment = 0;
    for (int i = j + 1; i < n; ++i) moment += weight * (i - j) * part;
    sag += moment / joint * (n - 1 - j) * part;
  }
  // A continuous beam at the last bead, half a part from its end; parts are its midpoint rule.
  const double x = 1 - 0.5 * part;
  EXPECT_NEAR(sag, 0.05 / 3 * x * x * (6 - 4 * x + x * x), 0.05 / (parts * parts));
  EXPECT_NEAR(1 - body(*sim, n - 1).position.z, sag, 0.005 * sag);
  EXPECT_EQ(body(*sim, 1).position.z, 1);
}

/// The rod is longer by at most 3 / k = 1e-5, which lengthens the period by half of that at most:
/// after ten periods the weight is that late, and has not yet risen by half the square of it.
TEST_P(Fixed, PendulumOnARodSwingsWithThePeriodOfLegendre) {
  if (on_gpu() && gpu_is_emulated()) GTEST_SKIP() << "too long for the emulated device";
  const auto scene = shipped_scene("pendulum");
  const auto sim = open(scene);
  const double end = *scene.stop.time;
  EXPECT_NEAR(end, 10 * 4 * std::comp_ellint_1(std::sin(std::numbers::pi / 4)), 1e-12 * end);
  const auto steps = static_cast<std::uint64_t>(std::llround(end / scene.integrator.dt));
  sim->advance(steps, {});
  EXPECT_NEAR(sim->time(), end, scene.integrator.dt);
  const double late = 1e-5 * end + scene.integrator.dt;
  EXPECT_NEAR(body(*sim, 1).position.z, 1, 0.5 * late * late);
  EXPECT_EQ(distance(body(*sim, 0).position, {0, 0, 1}), 0);
}

TEST_P(Fixed, BodiesAreRewoundAndAddedByHand) {
  const auto open_it = [&] {
    return open(
        "return { gravity = { softening = 0.1 }, integrator = { dt = 0.01 }, bodies = { { mass = "
        "1, position = { 0, 0, 0 }, fixed = true }, plummer { n = 12 } } }");
  };
  const auto sim = open_it();
  sim::History history(*sim, 1 << 24);
  history.advance(5, 0, {}, {});
  sim::BodyChange change;
  change.removed = {3};
  change.added.mass = {1, 1};
  change.added.position = {{2, 0, 0}, {0, 2, 0}};
  change.added.velocity = {{0, 0, 0}, {0, 0, 0}};
  change.added.fixed = {1, 0};
  history.edit_bodies(change);
  history.advance(20, 0, {}, {});
  const auto hash = sim->hash();
  EXPECT_EQ(body(*sim, 12).position.x, 2);
  EXPECT_NE(body(*sim, 13).position.y, 2);
  history.seek(2, {});
  history.seek(25, {});
  EXPECT_EQ(sim->hash(), hash);
}

TEST(FixedBodies, AreRefusedWhereSomethingWouldMoveThem) {
  const auto refusal = [](const std::string& more) {
    return message_of<engine::InputError>([&] {
      const auto scene = scene_of(
          "return { integrator = { dt = 0.01 }, bodies = { { mass = 1, "
          "position = { 0, 0, 0 }, velocity = { 1, 0, 0 }, fixed = true } }, " +
          more + " }");
      sim::open_simulation(scene, sim::make_plan(scene, {}));
    });
  };
  EXPECT_NE(refusal("fields = { drag { linear = 1 } }").find("body 0 is fixed"), std::string::npos);
  EXPECT_NE(
      refusal("fields = { field { acceleration = { '-vx', 0, 0 } } }").find("which would move it"),
      std::string::npos);
}

}  // namespace
}  // namespace mote::test
