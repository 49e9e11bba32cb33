// Fluids in scenes: steps, restarts, walls, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/run/checkpoint.h"
#include "tests/support/backend.h"

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
  const auto sim = open(still_water(), {.precision = Precision::full});
  sim->advance(2000, {});
  // Compressed by its weight, at most rho g H / c^2 = 1/225, and settling: no particle moves by more than half a spacing.
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

TEST_P(FluidScenes, GoOnFromACheckpointWithTheSameBits) {
  const TemporaryFolder folder;
  for (const Precision precision : {Precision::single, Precision::full}) {
    const sim::SceneDescription scene = scene_of(still_water());
    const sim::RunOptions options{.backend = GetParam(), .precision = precision};
    const sim::Plan plan = sim::make_plan(scene, options);
    const auto sim = sim::open_simulation(scene, plan);
    sim->advance(70, {});
    const auto file = folder.path() / ("middle" + std::to_string(static_cast<int>(precision)) + ".h5");
    sim::write_checkpoint(file, *sim, scene, plan, {});
    const auto kept = sim->keep();
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
  // It falls until the step is a little longer than recommended, which a run may have.
  const sim::SceneDescription scene = scene_of(
      "return { fluid = { spacing = 0.05, largest_speed = 1.5, dimensions = 2 }, fields = { harmonic_trap { "
      "rates = { 4, 4, 4 } } }, "
      "integrator = { dt = 0.0016 }, bodies = { { mass = 0.0025, position = { 1, 0, 0 } } } }");
  const sim::Plan plan = sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::full});
  const auto sim = sim::open_simulation(scene, plan);
  EXPECT_EQ(sim->advance(230, {}).health, sim::Health::good);  // nearly a quarter of a period: a speed of 4
  const TemporaryFolder folder;
  sim::write_checkpoint(folder.path() / "fast.h5", *sim, scene, plan, {});
  sim->advance(40, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "fast.h5"),
                                            sim::RunOptions{.backend = GetParam()});
  resumed->advance(40, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

TEST_P(FluidScenes, BadOnesAreRefused) {
  const auto said = [this](const std::string& lua) -> std::string {
    try {
      open(lua);
    } catch (const engine::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said(still_water()), "");
  EXPECT_NE(said(still_water("0.01")).find("a step of 0.01 is not stable"), std::string::npos);
  const auto with = [](const std::string& more) {
    return "return { fluid = { spacing = 0.1, largest_speed = 1 }, integrator = { dt = 0.0001 }, bodies = { "
           "{ mass = 1, position = { 0, 0, 0 } } }, " +
           more + " }";
  };
  EXPECT_NE(said(with("lennard_jones = {}")).find("is not the only matter"), std::string::npos);
  EXPECT_NE(
      said(with("domain = { size = { 0.5, 1, 1 } }")).find("more than half of the periodic domain along x"),
      std::string::npos);
  EXPECT_NE(said(with("domain = { size = { 5, 5, 5 }, y = \"wall\" }")).find("a wall is for molecules"),
            std::string::npos);
  EXPECT_NE(said("return { species = { a = { wall = true } }, integrator = { dt = 1 }, bodies = { { mass = "
                 "1, position = { 0, 0, 0 } } } }")
                .find("is for fluid"),
            std::string::npos);
}

TEST_P(FluidScenes, AreStoppedWhenTheFlowOutrunsTheStep) {
  // A body falls from rest to a speed of 30 where the fluid was meant for 1.5, and its sound for 15.
  const std::string lua =
      "return { fluid = { spacing = 0.05, largest_speed = 1.5, dimensions = 2 }, fields = { harmonic_trap { "
      "rates = { 30, 30, "
      "30 } } }, integrator = { dt = 0.0016 }, bodies = { { mass = 0.0025, position = { 1, 0, 0 } } } }";
  const auto sim = open(lua, {.precision = Precision::full});
  const sim::StepReport report = sim->advance(400, {});
  EXPECT_TRUE(has(report.health, sim::Health::step_too_long));
}

}  // namespace
}  // namespace mote::test
