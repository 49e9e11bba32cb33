#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Vec3d;

/// A scene of one body of mass 2 at (1, 0, 0.5) with this velocity.
std::string scene_with(const std::string& fields, const std::string& integrator,
                       const std::string& velocity = "0.3, 0.8, -0.2") {
  return "return { precision = 'double', integrator = { " + integrator + " }, fields = { " +
         fields + " }, bodies = { { mass = 2, position = { 1, 0, 0.5 }, velocity = { " + velocity +
         " } } } }";
}

class FieldMotion : public OnEveryBackend {
 protected:
  Orbit after(const std::string& scene, std::uint64_t steps) {
    const auto simulation = open(scene);
    EXPECT_EQ(simulation->advance(steps, {}).health, sim::Health::good);
    return body(*simulation, 0);
  }
  /// Error of the position after a time of one, against a reference solution.
  double error(const std::string& fields, const std::string& scheme, int steps, Vec3d truth) {
    const std::string dt = "dt = 1/" + std::to_string(steps);
    return distance(
        after(scene_with(fields, scheme + ", " + dt), static_cast<std::uint64_t>(steps)).position,
        truth);
  }
};
MOTE_ON_EVERY_BACKEND(FieldMotion);

TEST_P(FieldMotion, FollowsAParabolaInAUniformField) {
  // Leapfrog is exact for a constant force; each of 100 steps rounds a few times.
  const Orbit end =
      after(scene_with("uniform { acceleration = { 0.5, 0, -9.81 } }", "dt = 0.01"), 100);
  EXPECT_NEAR(end.position.x, 1 + 0.3 + 0.25, 5e-14);
  EXPECT_NEAR(end.position.y, 0.8, 5e-14);
  EXPECT_NEAR(end.position.z, 0.5 - 0.2 - 0.5 * 9.81, 2e-13);
  EXPECT_NEAR(end.velocity.z, -0.2 - 9.81, 2e-13);
}

TEST_P(FieldMotion, OscillatesWithTheDiscretePeriodOfLeapfrog) {
  // x'' = -w^2 x by leapfrog obeys x_(n+1) - 2 cos(a) x_n + x_(n-1) = 0 with cos(a) = 1 - (w h)^2 /
  // 2, up to round-off, which the recurrence carries along: about 2e-16 a step.
  const double h = 0.05, w = 1.5;
  const Orbit end =
      after(scene_with("harmonic_trap { rates = { 1.5, 0, 0 } }", "dt = 0.05", "0, 0, 0"), 400);
  EXPECT_NEAR(end.position.x, std::cos(400 * std::acos(1 - w * w * h * h / 2)), 2e-12);
  EXPECT_EQ(end.position.y, 0);
}

TEST_P(FieldMotion, IsTheSameByExpressionAndByBuiltInField) {
  const std::string dt = "dt = 0.02";
  const Orbit a = after(
      scene_with(
          "harmonic_trap { rates = { 1, 2, 0.5 } }, logarithmic_halo { speed = 1, core_radius = "
          "0.5, flattening = 0.8 }, point_mass { mass = 0.5, softening = 0.3 }",
          dt),
      200);
  const Orbit b = after(
      scene_with(
          R"(field { acceleration = { '-wx^2*x', '-wy^2*y', '-wz^2*z' }, wx = 1, wy = 2, wz = 0.5 },
      field { acceleration = { '-v0^2*x/(c^2+x^2+y^2+z^2/q^2)', '-v0^2*y/(c^2+x^2+y^2+z^2/q^2)',
        '-v0^2*z/q^2/(c^2+x^2+y^2+z^2/q^2)' }, v0 = 1, c = 0.5, q = 0.8 },
      field { acceleration = { '-M*x*(r^2+e^2)^-1.5', '-M*y*(r^2+e^2)^-1.5', '-M*z*(r^2+e^2)^-1.5' }, M = 0.5, e = 0.3 })",
          dt),
      200);
  // Round-off of 200 steps, amplified by at most the elapsed time, 4.
  EXPECT_LT(distance(a.position, b.position), 2e-13);
  EXPECT_LT(distance(a.velocity, b.velocity), 2e-13);
}

TEST_P(FieldMotion, SlowsDownByItsDrag) {
  const Orbit linear = after(scene_with("drag { linear = 0.7 }", "dt = 0.1"), 50);
  EXPECT_NEAR(linear.velocity.y, 0.8 * std::exp(-0.7 * 5), 1e-15);
  const double speed = std::sqrt(0.3 * 0.3 + 0.8 * 0.8 + 0.2 * 0.2);
  const Orbit quadratic = after(scene_with("drag { quadratic = 0.7 }", "dt = 0.1"), 50);
  EXPECT_NEAR(quadratic.velocity.y, 0.8 / (1 + 0.7 * speed * 5), 2e-15);
}

TEST_P(FieldMotion, FallsWithTheTerminalVelocityOfItsSteps) {
  // A kick lasts h/2: v = e (e v + h/2 g) with e = exp(-k h / 4) has the fixed point g / k (kh/4) /
  // sinh(kh/4).
  const double quarter = 0.25 * 2 * 0.1;
  const Orbit end = after(
      scene_with("uniform { acceleration = { 0, 0, -9 } }, drag { linear = 2 }", "dt = 0.1"), 300);
  EXPECT_NEAR(end.velocity.z, -4.5 * quarter / std::sinh(quarter), 1e-14);
}

TEST_P(FieldMotion, TurnsOnLarmorCirclesWhereOnlyTheCoriolisForceActs) {
  // The trap cancels the centrifugal force, bit for bit. Velocities rotate by 2 w h a step, exactly
  // up to one rounding a step.
  const double w = 0.7, h = 0.01;
  const Orbit end = after(
      scene_with(
          "rotating_frame { angular_velocity = { 0, 0, 0.7 } }, harmonic_trap { rates = { 0.7, "
          "0.7, 0 } }",
          "dt = 0.01", "0.3, 0, 0"),
      1000);
  EXPECT_NEAR(end.velocity.x, 0.3 * std::cos(2 * w * h * 1000), 1e-13);
  EXPECT_NEAR(end.velocity.y, -0.3 * std::sin(2 * w * h * 1000), 1e-13);
}

TEST_P(FieldMotion, IsAStraightLineSeenFromATurningFrame) {
  // A body at rest in an inertial frame circles with -w. The error is that of the scheme, (w h)^2 /
  // 12 of the angle w t; the motion has frequencies w and 2 w: at most twice that.
  const double w = 0.7, h = 0.01, angle = w * h * 500;
  const Orbit end = after(
      "return { precision = 'double', integrator = { dt = 0.01 }, fields = { rotating_frame { "
      "angular_velocity = { 0, 0, 0.7 } } }, bodies = { { mass = 1, position = { 1, 0, 0 }, "
      "velocity = "
      "{ 0, -0.7, 0 } } } }",
      500);
  EXPECT_LT(distance(end.position, {std::cos(angle), -std::sin(angle), 0}),
            2 * w * w * h * h * (1 + angle));
}

TEST_P(FieldMotion, MeetsEveryForceAtItsOwnTime) {
  // A force of time alone: velocities are the trapezoidal sum of the forces at the steps, with 50
  // roundings.
  const auto simulation =
      open(scene_with(R"(field { acceleration = { 'cos(3*t)', 0, 0 } })", "dt = 0.1"));
  double v = 0.3;
  for (int k = 0; k < 50; ++k) v += 0.05 * (std::cos(0.3 * k) + std::cos(0.3 * (k + 1)));
  simulation->advance(50, {});
  EXPECT_NEAR(body(*simulation, 0).velocity.x, v, 1e-14);
  // Within the steps of a composition too: its order requires the right time in each substep.
  const Vec3d truth{1 + 0.3 + (1 - std::cos(3)) / 9, 0.8, 0.3};
  const std::string field = R"(field { acceleration = { 'cos(3*t)', 0, 0 } })";
  const double coarse = error(field, "'yoshida4'", 16, truth),
               fine = error(field, "'yoshida4'", 32, truth);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.1);
  const double coarse6 = error(field, "'yoshida6'", 8, truth),
               fine6 = error(field, "'yoshida6'", 16, truth);
  EXPECT_NEAR(std::log2(coarse6 / fine6), 6, 0.2);
}

/// Drag, a rotating frame, and a force of position, velocity and time without an exact flow.
const char* const of_velocities = R"(drag { linear = 0.2, quadratic = 0.1 },
  rotating_frame { angular_velocity = { 0, 0.3, 0.5 } }, harmonic_trap { rates = { 1, 1.5, 2 } },
  field { acceleration = { '(1+x)*vy - 0.2*vx^3', '-(1+x)*vx + 0.3*cos(2*t)', '-0.5*vz^3*sin(t+y)' } })";

TEST_P(FieldMotion, KeepsTheOrderOfTheSchemeWithForcesOfVelocities) {
  const Vec3d truth =
      after(scene_with(of_velocities, "'yoshida6', dt = 1/128"), 128).position;  // error below
                                                                                 // 1e-13
  const auto order = [&](const char* scheme, int steps) {
    return std::log2(error(of_velocities, scheme, steps, truth) /
                     error(of_velocities, scheme, 2 * steps, truth));
  };
  EXPECT_NEAR(order("'leapfrog'", 32), 2, 0.05);
  EXPECT_NEAR(order("'yoshida4'", 32), 4, 0.2);
  EXPECT_NEAR(order("'yoshida6'", 16), 6, 0.5);
}

TEST_P(FieldMotion, GoesBackWhereItCameFromWithForcesOfVelocities) {
  // A non-uniform magnetic field: reversing the velocities and the field reverses the motion. The
  // iterations leave an asymmetry of (h/2)^5 a step.
  const auto field = [](const char* sign) {
    return std::string("field { acceleration = { 's*(1+x)*vy', '-s*(1+x)*vx', '-z' }, s = ") +
           sign + "1 }";
  };
  const Orbit there = after(scene_with(field(""), "dt = 0.02"), 100);
  char text[400];
  std::snprintf(text, sizeof text,
                "precision = 'double', bodies = { { mass = 2, position = { %.17g, %.17g, %.17g }, "
                "velocity = { %.17g, "
                "%.17g, %.17g } } } }",
                there.position.x, there.position.y, there.position.z, -there.velocity.x,
                -there.velocity.y, -there.velocity.z);
  const Orbit back =
      after("return { integrator = { dt = 0.02 }, fields = { " + field("-") + " }, " + text, 100);
  EXPECT_LT(distance(back.position, {1, 0, 0.5}), 100 * std::pow(0.01, 5) * 10);
}

TEST_P(FieldMotion, KeepsItsEnergyInFieldsWithPotentials) {
  const char* const fields = R"(logarithmic_halo { speed = 1, core_radius = 0.5, flattening = 0.8 },
    miyamoto_nagai { mass = 0.5, scale_length = 0.5, scale_height = 0.1 }, uniform { acceleration = { 0, 0, 0.1 } },
    field { acceleration = { "-0.3*x^3 + b*vy", "-b*vx", 0 }, potential = "0.3*x^4/4", b = 0.7 })";
  const auto drift = [&](int steps) {
    const auto simulation = open(scene_with(fields, "dt = 4/" + std::to_string(steps)));
    simulation->measure();
    simulation->advance(static_cast<std::uint64_t>(steps), {});
    return std::fabs(simulation->measure().energy_error);
  };
  const double coarse = drift(200), fine = drift(400);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.4);
}

TEST_P(FieldMotion, KeepsJacobisConstant) {
  // The restricted three-body problem: masses 0.9 and 0.1 at rest in a frame rotating with w = 1
  // (Binney & Tremaine 3.3.2).
  const std::string scene = R"(point_mass { mass = 0.9, position = { -0.1, 0, 0 } },
    point_mass { mass = 0.1, position = { 0.9, 0, 0 }, softening = 0.05 }, rotating_frame { angular_velocity = { 0, 0, 1 } })";
  const auto drift = [&](const char* dt, std::uint64_t steps) {
    const auto simulation =
        open(scene_with(scene, std::string("'yoshida4', dt = ") + dt, "0, 0.1, 0.1"));
    const auto first = simulation->measure();
    const double r1 = std::sqrt(1.1 * 1.1 + 0.25), r2 = std::sqrt(0.01 + 0.25 + 0.0025);
    // Mass 2 times v^2 / 2 - |w cross x|^2 / 2 - m1 / r1 - m2 / r2. A dozen roundings.
    EXPECT_NEAR(first.energy, 2 * (0.5 * (0.01 + 0.01) - 0.5 - 0.9 / r1 - 0.1 / r2), 1e-15 * 10);
    simulation->advance(steps, {});
    EXPECT_GT(distance(body(*simulation, 0).position, {1, 0, 0.5}), 0.1);
    return std::fabs(simulation->measure().energy_error);
  };
  const double coarse = drift("0.04", 100), fine = drift("0.02", 200);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3);
}

TEST_P(FieldMotion, AddsToTheGravityOfTheOtherBodies) {
  const char* const bodies =
      "bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } } }";
  const auto simulation =
      open(std::string("return { gravity = { softening = 0 }, precision = 'double', "
                       "integrator = { dt = 0.1 }, fields = { uniform { "
                       "acceleration = { 0, 2, 0 } }, field { acceleration = { 'x', 'm', "
                       "0 }, potential = '-x^2/2 - m*y' } }, ") +
           bodies);
  const auto a = simulation->body(1).acceleration;
  EXPECT_EQ(a.x, -1 + 1);
  EXPECT_EQ(a.y, 2 + 1);
  EXPECT_EQ(simulation->measure().potential, -1 - 0.5);
}

TEST_P(FieldMotion, ResumesBitForBitInTime) {
  const std::string scene = scene_with(of_velocities, "'yoshida4', dt = 0.013");
  const auto uninterrupted = open(scene), first = open(scene), second = open(scene),
             third = open(scene);
  uninterrupted->advance(20, {});
  first->advance(7, {});
  const auto kept = first->save();
  second->resume(first->state(), first->run_clock(), first->live());
  first->advance(13, {});
  second->advance(13, {});
  third->advance(3, {});
  third->restore(*kept);
  third->advance(13, {});
  EXPECT_EQ(first->hash(), uninterrupted->hash());
  EXPECT_EQ(second->hash(), uninterrupted->hash());
  EXPECT_EQ(third->hash(), uninterrupted->hash());
}

TEST_P(FieldMotion, StopsWhereAFieldIsNotANumber) {
  // The force on the second body is NaN after t = 0.45; the fifth step evaluates it at t = 0.5. The
  // first body stops there too, without another kick, although more steps are queued on a GPU.
  const std::string scene =
      "return { integrator = { dt = 0.1 }, fields = { drag { linear = 0.1 }, uniform { "
      "acceleration = { 0, "
      "1, 0 } }, field "
      "{ acceleration = { 'sqrt(0.45 - t*step(m - 1.5))', '-vx', 0 } } }, bodies = { { mass = 1, "
      "position = "
      "{ 1, 0, 0 } }, "
      "{ mass = 2, position = { 2, 0, 0 } } } }";
  const auto simulation = open(scene), other = open(scene);
  simulation->advance(2, {});
  const auto report = simulation->advance(50, {});
  EXPECT_EQ(report.health, sim::Health::not_finite);
  EXPECT_EQ(report.offender, 1);
  EXPECT_EQ(simulation->step(), 5u);
  other->advance(5, {});
  EXPECT_EQ(simulation->hash(), other->hash());
}

TEST_P(FieldMotion, GoesOnFromAChangeOfTheStep) {
  const auto simulation =
      open(scene_with("field { acceleration = { 't', 0, 0 } }", "dt = 0.1", "0, 0, 0"));
  simulation->advance(10, {});
  auto live = simulation->live();
  live.dt = 0.05;
  simulation->change(live);
  simulation->advance(20, {});
  // The trapezoidal rule is exact for a force that grows with time.
  EXPECT_NEAR(body(*simulation, 0).velocity.x, 2, 1e-14);
}

TEST(FieldCheckpoints, GoOnBitForBitInTime) {
  const auto scene = scene_of(scene_with(of_velocities, "'yoshida4', dt = 0.013"));
  sim::RunOptions options;
  options.backend = engine::Backend::cpu;
  const sim::Plan plan = sim::make_plan(scene, options);
  const auto uninterrupted = sim::open_simulation(scene, plan);
  const TemporaryFolder folder;
  uninterrupted->advance(7, {});
  sim::write_checkpoint(folder / "checkpoint.h5", *uninterrupted, scene, plan, {});
  const auto resumed =
      sim::open_checkpoint(sim::read_checkpoint(folder / "checkpoint.h5"), options);
  uninterrupted->advance(13, {});
  resumed->advance(13, {});
  EXPECT_EQ(resumed->hash(), uninterrupted->hash());
}

std::string cluster(const char* fields) {
  return std::string(
             "return { precision = 'single', gravity = { softening = 0.1 }, integrator = { dt = "
             "0.01 }, "
             "fields = { ") +
         fields + " }, bodies = { plummer { n = 200 } } }";
}

TEST(FieldBits, AreTheSameForEveryNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  std::string scene = cluster(of_velocities);
  scene.replace(scene.find("gravity"), std::string("gravity = { softening = 0.1 },").size(), "");
  scene.replace(scene.find("200"), 3, "9001");
  const auto hash = [&](int threads) {
    sim::RunOptions options;
    options.backend = engine::Backend::cpu;
    options.threads = threads;
    const auto described = scene_of(scene);
    const auto simulation = sim::open_simulation(described, sim::make_plan(described, options));
    simulation->advance(3, {});
    return std::pair(simulation->hash(), simulation->measure().potential);
  };
  EXPECT_EQ(hash(1), hash(3));
}

TEST(FieldBits, AreTheSameForLaunchesAndGraphs) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const auto scene = scene_of(cluster(of_velocities));
  const auto hash = [&](sim::Stepping stepping) {
    sim::RunOptions options;
    options.backend = engine::Backend::cuda;
    options.stepping = stepping;
    const auto simulation = sim::open_simulation(scene, sim::make_plan(scene, options));
    simulation->advance(20, {});
    return simulation->hash();
  };
  EXPECT_EQ(hash(sim::Stepping::launch), hash(sim::Stepping::graph));
}

TEST(FieldPlans, NeverStepInsideOneKernel) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const auto scene = scene_of(cluster("uniform { acceleration = { 0, 0, 1 } }"));
  sim::RunOptions options;
  options.backend = engine::Backend::cuda;
  const sim::Plan plan = sim::make_plan(scene, options);
  EXPECT_EQ(plan.stepping, sim::Stepping::graph);
  EXPECT_EQ(plan.reasons.back(), "stepping graph: the scene has gravity and fields");
  options.stepping = sim::Stepping::cluster;
  const std::string message =
      message_of<engine::InputError>([&] { sim::make_plan(scene, options); });
  EXPECT_NE(message.find("it is for gravity alone, and the scene has gravity and fields"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace mote::test
