#include "sim/initial/thin_disk.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using sim::thin_disk_velocity_squared;
using sim::thin_disk_vertical_gravity;
using std::numbers::pi;

/// Freeman (1970, ApJ 160, 811), eq. 12: v^2 = 4 pi G Sigma0 Rd y^2 (I0 K0 - I1 K1), y = R / 2 Rd.
double freeman(double radius) {
  const double y = 0.5 * radius;
  return 4 * pi * y * y *
         (std::cyl_bessel_i(0.0, y) * std::cyl_bessel_k(0.0, y) -
          std::cyl_bessel_i(1.0, y) * std::cyl_bessel_k(1.0, y));
}

TEST(ThinDisk, HasFreemansRotationCurve) {
  for (double radius = 1e-3; radius < 30; radius *= 1.2)
    EXPECT_NEAR(thin_disk_velocity_squared(radius, 0) / freeman(radius), 1, 1e-8) << radius;
}

// I0 K0 - I1 K1 as tabulated by S. McGaugh (astro.umd.edu/~ssm/data/expdisk.bess) to ten digits.
TEST(ThinDisk, AgreesWithATableOfBesselFunctions) {
  const double table[][2] = {{0.01, 4.914358212}, {0.5, 1.093640050},  {1, 0.5559175780},
                             {2, 0.1928713241},   {2.2, 0.1598809878}, {3, 0.0797762866},
                             {4, 0.0371549719},   {6, 0.0108030766}};
  for (const auto& [x, bessel] : table)
    EXPECT_NEAR(thin_disk_velocity_squared(x, 0), pi * x * x * bessel, 1e-8 * pi * x * x) << x;
}

// The known maximum: v^2 = 0.774 pi G Sigma0 Rd near 2.15 Rd. The neighbours at 2.10 and 2.20 are
// lower.
TEST(ThinDisk, RotatesFastestAt2_15ScaleLengths) {
  const double peak = thin_disk_velocity_squared(2.15, 0);
  EXPECT_NEAR(peak / pi, 0.774, 5e-4);
  EXPECT_GT(peak, thin_disk_velocity_squared(2.10, 0));
  EXPECT_GT(peak, thin_disk_velocity_squared(2.20, 0));
}

TEST(ThinDisk, ActsAsAPointMassFromFarAway) {
  // M = 2 pi; the quadrupole of a flat disk adds (3/4) <R^2> / R^2 to the gravity, <R^2> = 6; the
  // next term is (45/64) <R^4> / R^4 with <R^4> = 120, and the one after that 5e-6 at R = 30.
  const double radius = 30;
  EXPECT_NEAR(thin_disk_velocity_squared(radius, 0) * radius / (2 * pi),
              1 + 4.5 / (radius * radius) + 84.375 / std::pow(radius, 4), 1e-5);
}

/// The same by summation over surface elements, for heights that the grid resolves.
struct Summed {
  double velocity_squared, vertical_gravity;
};

Summed by_summation(double radius, double height) {
  constexpr int rings = 2400, spokes = 600;
  constexpr double width = 30.0 / rings;
  Summed sum{0, 0};
  for (int i = 0; i < rings; ++i) {
    const double r = (i + 0.5) * width;
    for (int j = 0; j < spokes; ++j) {
      const double c = std::cos((j + 0.5) * (pi / spokes));
      const double d2 = radius * radius + r * r - 2 * radius * r * c + height * height;
      const double element = r * std::exp(-r) * 2 * width * (pi / spokes) / (d2 * std::sqrt(d2));
      sum.velocity_squared += element * radius * (radius - r * c);
      sum.vertical_gravity += element * height;
    }
  }
  // The midpoint rule's error at r = 0, where the ring's gravity is 2 pi r times that of the
  // central point: slope * width^2/24 (Euler-Maclaurin).
  const double d2 = radius * radius + height * height;
  const double end = 2 * pi / (d2 * std::sqrt(d2)) * width * width / 24;
  return {sum.velocity_squared - end * radius * radius, sum.vertical_gravity - end * height};
}

// Away from the end at r = 0, the error of midpoint sums with step 1/80 of a function that is
// analytic within 0.2 of the real axis is exp(-2 pi 0.2 * 80) = 0; the next term at the end has
// width^4 / 0.2^4, 1e-5 of the correction of 1e-3.
TEST(ThinDisk, GravityIsTheSumOverItsElements) {
  for (double height : {0.2, 1.0})
    for (double radius : {0.3, 1.0, 2.2, 5.0}) {
      const Summed summed = by_summation(radius, height);
      EXPECT_NEAR(thin_disk_velocity_squared(radius, height) / summed.velocity_squared, 1, 1e-6)
          << radius << ", " << height;
      EXPECT_NEAR(thin_disk_vertical_gravity(radius, height) / summed.vertical_gravity, 1, 1e-6)
          << radius << ", " << height;
    }
}

TEST(ThinDisk, VerticalGravityNearThePlaneIsThatOfASheet) {
  for (double radius : {0.1, 1.0, 4.0}) {
    const double sheet = 2 * pi * std::exp(-radius);
    EXPECT_EQ(thin_disk_vertical_gravity(radius, 0), sheet);
    // It decreases linearly in height, with slope d(v^2)/dR / R (Laplace's equation); the next term
    // is smaller by height / R = 1e-3, and the quadrature's 1e-7 is 2e-3 of a decrease of 5e-5.
    const double slope =
        (freeman(radius * 1.001) - freeman(radius * 0.999)) / (0.002 * radius * radius);
    EXPECT_NEAR((sheet - thin_disk_vertical_gravity(radius, 1e-4)) / (1e-4 * slope), 1, 5e-3)
        << radius;
  }
}

TEST(ThinDisk, ApproachesFreemanAsTheHeightShrinks) {
  // To first order v^2 decreases linearly in height.
  const double far = 1 - thin_disk_velocity_squared(1, 1e-4) / freeman(1);
  const double near = 1 - thin_disk_velocity_squared(1, 1e-5) / freeman(1);
  EXPECT_GT(far, 0);
  EXPECT_NEAR(near / far, 0.1, 0.005);
}

}  // namespace
}  // namespace mote::test
