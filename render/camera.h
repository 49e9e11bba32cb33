#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

namespace mote::render {

/// Where a camera stands: both matrices, and what they were made from.
struct Viewpoint {
  glm::mat4 view{1}, projection{1};
  glm::vec3 eye{0, 0, 0};  ///< of the camera, as an offset from the frame's origin
  double scale = 0;  ///< world length that a pixel spans at the distance of the camera's target
};

/// A camera that looks at a point from a distance. World and camera are right-handed, z of the
/// world is up. Lengths are those of the frame that is drawn, angles are degrees. Any values make a
/// valid picture: a distance that is not positive counts as a tiny one, elevations beyond +-90 look
/// from the other side.
struct OrbitCamera {
  glm::dvec3 target{0, 0, 0};
  double distance = 3;
  double azimuth = -90;   ///< of the camera about z, from +x towards +y; at -90, x points right and
                          ///< y away
  double elevation = 50;  ///< of the camera above the plane z = 0; 90 looks straight down
  double field_of_view = 40;  ///< vertical, 0 < value < 180

  /// From the target towards the camera; length 1.
  glm::dvec3 direction() const;
  glm::dvec3 position() const;

  /// World to camera (x right, y up, z towards the viewer).
  glm::mat4 view_matrix() const;

  /// Camera to clip space as OpenGL wants it (z from -w to w). `aspect` is width / height. Near and
  /// far lie a thousandth and ten thousand times the distance away, so that nothing that can be
  /// seen is cut off.
  glm::mat4 projection_matrix(double aspect) const;

  /// Of what a picture shows at the distance of the target.
  double height_at_target() const;

  /// What a picture of so many pixels is drawn from.
  Viewpoint viewpoint(int width, int height) const;

  /// Sets target and distance so that the sphere just fits a picture of this aspect, with a margin
  /// of 2 %. A radius that is not positive and finite counts as 1, a centre that is not finite as
  /// the origin.
  void frame(const glm::dvec3& center, double radius, double aspect = 1);
};

}  // namespace mote::render
