#pragma once

#include <glm/ext/matrix_transform.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace mote::render {

/// A perspective view for passes that trace lines of sight, from the view and projection of an
/// OrbitCamera.
struct Lens {
  glm::mat4 view, projection;
  float near;       ///< distance of the near plane
  glm::vec4 terms;  ///< of the projection: scale of x and y, shift of x and y

  Lens(const glm::mat4& view_matrix, const glm::mat4& projection_matrix)
      : view(view_matrix),
        projection(projection_matrix),
        near(projection[3][2] / (projection[2][2] - 1)),
        terms(projection[0][0], projection[1][1], projection[2][0], projection[2][1]) {}

  /// Length spanned by a pixel at distance 1.
  float pixel(int height) const { return 2 / (terms.y * static_cast<float>(height)); }

  /// Factor to lengths in which the near plane is at 1e-3, so that squares of them stay finite in
  /// floats whatever the units of the scene.
  float unit() const { return 1e-3f / near; }
  /// The view in these lengths; valid with the same projection for x, y and w.
  glm::mat4 unit_view() const { return glm::scale(glm::mat4(1), glm::vec3(unit())) * view; }
};

}  // namespace mote::render
