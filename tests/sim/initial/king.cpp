#include "sim/initial/king.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::King;
using sim::KingModel;

// Density by integrating f(v) = exp(W - v^2/2) - 1: rho = sqrt(2/pi) int v^2 (exp(W - v^2/2) - 1)
// dv. The midpoint rule with 2000 points, for a function that vanishes at both ends: 1e-6.
TEST(King, DensityIsThatOfTheLoweredMaxwellian) {
  for (double w : {1e-6, 0.1, 1.9, 2.1, 8.0}) {
    const double sum = integral(0, std::sqrt(2 * w), 2000,
                                [&](double v) { return v * v * std::expm1(w - v * v / 2); });
    EXPECT_NEAR(sim::king_density(w) / (std::sqrt(2 / std::numbers::pi) * sum), 1, 1e-5) << w;
  }
  EXPECT_EQ(sim::king_density(0), 0);
}

// log10 of tidal over core radius from the literature, to two decimals: 0.006 is their rounding.
TEST(King, ConcentrationsMatchTheLiterature) {
  const double table[][2] = {{3, 0.67}, {5, 1.03}, {6, 1.25}, {7, 1.53}, {9, 2.12}, {12, 2.74}};
  for (const auto& [w0, concentration] : table)
    EXPECT_NEAR(std::log10(KingModel(w0).tidal_radius()), concentration, 0.006) << w0;
}

/// Independent solution: Verlet steps of d(r^2 dW/dr)/dr = -9 r^2 rho / rho0 in r.
struct Stepped {
  std::vector<double> mass;  ///< inside radius k * step
  double step, edge;
};

Stepped stepped(double w0, double step) {
  Stepped s{{0}, step, 0};
  double mass = 0, w = w0;
  for (int k = 0; w > 0; ++k) {
    const double middle = (k + 0.5) * step, end = (k + 1) * step;
    mass += 9 * step * middle * middle * sim::king_density(w) / sim::king_density(w0);
    s.mass.push_back(mass);
    s.edge = end;
    w -= step * mass / (end * end);
  }
  return s;
}

// The second-order error of Verlet with steps of 0.002 is 1e-5, that of the generator's shells
// 1e-5; both are small compared with the bound of 0.006.
TEST(King, RadiiFollowTheIntegratedMass) {
  const Stepped model = stepped(4, 0.002);
  EXPECT_NEAR(model.edge / KingModel(4).tidal_radius(), 1, 2e-3);
  const Bodies bodies = make(King{.n = many, .w0 = 4, .core_radius = 3}, {.centre = false});
  const auto radii = each(bodies, [](Vec3d r, Vec3d) { return length_of(r) / 3; });
  const auto cumulative = [&](double r) {
    const double index =
        std::min(r / model.step, static_cast<double>(model.mass.size()) - 1.000001);
    const auto i = static_cast<std::size_t>(index);
    return (model.mass[i] +
            (index - static_cast<double>(i)) * (model.mass[i + 1] - model.mass[i])) /
           model.mass.back();
  };
  EXPECT_LT(ks_distance(radii, cumulative), ks_bound(many));
}

// As for Hernquist: the cumulative probability of each body's speed at its potential is uniformly
// distributed. The potential is from the model's table, linear in r: 1e-5.
TEST(King, SpeedsAreThoseOfALoweredMaxwellian) {
  for (double w0 : {0.3, 8.0}) {
    const KingModel model(w0);
    const double core = 2, sigma = std::sqrt(5 * 3.0 / (model.mass() * core));
    const Bodies bodies = make(King{.n = 4000, .mass = 3, .w0 = w0, .core_radius = core},
                               {.gravitational = 5, .centre = false});
    const auto probability = each(bodies, [&](Vec3d r, Vec3d velocity) {
      const double w = sim::RadialTable::value(model.w, model.shells.at(length_of(r) / core));
      const auto density = [&](double v) { return v * v * std::expm1(w - v * v / 2); };
      const double v = length_of(velocity) / sigma;
      return integral(0, v, 100, density) / integral(0, std::sqrt(2 * w), 100, density);
    });
    EXPECT_LT(ks_distance(probability, [](double p) { return p; }), ks_bound(probability.size()))
        << w0;
  }
}

// The pressure vanishes at the edge of the model, so 2T + W = 0 without a surface term. W of the
// sample assumes spherical symmetry, -G sum m_i M(<r_i) / r_i, from sorted radii; both standard
// errors are below 0.3 %.
TEST(King, IsInVirialBalance) {
  const Bodies bodies = make(King{.n = many, .w0 = 7}, {.centre = false});
  auto radii = each(bodies, [](Vec3d r, Vec3d) { return length_of(r); });
  std::sort(radii.begin(), radii.end());
  double potential = 0;
  for (std::size_t i = 0; i < radii.size(); ++i)
    potential += static_cast<double>(i) / many / many / radii[i];
  const Mean twice_kinetic = mean_of(each(bodies, [](Vec3d, Vec3d v) { return dot(v, v); }));
  EXPECT_NEAR(twice_kinetic.value / potential, 1,
              5 * (twice_kinetic.error / twice_kinetic.value + 0.003));
  EXPECT_LT(twice_kinetic.error / twice_kinetic.value, 0.003);
}

TEST(King, EndsAtTheRequestedTidalRadius) {
  const Bodies bodies = make(King{.n = many, .tidal_radius = 7}, {.centre = false});
  const KingModel model(6);
  double farthest = 0, fastest = 0;
  for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
    farthest = std::max(farthest, length_of(bodies.position[i]));
    fastest = std::max(fastest, length_of(bodies.velocity[i]));
  }
  EXPECT_LE(farthest, 7 * (1 + 1e-12));
  EXPECT_GT(farthest, 5);
  const double core = 7 / model.tidal_radius();
  EXPECT_LE(fastest, std::sqrt(2 * 6 / (model.mass() * core)));  // v^2 < 2 W sigma^2
}

TEST(King, AcceptsOnlyOneRadius) {
  EXPECT_TRUE(broken_relations(King{.core_radius = 1}).empty());
  EXPECT_TRUE(broken_relations(King{.tidal_radius = 1}).empty());
  EXPECT_EQ(broken_relations(King{.core_radius = 1, .tidal_radius = 2}).size(), 1u);
}

}  // namespace
}  // namespace mote::test
