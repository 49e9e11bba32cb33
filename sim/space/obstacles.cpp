#include "sim/space/obstacles.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "engine/check.h"

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr double radians_per_degree = std::numbers::pi / 180;
constexpr double without_end = std::numeric_limits<double>::infinity();

struct Axes {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

/// Axes whose z is this direction; those next to it, when it is z.
Axes axes_along(Vec3d direction) {
  const Vec3d z = (1 / engine::length(direction)) * direction;
  // The coordinate axis furthest from it makes a plane with it.
  const double ax = std::fabs(z.x), ay = std::fabs(z.y), az = std::fabs(z.z);
  const Vec3d other = ax <= ay && ax <= az ? Vec3d{1, 0, 0} : ay <= az ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  const Vec3d side = cross(z, other);
  const Vec3d y = (1 / engine::length(side)) * side;
  return {cross(y, z), y, z};
}

Axes axes_turned(Vec3d degrees) {
  const Vec3d turn = radians_per_degree * degrees;
  return {turned({1, 0, 0}, turn), turned({0, 1, 0}, turn), turned({0, 0, 1}, turn)};
}

}  // namespace

/// Adds the walls of each described obstacle.
struct Obstacles::Builder {
  Obstacles& all;
  const SurfaceMaterial& standard;
  double margin;
  int threads;
  int described = 0;

  Wall& add(const ObstacleCommon& common, ObstacleShape shape, bool container, Vec3d center, Vec3d origin,
            const Axes& axes) const {
    Wall wall{};
    wall.mesh = -1;
    wall.described = described;
    wall.shape.shape = shape;
    wall.shape.side = container ? -1 : 1;
    wall.shape.friction = common.friction.value_or(standard.friction);
    wall.shape.restitution = common.restitution.value_or(standard.restitution);
    wall.motion = {origin,
                   axes.x,
                   axes.y,
                   axes.z,
                   common.pivot.value_or(center),
                   common.velocity,
                   common.amplitude,
                   2 * std::numbers::pi * common.frequency,
                   radians_per_degree * common.phase,
                   common.angular_velocity};
    all.walls_.push_back(wall);
    return all.walls_.back();
  }
  void add_plane(const ObstacleCommon& common, Vec3d center, Vec3d point, Vec3d normal) const {
    add(common, ObstacleShape::plane, false, center, point, axes_along(normal));
  }

  void operator()(const PlaneObstacle& o) const { add_plane(o, o.point, o.point, o.normal); }
  void operator()(const BoxObstacle& o) const {
    const Axes axes = axes_turned(o.rotation);
    const Vec3d half = 0.5 * o.size;
    if (!o.container) {
      add(o, ObstacleShape::box, false, o.center, o.center, axes).shape.half = half;
      return;
    }
    const Vec3d ways[3] = {half.x * axes.x, half.y * axes.y, half.z * axes.z};
    for (const Vec3d& way : ways)
      for (const double end : {-1.0, 1.0}) add_plane(o, o.center, o.center + end * way, -end * way);
  }
  void operator()(const SphereObstacle& o) const {
    add(o, ObstacleShape::sphere, o.container, o.center, o.center, {}).shape.radius = o.radius;
  }
  void operator()(const CylinderObstacle& o) const {
    const Axes axes = axes_along(o.axis);
    Wall& wall = add(o, ObstacleShape::cylinder, o.container, o.center, o.center, axes);
    wall.shape.radius = o.radius;
    wall.shape.half_length = o.length && !o.container ? 0.5 * *o.length : without_end;
    if (!o.length || !o.container) return;
    for (const double end : {-1.0, 1.0})
      add_plane(o, o.center, o.center + (0.5 * end * *o.length) * axes.z, -end * axes.z);
  }
  void operator()(const CapsuleObstacle& o) const {
    const Vec3d center = 0.5 * (o.from + o.to), way = o.to - o.from;
    const double length = engine::length(way);
    Wall& wall = add(o, ObstacleShape::capsule, false, center, center, length > 0 ? axes_along(way) : Axes{});
    wall.shape.radius = o.radius;
    wall.shape.half_length = 0.5 * length;
  }
  void operator()(const MeshObstacle& o) const {
    TriangleMesh mesh = o.surface ? *o.surface : closed_surface(read_mesh(o.file), o.file);
    for (Vec3d& v : mesh.vertices) v = o.scale * v;
    all.meshes_.push_back(distances_to(mesh, static_cast<int>(o.resolution), margin, threads));
    Wall& wall = add(o, ObstacleShape::mesh, o.container, o.center, o.center, axes_turned(o.rotation));
    wall.mesh = static_cast<int>(all.meshes_.size()) - 1;
  }
};

Obstacles::Obstacles(const std::vector<ObstacleDescription>& described, const SurfaceMaterial& standard,
                     double margin, int threads) {
  Builder builder{*this, standard, margin, threads};
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
    if (!(m.velocity == none && m.angular_velocity == none && (m.amplitude == none || m.rate == 0)))
      return true;
  }
  return false;
}

template <class T>
void Obstacles::at(double time, std::vector<Obstacle<T>>& all) const {
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
    o.frame = frame_at<T>(w.motion, time);
    all.push_back(o);
  }
}

template void Obstacles::at<float>(double, std::vector<Obstacle<float>>&) const;
template void Obstacles::at<double>(double, std::vector<Obstacle<double>>&) const;

}  // namespace mote::sim
