#include "sim/space/obstacles.h"

#include <cmath>
#include <limits>

#include "engine/check.h"
#include "sim/space/obstacle_axes.h"
#include "sim/space/placed_mesh.h"

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr double unbounded = std::numeric_limits<double>::infinity();

}  // namespace

/// Adds the walls of each described obstacle.
struct Obstacles::Builder {
  Obstacles& all;
  const SolidMotions& solids;
  const SurfaceMaterial& standard;
  double margin;
  int threads;
  int described = 0;

  Wall& add(const ObstacleCommon& common, ObstacleShape shape, bool container, Vec3d center,
            Vec3d origin, const ObstacleAxes& axes) const {
    Wall wall{};
    wall.mesh = -1;
    wall.described = described;
    wall.shape.shape = shape;
    wall.shape.side = container ? -1 : 1;
    wall.shape.friction = common.friction.value_or(standard.friction);
    wall.own = {common.friction, common.restitution};
    wall.shape.restitution = common.restitution.value_or(standard.restitution);
    wall.motion = solids.motion_of(common, center, origin, axes);
    all.walls_.push_back(wall);
    return all.walls_.back();
  }
  void add_plane(const ObstacleCommon& common, Vec3d center, Vec3d point, Vec3d normal) const {
    add(common, ObstacleShape::plane, false, center, point, axes_along(normal));
  }

  void operator()(const PlaneObstacle& o) const { add_plane(o, o.point, o.point, o.normal); }
  void operator()(const BoxObstacle& o) const {
    const ObstacleAxes axes = axes_turned(o.rotation);
    const Vec3d half = 0.5 * o.size;
    if (!o.container) {
      add(o, ObstacleShape::box, false, o.center, o.center, axes).shape.half = half;
      return;
    }
    const Vec3d half_axes[3] = {half.x * axes.x, half.y * axes.y, half.z * axes.z};
    for (const Vec3d& half_axis : half_axes)
      for (const double end : {-1.0, 1.0})
        add_plane(o, o.center, o.center + end * half_axis, -end * half_axis);
  }
  void operator()(const SphereObstacle& o) const {
    add(o, ObstacleShape::sphere, o.container, o.center, o.center, {}).shape.radius = o.radius;
  }
  void operator()(const CylinderObstacle& o) const {
    const ObstacleAxes axes = axes_along(o.axis);
    Wall& wall = add(o, ObstacleShape::cylinder, o.container, o.center, o.center, axes);
    wall.shape.radius = o.radius;
    wall.shape.half_length = o.length && !o.container ? 0.5 * *o.length : unbounded;
    if (!o.length || !o.container) return;
    for (const double end : {-1.0, 1.0})
      add_plane(o, o.center, o.center + (0.5 * end * *o.length) * axes.z, -end * axes.z);
  }
  void operator()(const CapsuleObstacle& o) const {
    const Vec3d center = 0.5 * (o.from + o.to), axis = o.to - o.from;
    const double length = engine::length(axis);
    Wall& wall = add(o, ObstacleShape::capsule, false, center, center,
                     length > 0 ? axes_along(axis) : ObstacleAxes{});
    wall.shape.radius = o.radius;
    wall.shape.half_length = 0.5 * length;
  }
  void operator()(const MeshObstacle& o) const {
    const PlacedMesh mesh = placed_mesh(o);
    all.meshes_.push_back(
        distances_to(mesh.surface, static_cast<int>(o.resolution), margin, threads));
    Wall& wall = add(o, ObstacleShape::mesh, o.container, o.center, mesh.origin, mesh.axes);
    wall.mesh = static_cast<int>(all.meshes_.size()) - 1;
  }
};

Obstacles::Obstacles(const std::vector<ObstacleDescription>& described,
                     const std::vector<Axle>& axles, const SurfaceMaterial& standard, double margin,
                     int threads) {
  const SolidMotions solids(described, axles);
  solids_ = solids.count();
  Builder builder{*this, solids, standard, margin, threads};
  for (const ObstacleDescription& obstacle : described) {
    const std::string problem = obstacle_problem(obstacle);
    if (!problem.empty()) throw engine::InputError(name_of(obstacle), problem, "");
    std::visit(builder, obstacle);
    ++builder.described;
  }
}

bool Obstacles::moves() const {
  for (const Wall& w : walls_) {
    const ObstacleMotion& m = w.motion;
    constexpr Vec3d none{0, 0, 0};
    if (m.on_axle ||
        !(m.velocity == none && m.angular_velocity == none && (m.amplitude == none || m.rate == 0)))
      return true;
  }
  return false;
}

template <class T>
void Obstacles::at(double time, const SolidState* solids, std::vector<Obstacle<T>>& all) const {
  all.clear();
  for (const Wall& w : walls_) {
    Obstacle<T> o{};
    o.shape = w.shape.shape;
    o.side = static_cast<T>(w.shape.side);
    o.half = rounded_to<T>(w.shape.half);
    o.radius = static_cast<T>(w.shape.radius);
    o.half_length = static_cast<T>(w.shape.half_length);
    o.friction = static_cast<T>(w.shape.friction);
    o.restitution = static_cast<T>(w.shape.restitution);
    if (w.mesh >= 0) {
      const MeshDistance& m = meshes_[static_cast<std::size_t>(w.mesh)];
      o.grid = {m.distance.data(),
                rounded_to<T>(m.low),
                static_cast<T>(m.spacing),
                {m.count[0], m.count[1], m.count[2]}};
    }
    o.frame = frame_at<T>(w.motion, time, solids);
    all.push_back(o);
  }
}

template void Obstacles::at<float>(double, const SolidState*, std::vector<Obstacle<float>>&) const;
template void Obstacles::at<double>(double, const SolidState*,
                                    std::vector<Obstacle<double>>&) const;

}  // namespace mote::sim
