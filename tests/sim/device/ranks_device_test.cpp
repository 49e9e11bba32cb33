#include <gtest/gtest.h>

#include "tests/emulator/emulator.h"
#include "tests/support/ranks.h"

// Two ranks on two devices, which only the emulated runtime has here.
namespace mote::test {
namespace {

class RanksOnDevices : public testing::Test {
 protected:
  void SetUp() override { emulator::set_device_count(2); }
  void TearDown() override { emulator::reset(); }
};

TEST_F(RanksOnDevices, GiveTheBitsOfOneInAnyOrderOfThreads) {
  const sim::SceneDescription scene = scene_of(
      "return { precision = 'double', gravity = { softening = 0.05 }, fields = { drag { linear = "
      "0.1 "
      "} }, integrator = { 'leapfrog', dt = 1 / 64 }, bodies = { plummer { n = 70 } } }");
  const auto alone =
      sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cuda}));
  alone->advance(3, {});
  const std::uint64_t one = alone->hash();
  for (const std::uint64_t seed : {1, 2, 3}) {
    emulator::set_order(emulator::Order::shuffled, seed);
    open_on(2, engine::Backend::cuda, scene, [&](engine::Ranks&, sim::Simulation& simulation) {
      simulation.advance(3, {});
      EXPECT_EQ(simulation.hash(), one) << seed;
    });
  }
}

// Each rank uses its own device alone: a wait for all of another's work would invalidate captures
// there.
TEST_F(RanksOnDevices, UseTheirOwnAlone) {
  emulator::forget_contexts();
  const sim::SceneDescription scene = scene_of(
      "return { gravity = { softening = 0.05 }, integrator = { 'leapfrog', dt = 1 / 64 }, bodies = "
      "{ plummer { n = 64 } } }");
  open_on(2, engine::Backend::cuda, scene, [&](engine::Ranks& own, sim::Simulation& simulation) {
    EXPECT_EQ(simulation.plan().device, own.rank());
    simulation.advance(2, {});
  });
  EXPECT_TRUE(emulator::has_context(0));
  EXPECT_TRUE(emulator::has_context(1));
  EXPECT_EQ(emulator::device_waits(0), 0u);
  EXPECT_EQ(emulator::device_waits(1), 0u);
}

}  // namespace
}  // namespace mote::test
