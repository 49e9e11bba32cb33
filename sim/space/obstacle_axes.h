#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/space/obstacle_formula.h"
#include "sim/space/obstacle_tables.h"
#include "sim/space/solids.h"

/// Axes of obstacles at time 0.
namespace mote::sim {

inline constexpr double radians_per_degree = std::numbers::pi / 180;

struct ObstacleAxes {
  engine::Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

/// Orthonormal axes with z along `direction`.
inline ObstacleAxes axes_along(engine::Vec3d direction) {
  using engine::Vec3d;
  const Vec3d z = (1 / engine::length(direction)) * direction;
  // The coordinate axis least aligned with it.
  const double ax = std::fabs(z.x), ay = std::fabs(z.y), az = std::fabs(z.z);
  const Vec3d other = ax <= ay && ax <= az ? Vec3d{1, 0, 0}
                      : ay <= az           ? Vec3d{0, 1, 0}
                                           : Vec3d{0, 0, 1};
  const Vec3d side = cross(z, other);
  const Vec3d y = (1 / engine::length(side)) * side;
  return {cross(y, z), y, z};
}

inline ObstacleAxes axes_turned(engine::Vec3d degrees) {
  const engine::Vec3d turn = radians_per_degree * degrees;
  return {turned({1, 0, 0}, turn), turned({0, 1, 0}, turn), turned({0, 0, 1}, turn)};
}

/// Motions of the obstacles of a scene, with the solids and axles that they belong to.
class SolidMotions {
 public:
  SolidMotions(const std::vector<ObstacleDescription>& obstacles, const std::vector<Axle>& axles)
      : names_(solid_names(obstacles)), axles_(axles) {}
  int count() const { return static_cast<int>(names_.size()); }

  /// Motion of a part of an obstacle with these axes; it rotates about `center` unless the scene
  /// sets a pivot or an axle.
  ObstacleMotion motion_of(const ObstacleCommon& common, engine::Vec3d center, engine::Vec3d origin,
                           const ObstacleAxes& axes) const {
    ObstacleMotion m{origin,
                     axes.x,
                     axes.y,
                     axes.z,
                     common.pivot.value_or(center),
                     common.velocity,
                     common.amplitude,
                     2 * std::numbers::pi * common.frequency,
                     radians_per_degree * common.phase,
                     common.angular_velocity};
    for (std::size_t k = 0; k < names_.size(); ++k)
      if (names_[k] == common.name) m.solid = static_cast<std::int32_t>(k);
    for (const Axle& axle : axles_)
      if (axle.name == common.name)
        m.on_axle = true, m.pivot = axle.point, m.axis = formula_of(axle).axis;
    return m;
  }

 private:
  std::vector<std::string> names_;
  const std::vector<Axle>& axles_;
};

}  // namespace mote::sim
