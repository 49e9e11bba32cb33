#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/point_buffers.h"
#include "render/shader_folder.h"
#include "render/view_style.h"

namespace mote::render {

/// Draws a scene, from points in OpenGL buffers to a tone-mapped picture: owns the passes and the
/// targets between them. Used by the window and for headless pictures. Needs a current context,
/// which outlives it.
class SceneView {
 public:
  explicit SceneView(const std::filesystem::path& shaders = find_shaders());
  ~SceneView();
  SceneView(const SceneView&) = delete;
  SceneView& operator=(const SceneView&) = delete;

  /// Draws over all of `framebuffer` (0: the window's), in sRGB.
  void draw(const PointBuffers& points, const Viewpoint& from, const ViewStyle& style,
            const Extras& extras, GLuint framebuffer, int width, int height);
  /// Updates the exposure, which later pictures depend on, without drawing a picture.
  void follow(const PointBuffers& points, const Viewpoint& from, const ViewStyle& style,
              const Extras& extras, int width, int height);

  /// Index of the body nearest to the viewer within `tolerance` pixels of a pixel (from the upper
  /// left), among the points drawn last, or nothing. Works on the GPU; a few bytes are read back.
  std::optional<std::int64_t> pick(const PointBuffers& points, const Viewpoint& from,
                                   glm::dvec2 pixel, double tolerance, int width, int height);
  /// Radius of the last picture's spheres with none of their own, world length; 0 without spheres.
  double sphere_radius() const;
  /// The position of one point; reads back 12 bytes.
  glm::vec3 position(const PointBuffers& points, std::int64_t index) const;

  /// Appends the points to their trails. Clears the trails when their number has changed.
  void add_to_trails(const PointBuffers& points, int trail_length);
  /// Appends positions in host memory to the trails, 3 floats per point.
  void add_to_trails(std::span<const float> positions, int trail_length);
  void clear_trails();

  /// `true`: the next lit picture sets the exposure of all later ones; `false`: each is measured,
  /// smoothed in time when ViewStyle::seconds is given.
  void hold_exposure(bool hold);
  /// Forgets the brightness of earlier pictures, for a scene change.
  void reset_exposure();

  /// "raster" or "compute" with their timing, for the statistics.
  std::string splat_report() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
