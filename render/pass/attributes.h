#pragma once

#include <cmath>

#include "render/gl/handle.h"
#include "render/point_buffers.h"

namespace mote::render {

/// Declares attributes 0 (position), 1 (scalar) and 2 (weight) of points. `divisor` 0: per vertex,
/// 1: per instance.
inline void declare_points(const VertexArrayHandle& vertices, GLuint divisor) {
  for (GLuint attribute = 0; attribute < 3; ++attribute) {
    glVertexArrayAttribFormat(vertices.name(), attribute, attribute == 0 ? 3 : 1, GL_FLOAT,
                              GL_FALSE, 0);
    glVertexArrayAttribBinding(vertices.name(), attribute, attribute);
    glVertexArrayBindingDivisor(vertices.name(), attribute, divisor);
    glEnableVertexArrayAttrib(vertices.name(), attribute);
  }
}

/// Declares attribute 3 of spheres: whether they are shown, a byte each (PointBuffers::shown).
inline void declare_shown(const VertexArrayHandle& vertices) {
  glVertexArrayAttribFormat(vertices.name(), 3, 1, GL_UNSIGNED_BYTE, GL_TRUE, 0);
  glVertexArrayAttribBinding(vertices.name(), 3, 3);
  glVertexArrayBindingDivisor(vertices.name(), 3, 1);
}

/// Binds the buffers to the declared attributes, and the vertex array.
inline void bind_points(const VertexArrayHandle& vertices, const PointBuffers& points) {
  constexpr GLsizei stride = sizeof(float);
  glVertexArrayVertexBuffer(vertices.name(), 0, points.positions, 0, 3 * stride);
  glVertexArrayVertexBuffer(vertices.name(), 1, points.scalars, 0, stride);
  const auto optional = [&](GLuint attribute, GLuint buffer, GLsizei size) {
    if (buffer == 0) return glDisableVertexArrayAttrib(vertices.name(), attribute);
    glVertexArrayVertexBuffer(vertices.name(), attribute, buffer, 0, size);
    glEnableVertexArrayAttrib(vertices.name(), attribute);
  };
  optional(2, points.weights, stride);
  optional(3, points.shown, 1);
  glBindVertexArray(vertices.name());
  if (points.weights == 0) glVertexAttrib1f(2, 1);
  if (points.shown == 0) glVertexAttrib1f(3, 1);
}

/// Unbinds the buffers: a deleted buffer's name may be reused between draws.
inline void unbind_points(const VertexArrayHandle& vertices) {
  for (GLuint attribute = 0; attribute < 4; ++attribute)
    glVertexArrayVertexBuffer(vertices.name(), attribute, 0, 0, 4);
  glBindVertexArray(0);
}

/// Factor that maps scalar - scalar_low to 0..1; 0 for an empty range.
inline float scalar_scale(const PointBuffers& points) {
  const float range = points.scalar_high - points.scalar_low;
  return std::isfinite(range) && range > 0 ? 1 / range : 0;
}

}  // namespace mote::render
