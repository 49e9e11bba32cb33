#include "sim/run/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "engine/math/random.h"
#include "tests/support/backend.h"

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

/// What is compared between two visits of a step.
struct Look {
  std::uint64_t hash;
  double time, energy, energy_error, acceleration;
  std::uint64_t interactions;
  bool operator==(const Look&) const = default;
};

Look look_at(sim::Simulation& simulation) {
  const sim::Measurement m = simulation.measure();
  return {simulation.hash(),
          simulation.time(),
          m.energy,
          m.energy_error,
          simulation.body(5).acceleration.x,
          simulation.interactions()};
}

/// 200 steps with changes of softening, step and softening again on the way, at steps that are no
/// round numbers.
const std::vector<sim::Edit> three_edits{{41, "gravity.softening", 0.1},
                                         {97, "integrator.dt", 0.007},
                                         {97, "gravity.softening", 0.2},
                                         {150, "gravity.softening", 0.03}};

class Histories : public OnEveryBackend {
 protected:
  static constexpr std::uint64_t end = 200;

  std::unique_ptr<sim::Simulation> open(const std::string& lua) {
    return OnEveryBackend::open(lua, {.threads = 1});
  }

  /// Takes single steps up to `to`, makes the edits that fall due, and looks at every step.
  static std::map<std::uint64_t, Look> walk(sim::Simulation& simulation, sim::History& history,
                                            std::uint64_t to, const std::vector<sim::Edit>& edits) {
    std::map<std::uint64_t, Look> seen;
    for (;;) {
      for (const sim::Edit& e : edits)
        if (e.step == simulation.step()) history.edit(e.path, e.value);
      seen.emplace(simulation.step(), look_at(simulation));
      if (simulation.step() == to) return seen;
      EXPECT_EQ(history.advance(1, 0, {}, {}).steps, 1u);
    }
  }

  /// Every step, in an order without order.
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
  using engine::Precision;
  const std::pair<std::uint64_t, Precision> cases[] = {{1, Precision::full},
                                                       {2, Precision::single},
                                                       {5, Precision::mixed},
                                                       {1000, Precision::single}};
  for (const auto& [room, precision] : cases) {
    auto simulation = OnEveryBackend::open(cluster_scene, {.precision = precision, .threads = 1});
    const std::uint64_t budget = room * simulation->kept_bytes();
    sim::History history(*simulation, budget, {}, 1);
    const auto seen = walk(*simulation, history, end, three_edits);
    EXPECT_EQ(history.last(), end);
    EXPECT_EQ(history.edits().size(), three_edits.size());
    EXPECT_LE(history.bytes(), budget);
    int count = 0;
    for (std::uint64_t step : shuffled()) {
      if (on_gpu() && gpu_is_emulated() && ++count > 25) break;
      ASSERT_TRUE(history.seek(step, never_stop));
      ASSERT_EQ(simulation->step(), step);
      ASSERT_EQ(look_at(*simulation), seen.at(step)) << "step " << step << ", room for " << room;
      ASSERT_LE(history.bytes(), budget);
      ASSERT_EQ(history.kept_steps().front(), 0u);
    }
    EXPECT_EQ(history.branch(), 0u);
    EXPECT_EQ(history.last(), end);
  }
}

// The states a plain simulation goes through, which knows of no history.
TEST_P(Histories, DoNotChangeABit) {
  auto plain = open(cluster_scene), simulation = open(cluster_scene);
  plain->measure();
  sim::History history(*simulation, 3 * simulation->kept_bytes(), {}, 1);
  for (const sim::Edit& e : three_edits) {
    plain->advance(e.step - plain->step(), {});
    history.advance(e.step - simulation->step(), 0, {}, {});
    sim::LiveSettings live = plain->live();
    set_live(live, e.path, e.value);
    plain->change(live);
    history.edit(e.path, e.value);
  }
  plain->advance(end - plain->step(), {});
  history.advance(end - simulation->step(), 0, {}, {});
  EXPECT_EQ(look_at(*plain), look_at(*simulation));
}

TEST_P(Histories, KeepTheSameStatesHoweverStepsAreSliced) {
  auto one = open(cluster_scene), other = open(cluster_scene);
  const std::uint64_t budget = 6 * one->kept_bytes();
  sim::History whole(*one, budget, {}, 1), sliced(*other, budget, {}, 1);
  EXPECT_EQ(whole.advance(end, 0, {}, {}).steps, end);
  for (std::uint64_t slice : {1, 30, 7, 100, 62})
    EXPECT_EQ(sliced.advance(slice, 0, {}, {}).steps, slice);
  EXPECT_EQ(whole.kept_steps(), sliced.kept_steps());
  EXPECT_EQ(whole.kept_steps(), (Steps{0, 64, 128, 192}));  // of six one is for searches
}

TEST_P(Histories, MeasureTheSameRowsOnEveryPass) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 4 * simulation->kept_bytes(), {}, 1);
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

TEST_P(Histories, GoOnFromThePastWithoutLosingItWhereNothingWasChanged) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 100 * simulation->kept_bytes(), {}, 1);
  const auto seen = walk(*simulation, history, 60, {{10, "gravity.softening", 0.1}});
  ASSERT_TRUE(history.seek(30, {}));
  history.advance(5, 0, {}, {});
  EXPECT_EQ(history.last(), 60u);
  EXPECT_EQ(history.branch(), 0u);
  EXPECT_EQ(look_at(*simulation), seen.at(35));
  history.advance(30, 0, {}, {});
  EXPECT_EQ(history.last(), 65u);
}

TEST_P(Histories, BranchWhereTimeGoesOnBeforeAnEdit) {
  auto simulation = open(cluster_scene), fresh = open(cluster_scene);
  sim::History history(*simulation, 20 * simulation->kept_bytes(), {}, 1);
  walk(*simulation, history, end, three_edits);
  ASSERT_TRUE(history.seek(90, {}));
  // Nothing is given up for steps that are not taken.
  EXPECT_EQ(history.advance(10, 0, [] { return true; }, {}).steps, 0u);
  EXPECT_EQ(history.edits().size(), 4u);
  history.advance(30, 0, {}, {});
  EXPECT_EQ(history.branch(), 1u);
  EXPECT_EQ(history.last(), 120u);
  ASSERT_EQ(history.edits().size(), 1u);
  EXPECT_EQ(history.edits()[0].step, 41u);
  sim::History same(*fresh, 0, {}, 1);
  const auto seen = walk(*fresh, same, 120, {three_edits[0]});
  for (std::uint64_t step : {120, 97, 110, 41, 99, 5}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(look_at(*simulation), seen.at(step)) << step;
  }
}

TEST_P(Histories, BranchWhereThePastIsEdited) {
  auto simulation = open(cluster_scene), fresh = open(cluster_scene);
  sim::History history(*simulation, 20 * simulation->kept_bytes(), {}, 1);
  walk(*simulation, history, end, three_edits);
  ASSERT_TRUE(history.seek(100, {}));
  history.edit("integrator.dt", 0.02);
  EXPECT_EQ(history.branch(), 1u);
  EXPECT_EQ(history.last(), 100u);
  EXPECT_LE(history.kept_steps().back(), 100u);
  history.advance(50, 0, {}, {});
  EXPECT_EQ(history.edits().size(), 4u);
  sim::History same(*fresh, 0, {}, 1);
  const auto seen =
      walk(*fresh, same, 150,
           {three_edits[0], three_edits[1], three_edits[2], {100, "integrator.dt", 0.02}});
  for (std::uint64_t step : {150, 100, 99, 101, 41}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(look_at(*simulation), seen.at(step)) << step;
  }
}

// A slider is drawn while time stands: what counts is where it was let go, to the last bit of the
// energy error.
TEST_P(Histories, ReplaceAnEditOfTheSameStep) {
  // Two of them are so close that the energy is that of the softening: sums of its changes round.
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
  sim::History history(*simulation, 20 * simulation->kept_bytes(), {}, 1), same(*fresh, 0, {}, 1);
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
  const auto look = [](sim::Simulation& s) {
    return std::vector<double>{s.time(), s.measure().energy, s.measure().energy_error,
                               static_cast<double>(s.hash() >> 11)};
  };
  const auto edited = look(*fresh);
  same.advance(20, 0, {}, {});
  EXPECT_EQ(look(*simulation), look(*fresh));
  ASSERT_TRUE(history.seek(41, {}));
  EXPECT_EQ(look(*simulation), edited);
  history.edit("gravity.softening", 0.2);
  ASSERT_EQ(history.edits().size(), 2u);
}

// Where there is no room for a state from before the edit both are kept, for that is exact too.
TEST_P(Histories, KeepBothEditsOfAStepWhereOnlyTheFirstStateFits) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 0, {}, 1);
  walk(*simulation, history, 41, {});
  history.edit("gravity.softening", 0.07);
  history.edit("gravity.softening", 0.1);
  EXPECT_EQ(history.edits().size(), 2u);
  const Look now = look_at(*simulation);
  history.advance(3, 0, {}, {});
  ASSERT_TRUE(history.seek(41, {}));
  EXPECT_EQ(look_at(*simulation), now);
}

TEST_P(Histories, EditTheVeryFirstState) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 5 * simulation->kept_bytes(), {}, 1);
  history.edit("gravity.softening", 0.3);
  history.edit("gravity.softening", 0.2);
  EXPECT_EQ(history.edits().size(), 1u);
  const auto seen = walk(*simulation, history, 30, {});
  for (std::uint64_t step : {0, 30, 3}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(look_at(*simulation), seen.at(step));
  }
}

TEST_P(Histories, RefuseAnEditAndStayAsTheyWere) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 9 * simulation->kept_bytes(), {}, 1);
  const auto seen = walk(*simulation, history, 60, {{20, "gravity.softening", 0.1}});
  ASSERT_TRUE(history.seek(20, {}));
  EXPECT_THROW(history.edit("gravity.softening", -1.0), engine::InputError);
  EXPECT_THROW(history.edit("gravity.colour", 1.0), engine::InputError);
  EXPECT_THROW(history.edit("integrator.dt", std::string("slow")), engine::InputError);
  EXPECT_EQ(history.last(), 60u);
  EXPECT_EQ(history.branch(), 0u);
  EXPECT_EQ(history.edits().size(), 1u);
  EXPECT_EQ(look_at(*simulation), seen.at(20));
  ASSERT_TRUE(history.seek(60, {}));
  EXPECT_EQ(look_at(*simulation), seen.at(60));
}

TEST_P(Histories, GoOnWithASearchThatWasInterrupted) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, simulation->kept_bytes(), {}, 1);
  const auto seen = walk(*simulation, history, end, three_edits);
  int interrupted = 0;
  for (std::uint64_t target : {180, 45, 199}) {
    int left = 0;
    ASSERT_TRUE(history.seek(0, {}));
    while (!history.seek(target, [&] { return --left < 0; })) {
      ASSERT_LE(simulation->step(), target);
      ASSERT_EQ(history.last(), end);
      ASSERT_EQ(look_at(*simulation), seen.at(simulation->step())) << simulation->step();
      left = 13;
      ++interrupted;
    }
    EXPECT_EQ(look_at(*simulation), seen.at(target));
  }
  EXPECT_GE(interrupted, 3);
  // Or it is left where it is: time goes on from there.
  ASSERT_TRUE(history.seek(100, {}));
  ASSERT_FALSE(history.seek(20, [] { return true; }));
  history.advance(2, 0, {}, {});
  EXPECT_EQ(look_at(*simulation), seen.at(simulation->step()));
}

// A walk backwards finds states that the first search left.
TEST_P(Histories, AreQuickNearTheLastSearch) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 32 * simulation->kept_bytes(), {}, 1);
  history.advance(1000, 0, {}, {});
  ASSERT_TRUE(history.seek(799, {}));
  std::uint64_t steps = 0;
  for (std::uint64_t step = 798; step > 760; --step) {
    const Steps kept = history.kept_steps();
    steps += step - *std::prev(std::upper_bound(kept.begin(), kept.end(), step));
    ASSERT_TRUE(history.seek(step, {}));
  }
  EXPECT_LT(steps, 38u * 6u) << "half of an interval of 32 each, 38 * 16, without them";
}

TEST_P(Histories, ChooseTheIntervalByTheNumberOfBodies) {
  auto simulation = open(cluster_scene);
  sim::History history(*simulation, 100 * simulation->kept_bytes());
  const bool emulated = on_gpu() && gpu_is_emulated();
  history.advance(emulated ? 1030 : 2100, 0, {}, {});
  EXPECT_EQ(history.kept_steps(), emulated ? (Steps{0, 1024}) : (Steps{0, 1024, 2048}));
}

TEST_P(Histories, KeepStatesFurtherApartWhereBodiesDoNotAllMeet) {
  // Gravity of 8,000 bodies has states after 32 steps; of these, which fall, a CPU after 256 and a
  // GPU after 1,024.
  auto simulation = open(
      "return { fields = { uniform { acceleration = { 0, 0, -1 } } }, integrator = { dt = 0.01 }, "
      "bodies = { "
      "lattice { counts = { 20, 20, 20 }, spacing = 1, mass = 1 } } }");
  sim::History history(*simulation, 100 * simulation->kept_bytes());
  history.advance(300, 0, {}, {});
  EXPECT_EQ(history.kept_steps(), on_gpu() ? (Steps{0}) : (Steps{0, 256}));
}

TEST_P(Histories, BeginWhereASimulationWasResumed) {
  auto simulation = open(cluster_scene);
  simulation->advance(30, {});
  sim::LiveSettings live = simulation->live();
  set_live(live, "gravity.softening", 0.1);
  simulation->change(live);
  sim::History history(*simulation, 4 * simulation->kept_bytes(), {{30, "gravity.softening", 0.1}},
                       1);
  EXPECT_EQ(history.first(), 30u);
  const auto seen = walk(*simulation, history, 90, {{45, "integrator.dt", 0.02}});
  EXPECT_EQ(history.edits().size(), 2u);
  for (std::uint64_t step : {30, 77, 45, 44, 31}) {
    ASSERT_TRUE(history.seek(step, {}));
    EXPECT_EQ(look_at(*simulation), seen.at(step)) << step;
    EXPECT_EQ(history.edits_so_far().size(), step < 45 ? 1u : 2u);
  }
}

// The body is beyond the largest float, 3.4e38, behind the 35th step; whoever insists may go on.
TEST_P(Histories, PassUnhealthySteps) {
  for (std::uint64_t room : {1u, 100u}) {
    auto simulation = open(R"(
      return {
        precision = "single",
        integrator = { "leapfrog", dt = 1 },
        bodies = {
          { mass = 1, position = { 0, 0, 0 } },
          { mass = 1, position = { 0, 5, 0 }, velocity = { 1e37, 0, 0 } },
        },
      })");
    sim::History history(*simulation, room * simulation->kept_bytes(), {}, 1);
    const sim::StepReport report = history.advance(100, 0, {}, {});
    EXPECT_TRUE(has(report.health, sim::Health::not_finite));
    EXPECT_EQ(report.offender, 1);
    EXPECT_EQ(report.steps, 35u);
    EXPECT_EQ(history.last(), 35u);
    EXPECT_EQ(history.advance(10, 0, {}, {}).steps, 1u);
    EXPECT_LT(history.kept_steps().back(), 35u);
    const std::uint64_t hash = simulation->hash();
    ASSERT_TRUE(history.seek(30, {}));
    ASSERT_TRUE(history.seek(36, {}));
    EXPECT_EQ(simulation->hash(), hash);
    EXPECT_LT(history.kept_steps().back(), 35u);
  }
}

}  // namespace
}  // namespace mote::test
