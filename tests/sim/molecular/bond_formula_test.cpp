// Bonds and angles: forces are derivatives of energies, and finite for straight angles.
#include "sim/molecular/bond_formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/math/random.h"
#include "sim/initial/draw.h"
#include "sim/molecular/bonds.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::AngleCoefficients;
using sim::BondCoefficients;

BondCoefficients<double> spring() {
  return sim::coefficients_of(sim::BondKind{.stiffness = 70, .length = 0.8});
}
BondCoefficients<double> fene() {
  return sim::coefficients_of(sim::BondKind{.form = "fene", .stiffness = 30, .extension = 1.5});
}
AngleCoefficients<double> angle_kind(const char* form, double angle) {
  return sim::coefficients_of(sim::AngleKind{.form = form, .stiffness = 3, .angle = angle});
}

TEST(Bonds, PullAsTheirEnergySlopes) {
  for (const auto& c : {spring(), fene()})
    for (double r = 0.3; r < 1.45; r += 0.0173) {
      const double h = 1e-5;
      const double slope =
          (sim::bond_energy(c, (r + h) * (r + h)) - sim::bond_energy(c, (r - h) * (r - h))) /
          (2 * h);
      // Truncation error: h^2 / 6 of the third derivative, for FENE up to 2 k R^2 / (R - r)^3 =
      // 1e6. Round-off: 1e-15 of 100, over h.
      EXPECT_NEAR(sim::bond_force(c, r * r, 0.0) * r, -slope, 1e-4 + 1e-7 * std::abs(slope)) << r;
    }
}

TEST(Bonds, HaveTheEnergiesOfTheirPapers) {
  EXPECT_NEAR(sim::bond_energy(spring(), 1.0), 0.5 * 70 * 0.04, 1e-14);
  // Kremer & Grest 1990: k = 30, R0 = 1.5; at r = 0.97 it is 0.5 30 2.25 (-ln(1 - 0.4181777...)).
  EXPECT_NEAR(sim::bond_energy(fene(), 0.97 * 0.97), -33.75 * std::log(1 - 0.97 * 0.97 / 2.25),
              1e-13);
  EXPECT_EQ(sim::bond_energy(fene(), 0.0), 0);
}

TEST(Bonds, OfFeneEndAtTheirExtensionWithoutNan) {
  EXPECT_FALSE(sim::is_overstretched(fene(), 2.2499));
  for (const double q : {2.25, 2.26, 1e300, std::nan("")}) {
    EXPECT_TRUE(sim::is_overstretched(fene(), q)) << q;
    EXPECT_EQ(sim::bond_force(fene(), q, 0.0), 0) << q;
  }
  EXPECT_FALSE(sim::is_overstretched(spring(), 1e300));
}

TEST(Bonds, WithDashpotsResistTheirOwnStretchingAlone) {
  BondCoefficients<double> c = spring();
  c.damping = 0.3;
  const Vec3d d{0.5, -0.2, 0.7}, along = 2.0 * d, across = cross(d, Vec3d{1, 2, 3});
  const double q = dot(d, d), still = sim::bond_force(c, q, 0.0);
  EXPECT_NEAR(sim::bond_force(c, q, dot(along, d)) - still, -0.3 * 2.0, 1e-13);
  EXPECT_NEAR(sim::bond_force(c, q, dot(across, d)), still, 1e-13);
}

TEST(Bonds, OfBodiesAtOnePlacePullNowhere) {
  for (const auto& c : {spring(), fene()}) EXPECT_EQ(sim::bond_force(c, 0.0, 0.0), 0);
}

/// By definition and in extended precision.
long double energy_by_definition(const AngleCoefficients<double>& c, const long double (&x)[6]) {
  const long double n[3] = {x[1] * x[5] - x[2] * x[4], x[2] * x[3] - x[0] * x[5],
                            x[0] * x[4] - x[1] * x[3]};
  const long double theta = std::atan2(std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]),
                                       x[0] * x[3] + x[1] * x[4] + x[2] * x[5]);
  const long double rest =
      c.straight ? std::numbers::pi_v<long double> : static_cast<long double>(c.rest);
  return c.harmonic ? 0.5L * c.stiffness * (theta - rest) * (theta - rest)
                    : c.stiffness * (1 - std::cos(theta - rest));
}

/// Two arms at an angle `theta` in a random plane.
void arms_at(double theta, std::uint64_t number, Vec3d& first, Vec3d& last) {
  engine::Random random(5, 0, number);
  const Vec3d a = sim::draw_direction(random, 1), other = sim::draw_direction(random, 1);
  const Vec3d p = cross(a, other), n = (1 / std::sqrt(dot(p, p))) * p;
  first = random.uniform(0.5, 2) * a;
  last = random.uniform(0.5, 2) * (std::cos(theta) * a + std::sin(theta) * cross(n, a));
}

TEST(Angles, BendAsTheirEnergySlopes) {
  const double pi = std::numbers::pi;
  for (const char* form : {"harmonic", "cosine"})
    for (const double rest : {180.0, 0.0, 90.0, 120.0})
      for (const double theta : {0.7, 2.1, 1.57, 1e-2, 1e-4, pi - 1e-2, pi - 1e-4, pi - 1e-6})
        for (std::uint64_t k = 0; k < 5; ++k) {
          const AngleCoefficients<double> c = angle_kind(form, rest);
          Vec3d first, last;
          arms_at(theta, k, first, last);
          const sim::AngleForces<double> f = sim::angle_forces(c, first, last);
          const double forces[6] = {f.first.x, f.first.y, f.first.z, f.last.x, f.last.y, f.last.z};
          // Near a straight angle the direction of the force varies on the scale of the sine: h is
          // small against it.
          const long double h = 1e-4L * std::sin(theta);
          for (int axis = 0; axis < 6; ++axis) {
            long double up[6] = {first.x, first.y, first.z, last.x, last.y, last.z}, down[6];
            std::copy(up, up + 6, down);
            up[axis] += h, down[axis] -= h;
            const auto slope = static_cast<double>(
                (energy_by_definition(c, up) - energy_by_definition(c, down)) / (2 * h));
            // Forces are up to k pi / 0.5 = 19. Truncation error: (h / sine / 0.5)^2 / 6 of that.
            // Round-off: 1e-19 of an energy of 15, over h.
            EXPECT_NEAR(forces[axis], -slope, 19 * 1e-8 + 2e-18 / static_cast<double>(h))
                << form << " " << rest << " at " << theta;
          }
        }
}

TEST(Angles, NeitherTurnNorStretch) {
  for (const char* form : {"harmonic", "cosine"})
    for (std::uint64_t k = 0; k < 50; ++k) {
      Vec3d first, last;
      arms_at(0.06 * static_cast<double>(k) + 0.01, k, first, last);
      const sim::AngleForces<double> f = sim::angle_forces(angle_kind(form, 100), first, last);
      // Forces of up to 20, with a dozen roundings each.
      EXPECT_NEAR(dot(f.first, first), 0, 3e-13);
      EXPECT_NEAR(dot(f.last, last), 0, 3e-13);
      const Vec3d torque = cross(first, f.first) + cross(last, f.last);
      EXPECT_NEAR(std::sqrt(dot(torque, torque)), 0, 3e-13);
    }
}

TEST(Angles, ThatAreStraightAreClean) {
  for (const char* form : {"harmonic", "cosine"})
    for (const double rest : {180.0, 0.0, 110.0})
      for (const double along : {-1.0, -0.3, 1.0, 2.0})
        for (const double off : {0.0, 1e-20, 1e-300, 1e-15}) {
          const Vec3d first{0.3, 0.4, 1.2}, last = along * first + Vec3d{off, 0, 0};
          const sim::AngleForces<double> f = sim::angle_forces(angle_kind(form, rest), first, last);
          for (const double x : {f.first.x, f.first.y, f.first.z, f.last.x, f.last.y, f.last.z}) {
            EXPECT_TRUE(std::isfinite(x));
            // At the rest angle the force is zero, up to the round-off of the sine times k / arm.
            if ((rest == 180 && along < 0) || (rest == 0 && along > 0)) {
              EXPECT_NEAR(x, 0, 1e-13);
            }
          }
        }
  // An arm of zero length defines no angle.
  const sim::AngleForces<double> f =
      sim::angle_forces(angle_kind("harmonic", 90), Vec3d{0, 0, 0}, Vec3d{1, 0, 0});
  EXPECT_TRUE(f.first == (Vec3d{0, 0, 0}) && f.last == (Vec3d{0, 0, 0}));
}

TEST(Angles, InFloatAreThoseInDouble) {
  for (const char* form : {"harmonic", "cosine"})
    for (const double rest : {180.0, 75.0})
      for (std::uint64_t k = 0; k < 60; ++k) {
        Vec3d first, last;
        arms_at(0.05 * static_cast<double>(k) + 0.1, k, first, last);
        const auto single = [](Vec3d v) {
          return engine::Vec3f{static_cast<float>(v.x), static_cast<float>(v.y),
                               static_cast<float>(v.z)};
        };
        const AngleCoefficients<double> c = angle_kind(form, rest);
        const auto right = sim::angle_forces(c, first, last);
        const auto got = sim::angle_forces(sim::rounded<float>(c), single(first), single(last));
        // Round-off of 6e-8 in arms and products, over a sine of 0.1 or more, times forces of up
        // to 20.
        EXPECT_NEAR(got.first.x, right.first.x, 1e-4) << form << rest << " " << k;
        EXPECT_NEAR(got.last.z, right.last.z, 1e-4) << form << rest << " " << k;
        EXPECT_NEAR(sim::angle_energy(c, (1 / std::sqrt(dot(first, first))) * first,
                                      (1 / std::sqrt(dot(last, last))) * last),
                    static_cast<double>(energy_by_definition(
                        c, {first.x, first.y, first.z, last.x, last.y, last.z})),
                    1e-13);
      }
}

}  // namespace
}  // namespace mote::test
