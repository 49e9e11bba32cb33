#pragma once

#include "engine/platform.h"

namespace mote::sim {

/// Squared displacement along one axis [length^2], from `start` to the unwrapped position of a body
/// at `x` in periodic image `images` (Allen & Tildesley 2017, section 2.7). 4 flops.
template <class T>
MOTE_FORMULA T squared_displacement(T x, T images, T length, T start) {
  const T displacement = x + images * length - start;
  return displacement * displacement;
}

}  // namespace mote::sim
