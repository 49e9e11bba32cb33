#pragma once

#include "engine/platform.h"

namespace mote::sim {

/// The square of the way [length^2] from `start` to the place that a body at `x`, after so many
/// whole `lengths` of a periodic axis, would be at without it (Allen & Tildesley 2017,
/// section 2.7): one axis of it. 4 flops.
template <class T>
MOTE_FORMULA T squared_displacement(T x, T images, T length, T start) {
  const T way = x + images * length - start;
  return way * way;
}

}  // namespace mote::sim
