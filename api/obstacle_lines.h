#pragma once

#include <vector>

#include "render/polyline.h"
#include "sim/run/extent.h"
#include "sim/scene/description.h"
#include "sim/space/obstacle_outline.h"

namespace mote::api {

/// Outlines of the obstacles of a scene, for drawing.
class ObstacleLines {
 public:
  ObstacleLines() = default;
  explicit ObstacleLines(const sim::SceneDescription& scene);

  /// Outlines at a time, as offsets from an origin. Grids of planes are centred at the target of
  /// the scene's camera if set, otherwise at the bodies.
  std::vector<render::Polyline> at(double time, const sim::Extent& bodies,
                                   engine::Vec3d origin = {}) const;

 private:
  sim::ObstacleOutlines outlines_;
  sim::Camera camera_;
  engine::Vec3d low_{}, high_{};  ///< bounds of the domain; infinite where it is open
};

}  // namespace mote::api
