// Time steps that follow the flow of a fluid.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/history/history.h"
#include "sim/motion/flow_step.h"
#include "tests/sim/script/hooked_run.h"

namespace mote::test {
namespace {

using engine::Backend;

class FlowSteps : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(FlowSteps);

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

/// Steps of another length than the one before: from which step on, and how long.
struct Change {
  std::uint64_t step;
  double dt;  ///< [time]
  bool operator==(const Change&) const = default;
};

/// Steps to `last`, at most `slice` steps at once, and returns the changes from the start on.
std::vector<Change> changes_to(HookedRun& run, std::uint64_t last,
                               std::uint64_t slice = sim::never) {
  std::vector<Change> changes;
  const auto note = [&] {
    const std::uint64_t step = run.simulation().step();
    const double dt = run.simulation().dt();
    if (changes.empty() || changes.back().dt != dt) changes.push_back({step, dt});
  };
  for (note(); run.simulation().step() < last; note())
    run.to(std::min(last, run.simulation().steady_until()), slice);
  return changes;
}

// Steps decrease immediately to a rung, increase only with a margin of 5 %, and never exceed the
// longest.
TEST(FlowStep, DecreasesImmediatelyAndIncreasesWithAMargin) {
  const double longest = 1;
  for (const double stable : {0.9, 0.51, 0.5, 0.033}) {
    const double adapted = sim::flow_step(1, stable, longest);
    EXPECT_LE(adapted, stable);
    EXPECT_GT(adapted, stable * (1 - 1. / 16));
    // Unchanged if slightly more becomes possible; increases by more than a rung and the margin.
    EXPECT_EQ(sim::flow_step(adapted, stable * 1.04, longest), adapted);
    EXPECT_GT(sim::flow_step(adapted, stable * 1.2, longest), adapted);
    EXPECT_LE(sim::flow_step(adapted, stable * 1.2, longest), stable * 1.2 / 1.05);
  }
  EXPECT_EQ(sim::flow_step(0.3, 7, longest), longest);
  EXPECT_EQ(sim::flow_step(1, 7, longest), longest);
  // The lower limit, for an unstable flow.
  EXPECT_EQ(sim::flow_step(1, 1e-9, longest), 1e-3);
}

TEST_P(FlowSteps, StayBelowTheStableStepThroughAnImpactAndIncreaseAgain) {
  HookedRun run(scene_of(falling_square("dt = 0.002, courant = 0.8")), GetParam());
  const std::vector<Change> changes = changes_to(run, 300);
  ASSERT_GE(changes.size(), 3u);
  const auto least = std::min_element(changes.begin(), changes.end(),
                                      [](auto& a, auto& b) { return a.dt < b.dt; });
  EXPECT_LT(least->dt, changes.front().dt);
  EXPECT_GT(run.simulation().dt(), least->dt);
  EXPECT_TRUE(run.edits().empty());
  // Time is the sum of all steps, each of the length that was chosen before it.
  double time = 0;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    const std::uint64_t end = k + 1 < changes.size() ? changes[k + 1].step : 300;
    time += static_cast<double>(end - changes[k].step) * changes[k].dt;
    EXPECT_EQ(changes[k].step % 20, 0u);
  }
  EXPECT_NEAR(run.simulation().time(), time, 1e-13);
}

TEST_P(FlowSteps, AreAtMostTheCourantNumberTimesTheStableStep) {
  const double courant = 0.8, longest = 0.002;
  HookedRun run(scene_of(falling_square("dt = 0.002, courant = 0.8")), GetParam());
  for (std::uint64_t step = 20; step <= 300; step += 20) {
    run.to(step);
    const double dt = run.simulation().dt(), stable = courant * run.simulation().largest_step();
    EXPECT_LE(dt, std::min(longest, stable)) << step;
    // A rung is at most 1/16, the margin of an increase 5 %.
    EXPECT_GE(dt, std::min(longest, stable * (1 - 1. / 16) / 1.05)) << step;
  }
}

TEST_P(FlowSteps, AreTheSameBitsInSlicesAndFromCheckpoints) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene =
      scene_of(falling_square("dt = 0.002, courant = 0.8, every = 10"));
  HookedRun whole(scene, GetParam()), sliced(scene, GetParam());
  const std::vector<Change> changes = changes_to(whole, 200);
  EXPECT_EQ(changes_to(sliced, 200, 7), changes);
  EXPECT_EQ(sliced.simulation().hash(), whole.simulation().hash());
  // At a step with a change of dt, at one between changes, and at one of a short dt that increases
  // later.
  ASSERT_GE(changes.size(), 4u);
  const auto least = std::min_element(changes.begin(), changes.end(),
                                      [](auto& a, auto& b) { return a.dt < b.dt; });
  HookedRun first(scene, GetParam());
  for (const std::uint64_t at : {changes[1].step, changes[1].step + 3, least->step + 3}) {
    const auto file = folder.path() / ("at" + std::to_string(at) + ".h5");
    first.to(at).save(file);
    HookedRun again(sim::read_checkpoint(file), GetParam());
    EXPECT_EQ(again.to(200).simulation().hash(), whole.simulation().hash()) << at;
  }
}

// A rewind ends at a state of another flow, and the forces know the stable step of their last
// evaluation only.
TEST_P(FlowSteps, AreTheSameAfterARewind) {
  const sim::SceneDescription scene =
      scene_of(falling_square("dt = 0.002, courant = 0.8, every = 10"));
  HookedRun whole(scene, GetParam()), rewound(scene, GetParam());
  const std::vector<Change> changes = changes_to(whole, 200);
  ASSERT_GE(changes.size(), 4u);
  sim::Simulation& simulation = rewound.simulation();
  sim::History history(simulation, std::uint64_t{1} << 24, {}, 10);
  history.advance(200, 0, {}, {});
  for (const std::uint64_t back : {changes[1].step, changes[1].step + 3, changes[2].step}) {
    ASSERT_TRUE(history.seek(back, {}));
    EXPECT_EQ(simulation.dt(), std::prev(std::upper_bound(changes.begin(), changes.end(), back,
                                                          [](std::uint64_t step, const Change& c) {
                                                            return step < c.step;
                                                          }))
                                   ->dt)
        << back;
    ASSERT_TRUE(history.seek(200, {}));
    EXPECT_EQ(simulation.hash(), whole.simulation().hash()) << back;
  }
}

// A limit set by hand is one: steps remain below it and follow the flow again after it is lifted.
TEST_P(FlowSteps, StayBelowALimitThatIsSetInBetween) {
  HookedRun run(scene_of(falling_square("dt = 0.002, courant = 0.8")), GetParam());
  run.to(30);
  sim::Simulation& simulation = run.simulation();
  const double before = simulation.dt(), time = simulation.time();
  sim::LiveSettings live = simulation.live();
  sim::set_live(live, "integrator.dt", 0.5 * before);
  simulation.change(live);
  EXPECT_EQ(simulation.dt(), 0.5 * before);
  run.to(100);
  EXPECT_EQ(simulation.dt(), 0.5 * before);
  EXPECT_NEAR(simulation.time(), time + 70 * 0.5 * before, 1e-13);
  sim::set_live(live, "integrator.dt", 0.002);
  simulation.change(live);
  run.to(120);
  EXPECT_GT(simulation.dt(), 0.5 * before);
}

TEST_P(FlowSteps, DoNotShiftTheTimesOfHooks) {
  // The step is checked at every step.
  HookedRun run(
      scene_of(falling_square(
          "dt = 0.002, courant = 0.8, every = 1",
          R"(on_time = { { every = 0.0025, run = function(sim) sim:row("every", { t = sim.time }) end },
                                                       { at = 0.02, run = function(sim) sim:row("at", { t = sim.time }) end } },)")),
      GetParam());
  ASSERT_GE(changes_to(run, 200).size(), 3u);
  std::size_t every = 0, at = 0;
  for (const std::string& line : run.lines()) (line.rfind("every@", 0) == 0 ? every : at) += 1;
  EXPECT_EQ(every, static_cast<std::size_t>(std::floor(run.simulation().time() / 0.0025)));
  EXPECT_EQ(at, 1u);
}

TEST_P(FlowSteps, AreThoseOfTheCpu) {
  if (GetParam() == Backend::cpu) GTEST_SKIP() << "compares the other backend with the CPU";
  const sim::SceneDescription scene = scene_of(falling_square("dt = 0.002, courant = 0.8"));
  HookedRun on_cpu(scene, Backend::cpu), run(scene, GetParam());
  EXPECT_EQ(changes_to(run, 200), changes_to(on_cpu, 200));
}

TEST_P(FlowSteps, StartWithAStableStepForAnyDt) {
  EXPECT_THROW(HookedRun(scene_of(falling_square("dt = 0.5")), GetParam()), engine::InputError);
  HookedRun run(scene_of(falling_square("dt = 0.5, courant = 0.5")), GetParam());
  run.to(1);
  // (h / (c + v)) / 4 with h = 0.1, c = 20 and v = 2, and the rung below half of it.
  EXPECT_LE(run.simulation().dt(), 0.5 * 0.25 * 0.1 / 22);
  EXPECT_GE(run.simulation().dt(), 0.5 * 0.25 * 0.1 / 22 * (1 - 1. / 16));
}

}  // namespace
}  // namespace mote::test
