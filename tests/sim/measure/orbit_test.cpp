#include "sim/measure/orbit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mote::test {
namespace {

using engine::Vec3d;

TEST(OsculatingEllipse, OfAKeplerOrbitIsThatOrbit) {
  // Pericentre of an ellipse of semi-major axis 1 and eccentricity e about mass 1: distance 1 - e,
  // speed sqrt((1 + e) / (1 - e)).
  const double e = 0.6;
  const auto line =
      sim::osculating_ellipse({1 - e, 0, 0}, {0, std::sqrt((1 + e) / (1 - e)), 0}, 1, 64);
  ASSERT_EQ(line.size(), 64u);
  for (const Vec3d& p : line) {
    // The sum of the distances from the foci is twice the semi-major axis.
    EXPECT_NEAR(length(p) + length(p - Vec3d{-2 * e, 0, 0}), 2, 1e-12);
    EXPECT_NEAR(p.z, 0, 1e-15);
  }
}

TEST(OsculatingEllipse, PassesThroughTheBodyWhereverItIs) {
  const Vec3d x{0.3, -1.1, 0.4}, v{0.5, 0.3, 0.35};
  const auto line = sim::osculating_ellipse(x, v, 1, 100000);
  ASSERT_FALSE(line.empty());
  double nearest = 1e9;
  for (const Vec3d& p : line) {
    nearest = std::min(nearest, length(p - x));
    EXPECT_NEAR(dot(p, cross(x, v)), 0, 1e-12);
  }
  EXPECT_LT(nearest, 1e-4);  // half the spacing of points is 4e-5
}

TEST(OsculatingEllipse, OfACircleIsTheCircle) {
  for (const Vec3d& p : sim::osculating_ellipse({2, 0, 0}, {0, 0, std::sqrt(0.5)}, 1, 32))
    EXPECT_NEAR(length(p), 2, 1e-12);
}

TEST(OsculatingEllipse, IsEmptyForUnboundRadialOrDegenerateOrbits) {
  // Escape speed is the square root of two.
  EXPECT_TRUE(sim::osculating_ellipse({1, 0, 0}, {0, 1.5, 0}, 1, 8).empty());
  EXPECT_TRUE(sim::osculating_ellipse({1, 0, 0}, {0.1, 0, 0}, 1, 8).empty());
  EXPECT_TRUE(sim::osculating_ellipse({0, 0, 0}, {0, 1, 0}, 1, 8).empty());
  EXPECT_TRUE(sim::osculating_ellipse({1, 0, 0}, {0, 1, 0}, 0, 8).empty());
}

}  // namespace
}  // namespace mote::test
