// Adaptive time steps of fluids.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/script/step_control.h"
#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

using engine::Backend;

class AdaptiveSteps : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(AdaptiveSteps);

/// A square of water that falls onto a floor, which it meets after about 40 steps of 0.001.
std::string falling_square(const std::string& integrator, const std::string& hooks = "") {
  return R"(
    local dx = 0.05
    return {
      domain = { size = { 1, 0, 0 }, center = { 0.5, 0, 0 }, x = "periodic", y = "open", z = "open" },
      fields = { uniform { acceleration = { 0, -1, 0 } } },
      species = { floor = { wall = true } },
      fluid = { spacing = dx, largest_speed = 2, dimensions = 2, artificial_viscosity = 0.05 },
      integrator = { )" +
         integrator + R"( },
      bodies = {
        boost(translate(lattice { counts = { 10, 10, 1 }, spacing = dx, mass = 0.25 }, { 0.5, 0.35, 0 }), { 0, -2, 0 }),
        translate(lattice { counts = { 20, 5, 1 }, spacing = dx, mass = 0.25, species = "floor" }, { 0.5, -0.125, 0 }),
      },
    )" + hooks +
         "}";
}

double number_of(const sim::Edit& edit) {
  return std::get<double>(edit.value);
}

// Steps decrease immediately to a rung, increase only with a margin of 5 %, and never exceed the
// longest.
TEST(AdaptedStep, DecreasesImmediatelyAndIncreasesWithAMargin) {
  const double longest = 1;
  for (const double stable : {0.9, 0.51, 0.5, 0.033}) {
    const double adapted = sim::adapted_step(1, stable, longest);
    EXPECT_LE(adapted, stable);
    EXPECT_GT(adapted, stable * (1 - 1. / 16));
    // Unchanged if slightly more becomes possible; increases by more than a rung and the margin.
    EXPECT_EQ(sim::adapted_step(adapted, stable * 1.04, longest), adapted);
    EXPECT_GT(sim::adapted_step(adapted, stable * 1.2, longest), adapted);
    EXPECT_LE(sim::adapted_step(adapted, stable * 1.2, longest), stable * 1.2 / 1.05);
  }
  EXPECT_EQ(sim::adapted_step(0.3, 7, longest), longest);
  EXPECT_EQ(sim::adapted_step(1, 7, longest), longest);
  // The lower limit, for an unstable flow.
  EXPECT_EQ(sim::adapted_step(1, 1e-9, longest), 1e-3);
}

TEST_P(AdaptiveSteps, StayBelowTheStableStepThroughAnImpactAndIncreaseAgain) {
  const double courant = 0.8, longest = 0.002;
  HookedRun run(scene_of(falling_square("dt = 0.002, courant = 0.8")), GetParam());
  double least = longest;
  for (std::uint64_t step = 20; step <= 300; step += 20) {
    run.to(step);
    const double dt = run.simulation().dt(), stable = courant * run.simulation().largest_step();
    EXPECT_LE(dt, std::min(longest, stable)) << step;
    // A rung is at most 1/16, the margin of an increase 5 %.
    EXPECT_GE(dt, std::min(longest, stable * (1 - 1. / 16) / 1.05)) << step;
    least = std::min(least, dt);
  }
  ASSERT_GE(run.edits().size(), 3u);
  EXPECT_LT(least, number_of(run.edits().front()));
  EXPECT_GT(run.simulation().dt(), least);
  // Time is the sum of all steps.
  double time = 0, dt = longest;
  std::uint64_t step = 0;
  for (const sim::Edit& e : run.edits()) {
    time += static_cast<double>(e.step - step) * dt;
    step = e.step, dt = number_of(e);
    EXPECT_EQ(e.step % 20, 0u);
  }
  time += static_cast<double>(300 - step) * dt;
  EXPECT_NEAR(run.simulation().time(), time, 1e-13);
}

TEST_P(AdaptiveSteps, AreTheSameBitsInSlicesAndFromCheckpoints) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene =
      scene_of(falling_square("dt = 0.002, courant = 0.8, every = 10"));
  HookedRun whole(scene, GetParam()), sliced(scene, GetParam());
  whole.to(200);
  sliced.to(200, 7);
  EXPECT_EQ(sliced.simulation().hash(), whole.simulation().hash());
  // At a step with a change of dt, at one between changes, and at one of a short dt that increases
  // later.
  ASSERT_GE(whole.edits().size(), 4u);
  const std::uint64_t changed = whole.edits()[1].step;
  const auto least =
      std::min_element(whole.edits().begin(), whole.edits().end(),
                       [](const auto& a, const auto& b) { return number_of(a) < number_of(b); });
  HookedRun first(scene, GetParam());
  for (const std::uint64_t at : {changed, changed + 3, least->step + 3}) {
    const auto file = folder.path() / ("at" + std::to_string(at) + ".h5");
    first.to(at).save(file);
    HookedRun again(sim::read_checkpoint(file), GetParam());
    EXPECT_EQ(again.to(200).simulation().hash(), whole.simulation().hash()) << at;
    EXPECT_EQ(again.edits().size(), whole.edits().size()) << at;
  }
}

TEST_P(AdaptiveSteps, DoNotShiftTheTimesOfHooks) {
  // The step is checked at every step.
  HookedRun run(
      scene_of(falling_square(
          "dt = 0.002, courant = 0.8, every = 1",
          R"(on_time = { { every = 0.0025, run = function(sim) sim:row("every", { t = sim.time }) end },
                                                       { at = 0.02, run = function(sim) sim:row("at", { t = sim.time }) end } },)")),
      GetParam());
  run.to(200);
  std::size_t every = 0, at = 0;
  for (const std::string& line : run.lines()) (line.rfind("every@", 0) == 0 ? every : at) += 1;
  EXPECT_EQ(every, static_cast<std::size_t>(std::floor(run.simulation().time() / 0.0025)));
  EXPECT_EQ(at, 1u);
  ASSERT_GE(run.edits().size(), 3u);
}

TEST_P(AdaptiveSteps, AreThoseOfTheCpu) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "compares the other backend with the CPU";
  const sim::SceneDescription scene = scene_of(falling_square("dt = 0.002, courant = 0.8"));
  HookedRun on_cpu(scene, Backend::cpu), run(scene, GetParam());
  on_cpu.to(200), run.to(200);
  ASSERT_EQ(run.edits().size(), on_cpu.edits().size());
  for (std::size_t k = 0; k < on_cpu.edits().size(); ++k) {
    EXPECT_EQ(run.edits()[k].step, on_cpu.edits()[k].step);
    EXPECT_EQ(number_of(run.edits()[k]), number_of(on_cpu.edits()[k]));
  }
}

TEST_P(AdaptiveSteps, StartWithAStableStepForAnyDt) {
  EXPECT_THROW(HookedRun(scene_of(falling_square("dt = 0.5")), GetParam()), engine::InputError);
  HookedRun run(scene_of(falling_square("dt = 0.5, courant = 0.5")), GetParam());
  run.to(1);
  // (h / (c + v)) / 4 with h = 0.1, c = 20 and v = 2, and the rung below half of it.
  EXPECT_LE(run.simulation().dt(), 0.5 * 0.25 * 0.1 / 22);
  EXPECT_GE(run.simulation().dt(), 0.5 * 0.25 * 0.1 / 22 * (1 - 1. / 16));
}

}  // namespace
}  // namespace mote::test
