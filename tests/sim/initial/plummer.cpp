#include "sim/initial/plummer.h"

#include <gtest/gtest.h>

#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Plummer;

double plummer_mass_inside(double s) {
  return std::pow(s * s / (1 + s * s), 1.5);
}

/// Potential energy for G = 1, and the potential of the other bodies at each body, by direct
/// summation.
struct Potential {
  double energy = 0;
  std::vector<double> at_body;
};

Potential potential_of(const Bodies& bodies) {
  Potential potential{0, std::vector<double>(bodies.mass.size(), 0.0)};
  for (std::size_t i = 0; i < bodies.mass.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double inverse = 1 / length_of(bodies.position[i] - bodies.position[j]);
      potential.at_body[i] -= bodies.mass[j] * inverse;
      potential.at_body[j] -= bodies.mass[i] * inverse;
    }
  for (std::size_t i = 0; i < bodies.mass.size(); ++i)
    potential.energy += 0.5 * bodies.mass[i] * potential.at_body[i];
  return potential;
}

TEST(Plummer, RadiiFollowTheCumulativeMass) {
  for (double cutoff : {20.0, 1.5}) {
    const Bodies bodies = make(Plummer{.n = many, .scale = 2, .cutoff = cutoff}, {});
    const auto radii = each(bodies, [](Vec3d r, Vec3d) { return length_of(r) / 2; });
    // Centring shifts bodies by sigma / sqrt(n) = 0.003 in random directions: a second-order
    // effect, 1e-5 in the distribution, small compared with the bound of 0.006.
    EXPECT_LT(ks_distance(radii,
                          [&](double s) {
                            return std::min(1.0,
                                            plummer_mass_inside(s) / plummer_mass_inside(cutoff));
                          }),
              ks_bound(radii.size()));
  }
}

// The median's standard error is 1 / (2 f sqrt(n)), f the density of r at the median:
// dM/dr = 3 s^2 (1+s^2)^(-5/2) / a.
TEST(Plummer, HalfTheMassIsInside1_3048Scales) {
  const Bodies bodies = make(Plummer{.n = many, .cutoff = 1000}, {});
  auto radii = each(bodies, [](Vec3d r, Vec3d) { return length_of(r); });
  const auto middle = radii.begin() + many / 2;
  std::nth_element(radii.begin(), middle, radii.end());
  const double a = Plummer{}.scale, s = 1.3047660;
  const double density = 3 * s * s * std::pow(1 + s * s, -2.5) / a;
  EXPECT_NEAR(*middle, s * a, 5 / (2 * density * std::sqrt(static_cast<double>(many))));
  EXPECT_NEAR(s * a, 0.76857, 1e-5);  // Henon units
}

// q = v / v_escape has the density g(q) = q^2 (1 - q^2)^(7/2) at every radius. With q = sin(t) its
// integral is that of sin^2 cos^8, which is 7 pi / 512.
TEST(Plummer, SpeedsFollowTheDistributionFunctionAtEveryRadius) {
  const Plummer plummer{.n = many, .mass = 3, .scale = 2, .cutoff = 3};
  const double total = 3 / plummer_mass_inside(3);  // of the infinite sphere
  const Bodies bodies = make(plummer, {.gravitational = 5});
  std::vector<double> inner, outer;
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    const double r = length_of(bodies.position[i]);
    const double q =
        length_of(bodies.velocity[i]) / std::sqrt(2 * 5 * total / std::sqrt(r * r + 4));
    (r < 2.6 ? inner : outer).push_back(q);
  }
  std::vector<double> table{0};
  constexpr int steps = 20000;
  for (int k = 0; k < steps; ++k) {
    const double q = (k + 0.5) / steps;
    table.push_back(table.back() + q * q * std::pow(1 - q * q, 3.5) / steps);
  }
  EXPECT_NEAR(table.back(), 7 * std::numbers::pi / 512, 1e-8);
  const auto cumulative = [&](double q) {
    const double index = std::min(q, 0.999999) * steps;
    const auto k = static_cast<std::size_t>(index);
    return (table[k] + (index - static_cast<double>(k)) * (table[k + 1] - table[k])) / table.back();
  };
  // Centring adds sigma / sqrt(n) in random directions, again a second-order effect.
  EXPECT_LT(ks_distance(inner, cumulative), ks_bound(inner.size()));
  EXPECT_LT(ks_distance(outer, cumulative), ks_bound(outer.size()));
}

TEST(Plummer, PositionsAndVelocitiesAreIsotropic) {
  const Bodies bodies = make(Plummer{.n = many}, {});
  const auto uniform = [](double c) { return 0.5 * (1 + c); };
  const auto expect_uniform = [&](auto&& cosine) {
    EXPECT_LT(ks_distance(each(bodies, cosine), uniform), ks_bound(many));
  };
  expect_uniform([](Vec3d r, Vec3d) { return r.z / length_of(r); });
  expect_uniform([](Vec3d, Vec3d v) { return v.z / length_of(v); });
  expect_uniform([](Vec3d r, Vec3d) { return std::atan2(r.y, r.x) / std::numbers::pi; });
  expect_uniform([](Vec3d, Vec3d v) { return std::atan2(v.y, v.x) / std::numbers::pi; });
  expect_uniform([](Vec3d r, Vec3d v) { return dot(r, v) / (length_of(r) * length_of(v)); });
}

// Cutoff at 1000 scales: a fraction 1.5e-6 of the mass is missing, negligible against shot noise.
// Centring removes 1/n of the kinetic energy; the missing self-interaction, 1/n of the potential.
// As a mean over pairs the potential energy has the standard error M sd(phi) / sqrt(n) (Hoeffding
// 1948, Ann. Math. Stat. 19, 293).
TEST(Plummer, EnergiesAreAQuarterAndMinusAHalfInHenonUnits) {
  const std::int64_t n = 8000;
  const double all = 1 - 1.0 / n;
  const Bodies bodies = make(Plummer{.n = n, .cutoff = 1000}, {});
  const Mean kinetic = mean_of(each(bodies, [](Vec3d, Vec3d v) { return 0.5 * dot(v, v); }));
  EXPECT_NEAR(kinetic.value, 0.25 * all, 5 * kinetic.error);
  const Potential potential = potential_of(bodies);
  EXPECT_NEAR(potential.energy, -0.5 * all, 5 * mean_of(potential.at_body).error);
  EXPECT_LT(5 * kinetic.error, 0.015);  // the tolerances are meaningful
  EXPECT_LT(5 * mean_of(potential.at_body).error, 0.025);
}

// With mass m(s) inside s and M' = M / m(c) for the infinite sphere, truncation at c changes the
// energies to T = (M M' / 4 a m(c)) int_0^c (dm/ds) (1+s^2)^(-1/2) ds and W = -(M'^2 / a) int_0^c m
// (dm/ds) / s ds.
TEST(Plummer, StaysInVirialBalanceWithItsCutoff) {
  const std::int64_t n = 5000;
  const Plummer plummer{.n = n};
  const double c = plummer.cutoff, total = 1 / plummer_mass_inside(c);
  const auto slope = [](double s) { return 3 * s * s * std::pow(1 + s * s, -2.5); };
  const double kinetic = total * total / (4 * plummer.scale) * integral(0, c, 20000, [&](double s) {
                           return slope(s) / std::sqrt(1 + s * s);
                         });
  const double potential = -total * total / plummer.scale * integral(0, c, 20000, [&](double s) {
    return plummer_mass_inside(s) * slope(s) / s;
  });
  // The deviation from virial equilibrium is the pressure at the edge: 2 T + W = 4 pi r^3 rho
  // sigma^2 = M'^2 c^3 / 2 a (1+c^2)^3.
  EXPECT_NEAR(2 * kinetic + potential,
              total * total * std::pow(c / (1 + c * c), 3) / (2 * plummer.scale), 1e-6);
  EXPECT_NEAR(kinetic, 0.25, 0.002);
  EXPECT_NEAR(potential, -0.5, 0.004);

  const Bodies bodies = make(plummer, {});
  const Mean measured = mean_of(each(bodies, [](Vec3d, Vec3d v) { return 0.5 * dot(v, v); }));
  EXPECT_NEAR(measured.value, kinetic * (1 - 1.0 / n), 5 * measured.error);
  const Potential sampled = potential_of(bodies);
  EXPECT_NEAR(sampled.energy, potential * (1 - 1.0 / n), 5 * mean_of(sampled.at_body).error);
}

}  // namespace
}  // namespace mote::test
