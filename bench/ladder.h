#pragma once

#include "engine/exec/policy.h"
#include "sim/state.h"

namespace mote::bench {

/// Softening of all kernels; G = 1.
inline constexpr float ladder_softening = 0.01f;

/// Simpler kernels for comparison with those of mote. Each writes the accelerations asynchronously.
///
/// One thread per body, sources from global memory, sums in float.
void naive_forces(const engine::Cuda& exec, const sim::StateView<float>& state);

/// Sources in shared memory, tile by tile; 1, 2, 4 or 8 bodies per thread; the sums of a tile are
/// accumulated in double.
void register_forces(const engine::Cuda& exec, const sim::StateView<float>& state, int bodies);

}  // namespace mote::bench
