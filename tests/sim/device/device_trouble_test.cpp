#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/check.h"
#include "sim/measure/histogram.h"
#include "sim/run/live.h"
#include "sim/run/plan.h"
#include "sim/run/simulation.h"
#include "tests/emulator/emulator.h"
#include "tests/support/backend.h"

// Concurrent simulations, several devices, and failures of the device, all with the emulated
// runtime.
namespace mote::test {
namespace {

using engine::Backend;
using sim::Stepping;

class DeviceTrouble : public testing::Test {
 protected:
  DeviceTrouble() {
    emulator::reset();
    setenv("MOTE_MEMORY_POOL", "on", 1);
  }
  ~DeviceTrouble() override {
    unsetenv("MOTE_MEMORY_POOL");
    emulator::reset();
  }
  static sim::SceneDescription bodies(int n) {
    return scene_of(
        "return { gravity = { softening = 0.1 }, integrator = { dt = 0.01 }, bodies = { plummer { "
        "n = " +
        std::to_string(n) + " } } }");
  }
  static std::unique_ptr<sim::Simulation> open(int n, const sim::RunOptions& options) {
    const sim::SceneDescription scene = bodies(n);
    return sim::open_simulation(scene, sim::make_plan(scene, options));
  }
};

// One thread changes a simulation, which records its graphs again each time, while another opens,
// measures and destroys others.
TEST_F(DeviceTrouble, ThreadsThatOpenAndEndSimulationsDoNotDisturbOneThatRecords) {
  const std::size_t waits = emulator::device_waits(0);
  std::atomic<bool> over{false};
  std::atomic<int> opened{0};
  std::string trouble;
  std::thread other([&] {
    try {
      for (; !over; ++opened) {
        const auto simulation = open(40, {.backend = Backend::cuda});
        simulation->advance(1, {});
        simulation->measure();
      }
    } catch (const std::exception& error) {
      trouble = error.what();
    }
  });
  const auto simulation = open(60, {.backend = Backend::cuda, .stepping = Stepping::graph});
  try {
    for (int change = 0; change < 60 || opened < 10; ++change) {
      sim::LiveSettings live = simulation->live();
      set_live(live, "gravity.softening", 0.1 + 1e-3 * (change % 100));
      simulation->change(live);
      simulation->advance(1, {});
      if (!trouble.empty()) break;
    }
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  over = true;
  other.join();
  EXPECT_EQ(trouble, "");
  EXPECT_EQ(emulator::device_waits(0), waits);
}

TEST_F(DeviceTrouble, ASimulationOfASecondDeviceEndsThereInAnyThread) {
  emulator::set_device_count(2);
  std::unique_ptr<sim::Simulation> simulation;
  std::unique_ptr<sim::SavedState> saved;
  std::thread([&] {
    simulation = open(40, {.device = 1, .stepping = Stepping::graph});
    simulation->advance(1, {});
    simulation->measure();
    saved = simulation->save();
  }).join();
  emulator::forget_contexts();
  std::thread([&] { saved.reset(); }).join();
  EXPECT_FALSE(emulator::has_context(0));
  std::thread([&] { simulation.reset(); }).join();
  EXPECT_FALSE(emulator::has_context(0));
  EXPECT_TRUE(emulator::has_context(1));
}

/// The hash after a few steps with two measurements.
std::uint64_t hash_after_steps(const sim::SceneDescription& scene, const sim::Plan& plan) {
  const auto simulation = sim::open_simulation(scene, plan);
  int measurements = 0;
  simulation->advance_measured(6, 3, {}, [&](const sim::Measurement&) { ++measurements; });
  EXPECT_EQ(measurements, 2);
  return simulation->hash();
}

// The device's attributes promise the plan a persistent kernel, but its launch fails.
TEST_F(DeviceTrouble, StepsAreRecordedWhereTheGpuRefusesOneKernel) {
  const sim::SceneDescription scene = bodies(40);
  const auto plan = [&](Stepping stepping) {
    return sim::make_plan(scene, {.backend = Backend::cuda, .stepping = stepping});
  };
  const std::uint64_t hash = hash_after_steps(scene, plan(Stepping::launch));
  for (const Stepping stepping : {Stepping::cooperative, Stepping::cluster}) {
    const sim::Plan planned = plan(stepping);
    emulator::limit_launches(0, false);
    EXPECT_EQ(hash_after_steps(scene, planned), hash) << sim::name_of(stepping);
    emulator::reset();
  }
}

TEST_F(DeviceTrouble, APartOfTheGpuIsUsedAsFarAsItGoes) {
  const auto stepping = [](int n) {
    return sim::make_plan(bodies(n), {.backend = Backend::cuda}).stepping;
  };
  EXPECT_EQ(stepping(10), Stepping::cluster);
  emulator::limit_launches(2, false);
  // In double: two multiprocessors with 16 warps of 2 bodies.
  EXPECT_EQ(sim::stepping_limits(bodies(10), 0, engine::Precision::double_).cooperative, 64);
  EXPECT_EQ(stepping(10), Stepping::cooperative);
  EXPECT_EQ(stepping(64), Stepping::cooperative);
  EXPECT_EQ(stepping(65), Stepping::graph);
  emulator::limit_launches(0, false);
  EXPECT_EQ(stepping(10), Stepping::graph);
}

// Kernels that build neighbour lists have grid barriers: fewer blocks must build the same lists.
TEST_F(DeviceTrouble, APartOfTheGpuListsTheSameNeighbours) {
  const sim::SceneDescription liquid = scene_of(R"(
    return { lennard_jones = { cutoff = 2, skin = 0.2 }, integrator = { dt = 0.005 }, seed = 3,
             domain = { size = { 8.5, 8.5, 8.5 } },
             bodies = { lattice { structure = "fcc", counts = { 5, 5, 5 }, spacing = 1.7, mass = 500,
                                  dispersion = 2 } } })");
  const auto hash = [&] {
    return hash_after_steps(liquid, sim::make_plan(liquid, {.backend = Backend::cuda}));
  };
  const std::uint64_t whole = hash();
  // Less of the GPU is available than when the simulation was opened.
  for (const Stepping stepping : {Stepping::cooperative, Stepping::launch}) {
    const sim::Plan plan = sim::make_plan(liquid, {.backend = Backend::cuda, .stepping = stepping});
    const auto simulation = sim::open_simulation(liquid, plan);
    emulator::limit_launches(1, false);
    simulation->advance(6, {});
    EXPECT_EQ(simulation->hash(), whole) << name_of(stepping);
    emulator::reset();
  }
  emulator::limit_launches(1, false);
  EXPECT_EQ(hash(), whole);
}

TEST_F(DeviceTrouble, CountersAreInGlobalMemoryWhereNoClusterFits) {
  const auto simulation = open(40, {.backend = Backend::cuda});
  sim::HistogramRequest request;
  request.bins = 20'000;  // as many as fit into the shared memory of a cluster
  const auto counts = simulation->histogram(request).counts;
  emulator::limit_launches(8, false);
  EXPECT_EQ(simulation->histogram(request).counts, counts);
}

// `auto` then chooses the CPU; a request for the GPU fails with a remedy.
TEST_F(DeviceTrouble, ALostGpuIsNotUsedAgain) {
  const sim::SceneDescription scene = bodies(600);
  ASSERT_EQ(sim::make_plan(scene, {}).backend, Backend::cuda);
  const auto simulation = open(40, {.backend = Backend::cuda});
  emulator::fail_call(1, 719, true);
  try {
    simulation->advance(1, {});
    ADD_FAILURE() << "the step succeeded";
  } catch (const engine::SystemError& error) {
    EXPECT_NE(std::string(error.what()).find("start again"), std::string::npos) << error.what();
  }
  const sim::Plan plan = sim::make_plan(scene, {});
  EXPECT_EQ(plan.backend, Backend::cpu);
  ASSERT_FALSE(plan.reasons.empty());
  EXPECT_NE(plan.reasons.front().find("GPU 0 does not respond: cudaErrorLaunchFailure"),
            std::string::npos)
      << plan.reasons.front();
  try {
    sim::make_plan(scene, {.backend = Backend::cuda});
    ADD_FAILURE() << "the plan accepted the GPU";
  } catch (const engine::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("start again"), std::string::npos) << error.what();
  }
}

TEST_F(DeviceTrouble, AFullGpuHasNoFreeMemory) {
  ASSERT_EQ(sim::make_plan(bodies(600), {}).backend, Backend::cuda);
  emulator::set_memory(0);
  try {
    sim::make_plan(bodies(600), {.backend = Backend::cuda});
    ADD_FAILURE() << "accepted";
  } catch (const engine::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("0 B are free"), std::string::npos) << error.what();
  }
}

// Whichever call fails, it is reported as an error, and the next simulation gives the usual bits.
TEST_F(DeviceTrouble, AnyCallMayFail) {
  const auto run = [] {
    const auto simulation = open(20, {.backend = Backend::cuda, .stepping = Stepping::graph});
    simulation->advance(2, {});
    sim::LiveSettings live = simulation->live();
    set_live(live, "gravity.softening", 0.2);
    simulation->change(live);
    simulation->advance(1, {});
    simulation->measure();
    return simulation->hash();
  };
  const std::uint64_t hash = run();
  int failed = 0;
  for (std::size_t call = 1; call < 100'000; call += 1 + call / 16) {
    emulator::fail_call(call, 999, false);
    const int before = failed;
    try {
      run();
    } catch (const engine::SystemError&) {
      ++failed;
    } catch (const engine::InputError&) {  // from the plan: the GPU does not respond
      ++failed;
    }
    emulator::reset();
    ASSERT_EQ(run(), hash) << call;
    if (failed == before && call > 2000) break;
  }
  EXPECT_GT(failed, 20);
}

}  // namespace
}  // namespace mote::test
