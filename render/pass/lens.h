#pragma once

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>

namespace mote::render {

/// Least radius of a sphere, so that none is lost [pixels].
inline constexpr float least_sphere_radius = 0.75f;

/// How much of the lamp is seen from each place, as ShadowPass finds it. Lengths are those of
/// Lens::unit_view().
struct Shadows {
  unsigned map = 0;     ///< texture of depths as the lamp sees them
  glm::mat4 to_map{1};  ///< from the camera's axes: across the map and towards the lamp, 0 to 1
  float texel = 0;      ///< side of a texel of the map
  float strength = 0;   ///< part of the lamp's light that shadows take
};

/// A perspective view for passes that trace lines of sight, from the view and projection of an
/// OrbitCamera.
struct Lens {
  glm::mat4 view, projection;
  float near;                           ///< distance of the near plane
  glm::vec4 terms;                      ///< projection: scale of x and y, shift of x and y
  std::optional<glm::vec4> clip = {};   ///< see ViewStyle::clip
  std::optional<Shadows> shadows = {};  ///< none: all of the lamp is seen from everywhere

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
  /// The plane of `clip` in the axes of that view; without one, a plane that hides nothing.
  glm::vec4 unit_clip() const {
    if (!clip) return {0, 0, 0, 1};
    const glm::vec3 normal = glm::mat3(view) * glm::vec3(*clip);
    return {normal, unit() * (clip->w - glm::dot(normal, glm::vec3(view[3])))};
  }
};

}  // namespace mote::render
