// Histories of simulations with bodies added and removed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "sim/history/history.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

/// Quantities compared between two visits of a step.
struct Observation {
  std::uint64_t hash;
  double time, energy, energy_error, acceleration;
  engine::Index count;
  std::uint32_t next_id, first_id;
  std::string name;
  std::uint64_t interactions;
  bool operator==(const Observation&) const = default;
};

Observation observe(sim::Simulation& simulation) {
  const sim::Measurement m = simulation.measure();
  const engine::Index last = simulation.count() - 1;
  return {simulation.hash(),
          simulation.time(),
          m.energy,
          m.energy_error,
          simulation.body(last).acceleration.x,
          simulation.count(),
          simulation.next_id(),
          simulation.id(0),
          simulation.name(simulation.id(last)),
          simulation.interactions()};
}

sim::BodyChange some(std::vector<std::uint32_t> removed, std::size_t added, double mass) {
  sim::BodyChange change;
  change.removed = std::move(removed);
  for (std::size_t i = 0; i < added; ++i) {
    change.added.mass.push_back(mass);
    change.added.position.push_back({3.0 + static_cast<double>(i), 0.5, 1});
    change.added.velocity.push_back({0, 0.25, 0});
    change.added.names.push_back("n" + std::to_string(added) + "." + std::to_string(i));
  }
  return change;
}

class HistoriesOfBodies : public OnEveryBackend {
 protected:
  static constexpr std::uint64_t end = 60;

  /// Takes single steps, adding and removing bodies and changing the softening.
  static std::map<std::uint64_t, Observation> walk(sim::Simulation& simulation,
                                                   sim::History& history, double mass) {
    std::map<std::uint64_t, Observation> seen;
    for (;;) {
      const std::uint64_t step = simulation.step();
      if (step == 0) history.change_bodies(some({}, 1, mass));
      if (step == 17) history.change_bodies(some({0, 5}, 3, mass));
      if (step == 23) history.edit("gravity.softening", 0.1);
      if (step == 23) history.change_bodies(some({7}, 0, mass));
      if (step == 23) history.edit("gravity.softening", 0.2);
      if (step == 41) history.change_bodies(some({1, 2, 3, 4, 6}, 0, mass));
      if (step == 50) history.change_bodies(some({}, 30, mass));
      seen.emplace(step, observe(simulation));
      if (step == end) return seen;
      EXPECT_EQ(history.advance(1, 0, {}, {}).steps, 1u);
    }
  }
  std::unique_ptr<sim::Simulation> cluster() {
    return open(
        "return { gravity = { softening = 0.05 }, integrator = { dt = 0.01 }, bodies = { plummer { "
        "n = 12 } "
        "} }",
        {.threads = 1});
  }
};
MOTE_ON_EVERY_BACKEND(HistoriesOfBodies);

// The budget is in states of 44 bodies, the maximum; the first state is saved at any budget.
TEST_P(HistoriesOfBodies, ReachEveryStepAgainExactlyWithinAnyBudget) {
  for (const std::uint64_t states : {1, 4, 9, 1000}) {
    auto simulation = cluster();
    const std::uint64_t budget = states * 4 * simulation->saved_state_bytes();
    sim::History history(*simulation, budget, {}, 1);
    const auto seen = walk(*simulation, history, 0.125);
    EXPECT_LE(history.bytes(), budget);
    std::vector<std::uint64_t> steps;
    for (const auto& [step, ignored] : seen) steps.push_back(step);
    std::mt19937_64 random(11);
    std::shuffle(steps.begin(), steps.end(), random);
    if (on_gpu() && gpu_is_emulated()) steps.resize(25);
    for (const std::uint64_t step : steps) {
      ASSERT_TRUE(history.seek(step, [] { return false; }));
      ASSERT_EQ(simulation->step(), step);
      ASSERT_EQ(observe(*simulation), seen.at(step)) << "step " << step << ", budget " << states;
      ASSERT_LE(history.bytes(), budget);
    }
    EXPECT_EQ(history.branch(), 0u);
  }
}

// Different bodies on the new branch get ids that the old branch had used.
TEST_P(HistoriesOfBodies, DiscardTheBodiesOfADiscardedBranch) {
  auto simulation = cluster(), other = cluster();
  sim::History history(*simulation, 100 * simulation->saved_state_bytes(), {}, 1);
  sim::History straight(*other, 100 * other->saved_state_bytes(), {}, 1);
  walk(*simulation, history, 0.125);
  const auto expected = walk(*other, straight, 0.5);
  ASSERT_TRUE(history.seek(0, {}));
  EXPECT_EQ(simulation->count(), 13) << "includes the body added at the start";
  history.change_bodies(some({12}, 2, 0.25));
  EXPECT_EQ(history.branch(), 1u);
  EXPECT_EQ(history.last(), 0u);
  EXPECT_EQ(simulation->next_id(), 15u);
  EXPECT_EQ(simulation->name(13), "n2.0");
  history.advance(20, 0, {}, {});
  const std::uint64_t hash = simulation->hash();
  ASSERT_TRUE(history.seek(3, {}));
  ASSERT_TRUE(history.seek(20, {}));
  EXPECT_EQ(simulation->hash(), hash);
  EXPECT_EQ(simulation->count(), 14);
  EXPECT_NE(expected.at(20).hash, hash);
}

// Neither the bodies nor the steps ahead have changed.
TEST_P(HistoriesOfBodies, AreUnchangedByARefusedChange) {
  auto simulation = cluster();
  sim::History history(*simulation, 100 * simulation->saved_state_bytes(), {}, 1);
  history.advance(20, 0, {}, {});
  ASSERT_TRUE(history.seek(10, {}));
  const Observation before = observe(*simulation);
  sim::BodyChange tight = some({}, 2, 1e308);
  tight.added.position = {{1, 1, 1}, {1, 1, 1.05}};
  EXPECT_THROW(history.change_bodies(tight), engine::InputError);
  sim::BodyChange all = some({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 0, 0);
  EXPECT_THROW(history.change_bodies(all), engine::InputError);
  EXPECT_EQ(observe(*simulation), before);
  EXPECT_EQ(history.last(), 20u);
  EXPECT_EQ(history.edits().size(), 0u);
  ASSERT_TRUE(history.seek(20, {}));
}

}  // namespace
}  // namespace mote::test
