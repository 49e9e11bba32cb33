#pragma once

#include <vector>

#include "engine/exec/policy.h"
#include "engine/math/vec.h"
#include "sim/expansions/periodic_images.h"
#include "sim/force.h"
#include "sim/state.h"

namespace mote::sim {

/// Slots of a sample of the bodies of a state, evenly spaced; a smaller one in a periodic domain,
/// where a direct sum takes longer.
std::vector<engine::Index> error_sample(engine::Index count, bool periodic = false);
/// A sample of the bodies whose charge is not zero: on others there is no force.
std::vector<engine::Index> error_sample(const std::vector<double>& charges, bool periodic);

/// Accelerations, without G, that errors are compared with where the attractions of others cancel.
struct ForceScale {
  double neighbour;  ///< pull of one body at the mean distance
  double all;        ///< pull of all bodies at the edge of a ball of their volume
};

/// `positions` and `weights`: of a sample of `count` bodies; their space is its bounding box.
ForceScale force_scale(const std::vector<engine::Vec3d>& positions,
                       const std::vector<double>& weights, engine::Index count, double softening);

/// Errors of accelerations, relative to the larger of the exact one and that by one neighbour; in a
/// crystal, where those of most bodies cancel to a hundredth of that, relative to that by all: the
/// rest is rounding.
ForceErrors errors_between(const std::vector<engine::Vec3d>& exact,
                           const std::vector<engine::Vec3d>& accelerations,
                           const ForceScale& scale);

/// Compares the accelerations of the bodies in these slots, without G, with direct sums in double;
/// in a periodic domain over the nearest images, and an expansion of all others about the box.
/// `masses`: or charges, by slot.
ForceErrors errors_of(const engine::Cpu& exec, const State<engine::Host>& state,
                      const std::vector<double>& masses, double softening,
                      const PeriodicImages* periodic, const std::vector<engine::Index>& slots,
                      const std::vector<engine::Vec3d>& accelerations);

}  // namespace mote::sim
