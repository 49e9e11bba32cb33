// Steps that follow what a fluid allows.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/run/step_control.h"
#include "tests/sim/run/hooked_run.h"

namespace mote::test {
namespace {

using engine::Backend;

class FollowedSteps : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(FollowedSteps);

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

// The sequence of steps depends on numbers alone: down at once and to a rung, up only with 5 % to
// spare, never above the longest.
TEST(FittedSteps, FallAtOnceAndRiseWithSomethingToSpare) {
  const double longest = 1;
  for (const double stable : {0.9, 0.51, 0.5, 0.033}) {
    const double fitted = sim::fitted_step(1, stable, longest);
    EXPECT_LE(fitted, stable);
    EXPECT_GT(fitted, stable * (1 - 1. / 16));
    // What is there already stays while a little more becomes possible,
    EXPECT_EQ(sim::fitted_step(fitted, stable * 1.04, longest), fitted);
    // and grows when a rung and the slack are exceeded.
    EXPECT_GT(sim::fitted_step(fitted, stable * 1.2, longest), fitted);
    EXPECT_LE(sim::fitted_step(fitted, stable * 1.2, longest), stable * 1.2 / 1.05);
  }
  EXPECT_EQ(sim::fitted_step(0.3, 7, longest), longest);
  EXPECT_EQ(sim::fitted_step(1, 7, longest), longest);
  EXPECT_EQ(sim::fitted_step(1, 1e-9, longest), 1e-3);  // a flow that has come apart does not stop
                                                        // time
}

TEST_P(FollowedSteps, StayBelowTheStableShareThroughAnImpactAndGrowAgain) {
  const double courant = 0.8, longest = 0.002;
  HookedRun run(scene_of(falling_square("dt = 0.002, courant = 0.8")), GetParam());
  double least = longest;
  for (std::uint64_t step = 20; step <= 300; step += 20) {
    run.to(step);
    const double dt = run.simulation().dt(), stable = courant * run.simulation().largest_step();
    EXPECT_LE(dt, std::min(longest, stable)) << step;
    // A rung is at most 1/16, the slack that growing waits for 5 %.
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

TEST_P(FollowedSteps, AreTheSameBitsInSlicesAndFromCheckpoints) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene =
      scene_of(falling_square("dt = 0.002, courant = 0.8, every = 10"));
  HookedRun whole(scene, GetParam()), sliced(scene, GetParam());
  whole.to(200);
  sliced.to(200, 7);
  EXPECT_EQ(sliced.simulation().hash(), whole.simulation().hash());
  // Of a step at which dt was changed, of one between, and of one with a short dt that grows again
  // behind it.
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

TEST_P(FollowedSteps, LeaveHooksTheirTimes) {
  // The step is changed at every look; 0.0025 and 0.02 fall on steps of looks and on others.
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

TEST_P(FollowedSteps, AreThoseOfTheCpu) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "compares the other backend with the CPU";
  const sim::SceneDescription scene = scene_of(falling_square("dt = 0.002, courant = 0.8"));
  HookedRun here(scene, Backend::cpu), there(scene, GetParam());
  here.to(200), there.to(200);
  ASSERT_EQ(there.edits().size(), here.edits().size());
  for (std::size_t k = 0; k < here.edits().size(); ++k) {
    EXPECT_EQ(there.edits()[k].step, here.edits()[k].step);
    EXPECT_EQ(number_of(there.edits()[k]), number_of(here.edits()[k]));
  }
}

TEST_P(FollowedSteps, BeginWithAStableOneWhateverDtSays) {
  EXPECT_THROW(HookedRun(scene_of(falling_square("dt = 0.5")), GetParam()), engine::InputError);
  HookedRun run(scene_of(falling_square("dt = 0.5, courant = 0.5")), GetParam());
  run.to(1);
  // (h / (c + v)) / 4 with h = 0.1, c = 20 and v = 2, and the rung below half of it.
  EXPECT_LE(run.simulation().dt(), 0.5 * 0.25 * 0.1 / 22);
  EXPECT_GE(run.simulation().dt(), 0.5 * 0.25 * 0.1 / 22 * (1 - 1. / 16));
}

}  // namespace
}  // namespace mote::test
