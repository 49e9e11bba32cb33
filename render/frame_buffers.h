#pragma once

#include <span>

#include "render/frame.h"
#include "render/gl/handle.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Buffers of the driver that the points of a frame are copied into, so that they can be drawn.
class FrameBuffers {
 public:
  FrameBuffers()
      : positions_(make_buffer()),
        scalars_(make_buffer()),
        weights_(make_buffer()),
        radii_(make_buffer()) {}

  /// Needs one scalar a point, and one weight and one radius a point or none; at most 2^31 - 1
  /// points. What it returns is good until the next upload.
  PointBuffers upload(const Frame& frame);

 private:
  BufferHandle positions_, scalars_, weights_, radii_;
};

}  // namespace mote::render
