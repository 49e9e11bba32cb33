#pragma once

#include <cmath>

#include "render/gl/handle.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Declares attributes 0 (position), 1 (scalar) and 2 (weight) of points. `divisor` 0: one point a
/// vertex, 1: one an instance.
inline void declare_points(const VertexArrayHandle& vertices, GLuint divisor) {
  for (GLuint place = 0; place < 3; ++place) {
    glVertexArrayAttribFormat(vertices.name(), place, place == 0 ? 3 : 1, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(vertices.name(), place, place);
    glVertexArrayBindingDivisor(vertices.name(), place, divisor);
    glEnableVertexArrayAttrib(vertices.name(), place);
  }
}

/// Lets the buffers feed what was declared, and binds the array.
inline void feed_points(const VertexArrayHandle& vertices, const PointBuffers& points) {
  constexpr GLsizei stride = sizeof(float);
  glVertexArrayVertexBuffer(vertices.name(), 0, points.positions, 0, 3 * stride);
  glVertexArrayVertexBuffer(vertices.name(), 1, points.scalars, 0, stride);
  if (points.weights != 0) {
    glVertexArrayVertexBuffer(vertices.name(), 2, points.weights, 0, stride);
    glEnableVertexArrayAttrib(vertices.name(), 2);
  } else {
    glDisableVertexArrayAttrib(vertices.name(), 2);
  }
  glBindVertexArray(vertices.name());
  if (points.weights == 0) glVertexAttrib1f(2, 1);
}

/// Names of buffers may be used anew after their owner has deleted them: nothing keeps them between
/// draws.
inline void release_points(const VertexArrayHandle& vertices) {
  for (GLuint place = 0; place < 3; ++place)
    glVertexArrayVertexBuffer(vertices.name(), place, 0, 0, 4);
  glBindVertexArray(0);
}

/// Factor from a scalar above scalar_low to 0..1; 0 when the range is nothing.
inline float scalar_scale(const PointBuffers& points) {
  const float range = points.scalar_high - points.scalar_low;
  return std::isfinite(range) && range > 0 ? 1 / range : 0;
}

}  // namespace mote::render
