#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/exec/simd.h"
#include "tests/engine/math/number_set.h"

namespace mote::engine {
namespace {

/// Documented relative error of the processor's approximate inverse root: rsqrtps, and rsqrt14.
constexpr double older_approximation = 1.5 / 4096, avx512_approximation = 1.0 / 16384;

/// Bounds of relative errors, derived in number_simd.h: the remainder of the approximation's error
/// d, and the roundings that affect the result, of relative size u at most.
struct Bounds {
  double root, cube;
};

Bounds single_bounds(SimdLevel level) {
  const double u = std::numeric_limits<float>::epsilon() / 2;
  const bool avx512 = level == SimdLevel::avx512;
  const double d = avx512 ? avx512_approximation : older_approximation;
  return {1.01 * 1.5 * d * d + 2 * u, 1.01 * 7.5 * d * d + 7 * u};
}

Bounds double_bounds(SimdLevel level) {
  const double u = std::numeric_limits<double>::epsilon() / 2;
  const double e = 2.001 * avx512_approximation;  // 1 - r2 y^2 of the approximation y
  const double root =
      level == SimdLevel::avx512 ? 35.0 / 128 * e * e * e * e + 1.51 * u : 2.001 * u;
  return {root, 3 * root + 3.001 * u};
}

class NumberSimd : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    const auto& supported = supported_simd_levels();
    if (std::find(supported.begin(), supported.end(), GetParam()) == supported.end())
      GTEST_SKIP() << "this processor has no " << name_of(GetParam());
  }

  static const NumberSet& set() {
    switch (GetParam()) {
      case SimdLevel::sse4_2:
        return number_set_sse4_2;
      case SimdLevel::avx2:
        return number_set_avx2;
      default:
        return number_set_avx512;
    }
  }
};

/// Dense numbers in [1, 4), which cover mantissa and parity of the exponent, all that an
/// approximate root depends on; and some times powers of four over nearly the full range of the
/// type.
template <class Real>
std::vector<Real> squares() {
  constexpr int dense = 3 << 17;
  std::vector<Real> r2;
  for (int i = 0; i < dense; ++i) r2.push_back(1 + 3 * (static_cast<Real>(i) / dense));
  for (int exponent = std::numeric_limits<Real>::min_exponent + 2;
       exponent < std::numeric_limits<Real>::max_exponent - 3; exponent += 2)
    for (int i = 0; i < 1024; ++i)
      r2.push_back(std::ldexp(r2[static_cast<std::size_t>(i) * 379 + 1], exponent));
  r2.resize(r2.size() / 16 * 16);
  return r2;
}

template <class Real>
void check_roots(const NumberLoops<Real>& loops, Bounds bounds) {
  const std::vector<Real> r2 = squares<Real>();
  const std::size_t n = r2.size();
  std::vector<Real> root(n), cube(n);
  loops.rsqrt(r2.data(), root.data(), n);
  // The weight is as small or large as r2.
  loops.weighted_inverse_cube(r2.data(), r2.data(), cube.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    const long double exact = 1 / std::sqrt(static_cast<long double>(r2[i]));
    ASSERT_LE(std::abs(root[i] / exact - 1), bounds.root) << "r2 = " << r2[i];
    ASSERT_LE(std::abs(cube[i] / exact - 1), bounds.cube) << "r2 = " << r2[i];
  }
}

template <class Real>
void check_masking(const NumberLoops<Real>& loops) {
  using Limits = std::numeric_limits<Real>;
  const Real infinity = Limits::infinity(), nan = Limits::quiet_NaN();
  for (Real value : {Real(3), infinity, -infinity, nan}) {
    for (Real test : {Real(0), -Real(0), Real(-1), -Limits::min(), -infinity, nan, Real(1),
                      Limits::min(), infinity}) {
      // The mask must act on each lane separately.
      std::vector<Real> tests(loops.width, Real(1)), values(loops.width, Real(7)), out(loops.width);
      tests[1] = test;
      values[1] = value;
      loops.select_positive(tests.data(), values.data(), out.data(), loops.width);
      EXPECT_EQ(out[0], Real(7));
      const Real expected = test > 0 ? value : Real(0);
      EXPECT_TRUE(out[1] == expected || (std::isnan(out[1]) && std::isnan(expected)))
          << "test " << test << ", value " << value << ": " << out[1];
    }
  }
}

template <class Real>
void check_multiply_add(const NumberLoops<Real>& loops, bool fuses) {
  const int half = std::numeric_limits<Real>::digits / 2 + 1;
  const Real tiny = std::ldexp(Real(1), -half);
  std::vector<Real> a(loops.width, 1 + tiny), c(loops.width, -1 - 2 * tiny), out(loops.width);
  loops.multiply_add(a.data(), a.data(), c.data(), out.data(), loops.width);
  for (Real sum : out) EXPECT_EQ(sum, fuses ? tiny * tiny : Real(0));
  std::vector<Real> two(loops.width, 2), three(loops.width, 3), four(loops.width, 4);
  loops.multiply_add(two.data(), three.data(), four.data(), out.data(), loops.width);
  for (Real sum : out) EXPECT_EQ(sum, Real(10));
}

TEST_P(NumberSimd, RootsInSingleStayWithinNewtonsErrorAndRounding) {
  check_roots(set().single, single_bounds(GetParam()));
}

TEST_P(NumberSimd, RootsInDoubleLeaveLittleMoreThanRounding) {
  check_roots(set().double_, double_bounds(GetParam()));
}

TEST_P(NumberSimd, SelectPositiveMasksInfinityAndNotANumber) {
  check_masking(set().single);
  check_masking(set().double_);
}

TEST_P(NumberSimd, MultiplyAddIsFusedWhereTheInstructionSetFuses) {
  const bool fuses = GetParam() != SimdLevel::sse4_2;
  check_multiply_add(set().single, fuses);
  check_multiply_add(set().double_, fuses);
}

TEST_P(NumberSimd, BatchesFillTheRegistersAndThePaddingOfBuffers) {
  const std::size_t bytes = GetParam() == SimdLevel::sse4_2 ? 16
                            : GetParam() == SimdLevel::avx2 ? 32
                                                            : 64;
  EXPECT_EQ(set().single.width, bytes / sizeof(float));
  EXPECT_EQ(set().double_.width, bytes / sizeof(double));
}

INSTANTIATE_TEST_SUITE_P(Level, NumberSimd,
                         testing::Values(SimdLevel::sse4_2, SimdLevel::avx2, SimdLevel::avx512),
                         [](const auto& level) {
                           std::string name(name_of(level.param));
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace mote::engine
