#pragma once

#include "engine/platform.h"

namespace mote::sim {

/// Moment of inertia of a homogeneous sphere, 2/5 m r^2 [mass length^2]. 3 flops.
template <class T>
MOTE_FORMULA T moment_of_inertia(T mass, T radius) {
  return T(0.4) * mass * (radius * radius);
}

/// Mass of a homogeneous sphere, 4/3 pi r^3 density [mass]. 4 flops.
MOTE_FORMULA double mass_of_ball(double radius, double density) {
  return 4.1887902047863910 * radius * radius * radius * density;
}

}  // namespace mote::sim
