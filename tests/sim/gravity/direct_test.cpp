#include "sim/gravity/direct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/motion/motion.h"
#include "tests/support/on_device.h"
#include "tests/support/oracle.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"
#include "tests/support/states.h"

namespace mote::test {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;
using engine::SimdLevel;
using engine::Vec3d;
using sim::DirectGravity;
using sim::State;
using sim::StepReport;

// Under a sanitizer and on an emulated device the largest size takes minutes; 2,049 crosses the
// same blocks and tails.
const Index largest = address_sanitized || thread_sanitized || build_is_emulated() ? 2049 : 16384;
const std::vector<Index> sizes{1, 2, 31, 33, 1000, largest};

Vec3d acceleration(const State<Host>& state, Index i) {
  return state.visit([&](auto s) { return Vec3d{s.ax[i], s.ay[i], s.az[i]}; });
}

struct Errors {
  double p90 = 0, worst = 0;
};

/// Errors of the accelerations against the oracle, relative to the sum of the terms' magnitudes. Of
/// many bodies, every sixteenth is checked.
Errors errors_of(const State<Host>& state, double softening) {
  std::vector<double> errors;
  const Index stride = state.count() > 4096 ? 16 : 1;
  for (Index i = 0; i < state.count(); i += stride) {
    const OracleForce truth = state.visit([&](auto s) { return oracle_force(s, i, softening); });
    const Vec3d d = acceleration(state, i) - truth.acceleration;
    if (truth.magnitude > 0)
      errors.push_back(std::sqrt(dot(d, d)) / truth.magnitude);
    else
      EXPECT_EQ(dot(d, d), 0);
  }
  std::sort(errors.begin(), errors.end());
  if (errors.empty()) return {};
  return {errors[errors.size() * 9 / 10], errors.back()};
}

/// An instruction set of the CPU, or a kernel of the GPU.
struct Summation {
  std::string name;
  std::optional<SimdLevel> simd;
};

class Forces : public testing::TestWithParam<Summation> {
 protected:
  void SetUp() override {
    if (on_gpu()) {
      if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
      if (!in_another_order()) MOTE_SKIP_IF_SANITIZED("EmulatedGpu.* runs it in another order");
      return;
    }
    const auto& levels = engine::supported_simd_levels();
    if (std::find(levels.begin(), levels.end(), *GetParam().simd) == levels.end())
      GTEST_SKIP() << "this processor does not have " << name_of(*GetParam().simd);
  }
  static bool on_gpu() { return !GetParam().simd; }

  static StepReport run(State<Host>& state, const sim::Gravity& parameters,
                        double gravitational = 1, int threads = 2) {
    if (on_gpu()) return device_forces(GetParam().name, parameters, gravitational, state);
    DirectGravity gravity(parameters, gravitational, state.count(), state.precision());
    StepReport report;
    gravity.run({threads, *GetParam().simd}, state, report);
    return report;
  }
  static StepReport run(State<Host>& state, double softening, int threads = 2) {
    return run(state, sim::Gravity{.softening = softening}, 1, threads);
  }
  static double potential(const State<Host>& state, double softening, double gravitational = 1,
                          int threads = 2) {
    const sim::Gravity parameters{.softening = softening};
    if (on_gpu()) return device_potential(parameters, gravitational, state);
    return DirectGravity(parameters, gravitational, state.count(), state.precision())
        .potential_energy({threads, *GetParam().simd}, state);
  }
};

INSTANTIATE_TEST_SUITE_P(
    By, Forces,
    testing::Values(Summation{"scalar", SimdLevel::scalar}, Summation{"sse42", SimdLevel::sse4_2},
                    Summation{"avx2", SimdLevel::avx2}, Summation{"avx512", SimdLevel::avx512},
                    Summation{"tiled", {}}, Summation{"split", {}}, Summation{"symmetric", {}},
                    Summation{"symmetric_in_rounds", {}}, Summation{"wide", {}},
                    Summation{"gather", {}}),
    [](const auto& by) { return (by.param.simd ? "cpu_" : "gpu_") + by.param.name; });

// Sums of several ranks are those of one, wherever blocks of bodies are cut.
TEST_P(Forces, OfSeveralRanksHaveTheBitsOfOne) {
  if (!on_gpu()) GTEST_SKIP() << "RanksOf.* compares whole runs on the CPU";
  const sim::Gravity gravity{.softening = 0.02};
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    const Index count = gpu_is_emulated() ? 700 : 20'000;
    State<Host> one = random_state(count, precision);
    device_clear(one);
    run(one, gravity);
    for (const int ranks : {2, 3})
      for (const bool messages : {false, true}) {
        State<Host> several = random_state(count, precision);
        device_forces_of_ranks(GetParam().name, gravity, ranks, messages, several);
        one.visit([&](auto a) {
          several.visit([&](auto b) {
            Index other = 0;
            for (Index i = 0; i < a.count; ++i)
              if (a.ax[i] != b.ax[i] || a.ay[i] != b.ay[i] || a.az[i] != b.az[i]) ++other;
            EXPECT_EQ(other, 0) << ranks << " ranks" << (messages ? ", messages" : "");
          });
        });
      }
  }
}

// One term of a float sum is off by at most 9 roundings (differences, fused squares, weight,
// product; each u = 2^-24 times the power it enters with) and by the approximate root: together
// below 16 u. The running sum of the n terms of a block, at most 1,024, adds roundings of random
// sign, each up to u/2 of the running sum: u sqrt(n) / 3 if all terms have one direction. Relative
// to the sum of the terms' magnitudes this is 16 u for few bodies, where one term dominates, and
// 11 u for many; 20 u = 1.2e-6 bounds the 90th percentile. The worst of thousands may reach four
// deviations: 48 u. Mixed precision has the same terms and sums, with better separations.
TEST_P(Forces, SingleAndMixedAgreeWithTheOracle) {
  constexpr double u = 5.96e-8;
  for (Precision precision : {Precision::single, Precision::mixed})
    for (double softening : {0.0, 1e-9, 0.02})
      for (Index n : sizes) {
        State<Host> state = random_state(n, precision);
        run(state, softening);
        const Errors e = errors_of(state, softening);
        EXPECT_LT(e.p90, 20 * u) << "N = " << n << ", softening " << softening;
        EXPECT_LT(e.worst, 48 * u) << "N = " << n << ", softening " << softening;
      }
}

// Double: the same counts with u = 2^-53, and blocks of 512.
TEST_P(Forces, DoubleAgreesWithTheOracle) {
  constexpr double u = 1.11e-16;
  for (double softening : {0.0, 0.02})
    for (Index n : sizes) {
      State<Host> state = random_state(n, Precision::double_);
      run(state, softening);
      // The oracle itself sums n terms in order: sqrt(n) u more.
      const double bound = (48 + std::sqrt(static_cast<double>(n))) * u;
      const Errors e = errors_of(state, softening);
      EXPECT_LT(e.p90, bound) << "N = " << n << ", softening " << softening;
      EXPECT_LT(e.worst, 3 * bound) << "N = " << n << ", softening " << softening;
    }
}

// Kernels may omit equal masses from the pair terms; the bounds do not change. 300 and 2,100 bodies
// need padding in the last block of every kernel.
TEST_P(Forces, OfEqualMassesAgreeWithTheOracle) {
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_})
    for (double softening : {0.0, 0.02})
      for (Index n : {1, 2, 33, 300, 2100}) {
        State<Host> state = random_state(n, precision);
        state.visit([](auto s) { std::fill(s.mass, s.mass + s.count, s.mass[0]); });
        run(state, softening);
        const Errors e = errors_of(state, softening);
        const bool in_double = precision == Precision::double_;
        const double p90 =
            in_double ? (48 + std::sqrt(static_cast<double>(n))) * 0x1p-53 : 20 * 0x1p-24;
        EXPECT_LT(e.p90, p90) << "N = " << n << ", softening " << softening;
        EXPECT_LT(e.worst, in_double ? 3 * p90 : 48 * 0x1p-24)
            << "N = " << n << ", softening " << softening;
      }
}

// Mixed: pair terms as in single, but separations from positions of two floats (48 bits). Close
// pairs far from the origin show the difference: at 1,000 a float position is off by 3e-5, a third
// of their separation.
TEST_P(Forces, MixedSeesNearPairsFarFromTheOrigin) {
  constexpr double u = 5.96e-8;
  for (Precision precision : {Precision::mixed, Precision::double_}) {
    State<Host> state = random_state(64, precision);
    state.visit([](auto s) {
      for (Index i = 0; i < s.count; ++i) {
        s.x[i] = 1000 + 1e-4 * s.x[i];
        s.y[i] *= 1e-4;
        s.z[i] *= 1e-4;
      }
    });
    run(state, 0);
    // A position of 1,000 in 48 bits is off by 1000 2^-49 = 2e-12: 2e-8, less than u, of a
    // separation of 1e-4. The worst pair may be ten times closer, and its error enters three times.
    EXPECT_LT(errors_of(state, 0).worst, 144 * u);
  }
}

// With bodies about 1 apart, positions of two floats resolve separations whose inverse cube
// overflows a float: at a separation of 1e-13 every kernel must return the force, not infinity.
TEST_P(Forces, OfPairsAsNearAsMixedPrecisionResolvesAreFinite) {
  for (Precision precision : {Precision::mixed, Precision::double_}) {
    State<Host> state = random_state(64, precision);
    const double x = std::exp2(-10), apart = 1e-13;
    state.visit([&](auto s) {
      s.x[0] = s.y[0] = s.z[0] = x;
      s.x[1] = x + apart;
      s.y[1] = s.z[1] = x;
    });
    run(state, 0);
    // The low part of x is off by at most 2^-59, for both bodies twice that, which enters three
    // times.
    EXPECT_LT(errors_of(state, 0).worst, 3 * 2 * std::exp2(-59) / apart);
  }
}

TEST_P(Forces, BodiesAtTheSamePlaceDoNotAttractEachOther) {
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_})
    for (double softening : {0.0, 1e-30, 0.1}) {
      State<Host> state = random_state(40, precision);
      state.visit([](auto s) {
        for (Index i = 0; i < s.count; ++i) s.x[i] = s.y[i] = s.z[i] = 0.25;
        s.x[39] = 1.25;
      });
      run(state, softening);
      const double weight = std::pow(1 + softening * softening, -1.5);
      const double far = state.visit([](auto s) { return double(s.mass[39]); });
      for (Index i = 0; i < 39; ++i) {
        const Vec3d a = acceleration(state, i);
        EXPECT_NEAR(a.x, far * weight, 1e-6 * far);
        EXPECT_EQ(a.y, 0);
        EXPECT_EQ(a.z, 0);
      }
    }
}

TEST_P(Forces, MasslessBodiesFeelAndDoNotPull) {
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    State<Host> alone = random_state(70, precision);
    State<Host> more = random_state(100, precision);
    more.visit([](auto s) {
      for (Index i = 70; i < s.count; ++i) s.mass[i] = 0;
    });
    alone.visit([&]<class Real>(sim::StateView<Real> a) {
      more.visit([&](auto m) {
        for (Index i = 0; i < a.count; ++i) a.mass[i] = static_cast<Real>(m.mass[i]);
      });
    });
    run(alone, 0);
    const StepReport report = run(more, 0);
    EXPECT_EQ(report.interactions, 100u * 70u);
    for (Index i = 0; i < 70; ++i) EXPECT_TRUE(acceleration(alone, i) == acceleration(more, i));
    for (Index i = 70; i < 100; ++i)
      EXPECT_GT(dot(acceleration(more, i), acceleration(more, i)), 0);
  }
}

TEST_P(Forces, AreTheSameBitsForEveryNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    State<Host> one = random_state(3001, precision);
    run(one, 0.01, 1);
    for (int threads : {2, 3, 7, 2}) {
      State<Host> many = random_state(3001, precision);
      run(many, 0.01, threads);
      for (Index i = 0; i < one.count(); ++i)
        ASSERT_TRUE(acceleration(one, i) == acceleration(many, i)) << i;
    }
  }
}

// Launches are cut short so that a display does not wait; where they are cut changes no sum.
TEST_P(Forces, AreTheSameBitsInLaunchesOfAnyLength) {
  if (!on_gpu()) GTEST_SKIP() << "the CPU launches nothing";
  const sim::Gravity gravity{.softening = 0.01};
  for (const Precision precision : {Precision::single, Precision::double_}) {
    // Launches cut splits at multiples of 1,024 sources; with this many bodies a split has 2,048.
    const Index n = GetParam().name == "split" && precision == Precision::double_ ? 24'576 : 2049;
    State<Host> uncut = random_state(n, precision), parts = random_state(n, precision);
    device_forces(GetParam().name, gravity, 1, uncut);
    device_forces_in_short_launches(GetParam().name, gravity, 1, parts);
    for (Index i = 0; i < uncut.count(); ++i)
      ASSERT_TRUE(acceleration(uncut, i) == acceleration(parts, i)) << i;
    EXPECT_EQ(device_potential(gravity, 1, uncut),
              device_potential_in_short_launches(gravity, 1, uncut));
  }
}

TEST_P(Forces, PotentialCountsEachPairOnce) {
  for (double softening : {0.0, 0.05})
    for (Index n : {1, 2, 31, 33, 257, 1000}) {
      for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
        const State<Host> state = random_state(n, precision);
        const double truth = state.visit([&](auto s) { return oracle_potential(s, softening); });
        // All terms have one sign. A term is off by at most 16 u, the sum over j of n terms by
        // sqrt(n) u = 32 u. Both err independently: 48 u = 5e-15 would need all errors aligned.
        EXPECT_NEAR(potential(state, softening), truth, 1e-14 * std::fabs(truth)) << "N = " << n;
        EXPECT_EQ(potential(state, softening, 1, 1), potential(state, softening, 1, 5));
      }
    }
}

// Closed form, independent of formula and oracle: m d / (d^2 + e^2)^(3/2) towards the other body.
TEST_P(Forces, OfTwoBodiesFollowTheClosedForm) {
  State<Host> state(2, Precision::double_);
  state.visit([](auto s) {
    s.mass[0] = 3;
    s.mass[1] = 5;
    s.x[1] = 3;
    s.y[1] = 4;
  });
  run(state, sim::Gravity{.softening = 12}, 2.0);
  // d = 5, e = 12, so r = 13: exact in integers.
  const Vec3d on_first = acceleration(state, 0), on_second = acceleration(state, 1);
  EXPECT_NEAR(on_first.x, 2.0 * 5 * 3 / 2197, 1e-17);
  EXPECT_NEAR(on_first.y, 2.0 * 5 * 4 / 2197, 1e-17);
  EXPECT_NEAR(on_second.x, -2.0 * 3 * 3 / 2197, 1e-17);
  EXPECT_EQ(on_first.z, 0);
  EXPECT_NEAR(potential(state, 12, 2.0), -2.0 * 15 / 13, 1e-15);
}

TEST_P(Forces, ActAndReactWithinRounding) {
  State<Host> state = random_state(2000, Precision::double_);
  run(state, 0.01);
  Vec3d total{0, 0, 0};
  double scale = 0;
  state.visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i) {
      const Vec3d f = double(s.mass[i]) * Vec3d{s.ax[i], s.ay[i], s.az[i]};
      total += f;
      scale += std::sqrt(dot(f, f));
    }
  });
  // Errors of 48 u per body, random in sign: far below 48 u of the sum of magnitudes.
  EXPECT_LT(std::sqrt(dot(total, total)), 48 * 1.11e-16 * scale);
}

// The force stage clears, modules add: two evaluations give exactly twice the acceleration.
TEST_P(Forces, AddToThoseThatAreThere) {
  State<Host> once = random_state(200, Precision::double_),
              twice = random_state(200, Precision::double_);
  run(once, 0.1);
  run(twice, 0.1);
  run(twice, 0.1);
  for (Index i = 0; i < once.count(); ++i) {
    const Vec3d a = acceleration(once, i);
    EXPECT_TRUE((acceleration(twice, i) == Vec3d{2 * a.x, 2 * a.y, 2 * a.z}));
  }
  on_gpu() ? device_clear(twice) : sim::clear_accelerations({1}, twice);
  EXPECT_TRUE((acceleration(twice, 7) == Vec3d{0, 0, 0}));
}

// Kilograms, kiloparsecs and years: G is 2e-54, outside the range of float, and stars have masses
// of 1e30. The accelerations do fit, and equal those with G = 1 and masses of one up to the unit;
// either may be rounded a few times more.
TEST_P(Forces, OfATinyConstantAreNotLost) {
  constexpr double u = 5.96e-8, constant = 2e-54;
  State<Host> state = random_state(300, Precision::single),
              ones = random_state(300, Precision::single);
  const double unit = 0x1p100;
  state.visit([&](auto s) {
    for (Index i = 0; i < s.count; ++i)
      s.mass[i] *= static_cast<std::decay_t<decltype(s.mass[0])>>(unit);
  });
  run(state, sim::Gravity{.softening = 0.02}, constant);
  run(ones, sim::Gravity{.softening = 0.02}, 1);
  for (Index i = 0; i < state.count(); ++i) {
    const Vec3d a = acceleration(state, i), b = (constant * unit) * acceleration(ones, i);
    EXPECT_GT(dot(a, a), 0);
    EXPECT_LT(std::sqrt(dot(a - b, a - b)), 48 * u * std::sqrt(dot(b, b))) << "body " << i;
  }
}

// Stars in kilograms and metres: masses of 2e30 at distances of 1e9 to 1e13. Neither cubes of the
// distances nor masses over cubes of scaled distances fit a float; the forces do. One close pair
// dominates a sum, so that each of 600 additions may round by u of it.
TEST_P(Forces, OfStarsInSiUnitsAreFinite) {
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    State<Host> state = random_state(600, precision);
    state.visit([]<class Real>(sim::StateView<Real> s) {
      for (Index i = 0; i < s.count; ++i) {
        s.x[i] *= Real(1e13), s.y[i] *= Real(1e13), s.z[i] *= Real(1e13);
        s.mass[i] = Real(2e30);
      }
      s.x[1] = s.x[0] + Real(2e9), s.y[1] = s.y[0], s.z[1] = s.z[0];
    });
    run(state, sim::Gravity{.softening = 1e7}, 6.674e-11);
    for (Index i = 0; i < state.count(); i += 7) {
      const OracleForce truth = state.visit([&](auto s) { return oracle_force(s, i, 1e7); });
      const Vec3d d = (1 / 6.674e-11) * acceleration(state, i) - truth.acceleration;
      EXPECT_LT(std::sqrt(dot(d, d)), 648 * 5.96e-8 * truth.magnitude)
          << i << " " << name_of(precision);
    }
  }
}

// A body almost at the origin, without softening: padding after the last body must not be near it.
TEST_P(Forces, NearTheOriginAreFinite) {
  for (Precision precision : {Precision::single, Precision::mixed, Precision::double_}) {
    State<Host> state = random_state(45, precision);
    state.visit(
        []<class Real>(sim::StateView<Real> s) { s.x[17] = Real(1e-21), s.y[17] = s.z[17] = 0; });
    run(state, 0);
    const double u = precision == Precision::double_ ? 1.11e-16 : 5.96e-8;
    const OracleForce truth = state.visit([&](auto s) { return oracle_force(s, 17, 0); });
    const Vec3d d = acceleration(state, 17) - truth.acceleration;
    EXPECT_LT(std::sqrt(dot(d, d)), 48 * u * truth.magnitude) << name_of(precision);
  }
}

TEST_P(Forces, OfNoBodiesAreNone) {
  State<Host> state(0, Precision::single);
  EXPECT_EQ(run(state, 0).interactions, 0u);
  EXPECT_EQ(potential(state, 0), 0);
}

TEST_P(Forces, OfMasslessBodiesAreNone) {
  State<Host> state = random_state(40, Precision::single);
  state.visit([](auto s) { std::fill(s.mass, s.mass + s.count, 0.0f); });
  EXPECT_EQ(run(state, 0).interactions, 0u);
  EXPECT_TRUE((acceleration(state, 3) == Vec3d{0, 0, 0}));
  EXPECT_EQ(potential(state, 0), 0);
}

}  // namespace
}  // namespace mote::test
