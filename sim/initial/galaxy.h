#pragma once

#include <cstdint>
#include <optional>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/relations.h"

namespace mote::sim {

/// A disc galaxy near equilibrium: an exponential disk in the x-y plane as Disk makes it, turning
/// counter-clockwise seen from +z, a bulge and a halo, both Hernquist spheres. After Hernquist
/// (1993, ApJS 86, 389), with two differences: bulge and halo have isotropic velocities from
/// Eddington's inversion (isotropic_sphere.h) instead of normal ones with the dispersions of Jeans'
/// equation, and the halo is his sphere of 1990.
///
/// The gravity that each part moves in is that of all three. For the disk see disk_profile.h; the
/// spheres are seen from the distance sqrt(R^2 + <z^2> + eps^2), <z^2> = (pi z0)^2 / 12. For the
/// spheres the disk's mass is spread over spheres: inside r it is that of the thin disk inside R =
/// r; softening is not taken into account. So near the centre, where the disk is a flat thing
/// beside the bulge, all is approximate, and the first turns rearrange it a little.
///
/// Bodies: disk, then bulge, then halo. They share the total mass equally, and each part gets as
/// many as its mass asks for to the nearest whole number, unless n_bulge or n_halo are given: then
/// each part has its own mass exactly, shared equally within it, and the disk has the rest of n.
struct Galaxy {
  std::int64_t n = 1;                        ///< bodies in all
  std::optional<std::int64_t> n_bulge = {};  ///< of them
  std::optional<std::int64_t> n_halo = {};
  double disk_mass = 1;
  double scale_length = 1;  ///< of the disk, length
  double thickness = 0.1;   ///< z0 in scale lengths
  double disk_cutoff = 6;   ///< in scale lengths
  double toomre_q = 1.5;
  double bulge_mass = 0.3;
  double bulge_scale = 0.2;  ///< Hernquist's a, length
  double bulge_cutoff = 20;  ///< in its scales
  double halo_mass = 6;
  double halo_scale = 5;    ///< Hernquist's a, length
  double halo_cutoff = 10;  ///< in its scales
};

const engine::ParamTable<Galaxy>& galaxy_table();
BrokenRelations broken_relations(const Galaxy& galaxy);

Bodies make(const Galaxy& galaxy, const MakeContext& context);

/// How many bodies each part has.
struct GalaxyCounts {
  std::int64_t disk, bulge, halo;
};
GalaxyCounts counts_of(const Galaxy& galaxy);

}  // namespace mote::sim
