#pragma once

#include <vector>

#include "render/polyline.h"
#include "sim/run/extent.h"
#include "sim/scene/description.h"
#include "sim/space/obstacle_outline.h"

namespace mote::api {

/// The obstacles of a scene as lines to be drawn.
class ObstacleLines {
 public:
  ObstacleLines() = default;
  explicit ObstacleLines(const sim::SceneDescription& scene);

  /// Where obstacles are at a time, as offsets from an origin. Grids of planes lie about what the
  /// scene's camera looks at, or else about the bodies.
  std::vector<render::Polyline> at(double time, const sim::Extent& bodies,
                                   engine::Vec3d origin = {}) const;

 private:
  sim::ObstacleOutlines outlines_;
  sim::Camera camera_;
  engine::Vec3d low_{}, high_{};  ///< where bodies can be
};

}  // namespace mote::api
