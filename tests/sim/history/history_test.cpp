#include "sim/history/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/math/random.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using Steps = std::vector<std::uint64_t>;

const std::string cluster_scene = R"(
  return {
    gravity = { softening = 0.05 },
    integrator = { "leapfrog", dt = 0.01 },
    bodies = { plummer { n = 37 } },
    seed = 3,
  })";

const auto never_stop = [] { return false; };

/// Quantities compared between two visits of a step.
struct HistoryObservation {
  std::uint64_t hash;
  double time, energy, energy_error, acceleration;
  std::uint64_t interactions;
  bool operator==(const HistoryObservation&) const = default;
};

HistoryObservation observe_history(sim::Simulation& simulation) {
  const sim::Measurement m = simulation.measure();
  return {simulation.hash(),
          simulation.time(),
          m.energy,
          m.energy_error,
          simulation.body(5).acceleration.x,
          simulation.interactions()};
}

/// Edits of softening, step size and softening during 200 steps, at steps that are no round
/// numbers.
const std::vector<sim::Edit> some_edits{{41, "gravity.softening", 0.1},
                                        {97, "integrator.dt", 0.007},
                                        {97, "gravity.softening", 0.2},
                                        {150, "gravity.softening", 0.03}};

class Histories : public OnEveryBackend {
 protected:
  static constexpr std::uint64_t end = 200;

  std::unique_ptr<sim::Simulation> open(const std::string& lua) {
    return OnEveryBackend::open(lua, {.threads = 1});
  }

  /// Takes single steps up to `to`, applies the edits that are due, and observes every step.
  static std::map<std::uint64_t, HistoryObservation> walk(sim::Simulation& simulation,
                                                          sim::History& history, std::uint64_t to,
                                                          const std::vector<sim::Edit>& edits) {
    std::map<std::uint64_t, HistoryObservation> seen;
    for (;;) {
      for (const sim::Edit& e : edits)
        if (e.step == simulation.step()) history.edit(e.path, e.value);
      seen.emplace(simulation.step(), observe_history(simulation));
      if (simulation.step() == to) return seen;
      EXPECT_EQ(history.advance(1, 0, {}, {}).steps, 1u);
    }
  }

  /// All steps in random order.
  static Steps shuffled() {
    Steps steps(end + 1);
    for (std::uint64_t s = 0; s <= end; ++s) steps[s] = s;
    std::mt19937_64 random(11);
    std::shuffle(steps.begin(), steps.end(), random);
    return steps;
  }
};
MOTE_ON_EVERY_BACKEND(Histories);

TEST_P(Histories, ReachEveryStepAgainExactlyWithinAnyBudget) {
  if (on_gpu()) MOTE_SKIP_IF_SANITIZED("long; other Histories.* seek on a GPU");
  using engine::Precision;
  const std::pair<std::uint64_t, Precision> cases[] = {{1, Precision::double_},
                                                       {2, Precision::single},
                                                       {5, Precision::mixed},
                                                       {1000, Precision::single}};
  for (const auto& [states, precision] : cases) {
    auto simulation = OnEveryBackend::open(cluster_scene, {.precision = precision, .threads = 1});
    const std::uint64_t budget = states * simulation->saved_state_bytes();
    sim::History history(*simulation, budget, {}, 1);
    const auto seen = walk(*simulation, history, end, some_edits);
    EXPECT_EQ(history.last(), end);
    EXPECT_EQ(history.edits().size(), some_edits.size());
    EXPECT_LE(history.bytes(), budget);
    int count = 0;
    for (std::uint64_t step : shuffled()) {
      if (on_gpu() && gpu_is_emulated() && ++count > 25) break;
      ASSERT_TRUE(history.seek(step, never_stop));
      ASSERT_EQ(simulation->step(), step);
      ASSERT_EQ(observe_history(*simulation), seen.at(step))
          << "step " << step << ", budget " << states;
      ASSERT_LE(history.bytes(), budget);
      ASSERT_EQ(history.saved_steps().front(), 0u);
    }
    EXPECT_EQ(history.branch(), 0u);
    EXPECT_EQ(history.last(), end);
  }
}

// States are bitwise those of a simulation without a history.
TEST_P(Histories, DoNotChangeABit) {
  auto plain = open(cluster_scene), simulation = open(cluster_scene);
  plain->measure();
  sim::History history(*simulation, 3 * simulation->saved_state_bytes(), {}, 1);
  for (const sim::Edit& e : some_edits) {
    plain->advance(e.step - plain->step(), {});
    history.advance(e.step - simulation->step(), 0, {}, {});
    sim::LiveSettings live = plain->live();
    set_live(live, e.path, e.value);
    plain->change(live);
    history.edit(e.path, e.value);
  }
  plain->advance(end - plain->step(), {});
  history.advance(end - simulation->step(), 0, {}, {});
  EXPECT_EQ(observe_history(*plain), observe_history(*simulation));
}

TEST_P(Histories, SaveTheSameStatesHoweverStepsAreSliced) {
  auto one = open(cluster_scene), other = open(cluster_scene);
  const std::uint64_t budget = 6 * one->saved_state_bytes();
  sim::History whole(*one, budget, {}, 1), sliced(*other, budget, {}, 1);
  EXPECT_EQ(whole.advance(end, 0, {}, {}).steps, end);
  for (std::uint64_t slice : {1, 30, 7, 100, 62})
    EXPECT_EQ(sliced.advance(slice, 0, {}, {}).steps, slice);
  EXPECT_EQ(whole.saved_steps(), sliced.saved_steps());
  EXPECT_EQ(whole.saved_steps(), (Steps{0, 64, 128, 192}));  // one of six is reserved for seeks
}

TEST_P(Histories, MeasureTheSameOnEveryPass) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 4 * simulation->saved_state_bytes(), {}, 1);
  std::vector<sim::Measurement> first, again;
  history.advance(60, 7, {}, [&](const sim::Measurement& m) { first.push_back(m); });
  ASSERT_TRUE(history.seek(20, {}));
  history.advance(40, 7, {}, [&](const sim::Measurement& m) { again.push_back(m); });
  ASSERT_EQ(first.size(), 8u);
  ASSERT_EQ(again.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(again[k].step, first[k + 2].step);
    EXPECT_EQ(again[k].time, first[k + 2].time);
    EXPECT_EQ(again[k].energy_error, first[k + 2].energy_error);
    EXPECT_NE(again[k].energy_error, 0);
  }
}

TEST_P(Histories, StepFromThePastWithoutBranchingIfNothingWasChanged) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 100 * simulation->saved_state_bytes(), {}, 1);
  const auto seen = walk(*simulation, history, 60, {{10, "gravity.softening", 0.1}});
  ASSERT_TRUE(history.seek(30, {}));
  history.advance(5, 0, {}, {});
  EXPECT_EQ(history.last(), 60u);
  EXPECT_EQ(history.branch(), 0u);
  EXPECT_EQ(observe_history(*simulation), seen.at(35));
  history.advance(30, 0, {}, {});
  EXPECT_EQ(history.last(), 65u);
}

TEST_P(Histories, BranchWhenSteppingBeforeAnEdit) {
  auto simulation = open(cluster_scene), fresh = open(cluster_scene);
  sim::History history(*simulation, 20 * simulation->saved_state_bytes(), {}, 1);
  walk(*simulation, history, end, some_edits);
  ASSERT_TRUE(history.seek(90, {}));
  // Nothing is discarded if no step is taken.
  EXPECT_EQ(history.advance(10, 0, [] { return true; }, {}).steps, 0u);
  EXPECT_EQ(history.edits().size(), 4u);
  history.advance(30, 0, {}, {});
  EXPECT_EQ(history.branch(), 1u);
  EXPECT_EQ(history.last(), 120u);
  ASSERT_EQ(history.edits().size(), 1u);
  EXPECT_EQ(history.edits()[0].step, 41u);
  sim::History same(*fresh, 0, {}, 1);
  const auto seen = walk(*fresh, same, 120, {some_edits[0]});
  for (std::uint64_t step : {120, 97, 110, 41, 99, 5}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(observe_history(*simulation), seen.at(step)) << step;
  }
}

TEST_P(Histories, BranchWhenThePastIsEdited) {
  auto simulation = open(cluster_scene), fresh = open(cluster_scene);
  sim::History history(*simulation, 20 * simulation->saved_state_bytes(), {}, 1);
  walk(*simulation, history, end, some_edits);
  ASSERT_TRUE(history.seek(100, {}));
  history.edit("integrator.dt", 0.02);
  EXPECT_EQ(history.branch(), 1u);
  EXPECT_EQ(history.last(), 100u);
  EXPECT_LE(history.saved_steps().back(), 100u);
  history.advance(50, 0, {}, {});
  EXPECT_EQ(history.edits().size(), 4u);
  sim::History same(*fresh, 0, {}, 1);
  const auto seen =
      walk(*fresh, same, 150,
           {some_edits[0], some_edits[1], some_edits[2], {100, "integrator.dt", 0.02}});
  for (std::uint64_t step : {150, 100, 99, 101, 41}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(observe_history(*simulation), seen.at(step)) << step;
  }
}

// A slider dragged while paused: only its last value counts, to the last bit of the energy error.
TEST_P(Histories, ReplaceAnEditOfTheSameStep) {
  // Two bodies are so close that the energy depends mostly on the softening: sums of its changes
  // round.
  const std::string pair = R"(
    return {
      gravity = { softening = 0.05 },
      integrator = { "leapfrog", dt = 0.001 },
      bodies = {
        { mass = 1, position = { 0, 0, 0 } }, { mass = 1.1, position = { 0.001, 0, 0 } },
        { mass = 0.3, position = { 1, 0.3, 0.1 }, velocity = { 0, 0.7, 0.2 } },
      },
    })";
  auto simulation = open(pair), fresh = open(pair);
  sim::History history(*simulation, 20 * simulation->saved_state_bytes(), {}, 1),
      same(*fresh, 0, {}, 1);
  history.advance(41, 0, {}, {});
  history.edit("gravity.softening", 0.07);
  history.edit("integrator.dt", 0.0013);
  for (double softening = 0.08; softening > 1e-3; softening *= 0.8)
    history.edit("gravity.softening", softening);
  history.edit("gravity.softening", 0.1);
  ASSERT_EQ(history.edits().size(), 2u);
  EXPECT_EQ(std::get<double>(history.edits()[1].value), 0.1);
  history.advance(20, 0, {}, {});
  same.advance(41, 0, {}, {});
  same.edit("integrator.dt", 0.0013);
  same.edit("gravity.softening", 0.1);
  const auto values = [](sim::Simulation& s) {
    return std::vector<double>{s.time(), s.measure().energy, s.measure().energy_error,
                               static_cast<double>(s.hash() >> 11)};
  };
  const auto edited = values(*fresh);
  same.advance(20, 0, {}, {});
  EXPECT_EQ(values(*simulation), values(*fresh));
  ASSERT_TRUE(history.seek(41, {}));
  EXPECT_EQ(values(*simulation), edited);
  history.edit("gravity.softening", 0.2);
  ASSERT_EQ(history.edits().size(), 2u);
}

// If no state before the edit can be saved, both edits are kept, which is also exact.
TEST_P(Histories, KeepBothEditsOfAStepWhereOnlyTheFirstStateFits) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 0, {}, 1);
  walk(*simulation, history, 41, {});
  history.edit("gravity.softening", 0.07);
  history.edit("gravity.softening", 0.1);
  EXPECT_EQ(history.edits().size(), 2u);
  const HistoryObservation now = observe_history(*simulation);
  history.advance(3, 0, {}, {});
  ASSERT_TRUE(history.seek(41, {}));
  EXPECT_EQ(observe_history(*simulation), now);
}

TEST_P(Histories, EditTheVeryFirstState) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 5 * simulation->saved_state_bytes(), {}, 1);
  history.edit("gravity.softening", 0.3);
  history.edit("gravity.softening", 0.2);
  EXPECT_EQ(history.edits().size(), 1u);
  const auto seen = walk(*simulation, history, 30, {});
  for (std::uint64_t step : {0, 30, 3}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(observe_history(*simulation), seen.at(step));
  }
}

TEST_P(Histories, RefuseAnEditAndStayAsTheyWere) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 9 * simulation->saved_state_bytes(), {}, 1);
  const auto seen = walk(*simulation, history, 60, {{20, "gravity.softening", 0.1}});
  ASSERT_TRUE(history.seek(20, {}));
  EXPECT_THROW(history.edit("gravity.softening", -1.0), engine::InputError);
  EXPECT_THROW(history.edit("gravity.colour", 1.0), engine::InputError);
  EXPECT_THROW(history.edit("integrator.dt", std::string("slow")), engine::InputError);
  EXPECT_EQ(history.last(), 60u);
  EXPECT_EQ(history.branch(), 0u);
  EXPECT_EQ(history.edits().size(), 1u);
  EXPECT_EQ(observe_history(*simulation), seen.at(20));
  ASSERT_TRUE(history.seek(60, {}));
  EXPECT_EQ(observe_history(*simulation), seen.at(60));
}

TEST_P(Histories, ContinueAnInterruptedSeek) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, simulation->saved_state_bytes(), {}, 1);
  const auto seen = walk(*simulation, history, end, some_edits);
  int interrupted = 0;
  for (std::uint64_t target : {180, 45, 199}) {
    int left = 0;
    ASSERT_TRUE(history.seek(0, {}));
    while (!history.seek(target, [&] { return --left < 0; })) {
      ASSERT_LE(simulation->step(), target);
      ASSERT_EQ(history.last(), end);
      ASSERT_EQ(observe_history(*simulation), seen.at(simulation->step())) << simulation->step();
      left = 13;
      ++interrupted;
    }
    EXPECT_EQ(observe_history(*simulation), seen.at(target));
  }
  EXPECT_GE(interrupted, 3);
  // Stepping continues from an interrupted seek.
  ASSERT_TRUE(history.seek(100, {}));
  ASSERT_FALSE(history.seek(20, [] { return true; }));
  history.advance(2, 0, {}, {});
  EXPECT_EQ(observe_history(*simulation), seen.at(simulation->step()));
}

// Single steps backwards use states that the first seek has saved.
TEST_P(Histories, SeekQuicklyNearTheLastTarget) {
  MOTE_SKIP_IF_SANITIZED("long; other Histories.* seek too");
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 32 * simulation->saved_state_bytes(), {}, 1);
  history.advance(1000, 0, {}, {});
  ASSERT_TRUE(history.seek(799, {}));
  std::uint64_t steps = 0;
  for (std::uint64_t step = 798; step > 760; --step) {
    const Steps saved = history.saved_steps();
    steps += step - *std::prev(std::upper_bound(saved.begin(), saved.end(), step));
    ASSERT_TRUE(history.seek(step, {}));
  }
  EXPECT_LT(steps, 38u * 6u) << "without them half an interval of 32 each, 38 * 16";
}

TEST_P(Histories, ChooseTheIntervalByTheNumberOfBodies) {
  MOTE_SKIP_IF_SANITIZED("long; other Histories.* save states too");
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 100 * simulation->saved_state_bytes());
  const bool emulated = on_gpu() && gpu_is_emulated();
  history.advance(emulated ? 1030 : 2100, 0, {}, {});
  EXPECT_EQ(history.saved_steps(), emulated ? (Steps{0, 1024}) : (Steps{0, 1024, 2048}));
}

TEST_P(Histories, SaveStatesFurtherApartWithoutGravity) {
  // The interval for 8,000 bodies is 32 steps with gravity; in a uniform field it is 256 on a CPU
  // and 1,024 on a GPU.
  auto simulation = open(
      "return { fields = { uniform { acceleration = { 0, 0, -1 } } }, integrator = { dt = 0.01 }, "
      "bodies = { "
      "lattice { counts = { 20, 20, 20 }, spacing = 1, mass = 1 } } }");
  sim::History history(*simulation, 100 * simulation->saved_state_bytes());
  history.advance(300, 0, {}, {});
  EXPECT_EQ(history.saved_steps(), on_gpu() ? (Steps{0}) : (Steps{0, 256}));
}

TEST_P(Histories, BeginWhereASimulationWasResumed) {
  auto simulation = open(cluster_scene);
  simulation->advance(30, {});
  sim::LiveSettings live = simulation->live();
  set_live(live, "gravity.softening", 0.1);
  simulation->change(live);
  sim::History history(*simulation, 4 * simulation->saved_state_bytes(),
                       {{30, "gravity.softening", 0.1}}, 1);
  EXPECT_EQ(history.first(), 30u);
  const auto seen = walk(*simulation, history, 90, {{45, "integrator.dt", 0.02}});
  EXPECT_EQ(history.edits().size(), 2u);
  for (std::uint64_t step : {30, 77, 45, 44, 31}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(observe_history(*simulation), seen.at(step)) << step;
    EXPECT_EQ(history.edits_so_far().size(), step < 45 ? 1u : 2u);
  }
}

// The body is beyond the largest float, 3.4e38, after the 35th step; stepping may continue.
TEST_P(Histories, PassUnhealthySteps) {
  for (std::uint64_t states : {1u, 100u}) {
    auto simulation = open(R"(
      return {
        precision = "single",
        integrator = { "leapfrog", dt = 1 },
        bodies = {
          { mass = 1, position = { 0, 0, 0 } },
          { mass = 1, position = { 0, 5, 0 }, velocity = { 1e37, 0, 0 } },
        },
      })");
    sim::History history(*simulation, states * simulation->saved_state_bytes(), {}, 1);
    const sim::StepReport report = history.advance(100, 0, {}, {});
    EXPECT_TRUE(has(report.health, sim::Health::not_finite));
    EXPECT_EQ(report.offender, 1);
    EXPECT_EQ(report.steps, 35u);
    EXPECT_EQ(history.last(), 35u);
    EXPECT_EQ(history.advance(10, 0, {}, {}).steps, 1u);
    EXPECT_LT(history.saved_steps().back(), 35u);
    const std::uint64_t hash = simulation->hash();
    ASSERT_TRUE(history.seek(30, {}));
    ASSERT_TRUE(history.seek(36, {}));
    EXPECT_EQ(simulation->hash(), hash);
    EXPECT_LT(history.saved_steps().back(), 35u);
  }
}

}  // namespace
}  // namespace mote::test
