#pragma once

#include <span>

#include "render/frame.h"
#include "render/gl/handle.h"
#include "render/point_buffers.h"

namespace mote::render {

/// OpenGL buffers for the points of a frame.
class FrameBuffers {
 public:
  FrameBuffers()
      : positions_(make_buffer()),
        scalars_(make_buffer()),
        weights_(make_buffer()),
        radii_(make_buffer()) {}

  /// Requires one scalar per point, and one weight and one radius per point or none; at most 2^31 -
  /// 1 points. The result is valid until the next upload.
  PointBuffers upload(const Frame& frame);

 private:
  BufferHandle positions_, scalars_, weights_, radii_;
};

}  // namespace mote::render
