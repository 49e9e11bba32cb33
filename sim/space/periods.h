#pragma once

#include "sim/domain.h"

namespace mote::sim {

/// Sets lengths of periodic axes and their inverses, zero along others, for nearest_image.
template <class Real>
void fill_periods(const Domain& domain, Real (&length)[3], Real (&inverse)[3]) {
  const double lengths[3] = {domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    length[axis] = domain.periodic[axis] ? static_cast<Real>(lengths[axis]) : Real(0);
    inverse[axis] = domain.periodic[axis] ? static_cast<Real>(1 / lengths[axis]) : Real(0);
  }
}

}  // namespace mote::sim
