#pragma once

#include "engine/memory/point_frame.h"

namespace mote::render {

/// A frame of SharedPoints, to be written.
struct SharedTarget : engine::PointFrame {
  int slot = -1;
};

}  // namespace mote::render
