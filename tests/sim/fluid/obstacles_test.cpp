// Obstacles as walls of fluids.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sim/fluid/half_space_formula.h"
#include "tests/sim/script/hooked_run.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Vec3d;

constexpr double pi = std::numbers::pi;

/// Sums over a fine grid of the half-space s > d of the kernel, and of its gradient.
sim::HalfSpaceIntegrals<double> summed(int dimensions, double h, double d) {
  const auto kernel = sim::smoothing_kernel<double>(h, dimensions);
  const int n = dimensions == 2 ? 800 : 160;
  const double step = 4 * h / n;
  sim::HalfSpaceIntegrals<double> sums{0, 0};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < (dimensions == 2 ? 1 : n); ++k) {
        // The first layer of cells begins at d.
        const double s = d + (i + 0.5) * step, y = -2 * h + (j + 0.5) * step,
                     z = dimensions == 2 ? 0 : -2 * h + (k + 0.5) * step;
        const double volume = dimensions == 2 ? step * step : step * step * step;
        const auto at = sim::kernel_point(kernel, Vec3d{-s, y, z});
        sums.area += volume * sim::kernel_gradient(kernel, at) * -s;
        sums.filled += volume * sim::kernel_value(kernel, at);
      }
  return sums;
}

TEST(HalfSpaces, HaveTheIntegralsOfTheirParts) {
  const double h = 0.7;
  for (const int dimensions : {2, 3})
    for (const double d : {0.0, 0.2, 0.6, 1.1, 1.35, 1.5}) {
      const sim::HalfSpaceKernel<double> kernel{1 / h, dimensions};
      const auto exact = sim::half_space_integrals(kernel, d);
      const auto sum = summed(dimensions, h, d);
      // The midpoint rule errs by the square of the step, 1/200 and 1/40 of h.
      const double error = dimensions == 2 ? 1e-5 : 4e-4;
      EXPECT_NEAR(exact.area * h, sum.area * h, error) << dimensions << " " << d;
      EXPECT_NEAR(exact.filled, sum.filled, error) << dimensions << " " << d;
      const sim::HalfSpaceKernel<float> single{static_cast<float>(1 / h), dimensions};
      const auto rounded = sim::half_space_integrals(single, static_cast<float>(d));
      EXPECT_NEAR(rounded.area, exact.area, 3e-6);
      EXPECT_NEAR(rounded.filled, exact.filled, 3e-6);
    }
}

class FluidObstacles : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(FluidObstacles);

class LongFluidObstacles : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongFluidObstacles);

/// Water 1 deep and 1 long in a periodic channel over a floor, with hydrostatic pressure; without
/// what is within `hole` of its middle.
std::string water_with(const std::string& obstacles = "", const std::string& hole = "0") {
  return R"(
    local dx, bodies = 0.05, {}
    for j = 0, 19 do for i = 0, 19 do
      local x, y = (i + 0.5) * dx, (j + 0.5) * dx
      if (x - 0.5) ^ 2 + (y - 0.5) ^ 2 >= )" +
         hole + R"( ^ 2 then table.insert(bodies, { mass = dx * dx, position = { x, y, 0 } }) end
    end end
    return { precision = "double",
      domain = { size = { 1, 0, 0 }, center = { 0.5, 0, 0 }, x = "periodic", y = "open", z = "open" },
      fields = { uniform { acceleration = { 0, -1, 0 } } },
      fluid = { spacing = dx, largest_speed = 1.5, dimensions = 2, artificial_viscosity = 0.05, hydrostatic = true },
      integrator = { dt = 0.0005 },
      obstacles = { plane { name = "floor", normal = { 0, 1, 0 } })" +
         obstacles + R"( },
      bodies = bodies })";
}

/// The same bound as over a floor of particles: compressed by rho g H / c^2 = 1/225 at most.
TEST_P(LongFluidObstacles, CarryStillWater) {
  MOTE_SKIP_IF_SANITIZED("long; FluidObstacles.* take such steps");
  const auto sim = open(water_with());
  sim->advance(2000, {});
  const sim::Measurement m = sim->measure();
  EXPECT_LT(m.fastest, 0.05);
  sim->state().visit([](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i) {
      const double row = 0.025 + 0.05 * std::floor(static_cast<double>(i) / 20);
      ASSERT_NEAR(static_cast<double>(s.y[i]), row, 0.025) << i;
    }
  });
  EXPECT_NEAR(m.solids.at(0).force.y, -1, 0.03);
  EXPECT_NEAR(m.solids.at(0).force.x, 0, 0.01);
}

/// What the floor gets is what the water loses: over steps of the leapfrog, forces times dt add up
/// to the change of momentum, half of the first and of the last of them.
TEST_P(FluidObstacles, GetTheMomentumThatTheWaterLoses) {
  const auto sim =
      open(water_with(R"(, sphere { name = "ball", radius = 0.3, center = { 0.4, 1.35, 0 },
                                    velocity = { 0.2, -0.5, 0 } })"));
  const double dt = 0.0005;
  const auto force = [&](const sim::Measurement& m) {
    Vec3d sum{0, -m.mass, 0};
    for (const sim::MeasuredSolid& solid : m.solids) sum = sum - solid.force;
    return sum;
  };
  const sim::Measurement first = sim->measure();
  Vec3d impulse = (0.5 * dt) * force(first);
  sim::Measurement last = first;
  for (int k = 0; k < 60; ++k) {
    sim->advance(1, {});
    last = sim->measure();
    impulse += dt * force(last);
  }
  impulse = impulse - (0.5 * dt) * force(last);
  EXPECT_GT(length(last.solids[1].force), 0);
  const Vec3d change = last.momentum - first.momentum;
  EXPECT_NEAR(change.x, impulse.x, 1e-13);
  EXPECT_NEAR(change.y, impulse.y, 1e-13);
}

/// Archimedes: a cylinder in still water is lifted by the weight of the water that it displaces.
/// Where its surface lies between particles is uncertain by an eighth of their spacing.
TEST_P(LongFluidObstacles, AreLiftedByTheWeightOfTheWaterTheyDisplace) {
  MOTE_SKIP_IF_SANITIZED("long");
  const double radius = 0.25;
  const auto sim = open(water_with(
      R"(, cylinder { name = "rod", radius = 0.25, center = { 0.5, 0.5, 0 } })", "0.27"));
  sim->advance(1000, {});
  double mean = 0;
  for (int k = 0; k < 50; ++k) {
    sim->advance(20, {});
    mean += sim->measure().solids.at(1).force.y / 50;
  }
  EXPECT_NEAR(mean, pi * radius * radius, 2 * pi * radius * 0.05 / 8);
}

/// Couette: between a plane at rest and one that moves at U, a flow linear in height, and the shear
/// force mu U / H by area on each.
TEST_P(FluidObstacles, AreDraggedByAViscousFlow) {
  const auto sim = open(R"(
    local dx = 0.05
    local bodies = {}
    for j = 0, 19 do for i = 0, 9 do
      table.insert(bodies, { mass = dx * dx, position = { (i + 0.5) * dx, (j + 0.5) * dx, 0 },
                             velocity = { (j + 0.5) * dx, 0, 0 } })
    end end
    return { precision = "double",
      domain = { size = { 0.5, 0, 0 }, center = { 0.25, 0, 0 }, x = "periodic", y = "open", z = "open" },
      fluid = { spacing = dx, largest_speed = 1, dimensions = 2, viscosity = 0.5 },
      integrator = { dt = 0.0005 },
      obstacles = { plane { name = "below", normal = { 0, 1, 0 } },
                    plane { name = "above", point = { 0, 1, 0 }, normal = { 0, -1, 0 }, velocity = { 1, 0, 0 } } },
      bodies = bodies })");
  const auto shear = [&](std::size_t solid) { return sim->measure().solids.at(solid).force.x; };
  EXPECT_NEAR(shear(0), 0.25, 0.01);
  EXPECT_NEAR(shear(1), -0.25, 0.01);
  sim->advance(100, {});
  EXPECT_NEAR(shear(0), 0.25, 0.0125);
  EXPECT_NEAR(shear(1), -0.25, 0.0125);
}

/// A disc of water without weight of radius 0.6, around a box of 0.6 x 0.2: up to its obstacles.
const char* const box_in_a_disc_of_water = R"(
    local dx, bodies = 0.05, {}
    for j = -12, 12 do for i = -12, 12 do
      local x, y = i * dx, j * dx
      if not (math.abs(x) < 0.3 + 0.5 * dx and math.abs(y) < 0.1 + 0.5 * dx) and x * x + y * y < 0.36 then
        table.insert(bodies, { mass = dx * dx, position = { x, y, 0 } })
      end
    end end
    return { precision = "double",
      fluid = { spacing = dx, largest_speed = 1, dimensions = 2, artificial_viscosity = 0.1, shifting = 0, walls = "free_slip" },
      integrator = { dt = 0.0005 },)";

/// A wheel in water without weight: pair forces along the line of the pair keep the angular
/// momentum of water and wheel together.
TEST_P(FluidObstacles, KeepTheAngularMomentumOfWaterAndWheel) {
  const double inertia = 0.05;
  const auto sim = open(box_in_a_disc_of_water + std::string(R"(
      obstacles = { box { name = "wheel", size = { 0.6, 0.2, 1 } } },
      axles = { { name = "wheel", inertia = 0.05, angular_velocity = 2 } },
      bodies = bodies })"));
  sim->advance(200, {});
  const sim::Measurement m = sim->measure();
  EXPECT_LT(m.solids.at(0).angular_velocity, 1.8);
  EXPECT_NEAR(m.angular_momentum.z + inertia * m.solids[0].angular_velocity, 2 * inertia, 1e-12);
}

/// A paddle that turns as prescribed, in water without weight, drives it: the water resists. Steps
/// of the leapfrog change the angular momentum of the water by dt times the mean of the torques at
/// their ends, to rounding: v changes along a at the r of that time, and r along v.
TEST_P(FluidObstacles, GiveTheWaterTheAngularMomentumOfTheirTorque) {
  const std::string scene = box_in_a_disc_of_water + std::string(R"(
      obstacles = { box { name = "paddle", size = { 0.6, 0.2, 1 }, angular_velocity = { 0, 0, RATE } } },
      bodies = bodies })");
  for (const int rate : {2, -2}) {
    std::string text = scene;
    text.replace(text.find("RATE"), 4, std::to_string(rate));
    const auto sim = open(text);
    const double dt = 0.0005;
    sim::Measurement m = sim->measure();
    const double before = m.angular_momentum.z;
    double impulse = 0.5 * dt * m.solids.at(0).torque.z, largest = 0;
    for (int k = 0; k < 100; ++k) {
      sim->advance(1, {});
      m = sim->measure();
      impulse += dt * m.solids[0].torque.z;
      largest = std::max(largest, std::fabs(m.solids[0].torque.z));
    }
    impulse -= 0.5 * dt * m.solids[0].torque.z;
    EXPECT_FALSE(m.solids[0].on_axle);
    EXPECT_LT(impulse * rate, 0) << "the water resists";
    EXPECT_GT(m.angular_momentum.z * rate, 0) << "the water is taken along";
    // It has a part of what it would have as a rigid disc of water.
    const double disc = 0.5 * m.mass * 0.36 * std::abs(rate);
    EXPECT_GT(std::fabs(m.angular_momentum.z), 0.02 * disc);
    EXPECT_LT(std::fabs(m.angular_momentum.z), disc);
    // Sums over 400 particles, of 100 steps, in double precision.
    EXPECT_NEAR(m.angular_momentum.z - before, -impulse, 1e-13);
  }
}

/// Over a time T the mean torques of water and brake differ by the change of the wheel's angular
/// momentum over T; torques are sampled every fifth step. The water gives at most the power of its
/// fall and of its jet.
TEST_P(LongFluidObstacles, TurnAWheelUntilTheBrakeHasTheTorqueOfTheWater) {
  MOTE_SKIP_IF_SANITIZED("long");
  const auto scene = shipped_scene("water_wheel", {{"spacing", "0.03"}});
  HookedRun run(scene, GetParam());  // with what is emitted
  sim::Simulation* const sim = &run.simulation();
  const double brake = 300, inertia = 60;
  run.to(static_cast<std::uint64_t>(1.5 / scene.integrator.dt));
  const double start = sim->time(), before = sim->measure().solids.at(0).angular_velocity;
  double torque = 0, speed = 0, squared = 0;
  int rows = 0;
  for (; sim->time() < 3; ++rows) {
    run.to(sim->step() + 5);
    const sim::MeasuredSolid wheel = sim->measure().solids[0];
    torque += wheel.torque.z, speed += wheel.angular_velocity;
    squared += wheel.angular_velocity * wheel.angular_velocity;
  }
  torque /= rows, speed /= rows, squared /= rows;
  const double change =
      (sim->measure().solids[0].angular_velocity - before) / (sim->time() - start);
  EXPECT_LT(speed, -0.5);  // clockwise, as the jet comes from the left
  EXPECT_NEAR(torque, brake * speed + inertia * change, 0.02 * brake * std::fabs(speed));
  const double flow = 0.1 * 1.8, drop = 2 * 0.62 + 0.12;
  EXPECT_LT(brake * squared, 1000 * flow * (9.81 * drop + 0.5 * 1.8 * 1.8));
}

TEST(FluidsAndObstacles, ExcludeSurfaceTension) {
  const std::string refused = message_of<engine::InputError>([] {
    scene_of(
        "return { fluid = { spacing = 0.1, largest_speed = 1, surface_tension = 0.1 }, "
        "integrator = { dt = 1e-4 }, obstacles = { plane {} }, "
        "bodies = { { mass = 1, position = { 5, 0, 0 } } } }");
  });
  EXPECT_NE(refused.find("surface_tension: cannot be combined with obstacles"), std::string::npos);
}

}  // namespace
}  // namespace mote::test
