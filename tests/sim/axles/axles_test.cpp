// Named obstacles: what bodies exert on them, and axles on which that turns them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/check.h"
#include "sim/history/history.h"
#include "sim/run/energy_health.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Vec3d;

class AxlesOn : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(AxlesOn);

/// A wheel of two paddles, and a grain that flies at one of them. They touch after 0.15 and for
/// 0.014 or longer.
std::string paddles(const std::string& axle, const std::string& grains = "friction = 0.3") {
  return R"(return { precision = "double",
    grains = { radius = 0.05, young_modulus = 1e6, restitution = 1, )" +
         grains + R"( },
    obstacles = { cylinder { name = "wheel", radius = 0.1 },
                  box { name = "wheel", size = { 2, 0.1, 1 } } },
    axles = { { name = "wheel", )" +
         axle + R"( } },
    integrator = { dt = 2e-5 },
    bodies = { { mass = 0.5, position = { 0.8, 0.4, 0.02 }, velocity = { 0.2, -2, 0 } } } })";
}

/// w(t) = w + (w0 - w) exp(-b t / I), w = motor / b. The trapezoid rule errs in the exponent by
/// (b dt / I)^3 / 12 a step, and the angle, moved by speeds of middles, by w'' dt^3 / 24.
TEST_P(AxlesOn, TurnByTheirMotorAgainstTheirBrake) {
  const double inertia = 2, motor = 3, brake = 0.5, start = 1, dt = 1e-4;
  const auto sim = open(
      R"(return { precision = "double", grains = { radius = 0.05, density = 1, young_modulus = 1e4 },
      obstacles = { cylinder { name = "wheel", radius = 0.1 } },
      axles = { { name = "wheel", inertia = 2, torque = 3, brake = 0.5, angular_velocity = 1 } },
      integrator = { dt = 1e-4 }, bodies = { { mass = 0.5, position = { 5, 0, 0 } } } })");
  const int steps = on_gpu() && gpu_is_emulated() ? 200 : 20000;
  sim->advance(static_cast<std::uint64_t>(steps), {});
  const double t = steps * dt, rate = brake / inertia, last = motor / brake;
  const sim::MeasuredSolid wheel = sim->measure().solids.at(0);
  const double decay = std::exp(-rate * t);
  const double error = std::pow(rate * dt, 2) / 12 * rate * t * last;
  EXPECT_NEAR(wheel.angular_velocity, last + (start - last) * decay, 2 * error + 1e-12);
  const double bend = dt * dt / 24 * rate * rate * std::fabs(last - start) * t;
  EXPECT_NEAR(wheel.angle, last * t + (start - last) / rate * (1 - decay),
              2 * error * t + 1.1 * bend + 1e-13);
  EXPECT_EQ(length(wheel.force), 0);
  const double energy = 0.5 * inertia * wheel.angular_velocity * wheel.angular_velocity;
  EXPECT_NEAR(sim->measure().energy, energy, 1e-12 * energy);  // all else is at rest
}

/// While a motor runs the energy may rise; afterwards any rise is an error again.
TEST_P(AxlesOn, LetTheEnergyRiseOnlyWhileTheirMotorRuns) {
  using Kind = sim::EnergyEffect::Kind;
  const std::string lua = paddles("inertia = 2");
  const sim::SceneDescription scene = scene_of(lua);
  const auto sim = open(lua);
  sim::EnergyHealth health(scene);
  const auto check = [&] { health.check(sim->measure(), *sim); };
  const auto set_motor = [&](double torque) {
    sim::LiveSettings live = sim->live();
    sim::set_live(live, "axles.1.torque", torque);
    sim->change(live);
  };
  check();
  EXPECT_EQ(sim->reference_for(sim->measure()).balance.kind, Kind::takes);
  set_motor(1e5);
  EXPECT_EQ(sim->reference_for(sim->measure()).balance.kind, Kind::gives);
  sim->advance(20, {});
  set_motor(0);
  check();
  EXPECT_EQ(health.failure(), "") << "the motor ran between two measurements";
  EXPECT_GT(sim->measure().kinetic + sim->measure().potential, 100) << "of 1 at the start";
  EXPECT_EQ(sim->reference_for(sim->measure()).since, 20u);
}

TEST_P(AxlesOn, GoOnTurningWhenBodiesGo) {
  const auto sim = open(
      R"(return { precision = "double", grains = { radius = 0.05, density = 1, young_modulus = 1e4 },
      obstacles = { cylinder { name = "wheel", radius = 0.1 } },
      axles = { { name = "wheel", inertia = 2, torque = 3, angular_velocity = 1 } },
      integrator = { dt = 1e-3 },
      bodies = { { mass = 0.5, position = { 5, 0, 0 } }, { mass = 0.5, position = { 6, 0, 0 } } } })");
  sim->advance(100, {});
  const sim::MeasuredSolid before = sim->measure().solids.at(0);
  sim->change_bodies({.removed = {1}});
  const sim::MeasuredSolid after = sim->measure().solids.at(0);
  EXPECT_EQ(after.angle, before.angle);
  EXPECT_EQ(after.angular_velocity, before.angular_velocity);
  EXPECT_GT(after.angle, 0.1);
}

/// Forces on grain and wheel are opposite at the same point and time.
TEST_P(AxlesOn, KeepTheAngularMomentumOfWheelAndGrain) {
  for (const char* rolling : {"friction = 0.3", "friction = 0.3, rolling_friction = 0.2"}) {
    const double inertia = 0.3;
    const auto sim = open(paddles("inertia = 0.3, angular_velocity = 0.5", rolling));
    const double before = sim->measure().angular_momentum.z + inertia * 0.5;
    const double energy = sim->measure().energy;
    bool touched = false;
    for (int k = 0; k < 40; ++k) {
      sim->advance(250, {});
      touched = touched || length(sim->measure().solids[0].force) > 0;
    }
    const sim::Measurement after = sim->measure();
    EXPECT_TRUE(touched);
    EXPECT_GT(std::fabs(after.solids[0].angular_velocity - 0.5), 0.5);
    EXPECT_NEAR(after.angular_momentum.z + inertia * after.solids[0].angular_velocity, before,
                1e-12);
    // Elastic, but sliding and rolling take energy.
    EXPECT_LT(after.energy, energy * (1 + 1e-3));
  }
}

/// Without friction the bounce is elastic: the energy of the wheel counts.
TEST_P(AxlesOn, KeepTheEnergyOfWheelAndGrain) {
  const auto sim = open(paddles("inertia = 0.3, angular_velocity = 0.5", "friction = 0"));
  const double energy = sim->measure().energy;
  EXPECT_NEAR(energy, 0.5 * 0.5 * 4.04 + 0.5 * 0.3 * 0.25, 1e-12);
  sim->advance(10000, {});
  EXPECT_GT(body(*sim, 0).velocity.y, 0);
  // The leapfrog errs by the square of a step over a contact, 1 / 700.
  EXPECT_NEAR(sim->measure().energy, energy, 1e-5 * energy);
}

TEST_P(AxlesOn, AreRewoundWithTheSameBits) {
  const auto sim = open(paddles("inertia = 0.3, angular_velocity = 0.5, brake = 0.1"));
  sim::History history(*sim, 1 << 24);
  history.advance(8000, 0, {}, {});
  history.edit("axles.1.torque", 2.0);
  history.advance(500, 0, {}, {});
  const auto hash = sim->hash();
  history.seek(7500, {});
  history.seek(8500, {});
  EXPECT_EQ(sim->hash(), hash);
}

/// Motor and brake are live: a scene that starts with other values goes the same way from where
/// they are set.
TEST_P(AxlesOn, TakeMotorAndBrakeWhileTheyTurn) {
  const auto changed = open(paddles("inertia = 0.3, angular_velocity = 0.5")),
             opened = open(paddles("inertia = 0.3, angular_velocity = 0.5, torque = 2, brake = 1"));
  sim::LiveSettings live = changed->live();
  for (sim::PhysicsParam& p : live.physics) {
    if (p.path == "axles.1.torque") p.value = 2.0;
    if (p.path == "axles.1.brake") p.value = 1.0;
  }
  changed->change(live);
  changed->advance(200, {}), opened->advance(200, {});
  EXPECT_EQ(changed->hash(), opened->hash());
  EXPECT_GT(changed->measure().solids[0].angular_velocity, 0.5 + 1e-3);
}

TEST_P(AxlesOn, WithoutAnAxleForcesAreKeptAlone) {
  const auto sim = open(
      R"(return { precision = "double", units = "si",
      grains = { radius = 0.005, density = 2500, young_modulus = 1e6, restitution = 0.3 },
      fields = { uniform { acceleration = { 0, 0, -9.81 } } },
      obstacles = { plane { name = "floor", normal = { 0, 0, 1 } }, plane { point = { 1, 0, 0 }, normal = { -1, 0, 0 } } },
      integrator = { dt = 1e-4 }, bodies = { { position = { 0.1, 0, 0.005 } } } })");
  sim->advance(2000, {});
  const sim::Measurement m = sim->measure();
  ASSERT_EQ(m.solids.size(), 1u);
  const double weight = m.mass * 9.81;
  EXPECT_FALSE(m.solids[0].on_axle);
  EXPECT_NEAR(m.solids[0].force.z, -weight, 1e-3 * weight);  // at rest but for a last vibration
  EXPECT_NEAR(m.solids[0].torque.y, 0.1 * weight, 1e-4 * weight);
}

TEST(Axles, AreRefusedWhereTheyCannotTurn) {
  const auto refusal = [](const std::string& obstacles, const std::string& axles) {
    return message_of<engine::InputError>([&] {
      scene_of(
          "return { grains = { radius = 0.05, density = 1, young_modulus = 1e4 }, "
          "integrator = { dt = 1e-4 }, bodies = { { mass = 1, position = { 5, 0, 0 } } }, "
          "obstacles = { " +
          obstacles + " }, axles = { " + axles + " } }");
    });
  };
  const std::string wheel = "sphere { name = 'wheel', radius = 1 }";
  EXPECT_NE(refusal("sphere { radius = 1 }", "{ name = 'wheel', inertia = 1 }")
                .find("no obstacle has this name: \"wheel\""),
            std::string::npos);
  EXPECT_NE(refusal(wheel, "{ name = 'whel', inertia = 1 }").find("did you mean"),
            std::string::npos);
  EXPECT_NE(refusal(wheel, "{ name = 'wheel' }").find("inertia"), std::string::npos);
  EXPECT_NE(refusal(wheel, "{ name = 'wheel', inertia = 1, axis = { 0, 0, 0 } }")
                .find("has no direction"),
            std::string::npos);
  EXPECT_NE(refusal(wheel, "{ name = 'wheel', inertia = 1 }, { name = 'wheel', inertia = 2 }")
                .find("is that of another axle"),
            std::string::npos);
  EXPECT_NE(refusal("sphere { name = 'wheel', radius = 1, velocity = { 1, 0, 0 } }",
                    "{ name = 'wheel', inertia = 1 }")
                .find("has a motion of its own"),
            std::string::npos);
  EXPECT_NE(refusal("sphere { name = 'a,b', radius = 1 }", "").find("letters, digits and _"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
