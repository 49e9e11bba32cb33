#pragma once

#include <functional>
#include <vector>

#include "sim/initial/disk.h"

namespace mote::sim {

/// Velocities of a Disk at one radius.
struct DiskVelocities {
  double circular;      ///< of a circular orbit
  double rotation;      ///< mean azimuthal velocity: `circular` less the asymmetric drift
  double sigma_radial;  ///< dispersions
  double sigma_azimuthal;
  double sigma_vertical;
};

/// Velocities of a Disk as functions of the cylindrical radius, tabulated at 512 radii equally
/// spaced in log R and interpolated linearly: 5e-5 relative accuracy from 0.001 Rd to the cutoff;
/// rigid rotation further in.
///
/// circular: own gravity is that of the infinite thin disk (thin_disk.h) seen from the mean
/// softened
///   distance <sqrt((z - z')^2 + eps^2)> of two bodies at one place in the plane. This takes thickness and
///   softening into account to first order in (height / Rd); without softening the distance is z0 for a
///   sech^2 sheet. The mass beyond the cutoff, which is not there to pull outwards, is neglected: with a
///   cutoff of 6, the true speed is higher by 0.1 % at 4 Rd and by 1.1 % at 5.7 Rd; with a cutoff of 4, by
///   1.0 % at 3 Rd. The dark sphere adds G Md R^2 / (R^2 + b^2 + eps^2)^(3/2).
/// sigma_radial: 3.36 Q G Sigma / kappa (Toomre 1964, ApJ 139, 1217), kappa from the rotation
/// curve, taken
///   at the radius (R^4 + (Rd/2)^4)^(1/4) instead of R: near the centre orbits are no epicycles, and the
///   dispersion levels off. Beyond 1.5 Rd this lowers it by less than 0.3 %. It never exceeds the greatest
///   circular velocity.
/// sigma_azimuthal: sigma_R kappa / 2 Omega (epicycles; Binney & Tremaine 2008, eq. 3.100).
/// rotation: v^2 = circular^2 + sigma_R^2 (1 - kappa^2 / 4 Omega^2 + dln(Sigma sigma_R^2)/dlnR),
/// not below
///   0 (Hernquist 1993, ApJS 86, 389, section 2.2.3). The floor matters for a disk without dark mass and Q
///   > 1.5: its centre is hotter than its gravity can hold, and it expands at first.
/// sigma_vertical: squared, it is <z dPhi/dz>, the virial theorem across the sheet. Far from the
/// centre,
///   where the sheet is thin beside R, this is the isothermal sheet's pi G Sigma z0 (Spitzer 1942, ApJ 95,
///   329). The pull of the thin disk on a pair of bodies takes the finite scale length (which lowers it, by
///   a fifth on the whole for a thickness of 0.1) and softening into account, to first order; the dark
///   sphere adds to it.
class DiskProfile {
 public:
  DiskProfile(const Disk& disk, double gravitational, double softening, int threads);

  /// With other spherical masses about the centre in place of the disk's dark sphere:
  /// `round_omega2(R)` is the square of the angular velocity that they alone give to a body of the
  /// disk. It adds to the circular velocity, and pulls towards the plane in proportion to the
  /// height.
  DiskProfile(const Disk& disk, double gravitational, double softening, int threads,
              const std::function<double(double radius)>& round_omega2);

  /// `radius` in [0, cutoff * scale_length].
  DiskVelocities at(double radius) const;

  /// At the centre. With the disk's mass inside the cutoff.
  double central_density() const { return central_density_; }

 private:
  std::vector<DiskVelocities> table_;
  double scale_length_, central_density_, per_log_radius_;
};

}  // namespace mote::sim
