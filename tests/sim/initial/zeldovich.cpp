#include "sim/initial/zeldovich.h"

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <numbers>

#include "sim/initial/cut_lattice.h"
#include "sim/initial/growing_mode.h"
#include "sim/initial/wave_field.h"
#include "tests/sim/initial/statistics.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Zeldovich;
using std::numbers::pi;

/// 2 / n sum exp(-i k . x): the amplitude and phase of a density wave cos(k . x + phase).
std::complex<double> wave_in(const Bodies& bodies, Vec3d k) {
  std::complex<double> sum = 0;
  for (const Vec3d& x : bodies.position) sum += std::polar(1.0, -dot(k, x));
  return 2.0 / static_cast<double>(bodies.count()) * sum;
}

// One wave a direction, each of amplitude A: the mean square of their sum is 3 A^2 / 2. By the
// expansion of Jacobi and Anger, matter displaced by -(A / k) sin(k q + phase) has a wave of
// amplitude 2 J1(A) exactly, A (1 - A^2 / 8) to second order; the lattice of 16 a side adds
// J15(A) and J17(A), below 1e-23. A sum of n = 4,096 terms of magnitude 1, times 2 / n, is off by
// at most 2 n 1.1e-16 = 9e-13.
TEST(Zeldovich, MakesTheDensityWavesThatWereAskedFor) {
  for (const double amplitude : {1e-3, 0.3}) {
    const Bodies bodies = make(Zeldovich{.n = 16 * 16 * 16,
                                         .shape = "box",
                                         .size = 3,
                                         .amplitude = amplitude * std::sqrt(1.5),
                                         .waves = 1},
                               {});
    const double k = 2 * pi / 3;
    for (const Vec3d direction : {Vec3d{k, 0, 0}, Vec3d{0, k, 0}, Vec3d{0, 0, k}})
      EXPECT_NEAR(std::abs(wave_in(bodies, direction)), 2 * std::cyl_bessel_j(1, amplitude), 9e-13);
    const double both = std::pow(2 * std::cyl_bessel_j(1, amplitude), 2) / 2;
    EXPECT_NEAR(std::abs(wave_in(bodies, {k, k, 0})), both, 9e-13);
  }
}

/// Displacements from the lattice, in its order.
std::vector<Vec3d> displacements(const Zeldovich& box, const Bodies& bodies) {
  std::vector<Vec3d> moved;
  const sim::CutLattice lattice = sim::lattice_in_box(box.n, box.size);
  for (const auto& layer : lattice.layers)
    for (const auto& row : layer.rows)
      for (int i = 0; i < row.count; ++i)
        moved.push_back(bodies.position[static_cast<std::size_t>(row.first + i)] -
                        Vec3d{lattice.x[static_cast<std::size_t>(row.begin + i)], row.y, layer.z});
  return moved;
}

// Waves of |m|^2 = 1, 2, 3 with 3, 6 and 4 pairs m, -m for waves = 1.8, and with |m| <= 2 also
// |m|^2 = 4 with 3: of amplitudes A_m^2 = c |m|^index, sum A^2 / 2 = amplitude^2, the mean square
// of s is sum A^2 / (2 k^2). On a lattice with more than twice as many points a side as waves,
// means over the points are those over the cube: sums of all waves vanish but for their squares.
TEST(Zeldovich, MovesBodiesByTheRootMeanSquareOfItsSpectrum) {
  for (const double index : {-3.0, -1.0, 2.0}) {
    const Zeldovich box{.n = 10 * 10 * 10,
                        .shape = "box",
                        .size = 5,
                        .amplitude = 0.2,
                        .spectral_index = index,
                        .waves = 2};
    double density = 0, expected = 0, found = 0;
    for (const auto& [pairs, m2] : {std::pair{3, 1}, {6, 2}, {4, 3}, {3, 4}}) {
      density += pairs * std::pow(m2, index / 2);
      expected += pairs * std::pow(m2, index / 2) / (m2 * std::pow(2 * pi / 5, 2));
    }
    expected *= 0.04 / density;
    const auto moved = displacements(box, make(box, {}));
    for (const Vec3d& s : moved) found += dot(s, s) / static_cast<double>(moved.size());
    EXPECT_NEAR(found / expected, 1, 1e-12) << index;
  }
}

// -div s = delta, by central differences of the displacement of a field of many waves, whose error
// is (k h)^2 / 6 of each: below 1.1e-5 for the shortest with h = L / 4,000, and rounding 1e-12.
// Curl vanishes.
TEST(Zeldovich, MovesBodiesDownThePotential) {
  const sim::WaveField field({.side = 1, .rms = 1, .index = -1, .waves = 5, .seed = 3}, 5);
  const auto at = [&](double x, double y, double z) {
    const auto columns = field.columns_at({x});
    sim::WaveField::Rows rows(field);
    rows.start_layer(z), rows.start_row(y);
    Vec3d s;
    rows.displace(columns, 0, 1, &s);
    return s;
  };
  constexpr double h = 1.0 / 4000;
  double mean_square = 0;
  constexpr int points = 12;  // a side: more than twice the waves
  for (int i = 0; i < points * points * points; ++i) {
    const double x = i % points / 12.0, y = i / points % points / 12.0, z = i / 144 / 12.0;
    const Vec3d dx = (0.5 / h) * (at(x + h, y, z) - at(x - h, y, z)),
                dy = (0.5 / h) * (at(x, y + h, z) - at(x, y - h, z)),
                dz = (0.5 / h) * (at(x, y, z + h) - at(x, y, z - h));
    mean_square += std::pow(dx.x + dy.y + dz.z, 2) / (points * points * points);
    // Each term of a curl is at most some five rms.
    ASSERT_NEAR(dx.y, dy.x, 5e-5);
    ASSERT_NEAR(dy.z, dz.y, 5e-5);
    ASSERT_NEAR(dz.x, dx.z, 5e-5);
  }
  EXPECT_NEAR(mean_square, 1, 3e-5);
}

// Lattices of any spacing sample one field, as long as they can represent its shortest waves.
TEST(Zeldovich, HasTheSameWavesForAnyNumberOfBodies) {
  const sim::WaveSpectrum spectrum{.side = 2, .rms = 0.1, .index = -2, .waves = 8};
  const sim::WaveField all(spectrum, 8);
  for (const std::int64_t side : {24, 40}) {
    const Zeldovich box{.n = side * side * side, .shape = "box"};
    const auto moved = displacements(box, make(box, {.centre = false}));
    const sim::CutLattice lattice = sim::lattice_in_box(box.n, box.size);
    const auto columns = all.columns_at(lattice.x);
    sim::WaveField::Rows rows(all);
    std::vector<Vec3d> expected(static_cast<std::size_t>(side));
    rows.start_layer(lattice.layers[3].z);
    rows.start_row(lattice.layers[3].rows[5].y);
    rows.displace(columns, 0, expected.size(), expected.data());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Vec3d d =
          moved[static_cast<std::size_t>(lattice.layers[3].rows[5].first) + i] - expected[i];
      ASSERT_LT(std::sqrt(dot(d, d)), 4e-16);  // rounding of a position below 2
    }
  }
}

// Bodies that are few leave out the waves that they cannot represent: 8 a side carry at most 4.
TEST(Zeldovich, LeavesOutWavesShorterThanTwoSpacings) {
  const Zeldovich coarse{.n = 512, .shape = "box", .waves = 8};
  const sim::WaveField four({.side = 2, .rms = 0.1, .index = -2, .waves = 8}, 4);
  double found = 0;
  for (const Vec3d& s : displacements(coarse, make(coarse, {}))) found += dot(s, s) / 512;
  // Waves of exactly two spacings alias with themselves: their squares have another mean, a share
  // of the sum that is below the ratio of 3 such waves to all, weighted by 1 / k^4.
  EXPECT_NEAR(std::sqrt(found), four.rms_displacement(), 0.02 * four.rms_displacement());
}

// A sphere of density rho: rms radius sqrt(3/5) R, and half of the mass inside 2^(-1/3) R, up to
// the lattice points near the surface, whose number fluctuates less than as n^(1/2) of the shell's
// n^(2/3).
TEST(Zeldovich, CutsASphereWithAsManyBodiesAsAsked) {
  for (const std::int64_t n : {1, 2, 7, 100, 4321, 50000}) {
    const Bodies bodies = make(Zeldovich{.n = n, .size = 6, .amplitude = 0}, {});
    ASSERT_EQ(bodies.count(), n);
    if (n < 4000) continue;
    double square = 0;
    for (const Vec3d& r : bodies.position) square += dot(r, r) / static_cast<double>(n);
    EXPECT_NEAR(square, 0.6 * 9, 0.6 * 9 * std::pow(static_cast<double>(n), -2.0 / 3));
  }
}

// With h of the critical rate, kinetic energy is h^2 of that of rest at infinity: 2 T / H^2 = sum m
// r^2, and H^2 = h^2 2 G M / R^3.
TEST(Zeldovich, ExpandsAsAFractionOfTheCriticalRate) {
  const Bodies bodies =
      make(Zeldovich{.n = 1000, .mass = 7, .size = 4, .amplitude = 0, .expansion = 0.6},
           {.gravitational = 5});
  const double hubble = 0.6 * std::sqrt(2 * 5 * 7 / 8.0);
  for (std::size_t i = 0; i < 1000; ++i) {
    const Vec3d d = bodies.velocity[i] - hubble * bodies.position[i];
    ASSERT_LT(std::sqrt(dot(d, d)), 1e-14);
  }
}

TEST(Zeldovich, IsAtRestWithoutExpansion) {
  for (const Vec3d& v : make(Zeldovich{.n = 1000}, {.centre = false}).velocity)
    ASSERT_EQ(v, (Vec3d{0, 0, 0}));
}

// At turnaround waves grow although the sphere is at rest: v = (3 pi / 8) sqrt(8 pi G rho / 3) s.
TEST(Zeldovich, MovesWavesAtTheRateOfTheGrowingMode) {
  const Zeldovich box{.n = 512, .shape = "box", .size = 1, .waves = 2, .expansion = 0};
  const Bodies bodies = make(box, {.centre = false});
  const auto moved = displacements(box, bodies);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const Vec3d d = bodies.velocity[i] - (3 * pi / 8) * std::sqrt(8 * pi / 3) * moved[i];
    ASSERT_LT(std::sqrt(dot(d, d)), 1e-14);
  }
}

// D'' + 2 H D' = 4 pi G rho D (Peebles 1980, eq. 10.2) in a sphere of M with G M = 1, integrated
// with its radius, R'' = -1 / R^2, from a time when all solutions are those of a flat one, R = (9 /
// 2 t^2)^(1/3), D = R up to (3/7) R / R_m = 4e-5 of its rate, which decays as R^-2.5 against the
// growing mode. Runge-Kutta of fourth order with 20,000 steps adds less than 1e-9.
TEST(GrowingMode, SolvesTheEquationOfLinearGrowth) {
  using State = std::array<double, 4>;  // R, dR/dt, D, dD/dt
  const auto slope = [](const State& s) -> State {
    return {s[1], -1 / (s[0] * s[0]), s[3],
            1.5 * 2 / (s[0] * s[0] * s[0]) * s[2] - 2 * s[1] / s[0] * s[3]};
  };
  const double r0 = 1e-4, largest = 1;
  State s{r0, std::sqrt(2 / r0 - 2 / largest), r0, 0};
  s[3] = s[1];  // D = R
  double checked = 0;
  while (s[1] > 0.01) {
    const double h = 2e-3 * std::pow(s[0], 1.5);
    const auto moved = [&](const State& k, double by) {
      State m;
      for (std::size_t i = 0; i < 4; ++i) m[i] = s[i] + by * k[i];
      return m;
    };
    const State a = slope(s), b = slope(moved(a, h / 2)), c = slope(moved(b, h / 2)),
                d = slope(moved(c, h));
    for (std::size_t i = 0; i < 4; ++i) s[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    const double critical = std::sqrt(2 / (s[0] * s[0] * s[0]));
    if (s[0] < 0.05) continue;  // decayed by 500^2.5
    const double expansion = s[1] / s[0] / critical;
    ASSERT_NEAR(s[3] / s[2] / critical, sim::growing_rate(expansion), 1e-8) << expansion;
    checked = expansion;
  }
  EXPECT_LT(checked, 0.02);
}

TEST(GrowingMode, IsThatOfAFlatUniverseOrOfTurnaroundAtItsEnds) {
  EXPECT_EQ(sim::growing_rate(1), 1);
  EXPECT_NEAR(sim::growing_rate(0), 3 * pi / 8, 1e-15);
}

TEST(Zeldovich, FillsABoxOnlyWithACube) {
  const auto broken = broken_relations(Zeldovich{.n = 1000000 - 1, .shape = "box"});
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_EQ(broken[0].key, "n");
  EXPECT_EQ(broken[0].remedy, "give a cube: 970299 or 1000000");
  EXPECT_TRUE(broken_relations(Zeldovich{.n = 1000000, .shape = "box"}).empty());
  EXPECT_TRUE(broken_relations(Zeldovich{.n = 999999}).empty());
}

}  // namespace
}  // namespace mote::test
