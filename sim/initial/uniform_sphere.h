#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"

namespace mote::sim {

/// A sphere of uniform density, at rest unless a virial ratio is given. The velocities are then
/// isotropic and normal (Maxwellian), the same everywhere: sigma^2 = q G M / 5 R per component
/// gives 2T/|W| = q on average, with W = -3 G M^2 / 5 R (Binney & Tremaine 2008, Galactic Dynamics,
/// eq. 2.41). Not in equilibrium for any q.
struct UniformSphere {
  std::int64_t n = 1;       ///< bodies, of equal mass
  double mass = 1;          ///< total mass
  double radius = 1;        ///< length
  double virial_ratio = 0;  ///< 2T/|W|: 0 collapses, 1 satisfies the virial theorem
};

const engine::ParamTable<UniformSphere>& uniform_sphere_table();

/// Softening is not taken into account.
Bodies make(const UniformSphere& sphere, const MakeContext& context);

}  // namespace mote::sim
