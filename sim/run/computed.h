#pragma once

#include <span>
#include <vector>

#include "engine/math/vec.h"
#include "sim/domain.h"
#include "sim/measure/scalars.h"
#include "sim/state.h"

namespace mote::sim {

/// Lengths of a domain along periodic axes, 0 along others.
inline engine::Vec3d period_of(const Domain& domain) {
  return {domain.periodic[0] ? domain.length.x : 0, domain.periodic[1] ? domain.length.y : 0,
          domain.periodic[2] ? domain.length.z : 0};
}

/// A state, and what its computed scalars need beside it.
struct ComputedFrom {
  const State<engine::Host>& state;
  double time = 0;                         ///< t of expressions
  engine::Vec3d period = {};               ///< lengths of periodic axes; 0: open
  std::span<const double> potential = {};  ///< of each body [velocity^2]; empty: 0
};

/// Values of a computed scalar, in the order of the state; empty for others. Expressions are
/// evaluated in double. The density is the field of a fluid where a body has it, else that of
/// local_density. Throws InputError for an expression that cannot be read.
std::vector<double> computed_values(const ComputedFrom& from, const Quantity& quantity);

}  // namespace mote::sim
