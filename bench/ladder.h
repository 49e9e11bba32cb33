#pragma once

#include "engine/exec/policy.h"
#include "sim/state.h"

namespace mote::bench {

/// Softening of all rungs; G = 1.
inline constexpr float ladder_softening = 0.01f;

/// The rungs below those that mote uses. Each writes the accelerations; none waits.
///
/// A thread a body, sources read from global memory, sums in float.
void naive_forces(const engine::Cuda& exec, const sim::StateView<float>& state);

/// Sources brought into shared memory tile by tile; a thread owns 1, 2, 4 or 8 bodies; the sums of
/// a tile go to double.
void register_forces(const engine::Cuda& exec, const sim::StateView<float>& state, int bodies);

}  // namespace mote::bench
