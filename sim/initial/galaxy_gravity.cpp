#include "sim/initial/galaxy_gravity.h"

#include <cmath>
#include <numbers>

namespace mote::sim {
namespace {

/// The infinite Hernquist sphere with `mass` inside `cutoff` scale radii.
HernquistMass infinite_sphere(double mass, double scale, double cutoff) {
  return {mass * (1 + 1 / cutoff) * (1 + 1 / cutoff), scale};
}

/// 1 - (1 + x) exp(-x): the mass fraction of an exponential disk inside x scale lengths.
double disk_fraction(double x) {
  return -std::expm1(-x) - x * std::exp(-x);
}

}  // namespace

double HernquistMass::mass_inside(double r) const {
  return mass * (r / (r + scale)) * (r / (r + scale));
}

double HernquistMass::mass_inside_slope(double r) const {
  return 2 * mass * scale * r / ((r + scale) * (r + scale) * (r + scale));
}

double HernquistMass::relative_potential(double r) const {
  return mass / (r + scale);
}

double SphericalDiskMass::mass_inside(double r) const {
  return mass * disk_fraction(r / scale);
}

double SphericalDiskMass::mass_inside_slope(double r) const {
  return mass / scale * (r / scale) * std::exp(-r / scale);
}

double SphericalDiskMass::relative_potential(double r) const {
  return -mass * std::expm1(-r / scale) / r;
}

GalaxyMasses::GalaxyMasses(const Galaxy& g)
    : bulge(infinite_sphere(g.bulge_mass, g.bulge_scale, g.bulge_cutoff)),
      halo(infinite_sphere(g.halo_mass, g.halo_scale, g.halo_cutoff)),
      disk{g.disk_mass / disk_fraction(g.disk_cutoff), g.scale_length} {}

double GalaxyMasses::spherical_omega2(double gravitational, double distance) const {
  return gravitational * (bulge.mass_inside(distance) + halo.mass_inside(distance)) /
         (distance * distance * distance);
}

IsotropicSphere::Local GalaxyMasses::local(const HernquistMass& part, double gravitational,
                                           double r) const {
  const double x = r / part.scale;
  const double density = part.mass_inside_slope(r) / (4 * std::numbers::pi * r * r);
  const double power = -(1 + 4 * x) / (1 + x);  // d ln rho / d ln r
  const double power_slope = -3 * x / ((1 + x) * (1 + x));
  const double mass = bulge.mass_inside(r) + halo.mass_inside(r) + disk.mass_inside(r);
  const double mass_slope =
      bulge.mass_inside_slope(r) + halo.mass_inside_slope(r) + disk.mass_inside_slope(r);
  return {density,
          density * power / r,
          density * (power * power - power + power_slope) / (r * r),
          gravitational * (bulge.relative_potential(r) + halo.relative_potential(r) +
                           disk.relative_potential(r)),
          gravitational * mass / (r * r),
          gravitational * (mass_slope / (r * r) - 2 * mass / (r * r * r))};
}

}  // namespace mote::sim
