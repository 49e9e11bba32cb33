#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/force.h"
#include "sim/state.h"

namespace mote::sim {

/// Slots of a sample of the bodies of a state, evenly spaced.
std::vector<engine::Index> error_sample(engine::Index count);

/// Relative errors of accelerations; bodies without any are left out.
ForceErrors errors_between(const std::vector<engine::Vec3d>& exact,
                           const std::vector<engine::Vec3d>& accelerations);

/// Compares the accelerations of the bodies in these slots, without G, with direct sums in double.
ForceErrors errors_of(const engine::Cpu& exec, const State<engine::Host>& state, double softening,
                      const std::vector<engine::Index>& slots,
                      const std::vector<engine::Vec3d>& accelerations);

}  // namespace mote::sim
