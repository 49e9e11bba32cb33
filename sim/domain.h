#pragma once

#include "engine/math/vec.h"

namespace mote::sim {

/// Where bodies are. Each axis is open, or periodic: then places that differ by a whole length are the same one.
struct Domain {
  engine::Vec3d low{0, 0, 0};     ///< [length], of periodic axes
  engine::Vec3d length{0, 0, 0};  ///< [length], > 0, of periodic axes
  bool periodic[3] = {false, false, false};
};

}  // namespace mote::sim
