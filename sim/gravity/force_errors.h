#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/force.h"
#include "sim/gravity/multipole/periodic_images.h"
#include "sim/state.h"

namespace mote::sim {

/// Slots of a sample of the bodies of a state, evenly spaced; a smaller one in a periodic domain,
/// where a direct sum takes longer.
std::vector<engine::Index> error_sample(engine::Index count, bool periodic = false);
/// The same among the bodies whose charge is not zero: on others there is no force.
std::vector<engine::Index> error_sample(const std::vector<double>& charges, bool periodic);

/// Relative errors of accelerations; bodies without any are left out.
ForceErrors errors_between(const std::vector<engine::Vec3d>& exact,
                           const std::vector<engine::Vec3d>& accelerations);

/// Compares the accelerations of the bodies in these slots, without G, with direct sums in double;
/// in a periodic domain over the nearest images, and an expansion of all others about the box.
/// `masses`: or charges, by slot.
ForceErrors errors_of(const engine::Cpu& exec, const State<engine::Host>& state,
                      const std::vector<double>& masses, double softening,
                      const PeriodicImages* periodic, const std::vector<engine::Index>& slots,
                      const std::vector<engine::Vec3d>& accelerations);

}  // namespace mote::sim
