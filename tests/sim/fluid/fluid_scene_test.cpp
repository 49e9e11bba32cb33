// Fluids in scenes: steps, restarts, walls, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/fluid/fluid_fields.h"
#include "sim/fluid/hydrostatic.h"
#include "sim/fluid/module/fluid_tables.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Precision;
using sim::Simulation;

class FluidScenes : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(FluidScenes);

class LongFluidScenes : public LongOnEveryBackend {};
MOTE_ON_EVERY_BACKEND(LongFluidScenes);

/// Water 1 deep and 1 long in a periodic channel over a floor.
std::string still_water(const std::string& dt = "0.0005") {
  return R"(
    local dx = 0.05
    return {
      domain = { size = { 1, 0, 0 }, center = { 0.5, 0, 0 }, x = "periodic", y = "open", z = "open" },
      fields = { uniform { acceleration = { 0, -1, 0 } } },
      species = { floor = { wall = true } },
      fluid = { spacing = dx, largest_speed = 1.5, dimensions = 2, artificial_viscosity = 0.05 },
      integrator = { dt = )" +
         dt + R"( },
      bodies = {
        translate(lattice { counts = { 20, 20, 1 }, spacing = dx, mass = 1 }, { 0.5, 0.5, 0 }),
        translate(lattice { counts = { 20, 5, 1 }, spacing = dx, mass = 0.25, species = "floor" }, { 0.5, -0.125, 0 }),
      },
    })";
}

TEST_P(LongFluidScenes, StillWaterStaysOnItsFloor) {
  MOTE_SKIP_IF_SANITIZED("long; FluidScenes.* take such steps");
  const auto sim = open(still_water(), {.precision = Precision::double_});
  sim->advance(2000, {});
  // Compressed by its weight, by at most rho g H / c^2 = 1/225, and settling: no particle moves by
  // more than half a spacing.
  const sim::Measurement m = sim->measure();
  EXPECT_LT(m.fastest, 0.05);
  sim->state().visit([](const auto& s) {
    for (engine::Index i = 0; i < s.count; ++i) {
      const double row = i < 400 ? 0.025 + 0.05 * std::floor(static_cast<double>(i) / 20)
                                 : -0.225 + 0.05 * std::floor(static_cast<double>(i - 400) / 20);
      ASSERT_NEAR(static_cast<double>(s.y[i]), row, i < 400 ? 0.025 : 1e-15) << i;
      EXPECT_EQ(s.z[i], 0);
    }
  });
}

/// A pool 1 deep and 1 wide, `n` particles across, between wall particles.
std::string pool(int n, const std::string& more) {
  return "local n = " + std::to_string(n) + R"(
    local dx = 1 / n; local k = 5
    local function block(l, b, nx, ny, sp)
      return translate(lattice { counts = { nx, ny, 1 }, spacing = dx, mass = nx * ny * dx * dx, species = sp },
                       { l + .5 * nx * dx, b + .5 * ny * dx, 0 })
    end
    return {
      precision = "double",
      fields = { uniform { acceleration = { 0, -1, 0 } } },
      species = { wall = { wall = true } },
      fluid = { spacing = dx, largest_speed = 1.4142, dimensions = 2, artificial_viscosity = 0.05, )" +
         more + R"( },
      integrator = { dt = 0.024 / n },
      bodies = { block(0, 0, n, n), block(-k * dx, -k * dx, n + 2 * k, k, "wall"), block(-k * dx, 0, k, n + 6, "wall"),
                 block(1, 0, k, n + 6, "wall") },
    })";
}

struct Rest {
  double error = 0, slope = 0, fastest = 0;
};
/// Error of the pressure against rho g depth, from the densities of a pool `n` particles deep.
Rest rest_of(Simulation& sim, const sim::SceneDescription& scene, int n) {
  const auto state = sim::equation_of_state(*scene.physics.find<sim::FluidTables>());
  Rest found;
  double depths = 0, pressures = 0, squares = 0, products = 0;
  const engine::Index count = engine::Index{n} * n;
  sim.state().visit([&](const auto& s) {
    for (engine::Index i = 0; i < count; ++i) {
      const double depth = 1 - double(s.y[i]),
                   p = state.pressure(double(s[sim::fields::density][i]));
      found.error += (p - depth) * (p - depth) / static_cast<double>(count);
      found.fastest = std::max(found.fastest, std::hypot(double(s.vx[i]), double(s.vy[i])));
      depths += depth, pressures += p, squares += depth * depth, products += depth * p;
    }
  });
  const auto of = static_cast<double>(count);
  found.error = std::sqrt(found.error);
  found.slope = (of * products - depths * pressures) / (of * squares - depths * depths);
  return found;
}

TEST_P(LongFluidScenes, AHydrostaticPoolIsAtRestFromTheStart) {
  // The surface is uncertain by half a spacing: 1 / (2 n) of the pressure at the floor. Without the
  // key the pool oscillates like a released spring, by 15 % for many periods.
  constexpr int n = 20;
  const sim::SceneDescription scene = scene_of(pool(n, "hydrostatic = true"));
  const auto sim = open(scene);
  for (int k = 0; k < 9; ++k) {
    const Rest rest = rest_of(*sim, scene, n);
    EXPECT_LT(rest.error, 0.5 / n) << "at " << sim->time();
    EXPECT_NEAR(rest.slope, 1, 1.0 / n) << "at " << sim->time();
    EXPECT_LT(rest.fastest, 0.02) << "at " << sim->time();  // compared with 1.4 of a fall from the
                                                            // surface
    sim->advance(417, {});
  }
}

TEST_P(FluidScenes, AHydrostaticStartHasThePressureOfTheWeightAbove) {
  constexpr int n = 10;
  for (const char* key : {"hydrostatic = true", "hydrostatic = true, background_pressure = 0.5"}) {
    const sim::SceneDescription scene = scene_of(pool(n, key));
    const auto sim = open(scene);
    const auto state = sim::equation_of_state(*scene.physics.find<sim::FluidTables>());
    sim->state().visit([&](const auto& s) {
      for (engine::Index i = 0; i < n * n; ++i)
        // Round-off of a density in double: 1e-16 of c^2 in the pressure.
        EXPECT_NEAR(state.pressure(double(s[sim::fields::density][i])) - state.background,
                    1 - double(s.y[i]), 1e-12);
      for (engine::Index i = n * n; i < s.count; ++i) EXPECT_EQ(s[sim::fields::density][i], 1);
    });
  }
}

TEST(Depths, AreThoseBelowTheSurfaceOfTheirColumn) {
  // Two columns of different height, a drop far above one of them, all rotated.
  for (const engine::Vec3d weight :
       {engine::Vec3d{0, -9.81, 0}, engine::Vec3d{0, 0, 2}, engine::Vec3d{3, 4, -12}}) {
    const engine::Vec3d down = (1 / engine::length(weight)) * weight;
    engine::Vec3d across = cross(down, {0.3, 0.5, -0.4});
    across = (1 / engine::length(across)) * across;
    const auto position = [&](double x, double height) { return x * across - height * down; };
    std::vector<engine::Vec3d> positions;
    std::vector<double> expected;
    for (const int height : {4, 7})
      for (int j = 0; j < height; ++j) {
        // Displaced from a lattice by a tenth of the spacing.
        positions.push_back(
            position(0.1 * (height == 4 ? 0 : 1) + 0.01 * (j % 2), 0.1 * (j + 0.5)));
        expected.push_back(0.1 * (height - j - 0.5));
      }
    positions.push_back(position(0, 0.95)), expected.push_back(0.05);
    const std::vector<double> found = sim::depths_of(positions, weight, 0.1);
    for (std::size_t k = 0; k < positions.size(); ++k)
      EXPECT_NEAR(found[k], expected[k], 1e-12) << k;
  }
}

// Water below a lid beside an open shaft, and below it in a box without one.
TEST(Depths, BelowALidAreThoseOfTheConnectedSurface) {
  std::vector<engine::Vec3d> positions;
  for (int column = 0; column < 6; ++column)
    for (int row = 0; row < (column == 0 ? 9 : 4); ++row)
      positions.push_back({0.1 * (column + 0.5), 0.1 * (row + 0.5), 0});
  const auto depths = [&](double lid_from) {
    return sim::depths_of(positions, {0, -9.81, 0}, 0.1,
                          [=](engine::Vec3d p) { return p.x > lid_from && p.y > 0.4; });
  };
  const std::vector<double> shaft = depths(0.1), closed = depths(-1);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    EXPECT_NEAR(shaft[k], 0.9 - positions[k].y, 1e-12) << k;
    EXPECT_NEAR(closed[k], 0.9 - positions[k].y, 1e-12) << k;
  }
  // A pool elsewhere has nothing to do with it.
  positions.push_back({9, 7, 0});
  const std::vector<double> beside = depths(-1);
  EXPECT_NEAR(beside[0], closed[0], 1e-12);
  EXPECT_NEAR(beside.back(), 0.05, 1e-12);
}

TEST_P(FluidScenes, GoOnFromACheckpointWithTheSameBits) {
  const TemporaryFolder folder;
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const sim::SceneDescription scene = scene_of(still_water());
    const sim::RunOptions options{.backend = GetParam(), .precision = precision};
    const sim::Plan plan = sim::make_plan(scene, options);
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(70, {});
    const auto file =
        folder.path() / ("middle" + std::to_string(static_cast<int>(precision)) + ".h5");
    sim::write_checkpoint(file, *sim, scene, plan, {});
    const auto kept = sim->save();
    sim->advance(55, {});
    const std::uint64_t hash = sim->hash();
    const auto resumed = sim::open_checkpoint(sim::read_checkpoint(file),
                                              sim::RunOptions{.backend = GetParam(), .threads = 3});
    resumed->advance(55, {});
    EXPECT_EQ(resumed->hash(), hash);
    sim->restore(*kept);
    sim->advance(55, {});
    EXPECT_EQ(sim->hash(), hash);
  }
}

TEST_P(FluidScenes, GoOnWhereTheStepIsLongerThanAStartMayHave) {
  // It falls until the step is slightly longer than recommended, which is allowed after the start.
  const sim::SceneDescription scene = scene_of(
      "return { fluid = { spacing = 0.05, largest_speed = 1.5, dimensions = 2 }, fields = { "
      "harmonic_trap { "
      "rates = { 4, 4, 4 } } }, "
      "integrator = { dt = 0.0016 }, bodies = { { mass = 0.0025, position = { 1, 0, 0 } } } }");
  const sim::Plan plan =
      sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::double_});
  const auto sim = sim::open_simulation(scene, plan);
  EXPECT_EQ(sim->advance(230, {}).health, sim::Health::good);  // nearly a quarter of a period:
                                                               // speed 4
  const TemporaryFolder folder;
  sim::write_checkpoint(folder.path() / "fast.h5", *sim, scene, plan, {});
  sim->advance(40, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "fast.h5"),
                                            sim::RunOptions{.backend = GetParam()});
  resumed->advance(40, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST_P(FluidScenes, BadOnesAreRefused) {
  const auto error_of = [this](const std::string& lua) -> std::string {
    try {
      open(lua);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of(still_water()), "");
  EXPECT_NE(error_of(still_water("0.01")).find("a step of 0.01 is not stable"), std::string::npos);
  const auto with = [](const std::string& more) {
    return "return { fluid = { spacing = 0.1, largest_speed = 1 }, integrator = { dt = 0.0001 }, "
           "bodies = { "
           "{ mass = 1, position = { 0, 0, 0 } } }, " +
           more + " }";
  };
  EXPECT_NE(error_of("return { fluid = { spacing = 0.1, largest_speed = 1, hydrostatic = true }, "
                     "integrator = { dt = "
                     "0.0001 }, bodies = { { mass = 1, position = { 0, 0, 0 } } } }")
                .find("needs a uniform field"),
            std::string::npos);
  EXPECT_NE(error_of(with("lennard_jones = {}")).find("needs species that set `matter`"),
            std::string::npos);
  EXPECT_NE(error_of(with("domain = { size = { 0.5, 1, 1 } }"))
                .find("more than half of the periodic domain along x"),
            std::string::npos);
  EXPECT_NE(error_of(with("domain = { size = { 5, 5, 5 }, y = \"wall\" }"))
                .find("is not affected by walls of a domain"),
            std::string::npos);
  EXPECT_NE(
      error_of("return { species = { a = { wall = true } }, integrator = { dt = 1 }, bodies = { "
               "{ mass = "
               "1, position = { 0, 0, 0 } } } }")
          .find("is for fluid"),
      std::string::npos);
}

TEST_P(FluidScenes, AreStoppedWhenTheFlowOutrunsTheStep) {
  MOTE_SKIP_IF_SANITIZED("long; other FluidScenes.* take such steps");
  // A body falls from rest to a speed of 30, where the fluid expects 1.5 with a speed of sound
  // of 15.
  const std::string lua =
      "return { fluid = { spacing = 0.05, largest_speed = 1.5, dimensions = 2 }, fields = { "
      "harmonic_trap { "
      "rates = { 30, 30, "
      "30 } } }, integrator = { dt = 0.0016 }, bodies = { { mass = 0.0025, position = { 1, 0, 0 } "
      "} } }";
  const auto sim = open(lua, {.precision = Precision::double_});
  const sim::StepReport report = sim->advance(400, {});
  EXPECT_TRUE(has(report.health, sim::Health::step_too_long));
}

}  // namespace
}  // namespace mote::test
