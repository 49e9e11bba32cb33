#include "sim/initial/disk_profile.h"

#include <gtest/gtest.h>

#include <numbers>

#include "sim/initial/disk.h"
#include "sim/initial/thin_disk.h"
#include "tests/sim/initial/disk_model.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::Bodies;
using sim::Disk;
using sim::DiskProfile;
using std::numbers::pi;

TEST(DiskProfile, TabulatesTheCircularVelocity) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  for (double dark : {0.0, 5.0}) {
    const Disk disk{.mass = 3,
                    .scale_length = 2,
                    .thickness = 0,
                    .toomre_q = 0,
                    .dark_mass = dark,
                    .dark_scale = 4};
    const DiskProfile profile(disk, 7, 0, 1);
    for (double x = 0.001; x < 6; x *= 1.0173) {
      const double own = 7 * 3.0 / 2 * freeman_of(6).circular2(x);
      const double sphere = 7 * dark * 4 * x * x / std::pow(4 * x * x + 16, 1.5);
      EXPECT_NEAR(profile.at(2 * x).circular / std::sqrt(own + sphere), 1, 5e-5) << x;
      EXPECT_EQ(profile.at(2 * x).circular, profile.at(2 * x).rotation);
    }
  }
}

TEST(DiskProfile, RotatesRigidlyInsideItsInnermostNode) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  const DiskProfile profile(Disk{.toomre_q = 0.1}, 1, 0, 1);
  const double edge = profile.at(0.001).circular;
  EXPECT_GT(edge, 0);
  EXPECT_EQ(profile.at(0).circular, 0);
  EXPECT_EQ(profile.at(0).rotation, 0);
  EXPECT_NEAR(profile.at(0.0004).circular, 0.4 * edge, 1e-12);
  EXPECT_NEAR(profile.at(0.0004).rotation, 0.4 * profile.at(0.001).rotation, 1e-12);
}

// The softened gravity of a razor-thin disk is known exactly; 5e-5 is for the table.
TEST(DiskProfile, SofteningSlowsTheRotation) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  const DiskProfile profile(Disk{.scale_length = 2, .thickness = 0}, 1, 0.3, 1);
  for (double x : {0.01, 0.2, 1.0, 3.0}) {
    const double squared = profile.central_density() * 2 * sim::thin_disk_velocity_squared(x, 0.15);
    EXPECT_NEAR(profile.at(2 * x).circular / std::sqrt(squared), 1, 5e-5);
  }
}

/// Direct sum over pairs of heights z = z0 atanh(u): mean of d^2 / sqrt(d^2 + eps^2) over the mean
/// of |d|.
double support_by_pairs(double z0, double softening) {
  constexpr int m = 400;
  double softened = 0, plain = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const double d = z0 * (std::atanh(2 * (i + 0.5) / m - 1) - std::atanh(2 * (j + 0.5) / m - 1));
      softened += d * d / std::sqrt(d * d + softening * softening);
      plain += std::abs(d);
    }
  return softened / plain;
}

TEST(DiskProfile, SofteningMakesTheSheetLighterAndTheDarkSphereHeavier) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  const Disk disk{.thickness = 0.01};
  const DiskProfile plain(disk, 1, 0, 1), soft(disk, 1, 0.005, 1);
  const double ratio = soft.at(1).sigma_vertical / plain.at(1).sigma_vertical;
  // The quantiles miss 1/400 of the tails, and the gravity is taken at the larger, softened
  // distance: 0.1 z0 of it.
  EXPECT_NEAR(ratio * ratio, support_by_pairs(0.01, 0.005), 3.5e-3);
  EXPECT_LT(ratio, 0.98);
  // A massless sheet is confined by the sphere alone: <vz^2> = Omega^2 <z^2>, where
  // <z^2> = (pi z0)^2 / 12.
  const DiskProfile tracers(Disk{.mass = 0, .thickness = 0.2, .dark_mass = 5, .dark_scale = 3}, 1,
                            0, 1);
  const double omega2 = 5 / std::pow(1 + 9, 1.5);
  EXPECT_NEAR(tracers.at(1).sigma_vertical, 0.2 * pi * std::sqrt(omega2 / 12), 1e-4 * 0.2);
  EXPECT_EQ(tracers.at(1).sigma_radial, 0);
  EXPECT_NEAR(tracers.at(1).rotation, std::sqrt(omega2), 5e-5);
}

/// Softened acceleration of body i for G = 1.
Vec3d gravity_on(const Bodies& bodies, std::size_t i, double softening) {
  Vec3d sum{};
  for (std::size_t j = 0; j < bodies.mass.size(); ++j) {
    const Vec3d d = bodies.position[j] - bodies.position[i];
    const double r2 = dot(d, d) + softening * softening;
    if (r2 > 0 && i != j) sum += bodies.mass[j] / (r2 * std::sqrt(r2)) * d;
  }
  return sum;
}

// Effect of thickness and softening on the circular velocity, by direct summation over sampled
// disks: the mean of R times the inward acceleration over vc^2 is 1. Independent disks give the
// standard error. The generator is accurate to first order in height / R; with a spread of pair
// distances of 0.8 z0 = 0.12, (0.12 / 1.75)^2 = 0.005 remains. A razor-thin unsoftened disk would
// be off by 10 %.
TEST(DiskProfile, CircularVelocityBalancesTheGravityOfItsBodies) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  const double softening = 0.08;
  const Disk disk{.n = 2000, .thickness = 0.15, .toomre_q = 0};
  const DiskProfile profile(disk, 1, softening, 1);
  std::vector<double> ratios;
  for (std::uint32_t stream = 0; stream < 40; ++stream) {
    const Bodies bodies = make(disk, {.stream = stream, .softening = softening});
    std::vector<double> ring;
    for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
      const double radius = radius_of(bodies.position[i]);
      if (radius < 1.5 || radius > 2) continue;
      const Vec3d gravity = gravity_on(bodies, i, softening);
      ring.push_back(-radius * outward(bodies.position[i], gravity) /
                     std::pow(profile.at(radius).circular, 2));
    }
    ratios.push_back(mean_of(ring).value);
  }
  const Mean ratio = mean_of(ratios);
  EXPECT_NEAR(ratio.value, 1, 5 * ratio.error + 0.005);
  EXPECT_LT(ratio.error, 0.006);
  const double thin = sim::thin_disk_velocity_squared(1.75, 0) * profile.central_density();
  EXPECT_LT(std::pow(profile.at(1.75).circular, 2), 0.92 * thin);
}

// Virial theorem in the plane and perpendicular to it: sum m vi^2 = -sum m x_i a_i for each
// direction in a steady state. sigma_z is derived from the perpendicular one. In the plane, 4 % are
// allowed for what Jeans' equation neglects: the pressure at the cutoff (< 1 %), the thickness
// beyond first order (1 %), and the floor of the rotation inside 0.2 Rd.
TEST(DiskProfile, IsInVirialBalance) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  const double softening = 0.05;
  const Disk disk{.n = 6000};
  std::vector<double> along, across;
  for (std::uint32_t stream = 0; stream < 4; ++stream) {
    const Bodies bodies = make(disk, {.stream = stream, .softening = softening});
    double kinetic = 0, virial = 0, kinetic_z = 0, virial_z = 0;
    for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
      const Vec3d r = bodies.position[i], v = bodies.velocity[i],
                  a = gravity_on(bodies, i, softening);
      kinetic += v.x * v.x + v.y * v.y;
      virial -= r.x * a.x + r.y * a.y;
      kinetic_z += v.z * v.z;
      virial_z -= r.z * a.z;
    }
    along.push_back(kinetic / virial);
    across.push_back(kinetic_z / virial_z);
  }
  EXPECT_NEAR(mean_of(along).value, 1, 0.04);
  EXPECT_NEAR(mean_of(across).value, 1, 0.04);
}

TEST(DiskProfile, StaysBoundedForExtremeParameters) {
  MOTE_SKIP_IF_SANITIZED("long; Disk.* generate bodies from such profiles");
  for (double softening : {0.0, 5.0})
    for (double cutoff : {0.5, 30.0})
      for (double q : {0.0, 10.0})
        for (double thickness : {0.0, 2.0}) {
          const Disk disk{.n = 2000, .thickness = thickness, .cutoff = cutoff, .toomre_q = q};
          const Bodies bodies = make(disk, {.softening = softening});
          const DiskProfile profile(disk, 1, softening, 1);
          double fastest = 0;
          for (double r = 0; r < cutoff; r += 0.01)
            fastest = std::max(fastest, profile.at(r).circular);
          for (std::size_t i = 0; i < bodies.mass.size(); ++i) {
            ASSERT_TRUE(std::isfinite(length_of(bodies.position[i])));
            // Dispersions are at most the maximum circular velocity plus the central vertical one,
            // and none of 6000 normal deviates exceeds 6.
            ASSERT_LT(length_of(bodies.velocity[i]), 12 * (fastest + profile.at(0).sigma_vertical));
          }
        }
}

}  // namespace
}  // namespace mote::test
