#pragma once

#include "engine/platform.h"

namespace mote::sim {

/// What makes a force an acceleration [1 / mass]: a body without mass has none. 1 division.
template <class T>
MOTE_FORMULA T inverse_mass(T mass) {
  return mass > 0 ? 1 / mass : T(0);
}

}  // namespace mote::sim
