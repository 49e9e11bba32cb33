#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/initial/isotropic_sphere.h"

namespace mote::sim {

/// A disc galaxy near equilibrium: an exponential disk in the x-y plane (see Disk), rotating
/// counter-clockwise seen from +z, with a bulge and a halo, both Hernquist spheres. After Hernquist
/// (1993, ApJS 86, 389), with two differences: bulge and halo have isotropic velocities from
/// Eddington's inversion (isotropic_sphere.h) instead of normal ones with the dispersions of Jeans'
/// equation, and the halo is the Hernquist (1990) sphere.
///
/// Each part moves in the gravity of all three. For the disk (disk_profile.h), the gravity of the
/// spheres is taken at the distance sqrt(R^2 + <z^2> + eps^2), <z^2> = (pi z0)^2 / 12. For the
/// spheres, the disk is replaced by a spherical mass distribution with the thin disk's mass inside
/// R = r, without softening. This is approximate near the centre, where the disk is flat compared
/// with the bulge; the galaxy relaxes slightly during the first rotations.
///
/// Order of the bodies: disk, bulge, halo. All have equal mass, and the number of each part is
/// proportional to its mass, rounded, unless n_bulge or n_halo is given: then each part has exactly
/// its own mass, with equal masses within the part, and the disk has the rest of n.
///
/// With `part` only the bodies of one part are made, n of them, in the gravity of all three: parts
/// of one galaxy that are made one by one may belong to different species.
struct Galaxy {
  std::int64_t n = 1;                        ///< total number of bodies
  std::string part = "all";                  ///< all, disk, bulge or halo
  std::optional<std::int64_t> n_bulge = {};  ///< number in the bulge
  std::optional<std::int64_t> n_halo = {};
  double disk_mass = 1;
  double scale_length = 1;  ///< scale of the disk, length
  double thickness = 0.1;   ///< z0 in scale lengths
  double disk_cutoff = 6;   ///< largest radius, in scale lengths
  double toomre_q = 1.5;
  double bulge_mass = 0.3;
  double bulge_scale = 0.2;  ///< Hernquist's a, length
  double bulge_cutoff = 20;  ///< largest radius, in scales of the bulge
  double halo_mass = 6;
  double halo_scale = 5;    ///< Hernquist's a, length
  double halo_cutoff = 10;  ///< largest radius, in scales of the halo
};

/// Hernquist's sphere (1990, eq. 2, 3, 5); `mass` is that of the infinite sphere.
struct HernquistMass {
  double mass, scale;

  double mass_inside(double r) const;         ///< M(< r)
  double mass_inside_slope(double r) const;   ///< its derivative
  double relative_potential(double r) const;  ///< minus the potential, for G = 1
};

/// A spherical distribution with the mass of the thin exponential disk inside R = r.
struct SphericalDiskMass {
  double mass, scale;

  double mass_inside(double r) const;
  double mass_inside_slope(double r) const;
  double relative_potential(double r) const;
};

/// The three mass distributions of a Galaxy, continued beyond their cutoffs and normalised such
/// that the mass inside the cutoff is that of the galaxy's parameter.
struct GalaxyMasses {
  explicit GalaxyMasses(const Galaxy& galaxy);

  HernquistMass bulge, halo;
  SphericalDiskMass disk;

  /// Squared angular velocity of a circular orbit about bulge and halo.
  double spherical_omega2(double gravitational, double distance) const;

  /// Input of IsotropicSphere for one part, bulge or halo, in the gravity of all three.
  IsotropicSphere::Local local(const HernquistMass& part, double gravitational, double r) const;
};

}  // namespace mote::sim
