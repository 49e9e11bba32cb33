#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/state.h"

namespace mote::sim {

/// Neighbours of an estimate of density: its relative error is about 1 / sqrt(30) in uniform
/// matter.
inline constexpr int density_neighbours = 32;

/// The mass density at each body by the distances of its neighbours [mass / length^3], in the order
/// of the state: the mass of the first k - 1 of its k nearest others over the volume of the ball
/// that reaches to the k-th, which has no bias (Casertano & Hut 1985, ApJ 298, 80, eq. II.2).
/// k = density_neighbours, or all others if they are fewer; 0 for a body without others. Infinite
/// where k bodies coincide. `period`: lengths of periodic axes, beyond which bodies repeat; 0:
/// open. Exact for any number of threads.
std::vector<double> local_density(const engine::Cpu& exec, const State<engine::Host>& state,
                                  engine::Vec3d period = {});

}  // namespace mote::sim
