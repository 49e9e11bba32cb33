#pragma once

#include <memory>
#include <vector>

#include "sim/space/mesh.h"
#include "sim/space/obstacle_surfaces.h"
#include "sim/space/obstacles.h"
#include "sim/space/outline.h"

namespace mote::sim {

/// The visible region, for unbounded obstacles.
struct OutlineRegion {
  engine::Vec3d center{};   ///< [length]
  double radius = 1;        ///< [length], > 0
  engine::Vec3d low, high;  ///< where bodies can be [length]; may be infinite
};

/// The surface of an obstacle.
struct PlacedObstacle {
  /// The surface in its local frame; of unbounded obstacles a new one at each call.
  std::shared_ptr<const TriangleMesh> surface;
  ObstacleFrame<double> frame;
  bool flat;  ///< a part of a plane
};

/// Surfaces and outlines of obstacles. Outlines do not hide bodies in or behind them: edges of
/// boxes, rings and generators of cylinders, circles of spheres, sharp edges or sections of meshes.
/// Planes are grids; they and unbounded cylinders are clipped to the region, other planes and the
/// space of bodies.
class ObstacleOutlines {
 public:
  ObstacleOutlines() = default;
  /// Throws InputError when a mesh cannot be read.
  explicit ObstacleOutlines(const std::vector<ObstacleDescription>& described,
                            const std::vector<Axle>& axles = {});

  bool empty() const { return parts_.empty(); }
  /// `solids`: all of them at this time; may be null without axles.
  std::vector<Outline> at(double time, const SolidState* solids, const OutlineRegion& region) const;
  /// Planes are cut to the visible region, other planes and the space of bodies.
  std::vector<PlacedObstacle> surfaces(double time, const SolidState* solids,
                                       const OutlineRegion& region) const;

 private:
  enum class Kind { given, plane, endless_cylinder };
  struct Part {
    Kind kind = Kind::given;
    ObstacleMotion motion;
    double radius = 0;                ///< radius of a cylinder
    std::vector<Outline> lines = {};  ///< outlines in the local frame, if independent of the region
    std::shared_ptr<const TriangleMesh> surface = {};  ///< the same
  };
  struct Builder;
  std::vector<HalfSpace> spaces(const std::vector<ObstacleFrame<double>>& frames,
                                const OutlineRegion& region) const;
  std::vector<ObstacleFrame<double>> frames(double time, const SolidState* solids) const;

  std::vector<Part> parts_;
};

}  // namespace mote::sim
