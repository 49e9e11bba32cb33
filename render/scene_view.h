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

#include "render/bodies.h"
#include "render/camera.h"
#include "render/color_map.h"
#include "render/point_buffers.h"
#include "render/polyline.h"
#include "render/shader_folder.h"

namespace mote::render {

/// How many points become light: by the raster units, by a compute shader, or whichever a timing at
/// the start found faster.
enum class SplatPath { automatic, raster, compute };

struct ViewStyle {
  Bodies bodies = Bodies::stars;
  std::string map = "inferno";
  std::vector<Color> palette = {};  ///< instead of the map: colours of points whose scalars are 0,
                                    ///< 1, 2, ...
  double exposure = 0;              ///< stops
  double point_size = 0;            ///< pixels at 720 lines; 0: chosen
  double sphere_radius = 0;  ///< world lengths; 0: chosen from the bodies' number and the camera
  bool own_radii = true;     ///< spheres of points that have radii are drawn with these
  bool solids = false;       ///< points of negative radii are drawn with a fluid
  double bloom = 1;          ///< strength of the glow; 0: none, 1: as usual
  SplatPath splat = SplatPath::automatic;
  int trail_length = 0;  ///< remembered positions that are drawn for each body; 0: no trails
  bool axes = false, box = false;
  double seconds = 0;  ///< since the last picture: its brightness follows softly; 0: each is
                       ///< measured for itself
  engine::Index splat_from = 200'000;  ///< stars that are drawn as splats when there are so many
  double mean_weight = 0,
         largest_weight = 0;  ///< of the points; 0: read once for each buffer and number of points
};

/// Beside points, what is in the picture.
struct Extras {
  std::vector<Polyline> lines;        ///< orbits and the like
  glm::vec3 box_low{0}, box_high{0};  ///< of the bounding box
  glm::vec3 axes_at{0};               ///< where the axes meet
  double axes_length = 1;
  std::optional<glm::vec3> marked;  ///< a body with a ring around it
};

/// Everything that is drawn of a scene, from points in the driver's memory to a tone-mapped
/// picture: passes in their order, and the targets between them. Both the window and headless
/// pictures are made by this. Needs a current context, which outlives it.
class SceneView {
 public:
  explicit SceneView(const std::filesystem::path& shaders = find_shaders());
  ~SceneView();
  SceneView(const SceneView&) = delete;
  SceneView& operator=(const SceneView&) = delete;

  /// Draws into `framebuffer` (0: the window's), all of it, in sRGB.
  void draw(const PointBuffers& points, const Viewpoint& from, const ViewStyle& style,
            const Extras& extras, GLuint framebuffer, int width, int height);

  /// The body nearest to the viewer among those within `reach` pixels of a pixel (from the upper
  /// left), of the points that were drawn last; column of the body, or nothing. Works on the GPU; a
  /// few bytes come back.
  std::optional<std::int64_t> pick(const PointBuffers& points, const Viewpoint& from,
                                   glm::dvec2 pixel, double reach, int width, int height);
  /// The position of one point; 12 bytes come back.
  glm::vec3 position(const PointBuffers& points, std::int64_t column) const;

  /// Remembers the points as the newest of their trails. Forgets all when their number has changed.
  void add_to_trails(const PointBuffers& points, int trail_length);
  /// The same of places that the host has, 3 floats a point.
  void add_to_trails(std::span<const float> positions, int trail_length);
  void clear_trails();

  /// From the next picture that shows any light on, all are exposed like it; `false` measures every
  /// time, with a delay when ViewStyle::seconds is given.
  void hold_exposure(bool hold);
  /// The next picture shows something else: its brightness has nothing to do with that of the last.
  void forget_exposure();

  /// "raster" or "compute", and what the timing at the start said; for the statistics.
  std::string splat_report() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace mote::render
