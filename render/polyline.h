#pragma once

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

namespace mote::render {

/// Lines in the world, relative to the frame's origin.
struct Polyline {
  std::vector<glm::vec3> points;
  glm::vec4 color{1, 1, 1, 0.5f};  ///< sRGB and opacity
  bool closed = false;
  bool segments = false;  ///< each pair of points is a separate segment
  bool in_front = false;  ///< drawn over everything
  float width = 1;        ///< relative to the default width
};

}  // namespace mote::render
