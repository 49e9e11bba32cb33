// Radial distribution functions.
#include "sim/measure/radial_distribution.h"
#include "engine/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tests/support/backend.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Cpu;
using engine::Host;
using engine::Index;
using engine::Precision;
using engine::Vec3d;
using sim::Domain;
using sim::RadialBin;
using sim::RadialCounts;
using sim::State;

Domain periodic_box(Vec3d low, Vec3d length) {
  Domain domain;
  domain.low = low, domain.length = length;
  for (bool& axis : domain.periodic) axis = true;
  return domain;
}

State<Host> state_at(const std::vector<Vec3d>& positions,
                     const std::vector<std::uint8_t>& species = {},
                     Precision precision = Precision::double_) {
  sim::StateLayout layout;
  layout.species = !species.empty();
  State<Host> state(static_cast<Index>(positions.size()), precision, layout);
  std::copy(species.begin(), species.end(), state.species());
  state.visit([&]<class Real>(sim::StateView<Real> s) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      s.x[i] = static_cast<Real>(positions[i].x);
      s.y[i] = static_cast<Real>(positions[i].y);
      s.z[i] = static_cast<Real>(positions[i].z);
    }
  });
  return state;
}

/// A periodic fcc crystal with nearest-neighbour distance 1, partly in other images of the domain.
std::vector<Vec3d> crystal_positions(int cells) {
  const double side = std::sqrt(2.0);
  const Vec3d basis[] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  std::vector<Vec3d> positions;
  for (int x = 0; x < cells; ++x)
    for (int y = 0; y < cells; ++y)
      for (int z = 0; z < cells; ++z)
        for (const Vec3d b : basis)
          positions.push_back(side *
                              Vec3d{x + b.x + (z % 2 ? cells : 0), y + b.y, z + b.z - 3 * cells});
  return positions;
}

/// Uniformly random positions in a box.
std::vector<Vec3d> gas_positions(int count, Vec3d length) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> one(0, 1);
  std::vector<Vec3d> positions;
  for (int i = 0; i < count; ++i)
    positions.push_back({one(random) * length.x, one(random) * length.y, one(random) * length.z});
  return positions;
}

TEST(RadialDistributions, OfACrystalHaveItsShellsAndCoordinationNumbers) {
  constexpr int cells = 5;
  const double length = cells * std::sqrt(2.0), density = std::sqrt(2.0);
  // No shell is near the edge of a bin: 1, sqrt 2, sqrt 3 and 2 are at 45.35, 64.14, 78.55 and
  // 90.70 bins.
  for (const Precision precision : {Precision::single, Precision::double_}) {
    RadialCounts counts({.range = 2.205, .bins = 100},
                        periodic_box({0, 0, 0}, {length, length, length}), {});
    counts.add(Cpu{}, state_at(crystal_positions(cells), {}, precision));
    counts.add(Cpu{}, state_at(crystal_positions(cells), {}, precision));
    const std::vector<RadialBin> bins = counts.bins();
    ASSERT_EQ(bins.size(), 100u);
    double integral = 0;
    int within = 0;
    for (std::size_t k = 0; k < bins.size(); ++k) {
      const RadialBin& bin = bins[k];
      const int here = k == 45 ? 12 : k == 64 ? 6 : k == 78 ? 24 : k == 90 ? 12 : 0;
      within += here;
      EXPECT_EQ(bin.value > 0, here > 0) << k;
      EXPECT_DOUBLE_EQ(bin.coordination, within) << k;
      integral += density * bin.value * 4 * std::numbers::pi / 3 *
                  (std::pow(bin.high, 3) - std::pow(bin.low, 3));
      EXPECT_NEAR(integral, within, 1e-11) << k;
    }
    EXPECT_EQ(within, 54);
  }
}

TEST(RadialDistributions, OfAnIdealGasAreOneUpToStatisticalError) {
  constexpr int n = 4000;
  const Vec3d length{10, 12, 14};
  // The largest range that minimum images allow: cells are as large as half the domain.
  RadialCounts counts({.range = 5, .bins = 50}, periodic_box({-3, 0, 1}, length), {});
  counts.add(Cpu{}, state_at(gas_positions(n, length)));
  for (const RadialBin& bin : counts.bins()) {
    const double shell = 4 * std::numbers::pi / 3 * (std::pow(bin.high, 3) - std::pow(bin.low, 3));
    const double pairs = 0.5 * n * (n - 1.0) * shell / (length.x * length.y * length.z);
    // Counts are nearly Poisson; one of 50 exceeds 4 standard deviations with a probability of 0.3
    // %. A body is not its own neighbour: 1 / n less than 1.
    EXPECT_NEAR(bin.value, 1 - 1.0 / n, 4 / std::sqrt(pairs) + 2 / pairs) << bin.low;
  }
}

TEST(RadialDistributions, OfWalledDomainsHaveNoImages) {
  Domain domain = periodic_box({0, 0, 0}, {4, 4, 4});
  for (int axis = 0; axis < 3; ++axis) domain.periodic[axis] = false, domain.walled[axis] = true;
  RadialCounts counts({.range = 4, .bins = 4}, domain, {});
  counts.add(Cpu{}, state_at({{0.1, 2, 2}, {3.8, 2, 2}}));
  const std::vector<RadialBin> bins = counts.bins();
  EXPECT_EQ(bins[0].coordination, 0);
  EXPECT_EQ(bins[3].coordination, 1);
}

TEST(RadialDistributions, OfPairsOfSpeciesAreSeparate) {
  // Rock salt: 6 unlike neighbours at 1, 12 like at sqrt 2, 8 unlike at sqrt 3; equal numbers of
  // both.
  constexpr int side = 6;
  std::vector<Vec3d> positions;
  std::vector<std::uint8_t> species;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z) {
        positions.push_back({double(x), double(y), double(z)});
        species.push_back(static_cast<std::uint8_t>((x + y + z) % 2 + 1));
      }
  RadialCounts counts({.range = 1.9, .bins = 19, .species = true},
                      periodic_box({0, 0, 0}, {side, side, side}), {"Cl", "Na"});
  counts.add(Cpu{}, state_at(positions, species));
  EXPECT_EQ(counts.pair_names(), (std::vector<std::string>{"Cl_Cl", "Cl_Na", "Na_Na"}));
  double own[2] = {}, other = 0;
  for (const RadialBin& bin : counts.bins()) {
    const double shell = 4 * std::numbers::pi / 3 * (std::pow(bin.high, 3) - std::pow(bin.low, 3));
    own[0] += 0.5 * shell * bin.pairs[0];
    other += 0.5 * shell * bin.pairs[1];
    own[1] += 0.5 * shell * bin.pairs[2];
    if (bin.high < 1.35) {
      EXPECT_EQ(bin.pairs[0], 0);
      EXPECT_NEAR(other, bin.high > 1.05 ? 6 : other, 1e-12);
    }
  }
  EXPECT_NEAR(own[0], 12, 1e-12);
  EXPECT_NEAR(own[1], 12, 1e-12);
  EXPECT_NEAR(other, 6 + 8, 1e-12);
  EXPECT_DOUBLE_EQ(counts.bins().back().coordination, 26);
}

TEST(RadialDistributions, HaveTheSameBitsForAnyNumberOfThreadsAndAfterARestart) {
  const Vec3d length{6, 5, 7};
  const auto wanted = sim::RadialDistribution{.range = 2.5, .bins = 40};
  const Domain domain = periodic_box({0, 0, 0}, length);
  const State<Host> first = state_at(gas_positions(3000, length)),
                    second = state_at(gas_positions(1000, length));
  RadialCounts one(wanted, domain, {}), many(wanted, domain, {}), later(wanted, domain, {});
  one.add(Cpu{1}, first), one.add(Cpu{1}, second);
  many.add(Cpu{5}, first);
  later.read(engine::parse_json(engine::json_text(many.json(), 1)));
  later.add(Cpu{3}, second);
  EXPECT_EQ(later.samples(), 2u);
  EXPECT_EQ(later.json(), one.json());
}

TEST(RadialDistributions, OfLiquidArgonHaveTheirFirstPeakWhereItIs) {
  MOTE_SKIP_IF_SANITIZED("long; other RadialDistributions.* count such pairs");
  // The state of Verlet (1968, Phys. Rev. 165, 201) and of Rahman's argon (1964, Phys. Rev. 136,
  // A405), whose first peak is at 3.7 angstrom = 1.09 sigma.
  const double length = std::cbrt(500 / 0.8442);
  const std::string side = std::to_string(length);
  const auto scene = scene_of("return { domain = { size = { " + side + ", " + side + ", " + side +
                              " } }, lennard_jones = { cutoff = 2.5 }, thermostat = { "
                              "\"nose_hoover\", temperature = 0.722, "
                              "time = 0.5 }, integrator = { dt = 0.005 }, bodies = { lattice { "
                              "structure = \"fcc\", counts = "
                              "{ 5, 5, 5 }, spacing = " +
                              std::to_string(length / 5) + ", mass = 500, dispersion = 1.2 } } }");
  const auto sim = sim::open_simulation(
      scene,
      sim::make_plan(scene, {.backend = engine::Backend::cpu, .precision = Precision::single}));
  RadialCounts counts({.range = 4, .bins = 200}, sim::domain_of(scene), {});
  sim->advance(1200, {});
  for (int k = 0; k < 50; ++k) {
    sim->advance(20, {});
    counts.add(sim->plan().cpu, sim->state());
  }
  RadialBin peak{};
  for (const RadialBin& bin : counts.bins())
    if (bin.value > peak.value) peak = bin;
  EXPECT_NEAR(0.5 * (peak.low + peak.high), 1.09, 0.021);
  EXPECT_GT(peak.value, 2.85);
  EXPECT_LT(peak.value, 3.15);
  // No pairs in the core, and nearly uncorrelated at large distances.
  EXPECT_EQ(counts.bins()[40].value, 0);
  EXPECT_NEAR(counts.bins().back().value, 1, 0.1);
}

}  // namespace
}  // namespace mote::test
