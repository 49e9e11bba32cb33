#include "sim/output/difference.h"

#include <gtest/gtest.h>

#include "sim/run/initial_state.h"
#include "sim/scene/description.h"
#include "sim/scene/read_scene.h"

namespace mote::test {
namespace {

/// Identical simulations of eight bodies, of which one number of body 5 can be changed by an ULP.
class FirstDifference : public testing::Test {
 protected:
  static std::unique_ptr<sim::Simulation> open() {
    const sim::SceneDescription scene = sim::read_scene_text(
        "alike.json", R"({"gravity": {"softening": 0.1}, "integrator": {"dt": 0.01},
          "bodies": [{"kind": "plummer", "n": 8}]})");
    return sim::open_simulation(scene, sim::make_plan(scene, {.backend = engine::Backend::cpu}));
  }

  /// Changes a velocity or a position of body 5 by one ULP.
  static void change(sim::Simulation& simulation, bool velocity) {
    sim::State<engine::Host> state(simulation.count(), simulation.precision(), simulation.layout());
    sim::copy_columns(state, simulation.state(), true);
    state.visit([&](auto s) {
      auto& number = velocity ? s.vy[5] : s.x[5];
      number = std::nextafter(number, decltype(+number)(1e9));
    });
    simulation.resume(state, simulation.run_clock(), simulation.live());
  }
};

TEST_F(FirstDifference, IsNoneForEqualSimulations) {
  const auto a = open(), b = open();
  EXPECT_FALSE(sim::first_difference(*a, *b, 40, "gravity"));
  EXPECT_EQ(a->step(), 40u);
}

TEST_F(FirstDifference, FindsOneBitOfAVelocity) {
  const auto a = open(), b = open();
  a->advance(10, {});
  b->advance(10, {});
  change(*b, true);
  const auto found = sim::first_difference(*a, *b, 40, "gravity");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 10u);
  EXPECT_EQ(found->id, 5u);
  EXPECT_EQ(found->columns, "velocity");
  EXPECT_EQ(found->module, "kick");
}

// A position changes forces, too: accelerations of all bodies were evaluated with it.
TEST_F(FirstDifference, FindsOneBitOfAPosition) {
  const auto a = open(), b = open();
  change(*b, false);
  const auto found = sim::first_difference(*a, *b, 40, "gravity");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->step, 0u);
  EXPECT_EQ(found->columns.substr(0, 8), "position");
  EXPECT_EQ(found->module, "kick or drift");
}

}  // namespace
}  // namespace mote::test
