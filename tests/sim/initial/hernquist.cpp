#include "sim/initial/hernquist.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Hernquist;
using std::numbers::pi;

double mass_inside(double s) {
  return s * s / ((1 + s) * (1 + s));
}

// Centring would shift bodies by sigma / sqrt(n) in random directions. At a density cusp that is a
// first-order effect, so it is disabled.
TEST(Hernquist, RadiiFollowTheCumulativeMass) {
  for (double cutoff : {50.0, 0.01}) {
    const Bodies bodies =
        make(Hernquist{.n = many, .scale = 2, .cutoff = cutoff}, {.centre = false});
    const auto radii = each(bodies, [](Vec3d r, Vec3d) { return length_of(r) / 2; });
    EXPECT_LT(
        ks_distance(radii,
                    [&](double s) { return std::min(1.0, mass_inside(s) / mass_inside(cutoff)); }),
        ks_bound(radii.size()));
  }
}

// Integrating eq. 17 reproduces the density, eq. 2, at any radius: rho = 4 pi int f v^2 dv. For G =
// M = a = 1, f has the factor 1 / (8 sqrt 2 pi^3), v^2 = 2 psi u^2. The midpoint rule with 4000
// points has a relative error of 1e-6.
TEST(Hernquist, DistributionFunctionGivesTheDensity) {
  for (double s : {0.02, 0.3, 1.0, 7.0, 300.0}) {
    const double psi = 1 / (1 + s), escape = std::sqrt(2 * psi);
    const double density =
        4 * pi / (8 * std::sqrt(2.0) * pi * pi * pi) * integral(0, 1, 4000, [&](double u) {
          return escape * escape * escape * u * u * sim::hernquist_distribution(psi * (1 - u * u));
        });
    EXPECT_NEAR(density * 2 * pi * s * std::pow(1 + s, 3), 1, 1e-5) << s;
  }
}

// The cumulative probability of each body's speed at its radius is uniformly distributed.
TEST(Hernquist, SpeedsFollowTheDistributionFunctionAtEveryRadius) {
  const std::int64_t n = 20000;
  const Hernquist hernquist{.n = n, .mass = 3, .scale = 2, .cutoff = 30};
  const double total = 3 / mass_inside(30);
  const Bodies bodies = make(hernquist, {.gravitational = 5, .centre = false});
  const auto probability = each(bodies, [&](Vec3d r, Vec3d v) {
    const double psi = 1 / (1 + length_of(r) / 2);
    const double u = length_of(v) / std::sqrt(2 * 5 * total / 2 * psi);
    // With u = x^2, which resolves the slow bodies at the centre: the error with 150 points is then
    // at most a few 1e-3, where the bound is 0.019.
    const auto density = [&](double x) {
      return 2 * std::pow(x, 5) * sim::hernquist_distribution(psi * (1 - x * x * x * x));
    };
    const double x = std::sqrt(u);
    return integral(0, x, 150, density) /
           (integral(0, x, 150, density) + integral(x, 1, 150, density));
  });
  EXPECT_LT(ks_distance(probability, [](double p) { return p; }), ks_bound(probability.size()));
}

// sigma_r^2 from Jeans' equation, eq. 10, in units of G M' / 12 a.
TEST(Hernquist, DispersionsAreThoseOfJeansEquation) {
  const Bodies bodies = make(Hernquist{.n = many}, {.centre = false});
  const double total = 1 / mass_inside(50);
  const double edges[] = {0.05, 0.2, 0.5, 1, 2, 5, 20};
  for (int k = 0; k < 6; ++k) {
    std::vector<double> ratio;
    for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
      const double s = length_of(bodies.position[i]);
      if (s < edges[k] || s >= edges[k + 1]) continue;
      const double jeans = 12 * s * std::pow(1 + s, 3) * std::log1p(1 / s) -
                           s / (1 + s) * (25 + 52 * s + 42 * s * s + 12 * s * s * s);
      const double radial = dot(bodies.position[i], bodies.velocity[i]) / s;
      ratio.push_back(radial * radial / (total / 12 * jeans));
    }
    const Mean mean = mean_of(ratio);
    EXPECT_NEAR(mean.value, 1, 5 * mean.error) << edges[k];
    EXPECT_LT(mean.error, 0.025);
  }
}

TEST(Hernquist, PositionsAndVelocitiesAreIsotropic) {
  const Bodies bodies = make(Hernquist{.n = many}, {.centre = false});
  const auto expect_uniform = [&](auto&& cosine) {
    EXPECT_LT(ks_distance(each(bodies, cosine), [](double c) { return 0.5 * (1 + c); }),
              ks_bound(many));
  };
  expect_uniform([](Vec3d r, Vec3d) { return r.z / length_of(r); });
  expect_uniform([](Vec3d, Vec3d v) { return v.z / length_of(v); });
  expect_uniform([](Vec3d r, Vec3d v) { return dot(r, v) / (length_of(r) * length_of(v)); });
}

// The bracket's series agrees with the closed form at q^2 = 0.01: the next term is 3/128 / 13 * q^8
// / (1/5) = 9e-11, the closed form's round-off 3 * 1e-16 * q / (25.6 q^5) = 1e-13.
TEST(Hernquist, SeriesAgreesWithTheClosedForm) {
  const double below = sim::hernquist_distribution(0.01 * (1 - 1e-12));
  const double above = sim::hernquist_distribution(0.01 * (1 + 1e-12));
  EXPECT_NEAR(below / above, 1, 2e-10);
}

}  // namespace
}  // namespace mote::test
