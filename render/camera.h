#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

namespace mote::render {

/// View and projection matrices of a camera, and the values they were made from.
struct Viewpoint {
  glm::mat4 view{1}, projection{1};
  glm::vec3 eye{0, 0, 0};  ///< camera position relative to the frame's origin
  double scale = 0;        ///< world length spanned by a pixel at the distance of the target
};

/// Position of a point in a picture [pixels from the upper left]; nothing if it is behind the
/// camera. `point`: relative to the frame's origin.
std::optional<glm::vec2> pixel_of(const Viewpoint& from, const glm::vec3& point, int width,
                                  int height);

/// Pixels across which a length at a point appears, if it is seen across the line of sight; 0
/// behind the camera.
float pixels_of(const Viewpoint& from, const glm::vec3& point, double length, int height);

/// The inverse of pixel_of: what is seen at a pixel, in the plane through `through` that is
/// parallel to the picture. Both relative to the frame's origin. Nothing if `through` is behind the
/// camera.
std::optional<glm::dvec3> point_at(const Viewpoint& from, const glm::vec2& pixel,
                                   const glm::vec3& through, int width, int height);

/// A camera that looks at a point from a distance. World and camera coordinates are right-handed,
/// world z is up. Lengths are in the units of the frame, angles in degrees. A non-positive distance
/// counts as a tiny one; elevations beyond +-90 look from the other side, upside down.
struct OrbitCamera {
  glm::dvec3 target{0, 0, 0};
  double distance = 3;
  /// the camera's angle about z, from +x to +y; at -90, x points right and y away from the viewer
  double azimuth = -90;
  double elevation = 50;      ///< the camera's angle above z = 0; at 90 it looks straight down
  double field_of_view = 40;  ///< vertical, 0 < value < 180

  /// Unit vector from the target towards the camera.
  glm::dvec3 direction() const;
  glm::dvec3 position() const;

  /// World to camera (x right, y up, z towards the viewer).
  glm::mat4 view_matrix() const;

  /// Camera to clip space by OpenGL's convention (z from -w to w). `aspect` is width / height. The
  /// near and far planes lie at 1e-3 and 1e4 times the distance, far enough apart to clip nothing
  /// of interest.
  glm::mat4 projection_matrix(double aspect) const;

  /// World height of the picture at the distance of the target.
  double height_at_target() const;

  /// The viewpoint for a picture of this size in pixels.
  Viewpoint viewpoint(int width, int height) const;

  /// Sets target and distance so that the sphere just fits a picture of this aspect, with a margin
  /// of 2 %. A radius that is not positive and finite counts as 1, a non-finite centre as the
  /// origin.
  void frame(const glm::dvec3& center, double radius, double aspect = 1);
};

}  // namespace mote::render
