// Pair forces on a GPU, for each number of lanes per body; scenes use the number that is fastest
// for their number of bodies.
#include "sim/molecular/pair_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "engine/exec/stream.h"
#include "engine/text.h"
#include "sim/device/device_columns.h"
#include "sim/molecular/pairs.h"
#include "sim/motion/motion.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Device;
using engine::Host;
using engine::Index;
using engine::Precision;
using sim::State;

/// A crystal of 500 vibrating atoms with the boundaries `axes`: many cells, with different numbers
/// of bodies.
std::string vibrating_crystal(const std::string& axes, double skin) {
  return "return { domain = { size = { 8.4, 8.4, 8.4 }" + axes +
         " }, lennard_jones = { cutoff = 2.5, skin = " + engine::number_text(skin) +
         " }, integrator = { dt = 0.004 }, bodies = { lattice { structure = \"fcc\", counts = { 5, "
         "5, 5 }, "
         "spacing = 1.68, mass = 500, dispersion = 2 } } }";
}

/// Accelerations and energy of a state on a GPU.
struct DevicePairs {
  State<Host> state;
  double energy;
  std::uint32_t most;  ///< length of the longest list
};
DevicePairs device_pairs(const sim::SceneDescription& scene, const State<Host>& from, int lanes,
                         bool grows) {
  const engine::Stream stream(0);
  const engine::Cuda exec = stream.policy();
  State<Device> state(from.count(), from.precision(), from.layout());
  copy_columns(exec, state, from);
  const sim::PairTable table = sim::table_of(*scene.physics.find<sim::PairForces>(), 1);
  const auto neighbours = std::make_shared<sim::DeviceNeighbours>(
      exec, sim::domain_of(scene), table.cutoff, table.skin, sim::NeighbourListSetup{state.count()},
      state.precision(), lanes);
  sim::DevicePairForce force(exec, table, neighbours, state.count(), state.precision());
  neighbours->update(exec, state);
  if (grows && neighbours->grow_buffers(exec)) neighbours->update(exec, state);
  clear_accelerations(exec, state);
  sim::StepReport report;
  force.run(exec, state, report);
  DevicePairs result{State<Host>(from.count(), from.precision(), from.layout()),
                     force.potential_energy(exec, state), neighbours->statistics(exec).longest};
  copy_columns(exec, result.state, state);
  engine::wait(exec);
  return result;
}

/// Largest difference of accelerations, relative to their root mean square.
double difference_of(const State<Host>& one, const State<Host>& other) {
  double largest = 0, squares = 0;
  one.visit([&](const auto& a) {
    other.visit([&](const auto& b) {
      for (Index i = 0; i < a.count; ++i) {
        const double of_a[3] = {double(a.ax[i]), double(a.ay[i]), double(a.az[i])},
                     of_b[3] = {double(b.ax[i]), double(b.ay[i]), double(b.az[i])};
        for (int axis = 0; axis < 3; ++axis) {
          largest = std::max(largest, std::abs(of_a[axis] - of_b[axis]));
          squares += of_b[axis] * of_b[axis];
        }
      }
    });
  });
  return largest / std::sqrt(squares / static_cast<double>(one.count()));
}

TEST(PairForcesOnADevice, AreTheSameWithAnyNumberOfLanes) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  // Tolerances as for the liquid in pair_force_test.cpp.
  const struct {
    Precision precision;
    double error;
  } cases[] = {{Precision::single, 5e-5}, {Precision::double_, 1e-12}};
  for (const char* axes : {"", ", y = \"wall\", z = \"open\""})
    for (const auto& [precision, error] : cases) {
      const sim::SceneDescription scene = scene_of(vibrating_crystal(axes, 0.3));
      const auto cpu = sim::open_simulation(
          scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .precision = precision}));
      cpu->advance(20, {});
      const double energy = cpu->measure().potential;
      for (const int lanes : {1, 4, 8}) {
        const DevicePairs result = device_pairs(scene, cpu->state(), lanes, true);
        EXPECT_LT(difference_of(result.state, cpu->state()), error) << lanes << axes;
        EXPECT_NEAR(result.energy, energy,
                    (precision == Precision::single ? 1e-6 : 1e-13) * std::abs(energy))
            << lanes << axes;
      }
    }
}

// The error that halted the steps may have put all bodies into one cell, where a list build costs
// the square of their number.
TEST(PairForcesOnADevice, BuildNoListsOnceTheStepsHaveHalted) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(vibrating_crystal("", 0.3));
  const auto cpu =
      sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
  const State<Host>& from = cpu->state();
  const engine::Stream stream(0);
  const engine::Cuda exec = stream.policy();
  State<Device> state(from.count(), from.precision(), from.layout());
  copy_columns(exec, state, from);
  const sim::PairTable table = sim::table_of(*scene.physics.find<sim::PairForces>(), 1);
  sim::DeviceNeighbours neighbours(exec, sim::domain_of(scene), table.cutoff, table.skin,
                                   sim::NeighbourListSetup{state.count()}, state.precision());
  engine::Buffer<sim::DeviceRecord, Device> record(1);
  const auto builds_after = [&](std::uint32_t halted) {
    sim::DeviceRecord now;
    now.halted = halted;
    engine::copy_to_device(record.data(), &now, 1, exec.stream);
    neighbours.invalidate(exec);
    neighbours.update(exec, state, record.data());
    return neighbours.statistics(exec).builds;
  };
  EXPECT_EQ(builds_after(0), 1U);
  EXPECT_EQ(builds_after(1), 1U);
  EXPECT_EQ(builds_after(0), 2U);
}

// If a list overflows, forces search the cells for the same neighbours, in the same order.
TEST(PairForcesOnADevice, HaveTheSameBitsWhenListsOverflow) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(vibrating_crystal("", 0.7));
  const auto cpu = sim::open_simulation(
      scene,
      sim::make_plan(scene, {.backend = engine::Backend::cpu, .precision = Precision::single}));
  cpu->advance(5, {});
  for (const int lanes : {1, 4, 8}) {
    const DevicePairs overflowing = device_pairs(scene, cpu->state(), lanes, false),
                      complete = device_pairs(scene, cpu->state(), lanes, true);
    EXPECT_GT(overflowing.most, 96u);  // the initial capacity
    EXPECT_EQ(difference_of(overflowing.state, complete.state), 0) << lanes;
    EXPECT_EQ(overflowing.energy, complete.energy) << lanes;
  }
}

}  // namespace
}  // namespace mote::test
