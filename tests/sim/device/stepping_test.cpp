// The kinds of stepping on a GPU: one kernel per stage, graphs, persistent kernels.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "sim/run/simulation.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Index;
using engine::Precision;

const char* const small_cluster = R"(
  return {
    gravity = { softening = 0.01 },
    integrator = { "yoshida4", dt = 0.01 },
    bodies = { plummer { n = 90 } },
    seed = 5,
  })";

class SteppingKinds : public testing::TestWithParam<sim::Stepping> {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  }
  static std::unique_ptr<sim::Simulation> open(const std::string& lua, sim::RunOptions options,
                                               sim::Stepping stepping) {
    options.backend = engine::Backend::cuda;
    options.stepping = stepping;
    const sim::SceneDescription scene = scene_of(lua);
    return sim::open_simulation(scene, sim::make_plan(scene, options));
  }
};
INSTANTIATE_TEST_SUITE_P(Gpu, SteppingKinds,
                         testing::Values(sim::Stepping::launch, sim::Stepping::graph,
                                         sim::Stepping::cooperative, sim::Stepping::cluster),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

/// Sizes that cover all launch shapes: few bodies per warp or many, full tiles or not, more tiles
/// than fit at once.
std::vector<int> stepping_sizes() {
  if (gpu_is_emulated()) return {61, 96, 211};
  return {61, 96, 100, 211, 512, 513, 2113, 4224, 5000, 8192, 16384};
}

TEST_P(SteppingKinds, GiveTheBitsOfOneKernelAStage) {
  if (!in_another_order()) MOTE_SKIP_IF_SANITIZED("EmulatedGpu.* runs it in another order");
  int compared = 0;
  for (int n : stepping_sizes())
    for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
      const sim::SceneDescription scene = scene_of(
          "return { gravity = { softening = 0.01 }, integrator = { \"yoshida4\", dt = 0.01 }, seed "
          "= 5, "
          "bodies = { plummer { n = " +
          std::to_string(n) + " } } }");
      const auto plan = [&](sim::Stepping stepping) {
        return sim::make_plan(
            scene,
            {.backend = engine::Backend::cuda, .precision = precision, .stepping = stepping});
      };
      std::optional<sim::Plan> here;
      try {
        here = plan(GetParam());
      } catch (const engine::InputError& e) {
        EXPECT_NE(std::string(e.what()).find("it is for at most"), std::string::npos) << e.what();
        continue;
      }
      ++compared;
      auto reference = sim::open_simulation(scene, plan(sim::Stepping::launch));
      // Single steps, a graph of 16 steps and a remainder; fewer on the slow emulated device.
      std::vector<std::uint64_t> slices{1, 17, 2, 20};
      if (gpu_is_emulated()) slices.resize(n > 100 ? 2 : 3);
      const std::uint64_t steps = std::accumulate(slices.begin(), slices.end(), std::uint64_t{0});
      reference->advance(steps, {});
      auto whole = sim::open_simulation(scene, *here), sliced = sim::open_simulation(scene, *here);
      whole->advance(steps, {});
      EXPECT_EQ(whole->hash(), reference->hash()) << "N = " << n << ", " << name_of(precision);
      EXPECT_EQ(whole->interactions(), reference->interactions());
      for (std::uint64_t slice : slices) sliced->advance(slice, {});
      EXPECT_EQ(sliced->hash(), reference->hash()) << "N = " << n << ", " << name_of(precision);
    }
  EXPECT_GE(compared, 6);
}

// The next step begins with the stored accelerations: they must be those of the positions.
TEST_P(SteppingKinds, LeaveTheAccelerationsOfTheLastPositions) {
  auto reference = open(small_cluster, {}, sim::Stepping::launch);
  auto other = open(small_cluster, {}, GetParam());
  reference->advance(3, {});
  other->advance(3, {});
  reference->state().visit([&](auto a) {
    other->state().visit([&](auto b) {
      for (Index i = 0; i < a.count; ++i) ASSERT_EQ(double(a.ax[i]), double(b.ax[i])) << i;
    });
  });
}

// The third body moves by 6e37 per step: at the sixth it is beyond 3.4e38, the largest float.
TEST_P(SteppingKinds, StopAfterTheFirstStepThatIsNotFinite) {
  const std::string leaving = R"(
    return {
      precision = "single",
      gravity = { softening = 0 },
      integrator = { "leapfrog", dt = 1 },
      bodies = {
        { mass = 1e-3, position = { 0, 0, 0 } },
        { mass = 1e-3, position = { 1, 0, 0 } },
        { mass = 0, position = { 0, 5, 0 }, velocity = { 6e37, 0, 0 } },
      },
    })";
  auto reference = open(leaving, {}, sim::Stepping::launch), other = open(leaving, {}, GetParam());
  const sim::StepReport expected = reference->advance(50, {}), report = other->advance(50, {});
  EXPECT_TRUE(has(expected.health, sim::Health::not_finite));
  EXPECT_TRUE(has(report.health, sim::Health::not_finite));
  EXPECT_EQ(report.steps, 6u);
  EXPECT_EQ(report.steps, expected.steps);
  EXPECT_EQ(report.offender, 2);
  EXPECT_EQ(expected.offender, 2);
  reference->state().visit([&](auto a) {
    other->state().visit([&](auto b) {
      for (Index i = 0; i < 2; ++i) {
        EXPECT_EQ(double(a.x[i]), double(b.x[i])) << i;
        EXPECT_EQ(double(a.vx[i]), double(b.vx[i])) << i;
        EXPECT_EQ(double(a.ax[i]), double(b.ax[i])) << i;
      }
      EXPECT_EQ(std::isinf(double(b.x[2])), true);
    });
  });
}

// Persistent kernels store samples that are measured afterwards; the results must be the same.
TEST_P(SteppingKinds, MeasureTheSameOnTheWayAsBetweenSteps) {
  if (!in_another_order()) MOTE_SKIP_IF_SANITIZED("EmulatedGpu.* runs it in another order");
  auto reference = open(small_cluster, {}, sim::Stepping::launch),
       other = open(small_cluster, {}, GetParam());
  std::vector<sim::Measurement> expected{reference->measure()}, measured{other->measure()};
  for (int k = 0; k < 5; ++k) {
    reference->advance(k == 4 ? 1 : 3, {});
    if (k < 4) expected.push_back(reference->measure());
  }
  const auto add = [&](const sim::Measurement& m) { measured.push_back(m); };
  EXPECT_EQ(other->advance_measured(7, 3, {}, add).steps, 7u);
  EXPECT_EQ(other->advance_measured(6, 3, {}, add).steps, 6u);
  EXPECT_EQ(other->hash(), reference->hash());
  ASSERT_EQ(measured.size(), expected.size());
  for (std::size_t k = 0; k < measured.size(); ++k) {
    EXPECT_EQ(measured[k].step, 3 * k);
    EXPECT_EQ(measured[k].time, expected[k].time);
    EXPECT_EQ(measured[k].energy, expected[k].energy);
    EXPECT_EQ(measured[k].energy_error, expected[k].energy_error);
    EXPECT_TRUE(measured[k].angular_momentum == expected[k].angular_momentum);
    EXPECT_EQ(measured[k].lagrangian_radii, expected[k].lagrangian_radii);
    EXPECT_EQ(measured[k].fastest, expected[k].fastest);
  }
}

// Many samples in one launch: three bodies step so fast that a slice has dozens of steps.
TEST_P(SteppingKinds, MeasureManyRowsOfOneSlice) {
  if (!in_another_order()) MOTE_SKIP_IF_SANITIZED("EmulatedGpu.* runs it in another order");
  const std::string three = R"(
    return {
      gravity = { softening = 0.1 }, integrator = { dt = 0.01 },
      bodies = { { mass = 1, position = { 1, 0, 0 } }, { mass = 1, position = { -1, 0, 0 } },
                 { mass = 0.5, position = { 0, 1, 0 } } },
    })";
  auto reference = open(three, {}, sim::Stepping::launch), other = open(three, {}, GetParam());
  reference->measure();
  other->measure();
  std::vector<double> errors;
  other->advance_measured(400, 2, {}, [&](const sim::Measurement& m) {
    EXPECT_EQ(m.step, 2 * (errors.size() + 1));
    errors.push_back(m.energy_error);
  });
  ASSERT_EQ(errors.size(), 200u);
  for (double error : errors) {
    reference->advance(2, {});
    ASSERT_EQ(error, reference->measure().energy_error) << "step " << reference->step();
  }
}

TEST_P(SteppingKinds, CountMasslessBodiesAsTargetsOnly) {
  const std::string dusty = R"(
    local bodies = {}
    for i = 1, 50 do
      bodies[i] = { mass = i % 3 == 0 and 0 or 1, position = { math.cos(i), math.sin(i), i / 50 } }
    end
    return { gravity = { softening = 0.1 }, integrator = { dt = 0.01 }, bodies = bodies }
  )";
  auto reference = open(dusty, {}, sim::Stepping::launch), other = open(dusty, {}, GetParam());
  reference->advance(10, {});
  other->advance(10, {});
  EXPECT_EQ(reference->hash(), other->hash());
  EXPECT_EQ(other->interactions(), 10u * 50u * 34u);
}

}  // namespace
}  // namespace mote::test
