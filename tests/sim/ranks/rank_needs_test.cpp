#include "sim/run/rank_needs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "engine/check.h"
#include "tests/support/backend.h"

// What several GPUs or processes would need, which is known before any body is made.
namespace mote::test {
namespace {

class RankNeedsOf : public OnEveryBackend {
 protected:
  static std::string bodies(int n) {
    return "bodies = { plummer { n = " + std::to_string(n) + " } } }";
  }
  sim::RunOptions two() const { return {.backend = GetParam(), .threads = 1, .devices = {0, 0}}; }
  /// Bytes that the rank which receives most receives in a step.
  double received_in_a_step(const sim::SceneDescription& scene) const {
    const auto simulation = sim::open_simulation(scene, sim::make_plan(scene, two()));
    const auto most = [&] {
      std::uint64_t bytes = 0;
      for (const sim::RankWork& rank : simulation->rank_work())
        bytes = std::max(bytes, rank.bytes_received);
      return static_cast<double>(bytes);
    };
    constexpr int steps = 4;
    simulation->advance(1, {});
    const double before = most();
    simulation->advance(steps, {});
    return (most() - before) / steps;
  }
  double needed(const sim::SceneDescription& scene) const {
    return static_cast<double>(sim::needs_of_ranks(scene, sim::make_plan(scene, two())).received);
  }
};
MOTE_ON_EVERY_BACKEND(RankNeedsOf);

// Beside columns, ranks agree in a step on its health, its end and their interactions: some
// hundred bytes.
constexpr double agreements = 512;

TEST_P(RankNeedsOf, AnEvaluationAreWhatAStepReceives) {
  const std::string field = "fields = { drag { linear = 0.1 } }, ",
                    pull = "gravity = { softening = 0.1 }, ",
                    leapfrog = "integrator = { 'leapfrog', dt = 1 / 64 }, ";
  for (const std::string& physics : {field, pull, pull + "precision = 'double', ", pull + field}) {
    // With gravity alone a kernel takes many steps on each GPU, without messages.
    if (on_gpu() && !gpu_is_emulated() && physics.find("drag") == std::string::npos) continue;
    const sim::SceneDescription scene = scene_of("return { " + physics + leapfrog + bodies(2000));
    const double expected = needed(scene), found = received_in_a_step(scene);
    EXPECT_GE(found, expected) << physics;
    EXPECT_LT(found, expected + agreements) << physics;
  }
}

TEST_P(RankNeedsOf, BlockStepsIncludeVelocities) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.1 }, precision = 'double', integrator = { "
      "'hermite', dt = 1 / 64 }, " +
      bodies(2000));
  EXPECT_EQ(needed(scene), 1000 * 6 * 8 + 8 * 6 * 8) << "of the rank with 992 bodies of its own";
}

// They also receive cells, with their bodies on a GPU. Of this sphere there are fewer cells than
// bodies, since a leaf has many, and a cell has at most 168 coefficients (order 8) and 16 other
// numbers.
TEST_P(RankNeedsOf, ExpansionsIncludeAccelerationsAndTheOrder) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.1, solver = 'multipole' }, precision = 'double', "
      "integrator = { 'leapfrog', dt = 1 / 64 }, " +
      bodies(2048));
  const double expected = needed(scene), found = received_in_a_step(scene);
  EXPECT_EQ(expected, 1024 * (6 * 8 + (on_gpu() ? 12 : 16)));
  // The ranges along the curve have equal work, not equal numbers of bodies: at least none.
  EXPECT_GT(found, 1024 * 3 * 8);
  EXPECT_LT(found, 1024 * 3 * 8 + 2048 * (3 * 8 + 16 + 4 * 8) + 2048 * (168 + 16) * 8 + agreements);
}

// Process 0 has its share beside the bodies of all, which it has for files. On a GPU columns shrink
// to positions and masses of all, and there are sums of all (here of 12 bytes, twice) and points of
// own bodies (20 bytes).
TEST_P(RankNeedsOf, ProcessesHaveAShareOfTheColumns) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.1 }, integrator = { dt = 1 / 64 }, " + bodies(4000));
  sim::RunOptions options{.backend = GetParam(), .threads = 1};
  const sim::Plan alone = sim::make_plan(scene, options);
  options.processes = 1000 / 16;
  const sim::Plan plan = sim::make_plan(scene, options);
  EXPECT_EQ(sim::ranks_of(plan), 62);
  const auto share = sim::state_bytes_of_rank(scene, 4000, alone.precision, 62);
  EXPECT_EQ(share, 4000u * 20 + 65 * 24);
  EXPECT_EQ(plan.memory, alone.memory + (on_gpu() ? 0 : share));
  const sim::RankNeeds needs = sim::needs_of_ranks(scene, plan);
  EXPECT_EQ(needs.memory, plan.memory);
  EXPECT_EQ(needs.device_memory, plan.device_memory);
  if (on_gpu()) {
    EXPECT_EQ(plan.device_memory + 4000 * 44,
              alone.device_memory + share + 4000 * 24 + 4000 * 20 / 62);
  }
}

// While the set of bodies changes, each has the old ones, the new ones and a mirror.
TEST_P(RankNeedsOf, MemoryForMoreBodiesIsThatOfAllRanks) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.1 }, integrator = { dt = 1 / 64 }, " + bodies(4000));
  const auto most = [&](const sim::Plan& plan) {
    try {
      sim::check_memory_for(scene, plan, 4000, 1'500'000'000);
    } catch (const engine::InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  if (engine::memory_free() > std::uint64_t{100} << 30) GTEST_SKIP() << "there is memory for them";
  const auto number_in = [](const std::string& text) {
    std::string digits;
    for (const char c : text.substr(text.rfind("fits now is ")))
      if (c >= '0' && c <= '9') digits += c;
    return std::stoll(digits);
  };
  const std::string one = most(sim::make_plan(scene, {.backend = GetParam(), .threads = 1})),
                    ranks = most(sim::make_plan(scene, two()));
  ASSERT_NE(one.find("fits now is "), one.npos) << one;
  ASSERT_NE(ranks.find("fits now is "), ranks.npos) << ranks;
  EXPECT_LT(number_in(ranks), number_in(one) / 2);
}

TEST_P(RankNeedsOf, TooFewBodiesAreRefusedAsByTheRun) {
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.1 }, integrator = { dt = 1 / 64 }, " + bodies(20));
  const auto refusal = [](auto call) -> std::string {
    try {
      call();
    } catch (const engine::InputError& e) {
      return e.what();
    }
    return "none";
  };
  const std::string of_plan = refusal([&] { needed(scene); });
  EXPECT_EQ(of_plan, refusal([&] { sim::open_simulation(scene, sim::make_plan(scene, two())); }));
  EXPECT_NE(of_plan.find("20 bodies are too few for 2 GPUs or processes"), std::string::npos);
}

// Forces that are made for no bodies say the same as those of the run, of which the modules that
// can be divided are these.
TEST(RankNeeds, AreKnownOfEachShippedSceneThatCanBeDivided) {
  int divided = 0, refused = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(source_dir()) + "/scenes")) {
    if (entry.path().extension() != ".lua" || entry.path().stem() == "mote") continue;
    const std::string name = entry.path().stem();
    const sim::SceneDescription scene = shipped_scene(name);
    if (scene.body_count() < 32) continue;
    bool can = true;
    for (const sim::Physics& p : scene.physics)
      can = can && (p.info().subject == "gravity" || p.info().subject == "fields" ||
                    p.info().subject == "fixed");
    const sim::Plan plan =
        sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1, .processes = 2});
    try {
      sim::needs_of_ranks(scene, plan);
      EXPECT_TRUE(can) << name;
      ++divided;
    } catch (const engine::InputError& e) {
      EXPECT_FALSE(can) << name << ": " << e.what();
      EXPECT_NE(std::string(e.what()).find("cannot be divided between GPUs or processes yet"),
                std::string::npos)
          << e.what();
      ++refused;
    }
  }
  EXPECT_GT(divided, 5);
  EXPECT_GT(refused, 5);
}

// Two H200 are slower than one below these numbers of bodies.
TEST_P(RankNeedsOf, FewBodiesStayOnOneGpuUnlessNamed) {
  const auto scene = [](int n, const std::string& solver) {
    return scene_of("return { gravity = { softening = 0.1, solver = '" + solver +
                    "' }, integrator = { dt = 1 / 64 }, " + bodies(n));
  };
  const auto plan = [&](int n, const std::string& solver, bool all) {
    sim::RunOptions options = two();
    options.as_many_as_gain = all;
    return sim::make_plan(scene(n, solver), options);
  };
  const auto gpus = [&](int n, const std::string& solver, bool all = true) {
    return sim::ranks_of(plan(n, solver, all));
  };
  EXPECT_EQ(gpus(65'535, "direct"), 1);
  EXPECT_EQ(gpus(65'536, "direct"), 2);
  // Kernels that take many steps gain from fewer, on a GPU that has them for so many.
  const sim::Plan few = plan(4096, "direct", false);
  const engine::Index most =
      on_gpu() ? sim::stepping_limits(scene(4096, "direct"), few.device, few.precision).cooperative
               : 0;
  EXPECT_EQ(gpus(4095, "direct"), 1);
  EXPECT_EQ(gpus(4096, "direct"), most >= 4096 ? 2 : 1);
  EXPECT_EQ(gpus(199'999, "multipole"), 1);
  EXPECT_EQ(gpus(200'000, "multipole"), 2);
  EXPECT_EQ(gpus(1000, "direct", false), 2);
  EXPECT_EQ(plan(1000, "direct", true).reasons.front(),
            "one GPU: several are estimated to be faster from 65,536 bodies on; --devices 0,0 "
            "shares fewer, too");
}

}  // namespace
}  // namespace mote::test
