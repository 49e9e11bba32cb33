#include "sim/initial/orbit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sim/initial/kepler.h"
#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Orbit;
using sim::OrbitState;
using std::numbers::pi;

constexpr double orbit_rounding = std::numeric_limits<double>::epsilon();

/// x - sin x or sinh x - x in long double, by the series, for |x| below 4.
long double nonlinear_part(long double x, int sign) {
  long double term = x * x * x / 6, sum = term;
  for (int k = 4; k < 60; k += 2) sum += term *= sign * x * x / (k * (k + 1.0L));
  return sum;
}

/// Root of M = (1 - e) E + e (E - sin E) by bisection in long double: all terms positive, no
/// cancellation.
long double bisected(double e, double mean_anomaly) {
  long double low = 0, high = 3.2L;
  for (int k = 0; k < 20000 && low < high; ++k) {
    // Bisects the exponent first, because roots may be as small as 1e-300.
    const long double middle = high > 4 * low && low > 0 ? std::sqrt(low * high)
                               : low == 0                ? high / 1024
                                                         : (low + high) / 2;
    if (middle <= low || middle >= high) break;
    ((1 - static_cast<long double>(e)) * middle + e * nonlinear_part(middle, -1) < mean_anomaly
         ? low
         : high) = middle;
  }
  return low;
}

// The equation is a sum of positive terms, each with two roundings, and increases at least linearly
// in E: the same number of roundings in E, plus one or two of the last Newton step.
TEST(Kepler, EquationIsSolvedToRoundOffForEveryEllipse) {
  const double below_one = std::nextafter(1.0, 0.0);
  for (double e : {0.0, 1e-9, 0.1, 0.5, 0.9, 0.999, 0.999999, 1 - 1e-12, below_one})
    for (double m : {1e-300, 1e-30, 1e-18, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1.0, 2.0, 3.0, 3.14159}) {
      const double anomaly = sim::eccentric_anomaly(e, m);
      const auto expected = static_cast<double>(bisected(e, m));
      EXPECT_NEAR(anomaly, expected, 6 * orbit_rounding * expected) << e << ", " << m;
      EXPECT_EQ(sim::eccentric_anomaly(e, -m), -anomaly);
    }
  EXPECT_EQ(sim::eccentric_anomaly(0.5, 0), 0);
  EXPECT_NEAR(sim::eccentric_anomaly(0.999999, pi), pi, 2 * orbit_rounding * pi);
}

// Mean anomalies that differ by full revolutions; 2 pi as a double is off by 2.4e-16, and the
// difference is rounded at 13.
TEST(Kepler, AnomaliesRepeatAfterARevolution) {
  EXPECT_NEAR(sim::eccentric_anomaly(0.3, 1 + 4 * pi), sim::eccentric_anomaly(0.3, 1),
              16 * orbit_rounding);
  EXPECT_NEAR(sim::eccentric_anomaly(0.3, 6), sim::eccentric_anomaly(0.3, 6 - 2 * pi),
              8 * orbit_rounding);
}

// M = (e - 1) F + e (sinh F - F): positive terms again. Near F = 20 the residual's round-off is
// that of sinh.
TEST(Kepler, EquationIsSolvedToRoundOffForEveryHyperbola) {
  for (double e : {std::nextafter(1.0, 2.0), 1.000001, 1.5, 10.0, 1e6})
    for (double m : {1e-300, 1e-18, 1e-9, 1e-3, 1.0, 100.0, 1e6, 1e15}) {
      const long double f = sim::hyperbolic_anomaly(e, m);
      const long double nonlinear = f < 3 ? nonlinear_part(f, 1) : std::sinh(f) - f;
      const long double back = (static_cast<long double>(e) - 1) * f + e * nonlinear;
      // A relative error of F is magnified by dlnM / dlnF, at most F coth F or 3.
      const double magnified = std::max(3.0, static_cast<double>(f) + 1);
      EXPECT_NEAR(static_cast<double>(back / m), 1, 6 * orbit_rounding * magnified)
          << e << ", " << m;
      EXPECT_EQ(sim::hyperbolic_anomaly(e, -m), -f);
    }
}

/// Orbital elements from position and velocity, with the angular momentum and the Laplace vector,
/// which points to the periapsis.
struct Elements {
  double semi_major_axis, eccentricity, periapsis;
  Vec3d momentum, laplace;
};

Elements elements_of(double mu, Vec3d r, Vec3d v) {
  const Vec3d h = cross(r, v);
  const Vec3d laplace = (1 / mu) * cross(v, h) - (1 / length_of(r)) * r;
  const double a = 1 / (2 / length_of(r) - dot(v, v) / mu), e = length_of(laplace);
  return {a, e, dot(h, h) / mu / (1 + e), h, laplace};
}

Orbit ellipse() {
  return {.mass = 0.25, .central_mass = 2, .semi_major_axis = 3, .eccentricity = 0.6};
}

// About thirty roundings each; a is a difference of terms at most (1 + e) / (1 - e) = 4 times as
// large, r / a.
TEST(Orbit, HasTheRequestedElements) {
  const double mu = 5 * 2.25;
  for (double anomaly : {0.0, 10.0, 90.0, 180.0, 200.0, 359.0, -725.0})
    for (bool mean : {true, false}) {
      Orbit orbit = ellipse();
      (mean ? orbit.mean_anomaly : orbit.true_anomaly) = anomaly;
      const Bodies bodies = make(orbit, {.gravitational = 5});
      ASSERT_EQ(bodies.count(), 1);
      EXPECT_EQ(bodies.mass[0], 0.25);
      const Elements found = elements_of(mu, bodies.position[0], bodies.velocity[0]);
      EXPECT_NEAR(found.semi_major_axis, 3, 3 * 120 * orbit_rounding) << anomaly;
      EXPECT_NEAR(found.eccentricity, 0.6, 60 * orbit_rounding);
      EXPECT_NEAR(found.laplace.x, 0.6, 60 * orbit_rounding);
      EXPECT_NEAR(found.periapsis, 1.2, 120 * orbit_rounding);
      EXPECT_GT(found.momentum.z, 0);
      if (!mean) {
        const double angle = anomaly * pi / 180;
        const Vec3d r = bodies.position[0];
        EXPECT_NEAR(std::sin(std::atan2(r.y, r.x) - angle), 0,
                    20 * orbit_rounding * std::max(1.0, std::fabs(angle)));
      }
    }
}

// Kepler's third law: in a small time dt the mean anomaly advances by n dt, n = sqrt(mu / a^3).
// Central difference: third derivatives are of order n^3 / (1 - e)^6, so 1e-4 in the anomaly gives
// an error of 1e-8 * 250.
TEST(Orbit, VelocityMatchesTheAdvanceOfTheMeanAnomaly) {
  const double mu = 5 * 2.25, rate = std::sqrt(mu / 27), d = 1e-4;
  for (double anomaly : {0.0, 40.0, 180.0, 300.0}) {
    const auto at = [&](double shift) {
      Orbit orbit = ellipse();
      orbit.mean_anomaly = anomaly + shift * 180 / pi;
      return make(orbit, {.gravitational = 5});
    };
    const Vec3d measured = (rate / (2 * d)) * (at(d).position[0] - at(-d).position[0]);
    const Vec3d velocity = at(0).velocity[0];
    EXPECT_LT(length_of(measured - velocity), 3e-6 * length_of(velocity)) << anomaly;
  }
}

// e = 0.999999 near periapsis: r and v are accurate to round-off, without cancellation in 1 - e.
// For M -> 0 the distance is a (1 - e), the speed sqrt(mu (1 + e) / (1 - e) / a); 1 - 0.999999
// itself is exact.
TEST(Orbit, IsAccurateAtPeriapsisForExtremeEccentricity) {
  const double e = 0.999999, gap = 1 - e;
  for (double m : {0.0, 1e-300, 1e-30}) {
    const Bodies b = make(Orbit{.central_mass = 1,
                                .semi_major_axis = 1,
                                .eccentricity = e,
                                .mean_anomaly = m * 180 / pi},
                          {});
    EXPECT_NEAR(b.position[0].x, gap, 4 * orbit_rounding * gap);
    const double speed = std::sqrt((1 + e) / gap);
    EXPECT_NEAR(b.velocity[0].y, speed, 8 * orbit_rounding * speed);
  }
  // Elsewhere, the energy is the difference of terms 2 / r and v^2 that are up to 2 / gap = 2e6
  // times as large.
  for (double m : {1e-9, 1e-6, 1e-3, 1.0}) {
    const Bodies b = make(Orbit{.central_mass = 1,
                                .semi_major_axis = 1,
                                .eccentricity = e,
                                .mean_anomaly = m * 180 / pi},
                          {});
    const double kinetic = dot(b.velocity[0], b.velocity[0]), r = length_of(b.position[0]);
    EXPECT_NEAR(kinetic - 2 / r, -1, 16 * orbit_rounding * std::max(1.0, 2 / r)) << m;
    const double momentum = cross(b.position[0], b.velocity[0]).z,
                 expected = std::sqrt(gap * (1 + e));
    EXPECT_NEAR(momentum, expected, 16 * orbit_rounding * (expected + r * std::sqrt(kinetic))) << m;
  }
}

TEST(Orbit, IsAHyperbolaWithANegativeAxis) {
  for (double anomaly : {-70.0, 0.0, 30.0, 1000.0}) {
    const Bodies b = make(
        Orbit{
            .central_mass = 2, .semi_major_axis = -3, .eccentricity = 1.5, .mean_anomaly = anomaly},
        {});
    const Elements found = elements_of(2, b.position[0], b.velocity[0]);
    // v^2 and 2 mu / r are at most 5 times mu / a, with about thirty roundings each.
    EXPECT_NEAR(found.semi_major_axis, -3, 3 * 150 * orbit_rounding);
    EXPECT_NEAR(found.eccentricity, 1.5, 300 * orbit_rounding);
    EXPECT_NEAR(found.periapsis, 1.5, 300 * orbit_rounding);
    EXPECT_EQ(b.position[0].y < 0, anomaly < 0);
  }
}

TEST(Orbit, IsAParabolaWithItsPeriapsis) {
  const Bodies b =
      make(Orbit{.central_mass = 2, .periapsis = 3, .eccentricity = 1, .true_anomaly = 90},
           {.gravitational = 2});
  // r = 2 q, v^2 = 2 mu / r.
  EXPECT_NEAR(length_of(b.position[0]), 6, 20 * orbit_rounding * 6);
  EXPECT_NEAR(dot(b.velocity[0], b.velocity[0]), 8.0 / 6, 20 * orbit_rounding);
}

TEST(Orbit, PeriapsisAndSemiMajorAxisAreEquivalent) {
  Orbit orbit = ellipse();
  orbit.mean_anomaly = 50;
  const Bodies one = make(orbit, {});
  orbit.semi_major_axis = {};
  orbit.periapsis = 3 * (1 - 0.6);
  EXPECT_EQ(make(orbit, {}).position[0], one.position[0]);
}

TEST(Orbit, IsRotatedByTheArgumentOfPeriapsisAndKeepsItsName) {
  Orbit orbit = ellipse();
  orbit.argument_of_periapsis = 90;
  orbit.name = "Io";
  const Bodies b = make(orbit, {});
  EXPECT_NEAR(b.position[0].y, 1.2, 4 * orbit_rounding);
  EXPECT_NEAR(b.position[0].x, 0, 4 * orbit_rounding);
  EXPECT_LT(b.velocity[0].x, 0);
  EXPECT_EQ(b.names, std::vector<std::string>{"Io"});
}

TEST(Orbit, RejectsInvalidElements) {
  const auto key = [](Orbit orbit) {
    orbit.central_mass = 1;
    const auto broken = broken_relations(orbit);
    return broken.size() == 1 ? broken[0].key : std::to_string(broken.size());
  };
  EXPECT_EQ(key({.semi_major_axis = 1}), "0");
  EXPECT_EQ(key({.periapsis = 1, .eccentricity = 1}), "0");
  EXPECT_EQ(key({.semi_major_axis = -1, .eccentricity = 2}), "0");
  EXPECT_EQ(key({}), "semi_major_axis");
  EXPECT_EQ(key({.semi_major_axis = 1, .periapsis = 1}), "periapsis");
  EXPECT_EQ(key({.semi_major_axis = -1}), "semi_major_axis");
  EXPECT_EQ(key({.semi_major_axis = 1, .eccentricity = 2}), "semi_major_axis");
  EXPECT_EQ(key({.semi_major_axis = 1, .eccentricity = 1}), "semi_major_axis");
  EXPECT_EQ(key({.periapsis = 1, .eccentricity = 1, .mean_anomaly = 3}), "mean_anomaly");
  EXPECT_EQ(key({.periapsis = 1, .mean_anomaly = 3, .true_anomaly = 3}), "true_anomaly");
  EXPECT_EQ(key({.periapsis = 1, .eccentricity = 2, .true_anomaly = 120}), "true_anomaly");
  EXPECT_EQ(broken_relations(Orbit{.periapsis = 1}).at(0).key, "central_mass");
}

}  // namespace
}  // namespace mote::test
