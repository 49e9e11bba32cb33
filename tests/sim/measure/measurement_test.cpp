#include "sim/measure/measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/measure/shells.h"
#include "sim/space/ball_fields.h"
#include "sim/space/list_fields.h"
#include "tests/support/backend.h"
#include "tests/support/sanitized.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;
using sim::Measurement;
using sim::State;

class Measurements : public OnEveryBackend {
 protected:
  void SetUp() override {
    OnEveryBackend::SetUp();
    if (on_gpu() && !in_another_order())
      MOTE_SKIP_IF_SANITIZED("EmulatedGpu.* runs it in another order");
  }
  static Measurement measured(const State<Host>& state, double potential, int threads = 1) {
    return on_gpu() ? device_measure(state, potential)
                    : sim::measure(Cpu{threads}, state, potential);
  }
  static std::uint64_t hash_of(const State<Host>& state, double time, std::uint64_t step,
                               int threads = 1) {
    return on_gpu() ? device_hash(state, time, step)
                    : sim::state_hash(Cpu{threads}, state, time, step);
  }
  static std::int64_t not_finite(const State<Host>& state) {
    return on_gpu() ? device_first_not_finite(state) : sim::first_not_finite(Cpu{2}, state);
  }
};
MOTE_ON_EVERY_BACKEND(Measurements);

State<Host> moving_pair() {
  State<Host> state(2, Precision::double_);
  state.visit([&](auto s) {
    s.mass[0] = 2, s.x[0] = 1, s.vy[0] = 3;
    s.mass[1] = 1, s.x[1] = -2, s.vz[1] = 4;
    state.id()[1] = 1;
  });
  return state;
}

TEST_P(Measurements, OfTwoBodiesIsThatByHand) {
  const Measurement m = measured(moving_pair(), -10);
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

TEST_P(Measurements, FindTheBoundingBoxAndTheLargestSpeed) {
  State<Host> state = random_state(5000, Precision::single);
  state.visit([](auto s) {
    s.x[4321] = -7, s.y[17] = 9, s.z[4999] = -2.5f;
    s.vx[4100] = 3, s.vy[4100] = 0, s.vz[4100] = 4;
  });
  const Measurement m = measured(state, 0);
  EXPECT_EQ(m.low.x, -7);
  EXPECT_EQ(m.high.y, 9);
  EXPECT_EQ(m.low.z, -2.5);
  EXPECT_LT(m.high.x, 1);
  EXPECT_GT(m.high.x, 0.99);
  EXPECT_EQ(m.fastest, 5);
}

TEST_P(Measurements, OfNoBodiesAreZero) {
  const Measurement m = measured(State<Host>(0, Precision::double_), 0);
  EXPECT_EQ(m.energy, 0);
  EXPECT_EQ(m.low.x, 0);
  EXPECT_EQ(m.fastest, 0);
  EXPECT_EQ(not_finite(State<Host>(0, Precision::double_)), -1);
}

// Up to the round-off of sums in another order: sqrt(5,000) u of the sum of magnitudes.
TEST_P(Measurements, AgreeWithThoseOfTheCpu) {
  for (Precision precision : {Precision::single, Precision::double_}) {
    const State<Host> state = random_state(5000, precision);
    const Measurement m = measured(state, -3), cpu = sim::measure(Cpu{1}, state, -3);
    EXPECT_NEAR(m.kinetic, cpu.kinetic, 1e-14);
    EXPECT_NEAR(m.momentum.y, cpu.momentum.y, 1e-14);
    EXPECT_NEAR(m.angular_momentum.z, cpu.angular_momentum.z, 1e-14);
    EXPECT_NEAR(m.center_of_mass.x, cpu.center_of_mass.x, 1e-14);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(m.lagrangian_radii[k], cpu.lagrangian_radii[k], 1e-14);
    EXPECT_EQ(hash_of(state, 2, 3), sim::state_hash(Cpu{1}, state, 2, 3));
  }
}

TEST_P(Measurements, HashesAreOfTheFieldsThatAlgorithmsDoNotOwn) {
  namespace fields = sim::fields;
  for (Precision precision : {Precision::single, Precision::double_}) {
    State<Host> state(
        3, precision,
        sim::StateLayout{}.add(fields::image).add(fields::list_origin).add(fields::spin_rate));
    const auto hash = [&] {
      const std::uint64_t own = hash_of(state, 2, 3);
      EXPECT_EQ(own, sim::state_hash(Cpu{1}, state, 2, 3));
      return own;
    };
    const auto set = [&](const sim::FieldInfo& field) {
      state.visit([&](auto s) { s[field][1] = 4; });
    };
    const std::uint64_t before = hash();
    for (const sim::FieldInfo& field : fields::list_origin) set(field);
    EXPECT_EQ(hash(), before) << "what only an algorithm needs";
    set(fields::image[2]);
    const std::uint64_t physical = hash();
    EXPECT_NE(physical, before);
    set(fields::spin_rate[0]);
    EXPECT_NE(hash(), physical) << "what is carried";
  }
}

TEST_P(Measurements, LagrangianRadiiContainTheirFractionOfTheMass) {
  // Ten equal bodies at distances 1 to 10 on alternating sides, and a massless one at the origin.
  State<Host> state(11, Precision::single);
  state.visit([](auto s) {
    for (Index i = 0; i < 10; ++i) {
      s.mass[i] = 1;
      s.y[i] = static_cast<float>(i + 1) * (i % 2 ? 1.0f : -1.0f);
    }
  });
  const Measurement m = measured(state, 0);
  const double center = m.center_of_mass.y;  // (2+4+..+10 - 1-3-..-9) / 10
  EXPECT_NEAR(center, 0.5, 1e-12);
  // Distances from 0.5: 1.5, 1.5, 3.5, 3.5, ...: the fifth body is at 5.5, the first at 1.5, the
  // ninth at 9.5.
  EXPECT_NEAR(m.lagrangian_radii[0], 1.5, 1e-12);
  EXPECT_NEAR(m.lagrangian_radii[1], 5.5, 1e-12);
  EXPECT_NEAR(m.lagrangian_radii[2], 9.5, 1e-12);
}

// Few bodies are sorted by the CPU, many are counted in histograms.
constexpr Index few_bodies = 1000, many_bodies = 20000;

// Bodies at y = i^2, whose centre of mass is c = (n - 1)(2n - 1) / 6. For few and for many, 2c is
// 3 modulo 4 and no sum of two squares, so no two bodies are at the same distance from c. The
// distances differ by 1 at least; the tolerance is for the rounding of c, sqrt(n) u c.
TEST_P(Measurements, LagrangianRadiiOfEqualBodiesAreThoseOfExactlyTheirShareOfThem) {
  for (const Index n : {few_bodies, many_bodies})
    for (const double mass : {0.1, 1.0, 1e-300}) {
      State<Host> state(n, Precision::double_);
      std::vector<double> distances;
      state.visit([&](auto s) {
        for (Index i = 0; i < n; ++i) {
          const auto count = static_cast<double>(n), y = static_cast<double>(i * i);
          using Real = std::remove_reference_t<decltype(s.y[i])>;
          s.mass[i] = static_cast<Real>(mass);
          s.y[i] = static_cast<Real>(y);
          distances.push_back(std::fabs(y - (count - 1) * (2 * count - 1) / 6));
        }
      });
      std::sort(distances.begin(), distances.end());
      const Measurement m = measured(state, 0);
      EXPECT_NEAR(m.lagrangian_radii[0], distances[static_cast<std::size_t>(n / 10 - 1)], 1e-3);
      EXPECT_NEAR(m.lagrangian_radii[1], distances[static_cast<std::size_t>(n / 2 - 1)], 1e-3);
      EXPECT_NEAR(m.lagrangian_radii[2], distances[static_cast<std::size_t>(n / 10 * 9 - 1)], 1e-3);
    }
}

// Bodies of 20, 60 and 20 % of the mass at distances 0.5, 1 and 2.5 from their centre of mass.
// Others, massless, are at the centre, between them and outside.
TEST_P(Measurements, LagrangianRadiiAreThoseOfBodiesWithMass) {
  for (const Index n : {few_bodies, many_bodies}) {
    State<Host> state(n, Precision::single);
    state.visit([&](auto s) {
      s.mass[n - 1] = 6, s.x[n - 1] = 1;
      s.mass[0] = 2, s.x[0] = -0.5f;
      s.mass[7] = 2, s.x[7] = -2.5f;
      for (Index i = 10; i < n - 1; ++i) s.z[i] = static_cast<float>(i % 5) * 0.75f;
    });
    const std::array<double, 3> radii{0.5, 1, 2.5};
    EXPECT_EQ(measured(state, 0).lagrangian_radii, radii) << n;
  }
}

// Bodies on a sphere have all digits of the search in common.
TEST_P(Measurements, LagrangianRadiiOfAShellAreItsRadius) {
  for (const Index n : {few_bodies, many_bodies}) {
    State<Host> state(n, Precision::double_);
    state.visit([&](auto s) {
      for (Index i = 0; i < n; ++i) s.mass[i] = 1, s.x[i] = i % 2 ? 3 : -3;
    });
    const std::array<double, 3> radii{3, 3, 3};
    EXPECT_EQ(measured(state, 0).lagrangian_radii, radii) << n;
  }
}

// The same bodies as by sorting, whatever the number of threads. A tenth is massless, and one body
// has a third of the mass.
TEST_P(Measurements, LagrangianRadiiAreThoseOfSortedBodies) {
  constexpr Index n = 100000;
  for (const Precision precision : {Precision::single, Precision::double_}) {
    State<Host> state = random_state(n, precision);
    state.visit([&](auto s) {
      for (Index i = 0; i < n; i += 10) s.mass[i] = 0;
      s.mass[n / 3] = 0.5f;
    });
    const Measurement one = measured(state, 0);
    std::vector<std::pair<double, double>> shells;
    long double total = 0, inside = 0;
    state.visit([&](auto s) {
      for (Index i = 0; i < n; ++i) {
        const engine::Vec3d d = engine::Vec3d{s.x[i], s.y[i], s.z[i]} - one.center_of_mass;
        shells.emplace_back(std::sqrt(dot(d, d)), s.mass[i]);
        total += s.mass[i];
      }
    });
    std::sort(shells.begin(), shells.end());
    std::vector<double> radii;
    for (const auto& [radius, mass] : shells) {
      inside += mass;
      while (radii.size() < 3 && inside >= total * sim::lagrangian_fractions[radii.size()])
        radii.push_back(radius);
    }
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(one.lagrangian_radii[k], radii[k]) << k;
    for (const int threads : {2, 5})
      EXPECT_EQ(measured(state, 0, threads).lagrangian_radii, one.lagrangian_radii);
  }
}

// 800 million bodies of mass 1 are a tenth of the mass of 1,000 million, of which the others
// have 36. Their weights are rounded down and those of the others up, so that together they fall
// short of the tenth by 2e8 units, a third of a body; one of them less must not reach it.
TEST(LagrangianRadii, DependOnNoRoundingOfWeights) {
  State<Host> two(2, Precision::single);
  two.visit([](auto s) { s.mass[0] = 1, s.mass[1] = 36; });
  std::as_const(two).visit([]<class Real>(sim::StateView<Real> s) {
    constexpr Index light = 800'000'000, heavy = 200'000'000;
    const sim::ShellBodies<Real> bodies{s, {}, light + 36.0 * heavy};
    const sim::ShellWeight inside = light * bodies.weight(0);
    const sim::ShellWeight total = inside + heavy * bodies.weight(1);
    const sim::ShellWeight limit = sim::shell_limit(0.1, total, light + heavy);
    EXPECT_LT(10 * inside, total);
    EXPECT_GE(inside, limit);
    EXPECT_LT(inside - bodies.weight(0), limit);
  });
}

TEST_P(Measurements, LagrangianRadiiAreZeroWhereADistanceIsNotFinite) {
  // The square of 1e200 overflows, although the centre of mass is finite.
  for (const double far :
       {1e200, std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
    for (const Index n : {few_bodies, many_bodies}) {
      State<Host> state = random_state(n, Precision::double_);
      state.visit([&](auto s) { s.z[n - 2] = static_cast<decltype(+s.z[0])>(far); });
      const std::array<double, 3> zeros{};
      EXPECT_EQ(measured(state, 0).lagrangian_radii, zeros) << far << ", " << n;
    }
}

TEST_P(Measurements, OfMasslessBodiesIsFinite) {
  State<Host> state = random_state(5, Precision::single);
  state.visit([](auto s) {
    for (Index i = 0; i < s.count; ++i) s.mass[i] = 0;
  });
  const Measurement m = measured(state, 0);
  EXPECT_EQ(m.energy, 0);
  EXPECT_EQ(m.virial_ratio, 0);
  EXPECT_TRUE(std::isfinite(m.center_of_mass.x));
}

TEST_P(Measurements, IsTheSameForEveryNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  const State<Host> state = random_state(20000, Precision::single);
  const Measurement one = measured(state, -1);
  for (int threads : {2, 5}) {
    const Measurement many = measured(state, -1, threads);
    EXPECT_EQ(one.kinetic, many.kinetic);
    EXPECT_TRUE(one.angular_momentum == many.angular_momentum);
    EXPECT_EQ(one.lagrangian_radii, many.lagrangian_radii);
  }
}

// In float, a sum of 20,000 kinetic energies would be off by 1e-5; in double it is exact to
// round-off.
TEST_P(Measurements, SumsInDoubleWhateverTheState) {
  const State<Host> state = random_state(20000, Precision::single);
  long double truth = 0;
  state.visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i)
      truth += 0.5L * s.mass[i] *
               (1.0L * s.vx[i] * s.vx[i] + 1.0L * s.vy[i] * s.vy[i] + 1.0L * s.vz[i] * s.vz[i]);
  });
  EXPECT_NEAR(measured(state, 0, 2).kinetic / static_cast<double>(truth), 1, 1e-14);
}

TEST(RelativeError, IsAbsoluteWhenTheFirstIsZero) {
  EXPECT_EQ(sim::relative_error(-1.5, -2), 0.25);
  EXPECT_EQ(sim::relative_error(-2.5, -2), -0.25);
  EXPECT_EQ(sim::relative_error(0.5, 0), 0.5);
}

TEST_P(Measurements, HashDependsOnEveryBitOfEveryColumnAndTimeAndStep) {
  State<Host> state = random_state(100, Precision::single);
  const std::uint64_t hash = hash_of(state, 1.5, 3);
  EXPECT_EQ(hash, hash_of(state, 1.5, 3));
  EXPECT_NE(hash, hash_of(state, std::nextafter(1.5, 2), 3));
  EXPECT_NE(hash, hash_of(state, 1.5, 4));
  state.visit([&](auto s) {
    for (auto* column : {s.mass, s.x, s.y, s.z, s.vx, s.vy, s.vz}) {
      const auto original = column[57];
      column[57] = std::nextafter(original, decltype(original)(10));
      EXPECT_NE(hash, hash_of(state, 1.5, 3));
      column[57] = original;
    }
  });
  state.id()[3] = 1000;
  EXPECT_NE(hash, hash_of(state, 1.5, 3));
}

TEST_P(Measurements, HashDependsOnNeitherThreadsNorOrder) {
  State<Host> state = random_state(10000, Precision::double_);
  const std::uint64_t hash = hash_of(state, 0, 0);
  EXPECT_EQ(hash, hash_of(state, 0, 0, 3));
  state.visit([&](auto s) {
    for (auto* column : {s.mass, s.x, s.y, s.z, s.vx, s.vy, s.vz})
      std::swap(column[11], column[8000]);
  });
  EXPECT_NE(hash, hash_of(state, 0, 0));
  std::swap(state.id()[11], state.id()[8000]);
  EXPECT_EQ(hash, hash_of(state, 0, 0));
}

TEST_P(Measurements, HealthNamesTheFirstBodyThatIsNotFinite) {
  State<Host> state = random_state(9000, Precision::single);
  EXPECT_EQ(not_finite(state), -1);
  state.visit([](auto s) {
    s.ay[8000] = std::numeric_limits<float>::infinity();
    s.vz[5000] = std::numeric_limits<float>::quiet_NaN();
  });
  EXPECT_EQ(not_finite(state), 5000);
}

}  // namespace
}  // namespace mote::test
