#pragma once

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

namespace mote::render {

/// Lines in the world, as offsets from the frame's origin.
struct Polyline {
  std::vector<glm::vec3> points;
  glm::vec4 color{1, 1, 1, 0.5f};  ///< sRGB and opacity
  bool closed = false;
  bool apart = false;     ///< each two points are a line of their own
  bool in_front = false;  ///< nothing hides it
  float width = 1;        ///< of the usual one
};

}  // namespace mote::render
