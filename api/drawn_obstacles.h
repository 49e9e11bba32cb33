#pragma once

#include <map>
#include <memory>
#include <vector>

#include "render/polyline.h"
#include "render/surface_mesh.h"
#include "sim/run/extent.h"
#include "sim/scene/description.h"
#include "sim/space/obstacle_outline.h"

namespace mote::api {

/// The obstacles of a scene as they are drawn: translucent surfaces, with their edges as lines.
class DrawnObstacles {
 public:
  DrawnObstacles() = default;
  explicit DrawnObstacles(const sim::SceneDescription& scene);

  // At a time, as offsets from an origin. `solids`: those of the scene at this time; without them
  // axles have not turned. Planes are cut to a part around the target of the scene's
  // camera if set, otherwise around the bodies.
  std::vector<render::Polyline> lines(double time, const std::vector<sim::SolidState>& solids,
                                      const sim::Extent& bodies, engine::Vec3d origin = {}) const;
  std::vector<render::PlacedSurface> surfaces(double time,
                                              const std::vector<sim::SolidState>& solids,
                                              const sim::Extent& bodies,
                                              engine::Vec3d origin = {}) const;

 private:
  sim::OutlineRegion region(const sim::Extent& bodies) const;
  std::vector<sim::SolidState> all_solids(const std::vector<sim::SolidState>& known) const;

  sim::ObstacleOutlines outlines_;
  std::size_t solids_ = 0;
  sim::Camera camera_;
  engine::Vec3d low_{}, high_{};  ///< bounds of the domain; infinite where it is open
  /// Surfaces of the last picture with their normals, reused where a surface is the same.
  mutable std::map<std::shared_ptr<const sim::TriangleMesh>,
                   std::shared_ptr<const render::SurfaceMesh>>
      meshes_;
};

}  // namespace mote::api
