// Soft bodies in scenes: reproducibility, restarts, removal of bodies, and errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "sim/output/checkpoint.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Precision;

class SoftScenes : public OnEveryBackend {};
MOTE_ON_EVERY_BACKEND(SoftScenes);

/// Cloth, a ball and a rope, with every kind of constraint.
const std::string soft_bodies_scene = R"(return {
  soft = { iterations = 2, damping = 0.01, drag = 0.1, friction = 0.4, thickness = 0.01 },
  fields = { uniform { acceleration = { 0, 0, -9.81 } } },
  bodies = {
    rope { n = 5, pinned = "start", compliance = 1e-4 },
    cloth { counts = { 7, 5 }, bend_compliance = 10, pinned = "top_corners", position = { 0, 0, 1 } },
    scale(soft_ball { across = 4, compliance = 1e-3, compressibility = 1e-3, position = { 0, 3, 1 } }, { length = 0.5 }),
  },
  integrator = { dt = 0.002 },
})";

std::string with_obstacles(const std::string& obstacles) {
  std::string scene = soft_bodies_scene;
  return scene.insert(scene.find("  bodies"), "  obstacles = { " + obstacles + " },\n");
}

TEST_P(SoftScenes, HaveTheSameBitsInEveryRunAndForAnyNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  for (const Precision precision : {Precision::single, Precision::double_}) {
    std::uint64_t hashes[3];
    for (int k = 0; k < 3; ++k) {
      const auto sim = open(with_obstacles("plane { point = { 0, 0, -0.3 } }"),
                            {.precision = precision, .threads = k == 2 ? 3 : 1});
      sim->advance(150, {});
      hashes[k] = sim->hash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
  }
}

/// A scene after 100 steps on the CPU and on a GPU.
std::array<std::unique_ptr<sim::Simulation>, 2> on_both(const sim::SceneDescription& scene,
                                                        Precision precision) {
  std::array<std::unique_ptr<sim::Simulation>, 2> both;
  for (const engine::Backend backend : {engine::Backend::cpu, engine::Backend::cuda}) {
    auto& sim = both[backend == engine::Backend::cuda ? 1 : 0];
    sim = sim::open_simulation(scene,
                               sim::make_plan(scene, {.backend = backend, .precision = precision}));
    sim->advance(100, {});
  }
  return both;
}

TEST(SoftOnAGpu, DrapesClothOverMovingObstaclesAsTheCpuDoes) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(R"(return {
    soft = { iterations = 2, damping = 0.01, drag = 0.5, friction = 0.4, thickness = 0.02 },
    fields = { uniform { acceleration = { 0, 0, -9.81 } } },
    obstacles = { sphere { radius = 0.5, velocity = { 0.3, 0, 0 }, angular_velocity = { 0, 0, 2 } },
                  box { center = { 0.6, 0.6, 0.2 }, size = { 0.3, 0.3, 0.4 }, amplitude = { 0, 0, 0.1 }, frequency = 2 } },
    bodies = { cloth { counts = { 21, 21 }, size = { 1.6, 1.6 }, bend_compliance = 1e3, position = { 0, 0, 0.53 } } },
    integrator = { dt = 0.004 },
  })");
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto [cpu, gpu] = on_both(scene, precision);
    // 100 steps round positions near 1: in 2 iterations for each of up to 12 links of a body, and
    // in drift, friction and obstacles. Roots on the two backends differ by an ULP.
    const double roundings = 100 * (2 * 12 + 3);
    const double tolerance = roundings * (precision == Precision::single ? 6e-8 : 1.1e-16);
    double lowest = 1;
    for (engine::Index i = 0; i < cpu->count(); ++i) {
      EXPECT_LT(distance(body(*cpu, i).position, body(*gpu, i).position), tolerance) << i;
      lowest = std::min(lowest, body(*cpu, i).position.z);
    }
    EXPECT_LT(lowest, 0.2);  // it does hang down
  }
}

// A container has six walls, each with its own friction state in the iterations of a step.
TEST(SoftOnAGpu, RestsInACornerOfAContainerAsOnTheCpu) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(R"(return {
    soft = { iterations = 4, damping = 0.01, friction = 0.4, thickness = 0.02 },
    fields = { uniform { acceleration = { 4, 3, -9.81 } } },
    obstacles = { box { size = { 1, 1, 1 }, container = true }, cylinder { radius = 1, length = 1.1, container = true } },
    bodies = { cloth { counts = { 9, 9 }, size = { 0.6, 0.6 }, bend_compliance = 1e3, position = { 0.1, 0.1, -0.3 } } },
    integrator = { dt = 0.004 },
  })");
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto [cpu, gpu] = on_both(scene, precision);
    // As above, with four iterations, a box of six walls and a cylinder of three.
    const double roundings = 100 * (4 * (12 + 9) + 3);
    const double tolerance = roundings * (precision == Precision::single ? 6e-8 : 1.1e-16);
    double lowest = 1;
    for (engine::Index i = 0; i < cpu->count(); ++i) {
      EXPECT_LT(distance(body(*cpu, i).position, body(*gpu, i).position), tolerance) << i;
      lowest = std::min(lowest, body(*cpu, i).position.z);
    }
    EXPECT_NEAR(lowest, -0.48, 1e-3);  // on the floor
  }
}

TEST_P(SoftScenes, ResumeFromCheckpointsAndSavedStatesBitForBit) {
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(with_obstacles(
      "plane { point = { 0, 0, -0.3 }, amplitude = { 0, 0, 0.05 }, frequency = 3 }"));
  const sim::Plan plan =
      sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::single});
  const auto sim = sim::open_simulation(scene, plan);
  sim->advance(100, {});
  const double energy = sim->measure().energy;
  sim::write_checkpoint(folder.path() / "state.h5", *sim, scene, plan, {});
  const auto saved = sim->save();
  sim->advance(60, {});
  const std::uint64_t hash = sim->hash();
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "state.h5"),
                                            sim::RunOptions{.backend = GetParam(), .threads = 2});
  EXPECT_EQ(resumed->measure().energy, energy);
  resumed->advance(60, {});
  EXPECT_EQ(resumed->hash(), hash);
  sim->restore(*saved);
  sim->advance(60, {});
  EXPECT_EQ(sim->hash(), hash);
}

TEST_P(SoftScenes, DropTheConstraintsOfRemovedBodies) {
  const std::string rope =
      "return { soft = {}, fields = { uniform { acceleration = { 0, 0, -8 } } }, integrator = { dt "
      "= 0.01 }, "
      "bodies = { rope { n = 5, pinned = \"start\" } } }";
  const TemporaryFolder folder;
  const sim::SceneDescription scene = scene_of(rope);
  const sim::Plan plan =
      sim::make_plan(scene, {.backend = GetParam(), .precision = Precision::double_});
  const auto sim = sim::open_simulation(scene, plan);
  sim->change_bodies({.removed = {2}});
  sim->advance(100, {});
  // The part that is cut off falls freely, g t^2 / 2; the rest stays attached.
  EXPECT_NEAR(0.5 * (body(*sim, 2).position.z + body(*sim, 3).position.z), -4, 0.2);
  EXPECT_NEAR(distance(body(*sim, 2).position, body(*sim, 3).position), 0.25, 1e-12);
  EXPECT_NEAR(distance(body(*sim, 0).position, body(*sim, 1).position), 0.25, 1e-12);
  // Resumed runs restore the constraints of the rope.
  sim::write_checkpoint(folder.path() / "state.h5", *sim, scene, plan, {});
  const auto resumed = sim::open_checkpoint(sim::read_checkpoint(folder.path() / "state.h5"),
                                            sim::RunOptions{.backend = GetParam()});
  for (const auto& one : {sim.get(), resumed.get()}) one->advance(50, {});
  EXPECT_EQ(resumed->hash(), sim->hash());
}

/// The error on opening a scene; "" if there is none.
std::string error_of(const std::string& lua) {
  try {
    const sim::SceneDescription scene = scene_of(lua);
    sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
  } catch (const engine::InputError& error) {
    return error.what();
  }
  return "";
}

std::string scene_with(const std::string& bodies, const std::string& more = "",
                       const std::string& soft = "soft = {},") {
  return "return { " + soft + " integrator = { dt = 0.01 }, bodies = { " + bodies + " }, " + more +
         " }";
}

TEST(SoftErrors, SayWhatIsWrong) {
  const auto expect_error = [](const std::string& lua, const std::string& words) {
    const std::string error = error_of(lua);
    EXPECT_NE(error.find(words), std::string::npos) << words << " not in: " << error;
  };
  EXPECT_EQ(error_of(scene_with("cloth {}")), "");
  expect_error(scene_with("cloth {}", "", ""), "add soft = {} to the scene");
  expect_error(scene_with("cloth { counts = { 1, 5 } }"), "counts");
  expect_error(scene_with("cloth { counts = { 5 } }"), "needs two numbers");
  expect_error(scene_with("cloth { size = { 5, 1, 1 } }"), "needs two lengths");
  expect_error(scene_with("cloth { pinned = \"middle\" }"), "pinned");
  expect_error(scene_with("soft_box { counts = { 2, 2, 2.5 } }"), "is not integer");
  expect_error(scene_with("soft_box { counts = { 1, 2, 2 } }"), "counts");
  expect_error(scene_with("rope { n = 1 }"), "n");
  expect_error(scene_with("rope { span = 2 }"), "is not less than length");
  expect_error(scene_with("cloth { mass = 0 }"), "has no mass");
  expect_error(scene_with("cloth {}", "obstacles = { sphere { radius = 0.2 } }"),
               "deep in obstacles.1");
  expect_error(scene_with("cloth { position = { 0, 0, 0.1 } }", "obstacles = { plane {} }",
                          "soft = { thickness = 0.2 },"),
               "including the thickness");
  expect_error(
      "return { soft = {}, integrator = { \"yoshida4\", dt = 0.01 }, bodies = { cloth {} } }",
      "soft: cannot be combined with the integrator yoshida4");
  const std::string sand =
      "species = { a = { matter = 'soft' }, b = { matter = 'grains' } }, grains = { radius = 0.1, "
      "young_modulus = 1 }, ";
  expect_error(scene_with("cloth { species = 'a' }", sand), "needs a thickness");
  expect_error(
      scene_with("cloth { species = 'a' }",
                 sand + "domain = { size = { 5, 0, 0 }, x = 'periodic', y = 'open', z = 'open' }",
                 "soft = { thickness = 0.01 },"),
      "cannot be combined with a periodic domain");
  expect_error(scene_with("cloth { species = 'b', counts = { 4, 4 } }", sand,
                          "soft = { thickness = 0.01 },"),
               "its species is not soft");
  expect_error(scene_with("cloth { species = 'a', counts = { 20, 20 } }", sand,
                          "soft = { thickness = 0.15 },"),
               "start inside each other");
  expect_error(scene_with("cloth {}", "thermostat = { temperature = 1 }"),
               "cannot be combined with a thermostat");
  expect_error(scene_with("cloth {}", "", "soft = { iterations = 0 },"), "iterations");
  expect_error(scene_with("cloth {}", "", "soft = 3,"), "expected a table");
  expect_error(
      scene_with("cloth {}", "obstacles = { plane { restitution = 0.5, point = { 0, 0, -1 } } }"),
      "restitution");
  // Pinned bodies need no mass, and may start inside an obstacle.
  EXPECT_EQ(error_of(scene_with("rope { n = 2, pinned = \"start\" }",
                                "obstacles = { sphere { center = { -0.5, 0, 0 "
                                "}, radius = 0.2 } }")),
            "");
}

}  // namespace
}  // namespace mote::test
