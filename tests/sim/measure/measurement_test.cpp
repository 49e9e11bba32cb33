#include "sim/measure/measurement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;
using sim::Measurement;
using sim::State;

State<Host> two_bodies() {
  State<Host> state(2, Precision::full);
  state.visit([&](auto s) {
    s.mass[0] = 2, s.x[0] = 1, s.vy[0] = 3;
    s.mass[1] = 1, s.x[1] = -2, s.vz[1] = 4;
    state.id()[1] = 1;
  });
  return state;
}

TEST(Measurement, OfTwoBodiesIsWhatPaperSays) {
  const Measurement m = measure({1}, two_bodies(), -10);
  EXPECT_EQ(m.kinetic, 0.5 * 2 * 9 + 0.5 * 16);
  EXPECT_EQ(m.potential, -10);
  EXPECT_EQ(m.energy, 7);
  EXPECT_EQ(m.virial_ratio, 2 * 17.0 / 10);
  EXPECT_EQ(m.mass, 3);
  EXPECT_TRUE((m.momentum == engine::Vec3d{0, 6, 4}));
  // 2 (1,0,0) x (0,3,0) + (-2,0,0) x (0,0,4) = (0,0,6) + (0,8,0)
  EXPECT_TRUE((m.angular_momentum == engine::Vec3d{0, 8, 6}));
  EXPECT_TRUE((m.center_of_mass == engine::Vec3d{0, 0, 0}));
  EXPECT_EQ(m.lagrangian_radii[0], 1);
  EXPECT_EQ(m.lagrangian_radii[2], 2);
}

TEST(Measurement, LagrangianRadiiHoldTheirShareOfTheMass) {
  // Ten equal bodies at distances 1 to 10 on alternating sides, balanced by an eleventh, massless at the
  // origin.
  State<Host> state(11, Precision::single);
  state.visit([](auto s) {
    for (Index i = 0; i < 10; ++i) {
      s.mass[i] = 1;
      s.y[i] = static_cast<float>(i + 1) * (i % 2 ? 1.0f : -1.0f);
    }
  });
  const Measurement m = measure({1}, state, 0);
  const double center = m.center_of_mass.y;  // (2+4+..+10 - 1-3-..-9) / 10
  EXPECT_NEAR(center, 0.5, 1e-12);
  // Distances from 0.5: 1.5, 1.5, 3.5, 3.5, ...: the fifth body is at 5.5, the first at 1.5, the ninth
  // at 9.5.
  EXPECT_NEAR(m.lagrangian_radii[0], 1.5, 1e-12);
  EXPECT_NEAR(m.lagrangian_radii[1], 5.5, 1e-12);
  EXPECT_NEAR(m.lagrangian_radii[2], 9.5, 1e-12);
}

TEST(Measurement, OfMasslessBodiesIsFinite) {
  State<Host> state = random_state(5, Precision::single);
  state.visit([](auto s) {
    for (Index i = 0; i < s.count; ++i) s.mass[i] = 0;
  });
  const Measurement m = measure({1}, state, 0);
  EXPECT_EQ(m.energy, 0);
  EXPECT_EQ(m.virial_ratio, 0);
  EXPECT_TRUE(std::isfinite(m.center_of_mass.x));
}

TEST(Measurement, IsTheSameForEveryNumberOfThreads) {
  const State<Host> state = random_state(20000, Precision::single);
  const Measurement one = measure({1}, state, -1);
  for (int threads : {2, 5}) {
    const Measurement many = measure({threads}, state, -1);
    EXPECT_EQ(one.kinetic, many.kinetic);
    EXPECT_TRUE(one.angular_momentum == many.angular_momentum);
    EXPECT_EQ(one.lagrangian_radii, many.lagrangian_radii);
  }
}

// In float, a sum of 20,000 kinetic energies would be off by 1e-5; in double it is good to rounding.
TEST(Measurement, SumsInDoubleWhateverTheState) {
  const State<Host> state = random_state(20000, Precision::single);
  long double truth = 0;
  state.visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i)
      truth +=
          0.5L * s.mass[i] * (1.0L * s.vx[i] * s.vx[i] + 1.0L * s.vy[i] * s.vy[i] + 1.0L * s.vz[i] * s.vz[i]);
  });
  EXPECT_NEAR(measure({2}, state, 0).kinetic / static_cast<double>(truth), 1, 1e-14);
}

TEST(RelativeError, IsAbsoluteWhenTheFirstIsZero) {
  EXPECT_EQ(sim::relative_error(-1.5, -2), 0.25);
  EXPECT_EQ(sim::relative_error(-2.5, -2), -0.25);
  EXPECT_EQ(sim::relative_error(0.5, 0), 0.5);
}

TEST(StateHash, SeesEveryBitOfEveryColumnAndTimeAndStep) {
  const Cpu cpu{1};
  State<Host> state = random_state(100, Precision::single);
  const std::uint64_t hash = state_hash(cpu, state, 1.5, 3);
  EXPECT_EQ(hash, state_hash(cpu, state, 1.5, 3));
  EXPECT_NE(hash, state_hash(cpu, state, std::nextafter(1.5, 2), 3));
  EXPECT_NE(hash, state_hash(cpu, state, 1.5, 4));
  state.visit([&](auto s) {
    for (auto* column : {s.mass, s.x, s.y, s.z, s.vx, s.vy, s.vz}) {
      const auto kept = column[57];
      column[57] = std::nextafter(kept, decltype(kept)(10));
      EXPECT_NE(hash, state_hash(cpu, state, 1.5, 3));
      column[57] = kept;
    }
  });
  state.id()[3] = 1000;
  EXPECT_NE(hash, state_hash(cpu, state, 1.5, 3));
}

TEST(StateHash, DependsOnNeitherThreadsNorOrder) {
  State<Host> state = random_state(10000, Precision::full);
  const std::uint64_t hash = state_hash({1}, state, 0, 0);
  EXPECT_EQ(hash, state_hash({3}, state, 0, 0));
  state.visit([&](auto s) {
    for (auto* column : {s.mass, s.x, s.y, s.z, s.vx, s.vy, s.vz}) std::swap(column[11], column[8000]);
  });
  EXPECT_NE(hash, state_hash({1}, state, 0, 0));
  std::swap(state.id()[11], state.id()[8000]);
  EXPECT_EQ(hash, state_hash({1}, state, 0, 0));
}

TEST(Health, NamesTheFirstBodyThatIsNotFinite) {
  State<Host> state = random_state(9000, Precision::single);
  EXPECT_EQ(first_not_finite({2}, state), -1);
  state.visit([](auto s) {
    s.ay[8000] = std::numeric_limits<float>::infinity();
    s.vz[5000] = std::numeric_limits<float>::quiet_NaN();
  });
  EXPECT_EQ(first_not_finite({2}, state), 5000);
}

}  // namespace
}  // namespace mote::test
