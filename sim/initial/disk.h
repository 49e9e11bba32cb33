#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/generate.h"

namespace mote::sim {

/// An exponential disk near equilibrium in the x-y plane, turning counter-clockwise seen from +z:
/// density Sigma0 exp(-R/Rd) sech^2(z/z0) / (2 z0) inside the cutoff. For its velocities see
/// disk_profile.h.
struct Disk {
  std::int64_t n = 1;       ///< bodies, of equal mass
  double mass = 1;          ///< of all bodies
  double scale_length = 1;  ///< Rd, length
  double thickness = 0.1;   ///< z0 / Rd
  double cutoff = 6;        ///< largest cylindrical radius, in scale lengths
  double toomre_q = 1.5;    ///< sigma_R kappa / (3.36 G Sigma); 0: circular orbits
  double dark_mass = 0;   ///< of a Plummer sphere about the disk that adds to its gravity; makes no
                          ///< bodies
  double dark_scale = 1;  ///< of that sphere, length
};

const engine::ParamTable<Disk>& disk_table();

class DiskProfile;

/// One body of it, with velocities out of `profile`.
Sampler sampler(const Disk& disk, const DiskProfile& profile);

Bodies make(const Disk& disk, const MakeContext& context);

}  // namespace mote::sim
