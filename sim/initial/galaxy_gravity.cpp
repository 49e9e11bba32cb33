#include "sim/initial/galaxy_gravity.h"

#include <cmath>
#include <numbers>

namespace mote::sim {
namespace {

/// The infinite Hernquist sphere that weighs `mass` inside `cutoff` scales.
HernquistMass whole(double mass, double scale, double cutoff) {
  return {mass * (1 + 1 / cutoff) * (1 + 1 / cutoff), scale};
}

/// 1 - (1 + x) exp(-x): the part of an exponential disk inside x scale lengths.
double disk_fraction(double x) {
  return -std::expm1(-x) - x * std::exp(-x);
}

}  // namespace

double HernquistMass::inside(double r) const {
  return mass * (r / (r + scale)) * (r / (r + scale));
}

double HernquistMass::inside_slope(double r) const {
  return 2 * mass * scale * r / ((r + scale) * (r + scale) * (r + scale));
}

double HernquistMass::well(double r) const {
  return mass / (r + scale);
}

double SphericalDiskMass::inside(double r) const {
  return mass * disk_fraction(r / scale);
}

double SphericalDiskMass::inside_slope(double r) const {
  return mass / scale * (r / scale) * std::exp(-r / scale);
}

double SphericalDiskMass::well(double r) const {
  return -mass * std::expm1(-r / scale) / r;
}

GalaxyMasses::GalaxyMasses(const Galaxy& g)
    : bulge(whole(g.bulge_mass, g.bulge_scale, g.bulge_cutoff)),
      halo(whole(g.halo_mass, g.halo_scale, g.halo_cutoff)),
      disk{g.disk_mass / disk_fraction(g.disk_cutoff), g.scale_length} {}

double GalaxyMasses::round_omega2(double gravitational, double distance) const {
  return gravitational * (bulge.inside(distance) + halo.inside(distance)) /
         (distance * distance * distance);
}

IsotropicSphere::Local GalaxyMasses::local(const HernquistMass& part, double gravitational,
                                           double r) const {
  const double x = r / part.scale;
  const double density = part.inside_slope(r) / (4 * std::numbers::pi * r * r);
  const double power = -(1 + 4 * x) / (1 + x);  // d ln rho / d ln r
  const double power_slope = -3 * x / ((1 + x) * (1 + x));
  const double mass = bulge.inside(r) + halo.inside(r) + disk.inside(r);
  const double mass_slope = bulge.inside_slope(r) + halo.inside_slope(r) + disk.inside_slope(r);
  return {density,
          density * power / r,
          density * (power * power - power + power_slope) / (r * r),
          gravitational * (bulge.well(r) + halo.well(r) + disk.well(r)),
          gravitational * mass / (r * r),
          gravitational * (mass_slope / (r * r) - 2 * mass / (r * r * r))};
}

}  // namespace mote::sim
