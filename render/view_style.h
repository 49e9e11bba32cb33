#pragma once

#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/types.h"
#include "render/bodies.h"
#include "render/body_looks.h"
#include "render/body_mesh.h"
#include "render/color_map.h"
#include "render/polyline.h"
#include "render/surface_mesh.h"

namespace mote::render {

/// Whether a plane, as that of a ViewStyle, hides a position.
inline bool is_clipped(const std::optional<glm::vec4>& plane, const glm::vec3& position) {
  return plane && glm::dot(*plane, glm::vec4(position, 1)) < 0;
}

/// How many points are drawn: by the raster units, by a compute shader, or by the faster of both,
/// timed once.
enum class SplatPath { automatic, raster, compute };

struct ViewStyle {
  Bodies bodies = Bodies::stars;
  std::string map = "inferno";
  /// replaces the map: colours of points with scalars 0, 1, 2, ...
  std::vector<Color> palette = {};
  double exposure = 0;           ///< stops
  double point_size = 0;         ///< pixels in a picture of 720 lines; 0: automatic
  double sphere_radius = 0;      ///< world length; 0: from the number of bodies and the camera
  bool own_radii = true;         ///< points that have radii are drawn with these as spheres
  std::vector<Look> looks = {};  ///< looks of the kinds of points
  bool solids = false;           ///< points of negative radii are drawn with a fluid
  double occlusion = 0;          ///< strength of ambient occlusion of spheres and surfaces; 0: none
  double shadow = 0;  ///< part of the lamp's light that shadows take, 0 to 1; 0: no shadows
  /// Nothing is drawn where dot(clip, (position, 1)) < 0, of positions relative to the frame's
  /// origin, but axes, box and the ring of the marked body.
  std::optional<glm::vec4> clip = {};
  bool on_white = false;  ///< a white background, for print
  double bloom = 1;       ///< strength of the glow; 0: none, 1: default
  SplatPath splat = SplatPath::automatic;
  int trail_length = 0;  ///< stored positions drawn per body; 0: no trails
  bool axes = false, box = false;
  /// since the last picture: its brightness is smoothed over time; 0: each picture is measured
  double seconds = 0;
  engine::Index splat_from = 200'000;  ///< from this number of points on, stars are drawn as splats
  double mean_weight = 0,
         /// of the points; 0: measured once for each buffer and number of points
      largest_weight = 0;
};

/// Other contents of a picture.
struct Extras {
  std::vector<Polyline> lines;           ///< such as orbits
  std::vector<PlacedSurface> surfaces;   ///< translucent
  std::shared_ptr<const BodyMesh> mesh;  ///< connects the points, drawn with spheres; may be null
  PointKinds kinds;                      ///< kinds of the points; null: all 0
  std::vector<OwnLook> own_looks;        ///< looks of the kinds after those of the ViewStyle
  glm::vec3 box_low{0}, box_high{0};     ///< corners of the bounding box
  glm::vec3 axes_at{0};                  ///< origin of the axes
  double axes_length = 1;
  std::optional<glm::vec3> marked;  ///< the body with a ring around it
};

}  // namespace mote::render
