#include "sim/run/followers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/history/history.h"
#include "tests/support/backend.h"
#include "tests/support/on_device.h"

// A simulation whose calls other ranks repeat: who uses it sees one simulation.
namespace mote::test {
namespace {

class FollowersOf : public OnEveryBackend {
 protected:
  std::unique_ptr<sim::Simulation> open_two(const sim::SceneDescription& scene) {
    sim::RunOptions options;
    options.threads = 1;
    options.devices = {0, 0};
    return open(scene, options);
  }
  static sim::SceneDescription cluster() {
    return scene_of(
        "return { precision = 'double', gravity = { softening = live('e', 0.05, { min = 0, max = 1 "
        "}) }, fields = { drag { linear = 0.1 } }, integrator = { 'leapfrog', dt = 1 / 64 }, "
        "bodies "
        "= { plummer { n = 80 } } }");
  }
};
MOTE_ON_EVERY_BACKEND(FollowersOf);

TEST_P(FollowersOf, GiveTheBitsOfOne) {
  const sim::SceneDescription scene = cluster();
  const auto alone = open(scene), two = open_two(scene);
  EXPECT_EQ(two->plan().ranks->size(), 2);
  for (int k = 0; k < 3; ++k) {
    alone->advance(2, {});
    two->advance(2, {});
    EXPECT_EQ(two->hash(), alone->hash());
    EXPECT_NEAR(two->measure().energy, alone->measure().energy, on_gpu() ? 1e-12 : 0);
    EXPECT_EQ(two->interactions(), alone->interactions());
    EXPECT_EQ(two->potentials(), alone->potentials());
    EXPECT_FALSE(two->force_errors());
    EXPECT_EQ(two->histogram({}).counts, alone->histogram({}).counts);
    EXPECT_EQ(two->body(70).position.x, alone->body(70).position.x);
  }
  const std::vector<sim::RankWork> work = two->rank_work();
  ASSERT_EQ(work.size(), 2u);
  for (const sim::RankWork& rank : work) EXPECT_GT(rank.bytes_received, 0u);
}

TEST_P(FollowersOf, EvaluateExpansionsAndTheirErrors) {
  for (const std::string& box :
       {std::string(), std::string("domain = { size = { 8, 8, 8 }, boundary = 'periodic' }, ")}) {
    const sim::SceneDescription scene =
        scene_of("return { " + box +
                 "gravity = { softening = 0.05, solver = 'multipole', leaf = 8 }, "
                 "integrator = { 'leapfrog', dt = 1 / 64 }, bodies = { plummer { n = 300 } } }");
    const auto alone = open(scene), two = open_two(scene);
    for (int k = 0; k < 2; ++k) {
      alone->advance(2, {});
      two->advance(2, {});
      EXPECT_EQ(two->hash(), alone->hash());
      const auto expected = alone->force_errors(), found = two->force_errors();
      ASSERT_TRUE(expected && found);
      EXPECT_EQ(found->median, expected->median);
      EXPECT_EQ(found->worst, expected->worst);
      EXPECT_EQ(two->potentials(), alone->potentials());
    }
  }
}

TEST_P(FollowersOf, StepEachBodyByItself) {
  const sim::SceneDescription scene = scene_of(
      "return { precision = 'double', gravity = { softening = live('e', 0.05, { min = 0, "
      "max = 1 }) }, integrator = { 'hermite', dt = 1 / 16 }, bodies = { plummer { n = 90 "
      "} } }");
  const auto alone = open(scene), two = open_two(scene);
  const auto expect_same = [&] {
    EXPECT_EQ(two->hash(), alone->hash());
    EXPECT_EQ(two->time(), alone->time());
    EXPECT_EQ(two->interactions(), alone->interactions());
    EXPECT_EQ(two->block_steps()->bodies, alone->block_steps()->bodies);
    EXPECT_EQ(two->hidden_state().integrator, alone->hidden_state().integrator);
  };
  alone->advance(9, {});
  two->advance(9, {});
  expect_same();
  // Within the last step.
  const double time = two->time() - 0x1p-40;
  std::uint64_t hash = 0;
  EXPECT_TRUE(alone->with_state_at(time, [&] { hash = alone->hash(); }));
  EXPECT_TRUE(two->with_state_at(time, [&] { EXPECT_EQ(two->hash(), hash); }));
  EXPECT_NE(two->hash(), hash);
  expect_same();
  const auto saved = two->save();
  const std::uint64_t before = two->hash();
  two->advance(4, {});
  two->restore(*saved);
  EXPECT_EQ(two->hash(), before);
  sim::BodyChange change;
  change.removed = {9};
  alone->change_bodies(change);
  two->change_bodies(change);
  alone->advance(9, {});
  two->advance(9, {});
  expect_same();
}

// A call of rank 0 gathers bodies on rank 0, and a call of all ranks gathers them on all.
TEST_P(FollowersOf, ShowColumnsAndPointsOfAllBodies) {
  const sim::SceneDescription scene = cluster();
  const auto alone = open(scene), two = open_two(scene);
  alone->advance(3, {});
  two->advance(3, {});
  const auto expect_same_columns = [&] {
    const sim::State<engine::Host>& found = two->state();
    const auto count = static_cast<std::ptrdiff_t>(alone->count());
    sim::for_columns(
        const_cast<sim::State<engine::Host>&>(found), alone->state(),
        [&](const auto* a, const auto* b, bool) { EXPECT_TRUE(std::equal(a, a + count, b)); });
  };
  const auto expect_same_points = [&] {
    sim::PackRequest request;
    request.origin = {0.25, -1, 3};
    request.species_radii = sim::uniform_radii(0.125F);
    for (const sim::Scalar scalar : {sim::Scalar::speed, sim::Scalar::potential}) {
      request.scalar = scalar;
      const auto points_of = [&](sim::Simulation& simulation) {
        const auto n = static_cast<std::size_t>(simulation.count());
        std::vector<float> points(5 * n);
        simulation.pack({points.data(), points.data() + 3 * n, points.data() + 4 * n}, request);
        return points;
      };
      const std::vector<float> expected = points_of(*alone);
      EXPECT_EQ(points_of(*two), expected);
      if (on_gpu()) {
        EXPECT_EQ(device_points(*two, request), expected);
      }
    }
  };
  expect_same_columns();
  expect_same_points();
  // A change needs the bodies on all ranks, also after they were gathered on one.
  sim::BodyChange change;
  change.removed = {9};
  alone->change_bodies(change);
  two->change_bodies(change);
  EXPECT_EQ(two->hash(), alone->hash());
  sim::HistogramRequest histogram;
  histogram.scalar = sim::Scalar::potential;
  EXPECT_EQ(two->histogram(histogram).counts, alone->histogram(histogram).counts);
  expect_same_columns();
  expect_same_points();
}

// Edits and rewinding are those of one simulation.
TEST_P(FollowersOf, RewindAndRepeatEdits) {
  const sim::SceneDescription scene = cluster();
  const auto run = [](std::unique_ptr<sim::Simulation> simulation) {
    std::vector<std::uint64_t> hashes;
    sim::History history(*simulation, 1 << 24, {}, 1);
    history.advance(3, 0, {}, {});
    history.edit("gravity.softening", 0.3);
    history.advance(3, 0, {}, {});
    hashes.push_back(simulation->hash());
    history.seek(4, {});
    hashes.push_back(simulation->hash());
    history.seek(1, {});
    hashes.push_back(simulation->hash());
    history.seek(6, {});
    hashes.push_back(simulation->hash());
    return hashes;
  };
  const auto one = run(open(scene)), two = run(open_two(scene));
  EXPECT_EQ(one, two);
  EXPECT_EQ(two[0], two[3]);
}

TEST_P(FollowersOf, GoOnAfterARefusal) {
  const auto simulation = open_two(cluster());
  const std::uint64_t before = simulation->hash();
  sim::BodyChange change;
  change.removed = {99};
  EXPECT_THROW(simulation->change_bodies(change), engine::InputError);
  EXPECT_EQ(simulation->hash(), before);
  simulation->advance(1, {});
  EXPECT_NE(simulation->hash(), before);
}

TEST_P(FollowersOf, CheckCapacityTogether) {
  const auto simulation = open_two(cluster());
  simulation->check_capacity(10);
  EXPECT_THROW(simulation->check_capacity(engine::Index{1} << 40), engine::InputError);
  EXPECT_EQ(simulation->advance(1, {}).steps, 1u);
}

// It is asked between steps, on a GPU between some of them, so it may look at the simulation, step
// it, or fail.
TEST_P(FollowersOf, AreStoppedByWhatUsesTheSimulation) {
  const auto simulation = open_two(cluster());
  double energy = 0;
  bool stepped = false;
  const auto stop = [&] {
    if (simulation->step() >= 2 && !std::exchange(stepped, true)) simulation->advance(1, {});
    energy = simulation->measure().energy;
    return simulation->step() >= 5;
  };
  const std::uint64_t steps = simulation->advance(1000, stop).steps;
  if (on_gpu()) {
    EXPECT_GE(steps, 4u);
    EXPECT_LT(steps, 1000u);
  } else {
    EXPECT_EQ(steps, 4u);
  }
  EXPECT_EQ(simulation->step(), steps + 1);
  EXPECT_EQ(energy, simulation->measure().energy);
  const auto refuse = []() -> bool { throw engine::InputError("", "no more", ""); };
  EXPECT_THROW(simulation->advance(5, refuse), engine::InputError);
  EXPECT_EQ(simulation->advance(1, {}).steps, 1u);
}

TEST_P(FollowersOf, KeepSavedStatesAfterTheSimulation) {
  auto simulation = open_two(cluster());
  simulation->advance(1, {});
  const auto saved = simulation->save();
  EXPECT_TRUE(saved->of_followers);
  simulation.reset();
}

TEST_P(FollowersOf, AreRefusedWhereOneIs) {
  const sim::SceneDescription scene = scene_of(
      "return { lennard_jones = { sigma = 1e-3 }, integrator = { 'leapfrog', dt = 1e-6 }, bodies = "
      "{ plummer { n = 64 } } }");
  open(scene);
  EXPECT_THROW(open_two(scene), engine::InputError);
}

}  // namespace
}  // namespace mote::test
