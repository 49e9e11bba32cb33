#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/emulator/emulator.h"
#include "tests/support/backend.h"

// Plans without a GPU, with an old driver or with too little memory, all with the emulated runtime.
namespace mote::test {
namespace {

using engine::Backend;
using sim::Stepping;

class DevicePlans : public testing::Test {
 protected:
  void TearDown() override {
    emulator::reset();
    unsetenv("CUDA_VISIBLE_DEVICES");
  }

  static sim::SceneDescription bodies(int n) {
    return scene_of(
        "return { gravity = { softening = 0.1 }, integrator = { dt = 1 }, bodies = { plummer { n "
        "= " +
        std::to_string(n) + " } } }");
  }
  static std::string refusal(const sim::SceneDescription& scene, const sim::RunOptions& options) {
    try {
      sim::make_plan(scene, options);
    } catch (const engine::InputError& e) {
      return e.what();
    }
    return "accepted";
  }
  /// `auto` chooses the CPU, and the plan's reasons say why.
  static void expect_fallback(const std::string& why) {
    const sim::Plan plan = sim::make_plan(bodies(1000), {});
    EXPECT_EQ(plan.backend, Backend::cpu);
    const bool found = std::any_of(
        plan.reasons.begin(), plan.reasons.end(),
        [&](const std::string& reason) { return reason.find(why) != std::string::npos; });
    EXPECT_TRUE(found) << why
                       << " is not in: " << (plan.reasons.empty() ? "" : plan.reasons.front());
  }
};

TEST_F(DevicePlans, TakeTheGpuForManyBodiesAndTheCpuForFew) {
  EXPECT_EQ(sim::make_plan(bodies(600), {}).backend, Backend::cuda);
  EXPECT_EQ(sim::make_plan(bodies(60), {}).backend, Backend::cpu);
  EXPECT_EQ(sim::make_plan(bodies(60), {.backend = Backend::cuda}).backend, Backend::cuda);
  EXPECT_EQ(sim::make_plan(bodies(60), {.device = 0}).backend, Backend::cuda);
}

// When bodies are added or removed: as planned whenever their number allows it.
TEST_F(DevicePlans, KeepTheSteppingAsFarAsTheNumberOfBodiesAllows) {
  const auto plan = [](int n, Stepping stepping) {
    return sim::make_plan(bodies(n), {.backend = Backend::cuda, .stepping = stepping});
  };
  emulator::set_multiprocessor_count(40);
  const sim::WholeStepLimits limits =
      sim::stepping_limits(bodies(10), 0, engine::Precision::double_);
  ASSERT_LT(limits.cluster, limits.cooperative);
  const sim::Plan cluster = plan(10, Stepping::automatic),
                  cooperative = plan(200, Stepping::automatic);
  EXPECT_EQ(stepping_for(cluster, bodies(10), limits.cluster), Stepping::cluster);
  EXPECT_EQ(stepping_for(cluster, bodies(10), limits.cluster + 1), Stepping::cooperative);
  EXPECT_EQ(stepping_for(cluster, bodies(10), limits.cooperative + 1), Stepping::graph);
  EXPECT_EQ(stepping_for(cooperative, bodies(10), 10), Stepping::cooperative);
  EXPECT_EQ(stepping_for(cooperative, bodies(10), limits.cooperative + 1), Stepping::graph);
  for (const Stepping stepping : {Stepping::graph, Stepping::launch})
    EXPECT_EQ(stepping_for(plan(10, stepping), bodies(10), 1'000'000), stepping);
}

TEST_F(DevicePlans, ChooseTheSteppingByTheNumberOfBodies) {
  const auto stepping = [](int n) {
    return sim::make_plan(bodies(n), {.backend = Backend::cuda}).stepping;
  };
  EXPECT_EQ(stepping(96), Stepping::cluster);
  emulator::set_multiprocessor_count(20);
  EXPECT_EQ(stepping(97), Stepping::cooperative);  // in double: 20 x 16 warps of 2 bodies hold 640
  EXPECT_EQ(stepping(640), Stepping::cooperative);
  EXPECT_EQ(stepping(641), Stepping::graph);
  EXPECT_EQ(stepping(1200), Stepping::cooperative);  // in single: 1,280
  EXPECT_EQ(stepping(1300), Stepping::graph);
  const std::string text =
      refusal(bodies(1300), {.backend = Backend::cuda, .stepping = Stepping::cooperative});
  EXPECT_NE(text.find("at most 1,280 bodies here"), std::string::npos) << text;
  EXPECT_NE(text.find("use --stepping auto"), std::string::npos) << text;
}

TEST_F(DevicePlans, StepFewBodiesWithPairForcesInOneKernel) {
  const auto liquid = [](const std::string& more) {
    return scene_of(
        "return { lennard_jones = { cutoff = 2.5 }, integrator = { dt = 0.004 }, domain = { size = "
        "{ 20, 20, "
        "20 } }, " +
        more + " bodies = { lattice { counts = { 10, 10, 10 }, spacing = 2, mass = 1000 } } }");
  };
  const auto stepping = [](const sim::SceneDescription& scene, sim::RunOptions options) {
    options.backend = Backend::cuda;
    return sim::make_plan(scene, options).stepping;
  };
  EXPECT_EQ(stepping(liquid(""), {}), Stepping::cooperative);
  EXPECT_EQ(stepping(liquid("thermostat = { \"langevin\", temperature = 1, time = 1 },"), {}),
            Stepping::graph);
  EXPECT_EQ(stepping(liquid("fields = { uniform { acceleration = { 0, 0, -1 } } },"), {}),
            Stepping::graph);
  EXPECT_NE(refusal(liquid(""), {.stepping = Stepping::cluster})
                .find("it is for gravity alone, and the scene has lennard_jones;"),
            std::string::npos);
  EXPECT_NE(
      refusal(liquid("thermostat = { \"langevin\", temperature = 1, time = 1 },"),
              {.stepping = Stepping::cooperative})
          .find("it is for lennard_jones or gravity alone, and the scene has lennard_jones and "
                "thermostat;"),
      std::string::npos);
  const sim::Plan plan = sim::make_plan(liquid(""), {.backend = Backend::cuda});
  EXPECT_EQ(stepping_for(plan, liquid(""), 150'000), Stepping::cooperative);
  EXPECT_EQ(stepping_for(plan, liquid(""), 150'001), Stepping::graph);
  EXPECT_EQ(stepping_for(plan, liquid(""), 0), Stepping::graph);
  EXPECT_FALSE(sim::steps_in_batch(plan, liquid(""), 1000));
}

TEST_F(DevicePlans, RefuseSteppingInOneKernelWithoutGravity) {
  const auto scene = scene_of(
      "return { integrator = { dt = 1 }, bodies = { { mass = 1, position = { 0, 0, 0 } } } }");
  EXPECT_EQ(sim::make_plan(scene, {.backend = Backend::cuda}).stepping, Stepping::graph);
  EXPECT_NE(refusal(scene, {.stepping = Stepping::cluster})
                .find("it is for gravity alone, and the scene has no forces;"),
            std::string::npos);
}

TEST_F(DevicePlans, SayThatThereIsNoGpu) {
  emulator::set_device_count(0);
  expect_fallback("there is no CUDA GPU");
  EXPECT_NE(refusal(bodies(9), {.backend = Backend::cuda})
                .find("there is no CUDA GPU; use --backend cpu"),
            std::string::npos);
}

TEST_F(DevicePlans, SayThatTheVisibleDevicesAreNone) {
  setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  expect_fallback("CUDA_VISIBLE_DEVICES=-1 leaves no GPU");
}

// Job schedulers set the variable on every machine.
TEST_F(DevicePlans, DoNotBlameTheVariableForADriverThatDoesNotBegin) {
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  emulator::fail_initialization(802);
  expect_fallback("CUDA cannot be initialised: cudaErrorSystemNotReady");
  EXPECT_NE(refusal(bodies(9), {.backend = Backend::cuda}).find("fabric manager"),
            std::string::npos);
  emulator::fail_initialization(803);
  EXPECT_NE(refusal(bodies(9), {.backend = Backend::cuda}).find("restart the machine"),
            std::string::npos);
}

TEST_F(DevicePlans, SayThatTheDriverIsTooOldOrMissing) {
  emulator::set_driver_version(12020);
  expect_fallback("the NVIDIA driver supports CUDA 12.2, this build needs 13.0");
  EXPECT_NE(refusal(bodies(9), {.backend = Backend::cuda}).find("update the driver"),
            std::string::npos);
  emulator::set_driver_version(0);
  expect_fallback("no NVIDIA driver is running");
}

TEST_F(DevicePlans, NameTheGpusThatThereAre) {
  EXPECT_NE(refusal(bodies(9), {.device = 3}).find("there is no such GPU; the only one is 0"),
            std::string::npos);
  emulator::set_device_count(4);
  EXPECT_NE(refusal(bodies(9), {.device = 4}).find("there is no such GPU; they are 0 to 3"),
            std::string::npos);
  EXPECT_EQ(sim::make_plan(bodies(9), {.device = 3}).device, 3);
}

TEST_F(DevicePlans, RefuseGpuOptionsForTheCpu) {
  EXPECT_NE(refusal(bodies(9), {.backend = Backend::cpu, .device = 0}).find("CUDA backend only"),
            std::string::npos);
  EXPECT_NE(refusal(bodies(9), {.backend = Backend::cpu, .stepping = Stepping::graph})
                .find("CUDA backend only"),
            std::string::npos);
}

// The number of bodies that the refusal names fits, one more does not, and a plan that fits can be
// opened.
TEST_F(DevicePlans, RefuseMoreBodiesThanTheGpuHoldsAndNameHowManyFit) {
  emulator::set_memory(std::size_t{300} << 20);
  const auto needed = sim::make_plan(bodies(2000), {.backend = Backend::cuda}).device_memory;
  EXPECT_GT(needed, 0u);
  const std::string text = refusal(bodies(5'000'000), {.backend = Backend::cuda});
  const auto at = text.find("the largest number that fits now is ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_NE(text.find("on the GPU"), std::string::npos) << text;
  std::string digits;
  for (char c : text.substr(at))
    if (std::isdigit(static_cast<unsigned char>(c))) digits += c;
  const int fits = std::stoi(digits);
  EXPECT_GT(fits, 10'000);
  EXPECT_EQ(refusal(bodies(fits), {.backend = Backend::cuda}), "accepted");
  EXPECT_NE(refusal(bodies(fits + 1), {.backend = Backend::cuda}), "accepted");
}

// A saved good state is in the GPU's memory, and optional.
TEST_F(DevicePlans, CountSavedStatesAndRefuseNothingForThem) {
  const auto scene = bodies(500'000);
  const sim::RunOptions alone{.backend = Backend::cuda};
  sim::RunOptions with = alone;
  with.copies = 6, with.saved_states = 1;
  const sim::Plan plan = sim::make_plan(scene, alone), whole = sim::make_plan(scene, with);
  // So many that they are more than what the generator made, which is gone by then.
  sim::RunOptions fewer = alone;
  fewer.copies = 4;
  const std::uint64_t state = sim::State<engine::Host>::bytes(500'000, plan.precision);
  EXPECT_EQ(whole.device_memory, plan.device_memory + state);
  EXPECT_EQ(whole.memory, sim::make_plan(scene, fewer).memory + 2 * state);
  emulator::set_memory(plan.device_memory);
  EXPECT_EQ(refusal(scene, with), "accepted");
}

TEST_F(DevicePlans, OfWhatFitsCanBeOpened) {
  for (int n : {600, 9000}) {
    const auto scene = bodies(n);
    const sim::Plan plan = sim::make_plan(scene, {.backend = Backend::cuda});
    emulator::set_memory(plan.device_memory);
    EXPECT_NO_THROW(sim::open_simulation(scene, plan)) << n;
    emulator::reset();
  }
}

}  // namespace
}  // namespace mote::test
