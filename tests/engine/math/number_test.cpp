#include "engine/math/number.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/math/random.h"

namespace mote::engine {
namespace {

template <class T>
class PlainNumber : public testing::Test {
 protected:
  using N = Number<T>;
  /// Largest relative error of one correctly rounded operation.
  static constexpr long double unit = std::numeric_limits<T>::epsilon() / 2;
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();

  /// Calls `check(r2)` over the decades in which squares and cubes are normal numbers.
  template <class Check>
  void over_magnitudes(Check check) {
    const int decades = std::numeric_limits<T>::max_exponent10 / 2;
    Random random(1, 2, 3);
    for (int decade = -decades; decade <= decades; ++decade)
      for (int i = 0; i < 2000; ++i)
        check(static_cast<T>(random.uniform(1, 10) * std::pow(10.0, decade)));
    for (int power = -20; power <= 20; ++power)
      for (T near : {T(1), std::nextafter(T(1), T(2)), std::nextafter(T(1), T(0))})
        check(std::ldexp(near, power));
  }
};

using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(PlainNumber, Numbers);

// A rounded root and a rounded quotient: two roundings, and their negligible product.
TYPED_TEST(PlainNumber, InverseRootIsGoodToTwoRoundings) {
  this->over_magnitudes([](TypeParam r2) {
    const long double exact = 1 / std::sqrt(static_cast<long double>(r2));
    ASSERT_LE(std::abs(TestFixture::N::rsqrt(r2) / exact - 1), 2.001L * TestFixture::unit) << r2;
  });
}

// Three inverse roots of two roundings each, and three products.
TYPED_TEST(PlainNumber, WeightedInverseCubeIsGoodToNineRoundings) {
  this->over_magnitudes([](TypeParam r2) {
    const TypeParam weight = TypeParam(0.7) * r2;
    const long double root = std::sqrt(static_cast<long double>(r2));
    const long double exact = weight / (root * root * root);
    ASSERT_LE(std::abs(TestFixture::N::weighted_inverse_cube(weight, r2) / exact - 1),
              9.001L * TestFixture::unit)
        << r2;
  });
}

// (weight y)(y y): with a weight of the size of r2 the product stays in range although y^3 does
// not.
TYPED_TEST(PlainNumber, WeightedInverseCubeNeitherOverflowsNorUnderflowsEarly) {
  // r2^(3/2) is out of range, r2 is not.
  const int exponent = std::numeric_limits<TypeParam>::max_exponent / 4 * 3;
  for (int sign : {-1, 1}) {
    const TypeParam r2 = std::ldexp(TypeParam(1), sign * exponent);
    EXPECT_EQ(TestFixture::N::weighted_inverse_cube(r2, r2),
              std::ldexp(TypeParam(1), -sign * exponent / 2));
  }
}

// (1 + e)^2 - (1 + 2 e) is e^2 if fused, and 0 if the product is rounded first.
TYPED_TEST(PlainNumber, MultiplyAddRoundsTwiceInEveryBuild) {
  const int half = std::numeric_limits<TypeParam>::digits / 2 + 1;
  volatile TypeParam a = 1 + std::ldexp(TypeParam(1), -half),
                     c = -1 - std::ldexp(TypeParam(1), 1 - half);
  EXPECT_EQ(TestFixture::N::multiply_add(a, a, c), TypeParam(0));
  EXPECT_EQ(TestFixture::N::multiply_add(2, 3, 4), TypeParam(10));
}

TYPED_TEST(PlainNumber, SelectPositiveMasksWhateverTheValueIs) {
  const TypeParam tiny = std::numeric_limits<TypeParam>::denorm_min();
  for (TypeParam value : {TypeParam(3), TestFixture::infinity, TestFixture::nan}) {
    for (TypeParam test : {TypeParam(0), -TypeParam(0), -tiny, TypeParam(-1),
                           -TestFixture::infinity, TestFixture::nan})
      EXPECT_EQ(TestFixture::N::select_positive(test, value), TypeParam(0)) << test << " " << value;
  }
  EXPECT_EQ(TestFixture::N::select_positive(tiny, TypeParam(3)), TypeParam(3));
  EXPECT_EQ(TestFixture::N::select_positive(TestFixture::infinity, TypeParam(3)), TypeParam(3));
  EXPECT_TRUE(std::isnan(TestFixture::N::select_positive(TypeParam(1), TestFixture::nan)));
}

}  // namespace
}  // namespace mote::engine
