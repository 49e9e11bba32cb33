#pragma once

#include <GL/glew.h>

#include "engine/types.h"

namespace mote::render {

/// Points that already are in the driver's memory, and how their scalars become colours. Owns
/// nothing.
struct PointBuffers {
  GLuint positions = 0;     ///< buffer of 3 floats a point: x, y, z, as offsets from the frame's
                            ///< origin
  GLuint scalars = 0;       ///< buffer of a float a point: the number that is mapped to a colour
  GLuint weights = 0;       ///< buffer of a float a point, relative brightness; 0: all 1
  engine::Index count = 0;  ///< points
  float scalar_low = 0;     ///< maps to the first colour
  float scalar_high = 1;    ///< maps to the last colour
  /// Buffer of a float a point, world length, of spheres, negative for walls of a fluid or solids
  /// in it; 0: all alike.
  GLuint radii = 0;
};

}  // namespace mote::render
