#pragma once

#include "engine/platform.h"
#include "sim/force_request.h"
#include "sim/state.h"

namespace mote::sim {

/// Clears what a request asks for, of the k-th body chosen. Accelerations of all are cleared by
/// clear_accelerations().
template <class Real>
struct ClearChosen {
  StateView<Real> s;
  const std::uint32_t* slots;
  VectorColumns<double> jerks;
  MOTE_HOST_DEVICE void operator()(engine::Index k) const {
    const engine::Index i = chosen_slot(slots, k);
    if (slots) s.ax[i] = s.ay[i] = s.az[i] = Real(0);
    for (int axis = 0; axis < 3; ++axis)
      if (jerks[axis]) jerks[axis][i] = 0;
  }
};

}  // namespace mote::sim
