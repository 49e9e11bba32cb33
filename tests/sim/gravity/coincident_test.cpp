// Bodies at one position, which gravity without softening must know.
#include "sim/gravity/coincident_bodies.h"

#include <gtest/gtest.h>

#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Cpu;
using engine::Index;
using engine::Precision;

/// Moves a body to another.
void join(sim::State<engine::Host>& state, Index body, Index other) {
  state.visit(
      [&](auto s) { s.x[body] = s.x[other], s.y[body] = s.y[other], s.z[body] = s.z[other]; });
}

// Whatever the number of threads, and of blocks that they share.
TEST(CoincidentBodies, AreFoundAmongMany) {
  sim::State<engine::Host> state = random_state(600'000, Precision::double_);
  const auto scalar = engine::SimdLevel::scalar;
  EXPECT_EQ(find_coincident(Cpu{2, scalar}, state).pairs, 0);
  join(state, 599'999, 300'000);
  join(state, 500'000, 17);
  join(state, 400'000, 17);
  state.visit([&](auto s) { s.mass[300'000] = 0; });  // the other one attracts it
  for (const int threads : {1, 2, 7}) {
    const sim::CoincidentBodies found = find_coincident(Cpu{threads, scalar}, state);
    EXPECT_EQ(found.pairs, 3);
    EXPECT_EQ(found.first, 17);
    EXPECT_EQ(found.second, 400'000);
  }
}

TEST(CoincidentBodies, ArePairsOfWhichOneHasMassAtEqualCoordinates) {
  sim::State<engine::Host> state = random_state(6, Precision::single);
  state.visit([&](auto s) {
    for (Index i = 0; i < 6; ++i) s.y[i] = s.z[i] = 0;
    s.x[0] = 1, s.x[1] = 2, s.x[2] = 1, s.x[3] = 3, s.x[4] = 0, s.x[5] = -s.x[4];
    s.mass[0] = s.mass[2] = 0;
  });
  const Cpu exec{2, engine::SimdLevel::scalar};
  const sim::CoincidentBodies found = find_coincident(exec, state);
  EXPECT_EQ(found.pairs, 1) << "both zeros are one position; two massless bodies do not attract";
  EXPECT_EQ(found.first, 4);
  EXPECT_EQ(found.second, 5);
}

// k bodies at one position are k - 1 pairs.
TEST(CoincidentBodies, MayAllBeAtOnePosition) {
  sim::State<engine::Host> state = random_state(100'000, Precision::single);
  for (Index i = 1; i < state.count(); ++i) join(state, i, 0);
  const sim::CoincidentBodies found = find_coincident(Cpu{2, engine::SimdLevel::scalar}, state);
  EXPECT_EQ(found.pairs, 99'999);
  EXPECT_EQ(found.first, 0);
  EXPECT_EQ(found.second, 1);
  EXPECT_EQ(find_coincident(Cpu{2, engine::SimdLevel::scalar},
                            sim::State<engine::Host>(0, Precision::single))
                .pairs,
            0);
}

}  // namespace
}  // namespace mote::test
