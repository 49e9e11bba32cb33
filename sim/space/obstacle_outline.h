#pragma once

#include <vector>

#include "sim/space/obstacles.h"
#include "sim/space/outline.h"

namespace mote::sim {

/// The visible region, for unbounded obstacles.
struct OutlineRegion {
  engine::Vec3d center{};   ///< [length]
  double radius = 1;        ///< [length], > 0
  engine::Vec3d low, high;  ///< where bodies can be [length]; may be infinite
};

/// Outlines of obstacles, which do not hide bodies in or behind them: edges of boxes, rings and
/// generators of cylinders, circles of spheres, sharp edges or sections of meshes. Planes are
/// grids; they and unbounded cylinders are clipped to the region, other planes and the space of
/// bodies.
class ObstacleOutlines {
 public:
  ObstacleOutlines() = default;
  /// Throws InputError when a mesh cannot be read.
  explicit ObstacleOutlines(const std::vector<ObstacleDescription>& described);

  bool empty() const { return parts_.empty(); }
  std::vector<Outline> at(double time, const OutlineRegion& region) const;

 private:
  enum class Kind { given, plane, endless_cylinder };
  struct Part {
    Kind kind = Kind::given;
    ObstacleMotion motion;
    double radius = 0;                ///< of a cylinder
    std::vector<Outline> lines = {};  ///< in the local frame, if independent of the region
  };
  struct Builder;

  std::vector<Part> parts_;
};

}  // namespace mote::sim
