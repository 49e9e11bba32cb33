#pragma once

#include "sim/domain.h"

namespace mote::sim {

/// Lengths of periodic axes and one over them, zeros along others: what nearest_image takes.
template <class Real>
void take_periods(const Domain& domain, Real (&length)[3], Real (&inverse)[3]) {
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    length[axis] = domain.periodic[axis] ? static_cast<Real>(lengths[axis]) : Real(0);
    inverse[axis] = domain.periodic[axis] ? static_cast<Real>(1 / lengths[axis]) : Real(0);
  }
}

}  // namespace mote::sim
