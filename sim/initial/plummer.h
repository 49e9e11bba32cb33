#pragma once

#include <cstdint>
#include <numbers>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/generate.h"

namespace mote::sim {

/// A Plummer sphere in equilibrium: density (3 M' / 4 pi a^3) (1 + r^2/a^2)^(-5/2) inside the
/// cutoff, zero outside, isotropic velocities. Source: Aarseth, Henon & Wielen (1974, A&A 37, 183,
/// appendix). M' = mass / (fraction inside the cutoff), so that the bodies have total mass `mass`
/// and move in their own gravity. With M = 1 and the default scale: kinetic energy 1/4, potential
/// energy -1/2, half-mass radius 0.7686 (Henon units), except for the cutoff: at 20 scales M' is
/// 1.00374 M, both energies are 0.7 % larger, the radius 0.3 % smaller.
struct Plummer {
  std::int64_t n = 1;                        ///< bodies, of equal mass
  double mass = 1;                           ///< total mass
  double scale = 3 * std::numbers::pi / 16;  ///< a, length
  double cutoff = 20;                        ///< largest radius, in scales
};

const engine::ParamTable<Plummer>& plummer_table();

/// Draws one body.
Sampler sampler(const Plummer& plummer, double gravitational);

/// Softening is not taken into account.
Bodies make(const Plummer& plummer, const MakeContext& context);

}  // namespace mote::sim
