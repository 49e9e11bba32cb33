// Forces of near pairs on a GPU, for each number of threads a body; scenes have the number that is
// fastest for so many bodies.
#include "sim/molecular/pair_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "engine/exec/stream.h"
#include "engine/text.h"
#include "sim/motion/motion.h"
#include "sim/run/device_columns.h"
#include "sim/run/registry.h"
#include "tests/support/backend.h"

namespace mote::test {
namespace {

using engine::Device;
using engine::Host;
using engine::Index;
using engine::Precision;
using sim::State;

/// A crystal whose atoms swing, 500 of them, along `axes`; many cells, whose numbers of bodies
/// differ.
std::string swinging_crystal(const std::string& axes, double skin) {
  return "return { domain = { size = { 8.4, 8.4, 8.4 }" + axes +
         " }, lennard_jones = { cutoff = 2.5, skin = " + engine::number_text(skin) +
         " }, integrator = { dt = 0.004 }, bodies = { lattice { structure = \"fcc\", counts = { 5, "
         "5, 5 }, "
         "spacing = 1.68, mass = 500, dispersion = 2 } } }";
}

/// What a GPU makes of a state, with so many threads a body.
struct PairsOnADevice {
  State<Host> state;
  double energy;
  std::uint32_t most;  ///< neighbours of a body
};
PairsOnADevice pairs_on_a_device(const sim::SceneDescription& scene, const State<Host>& from,
                                 int lanes, bool settles) {
  const engine::Stream stream(0);
  const engine::Cuda exec = stream.policy();
  State<Device> state(from.count(), from.precision(), from.shape());
  copy_columns(state, from, exec.stream, sim::Direction::to_device);
  const sim::PairTable table = sim::table_of(*scene.pairs, 1);
  const auto near = std::make_shared<sim::DeviceNeighbours>(
      exec, sim::domain_of(scene), table.reach, table.skin, sim::ListedBodies{state.count()},
      state.precision(), lanes);
  sim::DevicePairForce force(exec, table, near, state.count(), state.precision());
  near->update(exec, state);
  if (settles && near->settle(exec)) near->update(exec, state);
  clear_accelerations(exec, state);
  sim::StepReport report;
  force.run(exec, state, report);
  PairsOnADevice found{State<Host>(from.count(), from.precision(), from.shape()),
                       force.potential_energy(exec, state), near->account(exec).most};
  copy_columns(found.state, state, exec.stream, sim::Direction::to_host);
  engine::wait(exec);
  return found;
}

/// Largest difference of accelerations, relative to the root of their mean square.
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

TEST(PairForcesOnADevice, AreTheSameWithAnyNumberOfThreadsABody) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  // Tolerances as in a liquid that has moved.
  const struct {
    Precision precision;
    double error;
  } cases[] = {{Precision::single, 5e-5}, {Precision::full, 1e-12}};
  for (const char* axes : {"", ", y = \"wall\", z = \"open\""})
    for (const auto& [precision, error] : cases) {
      const sim::SceneDescription scene = scene_of(swinging_crystal(axes, 0.3));
      const auto cpu = sim::open_simulation(
          scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .precision = precision}));
      cpu->advance(20, {});
      const double energy = cpu->measure().potential;
      for (const int lanes : {1, 4, 8}) {
        const PairsOnADevice found = pairs_on_a_device(scene, cpu->state(), lanes, true);
        EXPECT_LT(difference_of(found.state, cpu->state()), error) << lanes << axes;
        EXPECT_NEAR(found.energy, energy,
                    (precision == Precision::single ? 1e-6 : 1e-13) * std::abs(energy))
            << lanes << axes;
      }
    }
}

// What stopped the steps may have brought all bodies into one cell, where a listing costs the
// square of their number.
TEST(PairForcesOnADevice, ListNothingOnceTheStepsHaveHalted) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(swinging_crystal("", 0.3));
  const auto cpu =
      sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
  const State<Host>& from = cpu->state();
  const engine::Stream stream(0);
  const engine::Cuda exec = stream.policy();
  State<Device> state(from.count(), from.precision(), from.shape());
  copy_columns(state, from, exec.stream, sim::Direction::to_device);
  const sim::PairTable table = sim::table_of(*scene.pairs, 1);
  sim::DeviceNeighbours near(exec, sim::domain_of(scene), table.reach, table.skin,
                             sim::ListedBodies{state.count()}, state.precision());
  engine::Buffer<sim::DeviceRecord, Device> record(1);
  const auto listings_after = [&](std::uint32_t halted) {
    sim::DeviceRecord now;
    now.halted = halted;
    engine::copy_to_device(record.data(), &now, 1, exec.stream);
    near.forget(exec);
    near.update(exec, state, record.data());
    return near.account(exec).listings;
  };
  EXPECT_EQ(listings_after(0), 1U);
  EXPECT_EQ(listings_after(1), 1U);
  EXPECT_EQ(listings_after(0), 2U);
}

// Whoever has no room for all neighbours walks to the same ones, in the same order.
TEST(PairForcesOnADevice, HaveTheSameBitsBeforeThereIsRoomForAllNeighbours) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  const sim::SceneDescription scene = scene_of(swinging_crystal("", 0.7));
  const auto cpu = sim::open_simulation(
      scene,
      sim::make_plan(scene, {.backend = engine::Backend::cpu, .precision = Precision::single}));
  cpu->advance(5, {});
  for (const int lanes : {1, 4, 8}) {
    const PairsOnADevice tight = pairs_on_a_device(scene, cpu->state(), lanes, false),
                         roomy = pairs_on_a_device(scene, cpu->state(), lanes, true);
    EXPECT_GT(tight.most, 96u);  // for which there is room at first
    EXPECT_EQ(difference_of(tight.state, roomy.state), 0) << lanes;
    EXPECT_EQ(tight.energy, roomy.energy) << lanes;
  }
}

}  // namespace
}  // namespace mote::test
