#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "sim/division.h"
#include "sim/history/history.h"
#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"
#include "tests/support/ranks.h"

// Several ranks whose bodies have the steps of ias15, which the shortest timescale of all decides.
namespace mote::test {
namespace {

using engine::Ranks;

/// Gravity alone, so that positions are relative to the body with the shortest timescale: of the
/// last two, a pair that three ranks leave to the last. They fall towards each other, so that steps
/// are rejected.
const char* const pair_scene =
    "local bodies = { plummer { n = 38 }, plummer { n = 10, mass = 0 } }\n"
    "for k = 0, 1 do bodies[#bodies + 1] = { mass = 0.05, position = { 0.5 + k / 100, 0, 0 },\n"
    "  velocity = { 0, 0.2 + k / 2, 0 } } end\n"
    "return { gravity = {}, integrator = { 'ias15', dt = 1 }, bodies = bodies }";

/// Gravity, fields of velocities and of time, and fixed bodies: positions are what they are.
const char* const fields_scene =
    "local bodies = { plummer { n = 40 } }\n"
    "for k = 1, 8 do bodies[#bodies + 1] = { mass = 0.01, fixed = true,\n"
    "  position = { k, k % 3, -1 } } end\n"
    "return { gravity = { softening = 0.1 }, integrator = { 'ias15' }, fields = {\n"
    "  drag { linear = 0.5 }, field { acceleration = { 'cos(9*t)', 'sin(x)', '0' } } },\n"
    "  bodies = bodies }";

/// Bodies that nothing but fields act on, and of which ranks hold no copies.
const char* const free_scene =
    "return { integrator = { 'ias15', dt = 0.2 }, fields = {\n"
    "  point_mass { mass = 1, softening = 0.1 },\n"
    "  rotating_frame { angular_velocity = { 0, 0, 0.7 } } }, bodies = { plummer { n = 50 } } }";

class Ias15Ranks : public OnEveryBackend {
 protected:
  static std::uint64_t steps() { return on_gpu() && gpu_is_emulated() ? 8 : 60; }

  std::unique_ptr<sim::Simulation> open_followed(const sim::SceneDescription& scene, int ranks) {
    return open(scene, followed(ranks));
  }
  static sim::RunOptions followed(int ranks) {
    sim::RunOptions options;
    options.backend = GetParam();
    options.threads = 1;
    if (ranks > 1) options.devices = std::vector<int>(static_cast<std::size_t>(ranks), 0);
    return options;
  }

  /// What all numbers of ranks must have in common.
  struct Found {
    std::uint64_t hash = 0, interactions = 0;
    double time = 0, next = 0;
    std::string kept;
    friend bool operator==(const Found&, const Found&) = default;
  };
  static Found found_in(sim::Simulation& simulation) {
    return {simulation.hash(), simulation.interactions(), simulation.time(), simulation.dt(),
            simulation.hidden_state().integrator};
  }
  static void expect_same(const Found& found, const Found& expected) {
    EXPECT_EQ(found.hash, expected.hash);
    EXPECT_EQ(found.interactions, expected.interactions);
    EXPECT_EQ(found.time, expected.time);
    EXPECT_EQ(found.next, expected.next);
    EXPECT_TRUE(found.kept == expected.kept);
  }
  /// The body that positions are relative to (Ias15::kept).
  static double reference(const Found& found) {
    double body = -1;
    if (found.kept.size() >= 16) std::memcpy(&body, found.kept.data() + 8, sizeof body);
    return body;
  }

  /// Compares ranks that pass messages alone, and ranks that read each other's memory.
  Found expect_as_one(const std::string& lua, const std::vector<int>& numbers) {
    const sim::SceneDescription scene = scene_of(lua);
    const auto run = [](sim::Simulation& simulation) {
      std::vector<Found> found{found_in(simulation)};
      EXPECT_EQ(simulation.advance(steps() - 1, {}).health, sim::Health::good);
      found.push_back(found_in(simulation));
      EXPECT_EQ(simulation.advance(1, {}).steps, 1u);
      found.push_back(found_in(simulation));
      return found;
    };
    const std::vector<Found> one = run(*open(scene));
    for (const int ranks : numbers)
      for (const bool messages : {false, true})
        open_on(
            ranks, GetParam(), scene,
            [&](Ranks& own, sim::Simulation& simulation) {
              SCOPED_TRACE(testing::Message() << "rank " << own.rank() << " of " << ranks);
              const std::vector<Found> here = run(simulation);
              for (std::size_t k = 0; k < one.size(); ++k) expect_same(here[k], one[k]);
            },
            [&](Ranks& own) -> std::unique_ptr<Ranks> {
              return messages ? std::make_unique<OnlyMessages>(own) : nullptr;
            });
    return one.back();
  }
};
MOTE_ON_EVERY_BACKEND(Ias15Ranks);

TEST_P(Ias15Ranks, GiveTheBitsOfOneWithPositionsRelativeToABodyOfTheLastRank) {
  EXPECT_GE(reference(expect_as_one(pair_scene, {1, 2, 3})), 48);
}

TEST_P(Ias15Ranks, GiveTheBitsOfOneInFields) {
  expect_as_one(fields_scene, {2, 3});
  expect_as_one(free_scene, {2, 3});
}

// Outputs within a step, saved states, the limit of the step and other bodies, of which one makes
// the shortest timescale: each is that of one.
TEST_P(Ias15Ranks, AreWatchedRewoundAndChangedAsOne) {
  const sim::SceneDescription scene = scene_of(pair_scene);
  const auto run = [&](int ranks) {
    const auto simulation = open_followed(scene, ranks);
    EXPECT_EQ(simulation->plan().ranks ? simulation->plan().ranks->size() : 1, ranks);
    std::vector<Found> found;
    const auto note = [&] { found.push_back(found_in(*simulation)); };
    simulation->advance(steps(), {});
    note();
    const auto saved = simulation->save();
    const double within = simulation->time() - 0.3 * simulation->clock().dt;
    EXPECT_TRUE(simulation->with_state_at(within, note));
    note();
    simulation->advance(2, {});
    note();
    simulation->restore(*saved);
    note();
    simulation->advance(2, {});
    note();
    sim::LiveSettings live = simulation->live();
    sim::set_live(live, "integrator.dt", 1e-6);
    simulation->change(live);
    simulation->advance(2, {});
    note();
    sim::BodyChange change;
    change.removed = {2, 49};
    change.added.mass = {0.01};
    change.added.position = {{0.5, 1e-3, 0}};
    change.added.velocity = {{0, 0, 0}};
    simulation->change_bodies(change);
    note();
    simulation->advance(2, {});
    note();
    simulation->restore(*saved);
    note();
    return found;
  };
  const std::vector<Found> one = run(1);
  EXPECT_NE(one[1].hash, one[0].hash);
  for (const std::size_t same : {2u, 4u, 9u}) EXPECT_TRUE(one[same] == one[0]) << same;
  EXPECT_TRUE(one[5] == one[3]);
  for (const int ranks : {2, 3}) {
    SCOPED_TRACE(ranks);
    const std::vector<Found> several = run(ranks);
    for (std::size_t k = 0; k < one.size(); ++k) {
      SCOPED_TRACE(k);
      expect_same(several[k], one[k]);
    }
  }
}

TEST_P(Ias15Ranks, ResumeOnAnotherNumberAndRewind) {
  const sim::SceneDescription scene = scene_of(pair_scene);
  const TemporaryFolder folder;
  const auto write = [&](int ranks) {
    const auto simulation = open_followed(scene, ranks);
    simulation->advance(steps(), {});
    const std::filesystem::path file = folder.path() / (std::to_string(ranks) + ".h5");
    sim::write_checkpoint(file, *simulation, scene, simulation->plan(), {});
    simulation->advance(4, {});
    return found_in(*simulation);
  };
  const Found one = write(1), two = write(2);
  expect_same(two, one);
  const sim::Checkpoint of_one = sim::read_checkpoint(folder.path() / "1.h5"),
                        of_two = sim::read_checkpoint(folder.path() / "2.h5");
  EXPECT_TRUE(of_two.hidden.integrator == of_one.hidden.integrator);
  const auto resumed = sim::open_checkpoint(of_two, followed(3));
  ASSERT_EQ(resumed->plan().ranks->size(), 3);
  EXPECT_EQ(resumed->step(), steps());
  sim::History history(*resumed, std::uint64_t{1} << 24, {}, 1);
  history.advance(4, 0, {}, {});
  EXPECT_EQ(resumed->hash(), one.hash);
  EXPECT_EQ(resumed->time(), one.time);
  ASSERT_TRUE(history.seek(steps() + 1, {}));
  ASSERT_TRUE(history.seek(steps() + 4, {}));
  EXPECT_EQ(resumed->hash(), one.hash);
  EXPECT_TRUE(resumed->hidden_state().integrator == one.kept);
}

TEST(Division, FindsTheOwnerOfEachBody) {
  for (const int ranks : {1, 2, 3, 5}) {
    const sim::Division division(101, ranks, sim::CopiesNeeded::none);
    for (engine::Index body = 0; body < 101; ++body) {
      const engine::Range own = division.own(division.owner(body));
      EXPECT_TRUE(own.begin <= body && body < own.end) << body << " of " << ranks;
    }
  }
}

}  // namespace
}  // namespace mote::test
