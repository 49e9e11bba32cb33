#include "engine/math/vec.h"

#include <gtest/gtest.h>

namespace mote::engine {
namespace {

// Small integers: every result below is exact.
constexpr Vec3d a{1, -2, 3}, b{4, 5, -6}, c{-7, 8, 9};

bool equal(Vec3d u, double x, double y, double z) {
  return u.x == x && u.y == y && u.z == z;
}

TEST(Vec3, AddsSubtractsAndScalesByComponent) {
  EXPECT_TRUE(equal(a + b, 5, 3, -3));
  EXPECT_TRUE(equal(a - b, -3, -7, 9));
  EXPECT_TRUE(equal(2.0 * a, 2, -4, 6));
}

TEST(Vec3, AddingInPlaceReturnsTheVectorItself) {
  Vec3d sum = a;
  Vec3d& same = sum += b;
  EXPECT_EQ(&same, &sum);
  EXPECT_TRUE(equal(sum, 5, 3, -3));
}

TEST(Vec3, EqualityNeedsEveryComponent) {
  EXPECT_TRUE(a == (Vec3d{1, -2, 3}));
  EXPECT_FALSE(a == (Vec3d{0, -2, 3}));
  EXPECT_FALSE(a == (Vec3d{1, 0, 3}));
  EXPECT_FALSE(a == (Vec3d{1, -2, 0}));
}

TEST(Vec3, DotIsSymmetricAndSumsTheProducts) {
  EXPECT_EQ(dot(a, b), 4 - 10 - 18);
  EXPECT_EQ(dot(a, b), dot(b, a));
  EXPECT_EQ(dot(a, a), 14);
}

TEST(Vec3, CrossFollowsTheRightHand) {
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  EXPECT_TRUE(cross(x, y) == z);
  EXPECT_TRUE(cross(y, z) == x);
  EXPECT_TRUE(cross(z, x) == y);
}

TEST(Vec3, CrossIsPerpendicularAndAntisymmetric) {
  const Vec3d n = cross(a, b);
  EXPECT_EQ(dot(n, a), 0);
  EXPECT_EQ(dot(n, b), 0);
  EXPECT_TRUE(cross(b, a) == -1.0 * n);
}

TEST(Vec3, ProductsObeyLagrangeAndJacobi) {
  const Vec3d n = cross(a, b);
  EXPECT_EQ(dot(n, n), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b));
  EXPECT_TRUE(cross(a, cross(b, c)) + cross(b, cross(c, a)) + cross(c, cross(a, b)) ==
              (Vec3d{0, 0, 0}));
}

TEST(Vec3, FloatsStayFloats) {
  const Vec3f u{0.1f, 0.2f, 0.3f}, v{1e-9f, 0, 0};
  EXPECT_EQ((u + v).x, 0.1f);  // below half an ulp of the float, far above that of a double
  EXPECT_EQ(dot(u, u), 0.1f * 0.1f + 0.2f * 0.2f + 0.3f * 0.3f);
}

}  // namespace
}  // namespace mote::engine
