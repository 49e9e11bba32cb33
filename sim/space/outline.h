#pragma once

#include <vector>

#include "engine/math/vec.h"

namespace mote::sim {

/// A polyline.
struct Outline {
  std::vector<engine::Vec3d> points;
  bool closed = false;
};

}  // namespace mote::sim
