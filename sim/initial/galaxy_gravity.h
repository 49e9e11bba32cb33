#pragma once

#include "sim/initial/galaxy.h"
#include "sim/initial/isotropic_sphere.h"

namespace mote::sim {

/// Hernquist's sphere (1990, eq. 2, 3, 5): `mass` is that of the infinite one.
struct HernquistMass {
  double mass, scale;

  double inside(double r) const;        ///< mass inside r
  double inside_slope(double r) const;  ///< its derivative
  double well(double r) const;          ///< minus the potential, for G = 1
};

/// The thin exponential disk's mass, spread over spheres: inside r what the disk has inside R = r.
struct SphericalDiskMass {
  double mass, scale;

  double inside(double r) const;
  double inside_slope(double r) const;
  double well(double r) const;
};

/// The three masses of a Galaxy, each without its cutoff, such that inside the cutoff it weighs
/// what the galaxy says.
struct GalaxyMasses {
  explicit GalaxyMasses(const Galaxy& galaxy);

  HernquistMass bulge, halo;
  SphericalDiskMass disk;

  /// Square of the angular velocity round bulge and halo at a distance.
  double round_omega2(double gravitational, double distance) const;

  /// What IsotropicSphere needs of a part, bulge or halo, in the gravity of all.
  IsotropicSphere::Local local(const HernquistMass& part, double gravitational, double r) const;
};

}  // namespace mote::sim
