#pragma once

#include <cstdint>

#include "engine/params.h"
#include "sim/initial/bodies.h"
#include "sim/initial/generate.h"

namespace mote::sim {

/// Hernquist's sphere in equilibrium: density (M' / 2 pi) a / (r (r + a)^3) inside the cutoff, zero
/// outside, isotropic velocities from its distribution function. Source: Hernquist (1990, ApJ 356,
/// 359), eq. 2, 3, 5 and 17. M' = mass / (fraction inside the cutoff), so that the bodies have
/// total mass `mass` and move in their own gravity. The half-mass radius of the infinite sphere is
/// (1 + sqrt 2) a.
struct Hernquist {
  std::int64_t n = 1;  ///< bodies, of equal mass
  double mass = 1;     ///< total mass
  double scale = 1;    ///< a, length
  double cutoff = 50;  ///< largest radius, in scales; 96 % of the infinite sphere is inside 50
};

const engine::ParamTable<Hernquist>& hernquist_table();

/// Draws one body.
Sampler sampler(const Hernquist& hernquist, double gravitational);

/// Softening is not taken into account.
Bodies make(const Hernquist& hernquist, const MakeContext& context);

/// The distribution function of eq. 17 without the constant prefactor: h(q) / (1 - q^2)^(5/2), with
/// h the bracket and q^2 = -E a / G M' in [0, 1).
double hernquist_distribution(double q2);

}  // namespace mote::sim
