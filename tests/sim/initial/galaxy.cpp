#include "sim/initial/galaxy.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sim/initial/galaxy_gravity.h"
#include "sim/initial/hernquist.h"
#include "sim/initial/isotropic_sphere.h"
#include "tests/sim/initial/disk_model.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Galaxy;
using sim::GalaxyMasses;
using sim::HernquistMass;
using std::numbers::pi;

const sim::MakeContext as_drawn{.threads = 2, .centre = false};

/// `count` bodies from `first` on.
Bodies part_of(const Bodies& all, std::int64_t first, std::int64_t count) {
  const auto slice = [&](const auto& values) {
    return std::vector(values.begin() + first, values.begin() + first + count);
  };
  return {slice(all.mass), slice(all.position), slice(all.velocity), {}};
}

struct Parts {
  Bodies disk, bulge, halo;
};

Parts parts_of(const Galaxy& galaxy, const sim::MakeContext& context = as_drawn) {
  const Bodies all = make(galaxy, context);
  const auto n = counts_of(galaxy);
  return {part_of(all, 0, n.disk), part_of(all, n.disk, n.bulge),
          part_of(all, n.disk + n.bulge, n.halo)};
}

// Eddington's inversion of an isolated Hernquist sphere is Hernquist's eq. 17; the header states an
// accuracy of 1e-3.
TEST(IsotropicSphere, OfHernquistIsHernquists) {
  const GalaxyMasses masses(
      Galaxy{.disk_mass = 0, .bulge_mass = 0, .halo_mass = 1, .halo_scale = 1, .halo_cutoff = 1e9});
  const sim::IsotropicSphere sphere([&](double r) { return masses.local(masses.halo, 1, r); }, 1e-5,
                                    1e4, 1);
  for (double energy : {0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999}) {
    const double expected =
        sim::hernquist_distribution(energy) / (8 * std::sqrt(2.0) * pi * pi * pi);
    EXPECT_NEAR(sphere.distribution(energy) / expected, 1, 1e-3) << energy;
  }
  EXPECT_EQ(sphere.distribution(0), 0);
}

// Gravity is the derivative of the potential, and densities are derivatives of the enclosed mass,
// by central differences over 1e-4 r: second-order errors, 1e-8 times a factor below 60.
TEST(GalaxyMasses, AreConsistent) {
  const GalaxyMasses masses(Galaxy{});
  for (double r : {0.01, 0.3, 2.0, 30.0}) {
    const double h = 1e-4 * r;
    const auto low = masses.local(masses.bulge, 3, r - h),
               high = masses.local(masses.bulge, 3, r + h);
    const auto here = masses.local(masses.bulge, 3, r);
    EXPECT_NEAR((low.psi - high.psi) / (2 * h * here.gravity), 1, 1e-6);
    EXPECT_NEAR((high.gravity - low.gravity) / (2 * h * here.gravity_slope), 1, 1e-6);
    EXPECT_NEAR((high.density - low.density) / (2 * h * here.density_slope), 1, 1e-6);
    EXPECT_NEAR((high.density_slope - low.density_slope) / (2 * h * here.density_curvature), 1,
                1e-6);
    const auto slope = [&](const auto& part) {
      return (part.mass_inside(r + h) - part.mass_inside(r - h)) / (2 * h);
    };
    EXPECT_NEAR(slope(masses.halo) / masses.halo.mass_inside_slope(r), 1, 1e-6);
    // Far out the disk's enclosed mass is almost constant, so its differences are round-off.
    EXPECT_NEAR(slope(masses.disk), masses.disk.mass_inside_slope(r),
                1e-6 * masses.disk.mass_inside_slope(r) + 1e-10);
  }
  // The masses inside the cutoffs are the galaxy's parameters.
  EXPECT_NEAR(masses.disk.mass_inside(6), 1, 1e-14);
  EXPECT_NEAR(masses.bulge.mass_inside(20 * 0.2), 0.3, 1e-14);
  EXPECT_NEAR(masses.halo.mass_inside(10 * 5), 6, 1e-13);
}

TEST(Galaxy, DistributesItsBodiesByMassUnlessNumbersAreGiven) {
  const Galaxy by_mass{.n = 7300};
  EXPECT_EQ(counts_of(by_mass).disk, 1000);
  EXPECT_EQ(counts_of(by_mass).bulge, 300);
  EXPECT_EQ(counts_of(by_mass).halo, 6000);
  for (double m : make(by_mass, {}).mass) EXPECT_EQ(m, (1 + 0.3 + 6) / 7300);
  const Parts given = parts_of({.n = 1000, .n_bulge = 100, .n_halo = 300});
  EXPECT_EQ(given.disk.count(), 600);
  EXPECT_EQ(given.disk.mass[5], 1.0 / 600);
  EXPECT_EQ(given.bulge.mass[5], 0.3 / 100);
  EXPECT_EQ(given.halo.mass[5], 6.0 / 300);
  // Any total is allowed, and parts without mass have no bodies.
  for (std::int64_t n : {1, 2, 3, 10}) EXPECT_EQ(make(Galaxy{.n = n}, {}).count(), n);
  // Two parts of equal mass and an odd number of bodies: both would round up.
  for (std::int64_t n : {1, 3, 7}) {
    const auto counts = counts_of(Galaxy{.n = n, .disk_mass = 0, .bulge_mass = 1, .halo_mass = 1});
    EXPECT_EQ(counts.disk, 0);
    EXPECT_EQ(counts.bulge + counts.halo, n);
  }
  EXPECT_EQ(counts_of(Galaxy{.n = 10, .bulge_mass = 0, .halo_mass = 0}).disk, 10);
  EXPECT_EQ(counts_of(Galaxy{.n = 10, .disk_mass = 0, .bulge_mass = 0}).halo, 10);
}

TEST(Galaxy, RejectsInconsistentNumbers) {
  EXPECT_TRUE(broken_relations(Galaxy{.n = 1}).empty());
  EXPECT_TRUE(broken_relations(Galaxy{.n = 10, .n_bulge = 3, .n_halo = 3}).empty());
  EXPECT_EQ(broken_relations(Galaxy{.n = 10, .n_bulge = 3, .n_halo = 8}).at(0).key, "n");
  EXPECT_EQ(broken_relations(Galaxy{.n = 10, .n_bulge = 3, .n_halo = 7}).at(0).key, "n");
  EXPECT_EQ(broken_relations(Galaxy{.n = 10, .n_bulge = 0, .n_halo = 7}).at(0).key, "n_bulge");
  EXPECT_TRUE(
      broken_relations(Galaxy{.n = 10, .n_bulge = 0, .n_halo = 7, .bulge_mass = 0}).empty());
}

// Made alone, a part moves in the gravity of all three, as in the whole: the disk has the same
// random numbers, the others are other samples with the same means.
TEST(Galaxy, HasPartsThatCanBeMadeOneByOne) {
  const Galaxy whole{.n = 3000, .n_bulge = 1000, .n_halo = 1000};
  const Parts parts = parts_of(whole);
  const auto alone = [&](const char* part) {
    return make(Galaxy{.n = 1000, .part = part}, as_drawn);
  };
  const Bodies disk = alone("disk");
  EXPECT_EQ(disk.position, parts.disk.position);
  EXPECT_EQ(disk.velocity, parts.disk.velocity);
  const Bodies bulge = alone("bulge"), halo = alone("halo");
  EXPECT_EQ(halo.count(), 1000);
  EXPECT_EQ(disk.mass[9], 1.0 / 1000);
  EXPECT_EQ(bulge.mass[9], 0.3 / 1000);
  EXPECT_EQ(halo.mass[9], 6.0 / 1000);
  const auto expect_same = [](const Bodies& a, const Bodies& b, auto&& f) {
    const Mean one = mean_of(each(a, f)), other = mean_of(each(b, f));
    EXPECT_NEAR(one.value, other.value, 5 * std::hypot(one.error, other.error));
  };
  const auto log_radius = [](Vec3d r, Vec3d) { return std::log(length_of(r)); };
  const auto speed = [](Vec3d, Vec3d v) { return length_of(v); };
  expect_same(bulge, parts.bulge, log_radius);
  expect_same(bulge, parts.bulge, speed);
  expect_same(halo, parts.halo, log_radius);
  expect_same(halo, parts.halo, speed);
  EXPECT_EQ(broken_relations(Galaxy{.n = 10, .part = "halo", .n_halo = 3}).at(0).key, "n_halo");
  EXPECT_TRUE(broken_relations(Galaxy{.n = 10, .part = "halo"}).empty());
}

// Where the scale is so small that the density overflows, bodies are at rest; the generator must
// return.
TEST(Galaxy, CanBeGeneratedWithExtremeScales) {
  for (double scale : {1e-250, 1e-9, 1e9, 1e200}) {
    const Bodies bodies = make(Galaxy{.n = 50, .bulge_mass = 3, .bulge_scale = scale}, {});
    EXPECT_EQ(bodies.count(), 50);
  }
}

TEST(Galaxy, PartsFollowTheirProfiles) {
  const std::int64_t n = many / 2;
  const Parts parts = parts_of({.n = n, .n_bulge = n / 4, .n_halo = n / 2});
  const auto relative_distance = [](const Bodies& bodies, double scale, double cutoff) {
    const auto inside = [](double s) { return s * s / ((1 + s) * (1 + s)); };
    const auto radii = each(bodies, [&](Vec3d r, Vec3d) { return length_of(r) / scale; });
    return ks_distance(radii,
                       [&](double s) { return inside(std::min(s, cutoff)) / inside(cutoff); }) /
           ks_bound(radii.size());
  };
  EXPECT_LT(relative_distance(parts.bulge, 0.2, 20), 1);
  EXPECT_LT(relative_distance(parts.halo, 5, 10), 1);
  const auto inside = [](double x) { return 1 - (1 + x) * std::exp(-x); };
  const auto radii = each(parts.disk, [](Vec3d r, Vec3d) { return radius_of(r); });
  EXPECT_LT(ks_distance(radii, [&](double x) { return std::min(1.0, inside(x) / inside(6)); }),
            ks_bound(radii.size()));
}

// Freeman's disk plus the enclosed masses of the spheres, for a razor-thin disk without softening:
// 5e-5 is the table's accuracy, from 0.001 Rd.
TEST(Galaxy, DiskRotatesInTheGravityOfAllThree) {
  const Galaxy galaxy{.n = 3000, .n_bulge = 500, .n_halo = 500, .thickness = 0, .toomre_q = 0};
  const GalaxyMasses masses(galaxy);
  const Freeman freeman = freeman_of(6);
  const Parts parts = parts_of(galaxy, {.gravitational = 7, .centre = false});
  for (std::size_t i = 0; i < parts.disk.mass.size(); ++i) {
    const double r = radius_of(parts.disk.position[i]);
    const double spheres = (masses.bulge.mass_inside(r) + masses.halo.mass_inside(r)) / r;
    const double expected = std::sqrt(7 * (freeman.circular2(r) + spheres));
    ASSERT_NEAR(around(parts.disk.position[i], parts.disk.velocity[i]) / expected, 1, 5e-5) << r;
    ASSERT_NEAR(outward(parts.disk.position[i], parts.disk.velocity[i]), 0, 1e-14 * expected);
  }
}

/// rho sigma^2 of Jeans' equation for isotropic velocities: the integral of rho F dr from r to
/// infinity.
double pressure(const GalaxyMasses& masses, const HernquistMass& part, double r) {
  return integral(0, 1, 1000, [&](double t) {  // at r / (1 - t)^2
    const double x = r / ((1 - t) * (1 - t));
    const auto l = masses.local(part, 1, x);
    return l.density * l.gravity * 2 * r / ((1 - t) * (1 - t) * (1 - t));
  });
}

// In each shell the mean of v^2 / 3 sigma^2(r) is 1, up to the accuracy 1e-3 of Eddington's table.
TEST(Galaxy, SpheresHaveTheDispersionsOfJeansEquation) {
  const std::int64_t n = 60000;
  const Galaxy galaxy{.n = n, .n_bulge = n / 2 - 1, .n_halo = n / 2};
  const GalaxyMasses masses(galaxy);
  const Parts parts = parts_of(galaxy);
  const auto check = [&](const Bodies& bodies, const HernquistMass& part) {
    const double edges[] = {0.1, 0.4, 1, 3, 8};
    for (int k = 0; k < 4; ++k) {
      // sigma^2 at 21 radii of the shell, linear between them: (1/20)^2 / 8 of its change.
      std::vector<double> table;
      const double low = edges[k] * part.scale, step = (edges[k + 1] - edges[k]) * part.scale / 20;
      for (int j = 0; j <= 20; ++j) {
        const double r = low + j * step;
        table.push_back(pressure(masses, part, r) / masses.local(part, 1, r).density);
      }
      std::vector<double> ratio;
      for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
        const double index = (length_of(bodies.position[i]) - low) / step;
        if (index < 0 || index >= 20) continue;
        const auto j = static_cast<std::size_t>(index);
        const double sigma2 =
            table[j] + (index - static_cast<double>(j)) * (table[j + 1] - table[j]);
        ratio.push_back(dot(bodies.velocity[i], bodies.velocity[i]) / (3 * sigma2));
      }
      const Mean mean = mean_of(ratio);
      EXPECT_NEAR(mean.value, 1, 5 * mean.error + 1e-3) << edges[k];
      EXPECT_LT(mean.error, 0.02);
    }
  };
  check(parts.bulge, masses.bulge);
  check(parts.halo, masses.halo);
}

// Equilibrium: after one orbit at the bulge's half-mass radius, two and a half at its scale radius,
// in the gravity assumed by the generator, the distribution of radii is unchanged. Leapfrog steps
// of 0.01 are a twentieth of an orbit at r = 0.01, which encloses 0.2 % of the bulge.
TEST(Galaxy, SpheresAreInEquilibrium) {
  const Galaxy galaxy{.n = 12002, .n_bulge = 12000, .n_halo = 1, .bulge_cutoff = 1000};
  const GalaxyMasses masses(galaxy);
  Bodies bulge = parts_of(galaxy).bulge;
  const double dt = 0.01;
  for (std::size_t i = 0; i < bulge.mass.size(); ++i) {
    Vec3d &r = bulge.position[i], &v = bulge.velocity[i];
    for (int step = 0; step < 400; ++step) {
      r += (0.5 * dt) * v;
      const double d = length_of(r);
      v +=
          (-dt *
           (masses.bulge.mass_inside(d) + masses.halo.mass_inside(d) + masses.disk.mass_inside(d)) /
           (d * d * d)) *
          r;
      r += (0.5 * dt) * v;
    }
  }
  const auto radii = each(bulge, [](Vec3d r, Vec3d) { return length_of(r) / 0.2; });
  EXPECT_LT(ks_distance(radii, [](double s) { return s * s / ((1 + s) * (1 + s)); }),
            ks_bound(radii.size()));
}

}  // namespace
}  // namespace mote::test
