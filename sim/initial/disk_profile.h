#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace mote::sim {

/// An exponential disk near equilibrium in the x-y plane, rotating counter-clockwise seen from +z:
/// density Sigma0 exp(-R/Rd) sech^2(z/z0) / (2 z0) inside the cutoff. Velocities: disk_profile.h.
struct Disk {
  std::int64_t n = 1;       ///< bodies, of equal mass
  double mass = 1;          ///< total mass
  double scale_length = 1;  ///< Rd, length
  double thickness = 0.1;   ///< z0 / Rd
  double cutoff = 6;        ///< largest cylindrical radius, in scale lengths
  double toomre_q = 1.5;    ///< sigma_R kappa / (3.36 G Sigma); 0: circular orbits
  double dark_mass = 0;     ///< mass of an external Plummer potential at the centre, without bodies
  double dark_scale = 1;    ///< scale of that potential, length
};

/// Velocities of a Disk at one radius.
struct DiskVelocities {
  double circular;      ///< speed on a circular orbit
  double rotation;      ///< mean azimuthal velocity: `circular` less the asymmetric drift
  double sigma_radial;  ///< dispersions
  double sigma_azimuthal;
  double sigma_vertical;
};

/// Velocities of a Disk as functions of the cylindrical radius, tabulated at 512 radii equally
/// spaced in log R and interpolated linearly: 5e-5 relative accuracy from 0.001 Rd to the cutoff;
/// rigid rotation further in.
///
///   circular: the disk's own gravity is that of the infinite thin disk (thin_disk.h) at height
///     <sqrt((z - z')^2 + eps^2)>, the mean softened vertical distance of two bodies. This accounts
///     for thickness and softening to first order in (height / Rd); without softening the height is
///     z0 for a sech^2 profile. Truncation at the cutoff is neglected: the true speed is higher,
///     with a cutoff of 6 by 0.1 % at 4 Rd and by 1.1 % at 5.7 Rd; with a cutoff of 4 by 1.0 % at
///     3 Rd. The dark sphere adds G Md R^2 / (R^2 + b^2 + eps^2)^(3/2).
///   sigma_radial: 3.36 Q G Sigma / kappa (Toomre 1964, ApJ 139, 1217), kappa from the rotation
///     curve, evaluated at (R^4 + (Rd/2)^4)^(1/4) instead of R: near the centre the epicycle
///     approximation fails and the dispersion levels off. Beyond 1.5 Rd this lowers it by less than
///     0.3 %. Limited to the maximum circular velocity.
///   sigma_azimuthal: sigma_R kappa / 2 Omega (epicycles; Binney & Tremaine 2008, eq. 3.100).
///   rotation: v^2 = circular^2 + sigma_R^2 (1 - kappa^2 / 4 Omega^2 + dln(Sigma sigma_R^2)/dlnR),
///     at least 0 (Hernquist 1993, ApJS 86, 389, section 2.2.3). The floor is reached for Q > 1.5
///     without dark mass: the centre is hotter than its gravity can confine, and expands at first.
///   sigma_vertical: its square is <z dPhi/dz>, from the vertical virial theorem. Far from the
///     centre this is pi G Sigma z0 of the isothermal sheet (Spitzer 1942, ApJ 95, 329). Using the
///     thin disk's gravity between pairs accounts for softening and for the finite scale length to
///     first order; the latter lowers it by a fifth overall for a thickness of 0.1. The dark sphere
///     adds to it.
class DiskProfile {
 public:
  DiskProfile(const Disk& disk, double gravitational, double softening, int threads);

  /// With other spherical masses at the centre in place of the disk's dark sphere:
  /// `spherical_omega2(R)` is the squared angular velocity of a circular orbit in their gravity
  /// alone. It adds to the circular velocity and to the vertical gravity, linear in height.
  DiskProfile(const Disk& disk, double gravitational, double softening, int threads,
              const std::function<double(double radius)>& spherical_omega2);

  /// `radius` in [0, cutoff * scale_length].
  DiskVelocities at(double radius) const;

  /// Central surface density, such that the mass inside the cutoff is that of the disk.
  double central_density() const { return central_density_; }

 private:
  std::vector<DiskVelocities> table_;
  double scale_length_, central_density_, per_log_radius_;
};

}  // namespace mote::sim
