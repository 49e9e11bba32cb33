#pragma once

#include "engine/platform.h"

namespace mote::sim {

/// Inverse mass [1 / mass]; 0 for massless bodies. 1 division.
template <class T>
MOTE_FORMULA T inverse_mass(T mass) {
  return mass > 0 ? 1 / mass : T(0);
}

}  // namespace mote::sim
