#pragma once

#include <GL/glew.h>

#include "engine/types.h"

namespace mote::render {

/// Points in OpenGL buffers, and how their scalars map to colours. Non-owning.
struct PointBuffers {
  GLuint positions = 0;     ///< 3 floats per point: x, y, z, relative to the frame's origin
  GLuint scalars = 0;       ///< 1 float per point, mapped to colours
  GLuint weights = 0;       ///< 1 float per point, relative brightness; 0: all 1
  engine::Index count = 0;  ///< points
  float scalar_low = 0;     ///< maps to the first colour
  float scalar_high = 1;    ///< maps to the last colour
  /// 1 float per point, radii of spheres, world lengths; negative for walls of a fluid or solids in
  /// it; 0: all equal.
  GLuint radii = 0;
  /// 1 byte per point, 0 for those without a sphere; 0: all have one.
  GLuint shown = 0;
};

}  // namespace mote::render
