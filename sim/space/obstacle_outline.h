#pragma once

#include <vector>

#include "sim/space/obstacles.h"

namespace mote::sim {

/// Points that a line goes through.
struct Outline {
  std::vector<engine::Vec3d> points;
  bool closed = false;
};

/// What is shown of a world without end.
struct OutlineReach {
  engine::Vec3d center{};   ///< [length]
  double radius = 1;        ///< about it [length], > 0
  engine::Vec3d low, high;  ///< where bodies can be [length]; may be infinite
};

/// Lines by which obstacles can be seen without hiding what is in them or behind: edges of boxes,
/// rings and generators of cylinders, circles of spheres, sharp edges or sections of meshes. Planes
/// are a grid, cylinders without end as long as the reach; both end at planes and where no body can
/// be.
class ObstacleOutlines {
 public:
  ObstacleOutlines() = default;
  /// Throws InputError when a mesh cannot be read.
  explicit ObstacleOutlines(const std::vector<ObstacleDescription>& described);

  bool empty() const { return parts_.empty(); }
  std::vector<Outline> at(double time, const OutlineReach& reach) const;

 private:
  enum class Kind { given, plane, endless_cylinder };
  struct Part {
    Kind kind = Kind::given;
    ObstacleMotion motion;
    double radius = 0;                ///< of a cylinder
    std::vector<Outline> lines = {};  ///< in its own axes, where they do not depend on the reach
  };
  struct Builder;

  std::vector<Part> parts_;
};

}  // namespace mote::sim
