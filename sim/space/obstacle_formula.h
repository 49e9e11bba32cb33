#pragma once

#include <cmath>
#include <cstdint>

#include "engine/math/vec.h"

/// Solid obstacles: signed distances [length], negative inside the solid, outward unit normals, and
/// prescribed motion. Plain data, for host and device. Distances of box, cylinder and capsule are
/// those to the closest point of a convex solid (Ericson 2005, Real-Time Collision Detection, 5.1);
/// inside, to the nearest face.
namespace mote::sim {

using engine::Vec3;

/// Shapes in their local frame: centred on the origin; the normal of a plane and the axis of
/// cylinders and capsules are along z.
enum class ObstacleShape : std::int32_t { plane, box, sphere, cylinder, capsule, mesh };

/// Distances at the nodes of a regular grid, x fastest.
template <class T>
struct DistanceGrid {
  const float* distance;  ///< [length]
  Vec3<T> low;            ///< position of the first node [length]
  T spacing;              ///< [length]
  std::int32_t count[3];  ///< nodes along each axis, >= 2
};

/// Local frame of an obstacle, and its velocity.
template <class T>
struct ObstacleFrame {
  Vec3<T> origin;            ///< [length]
  Vec3<T> ex, ey, ez;        ///< orthonormal axes
  Vec3<T> pivot;             ///< current point on the rotation axis [length]
  Vec3<T> velocity;          ///< the pivot's velocity [velocity]
  Vec3<T> angular_velocity;  ///< [1 / time]
};

template <class T>
struct Obstacle {
  ObstacleShape shape;
  T side;         ///< 1, or -1 for a cavity of this shape in an unbounded solid
  Vec3<T> half;   ///< half lengths of a box [length]
  T radius;       ///< radius of sphere, cylinder and capsule [length]
  T half_length;  ///< half length of a cylinder or of a capsule's axis; may be infinite [length]
  T friction, restitution;
  DistanceGrid<T> grid;  ///< distances from a mesh
  ObstacleFrame<T> frame;
};

/// Distance and normal of the nearest surface point.
template <class T>
struct SurfacePoint {
  T distance;      ///< [length]
  Vec3<T> normal;  ///< outward unit normal
};

/// Obstacles of one name, a solid: how far they have turned about their axle, if they have one, and
/// what bodies exert on them. Doubles only, since it is stored among the globals of a state.
struct SolidState {
  double angle;         ///< about its axle, from the placement in the scene, in radians
  double speed;         ///< angular velocity in the middle of the last step [1 / time]
  double time;          ///< time of `angle` and of the forces [time]
  double last_step;     ///< the one that led to `time`; 0 at the start [time]
  Vec3<double> force;   ///< force of all bodies on it [force]
  Vec3<double> torque;  ///< torque of all bodies about its axle's point or its pivot [force length]
};

/// A sum of what bodies exert on a solid.
struct SolidLoad {
  Vec3<double> force{}, torque{};

  /// The reaction to a force on a body at a point of the solid, `from` its pivot, and to a torque
  /// on the body beside that of the force. 20 flops.
  template <class T>
  MOTE_FORMULA void add_reaction(Vec3<T> from, Vec3<T> to_body, Vec3<T> torque_of_body = {}) {
    const auto full = [](Vec3<T> v) { return Vec3<double>{double(v.x), double(v.y), double(v.z)}; };
    const Vec3<double> f = -1.0 * full(to_body);
    force += f;
    torque += cross(full(from), f) - full(torque_of_body);
  }
  MOTE_FORMULA SolidLoad& operator+=(const SolidLoad& more) {
    force += more.force, torque += more.torque;
    return *this;
  }
  MOTE_FORMULA void add_to(SolidState& solid) const {
    solid.force += force, solid.torque += torque;
  }
};

/// An axle about which a solid turns: I dw/dt = axis . (torque of bodies) + motor - brake w.
struct AxleFormula {
  Vec3<double> axis;    ///< unit vector
  double inertia;       ///< I [mass length^2]; 0: no axle
  double motor, brake;  ///< [force length], [force length time]

  /// The angular velocity after a time under a constant torque, by the trapezoid rule: of second
  /// order, and stable for any brake.
  MOTE_FORMULA double kicked(const SolidState& s, double time) const {
    const double torque = dot(s.torque, axis) + motor, slow = 0.5 * time * brake / inertia;
    return (s.speed * (1 - slow) + time * torque / inertia) / (1 + slow);
  }
  /// The angular velocity at the time of the state.
  MOTE_FORMULA double speed_at(const SolidState& s) const { return kicked(s, 0.5 * s.last_step); }
};

/// Moves a solid to a time by the leapfrog, kicks of two half steps at once, and clears its forces
/// for the sums of an evaluation at that time. A second evaluation at the same time moves nothing.
MOTE_FORMULA void advance(SolidState& s, const AxleFormula& axle, double time) {
  const double step = time - s.time;
  if (step != 0) {
    if (axle.inertia > 0) {
      s.speed = axle.kicked(s, 0.5 * (s.last_step + step));
      s.angle += step * s.speed;
    }
    s.time = time;
    s.last_step = step;
  }
  s.force = s.torque = {0, 0, 0};
}

/// Prescribed motion, a function of time only:
///   x(t) = pivot + d(t) + R(w t) (X - pivot),   d(t) = velocity t + amplitude sin(rate t + phase),
/// X a point of the obstacle in the scene's placement, R the rotation by an angle vector. On an
/// axle: x = pivot + R(angle axis) (X - pivot). In double, because times are long.
struct ObstacleMotion {
  Vec3<double> origin, ex, ey, ez;  ///< frame in the scene's placement
  Vec3<double> pivot;
  Vec3<double> velocity, amplitude;
  double rate, phase;             ///< [1 / time], radians
  Vec3<double> angular_velocity;  ///< w [1 / time]
  std::int32_t solid = -1;        ///< index among the solids; -1: has no name
  bool on_axle = false;
  Vec3<double> axis{};  ///< direction of the axle, a unit vector
};

/// v rotated by the angle |turn| about `turn` (Rodrigues 1840). 30 flops.
MOTE_FORMULA Vec3<double> turned(Vec3<double> v, Vec3<double> turn) {
  const double angle = std::sqrt(dot(turn, turn));
  if (angle == 0) return v;
  const Vec3<double> k = (1 / angle) * turn;
  const double half_sine = std::sin(0.5 * angle);
  const Vec3<double> side = cross(k, v);
  return v + std::sin(angle) * side + (2 * half_sine * half_sine) * cross(k, side);
}

template <class T>
MOTE_FORMULA Vec3<T> rounded_to(Vec3<double> v) {
  return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
}

/// Frame of an obstacle at time t. Evaluated once per obstacle and time. `solids`: all of them,
/// read for obstacles on an axle only.
template <class T>
MOTE_FORMULA ObstacleFrame<T> frame_at(const ObstacleMotion& m, double t,
                                       const SolidState* solids) {
  const double angle = m.rate * t + m.phase;
  const Vec3<double> pivot = m.pivot + (t * m.velocity + std::sin(angle) * m.amplitude);
  const Vec3<double> angular_velocity =
      m.on_axle ? solids[m.solid].speed * m.axis : m.angular_velocity;
  const Vec3<double> turn = m.on_axle ? solids[m.solid].angle * m.axis : t * m.angular_velocity;
  return {rounded_to<T>(pivot + turned(m.origin - m.pivot, turn)),
          rounded_to<T>(turned(m.ex, turn)),
          rounded_to<T>(turned(m.ey, turn)),
          rounded_to<T>(turned(m.ez, turn)),
          rounded_to<T>(pivot),
          rounded_to<T>(m.velocity + (m.rate * std::cos(angle)) * m.amplitude),
          rounded_to<T>(angular_velocity)};
}

/// Velocity of the solid at a point. 12 flops.
template <class T>
MOTE_FORMULA Vec3<T> surface_velocity(const ObstacleFrame<T>& f, Vec3<T> at) {
  return f.velocity + cross(f.angular_velocity, at - f.pivot);
}

namespace obstacle {

template <class T>
MOTE_FORMULA T sign_of(T v) {
  return v < 0 ? T(-1) : T(1);
}

/// At the centre, where the normal is undefined, it is z.
template <class T>
MOTE_FORMULA SurfacePoint<T> ball(Vec3<T> p, T radius) {
  const T r = std::sqrt(dot(p, p));
  return {r - radius, r > 0 ? T(1) / r * p : Vec3<T>{0, 0, 1}};
}

template <class T>
MOTE_FORMULA SurfacePoint<T> box(Vec3<T> p, Vec3<T> half) {
  const Vec3<T> q{std::fabs(p.x) - half.x, std::fabs(p.y) - half.y, std::fabs(p.z) - half.z};
  const Vec3<T> out{q.x > 0 ? q.x : 0, q.y > 0 ? q.y : 0, q.z > 0 ? q.z : 0};
  const T away = std::sqrt(dot(out, out));
  if (away > 0)
    return {
        away,
        {sign_of(p.x) * out.x / away, sign_of(p.y) * out.y / away, sign_of(p.z) * out.z / away}};
  if (q.x >= q.y && q.x >= q.z) return {q.x, {sign_of(p.x), 0, 0}};
  if (q.y >= q.z) return {q.y, {0, sign_of(p.y), 0}};
  return {q.z, {0, 0, sign_of(p.z)}};
}

template <class T>
MOTE_FORMULA SurfacePoint<T> cylinder(Vec3<T> p, T radius, T half_length) {
  const T rho = std::sqrt(p.x * p.x + p.y * p.y);
  const Vec3<T> outward = rho > 0 ? Vec3<T>{p.x / rho, p.y / rho, 0} : Vec3<T>{1, 0, 0};
  const Vec3<T> along{0, 0, sign_of(p.z)};
  const T radial = rho - radius, axial = std::fabs(p.z) - half_length;
  if (radial > 0 && axial > 0) {
    const T away = std::sqrt(radial * radial + axial * axial);
    return {away, radial / away * outward + axial / away * along};
  }
  return radial > axial ? SurfacePoint<T>{radial, outward} : SurfacePoint<T>{axial, along};
}

template <class T>
MOTE_FORMULA SurfacePoint<T> capsule(Vec3<T> p, T radius, T half_length) {
  const T z = p.z > half_length ? half_length : p.z < -half_length ? -half_length : p.z;
  return ball(Vec3<T>{p.x, p.y, p.z - z}, radius);
}

/// Cell and fraction of a coordinate in units of the spacing, clamped to the grid.
template <class T>
MOTE_FORMULA T cell_and_fraction(T at, std::int32_t count, std::int32_t& cell) {
  const T last = static_cast<T>(count - 1);
  const T inside = at > 0 ? (at < last ? at : last) : T(0);
  cell = static_cast<std::int32_t>(inside);
  if (cell > count - 2) cell = count - 2;
  return inside - static_cast<T>(cell);
}

/// Trilinear interpolation, and the direction of its gradient. Beyond the grid, the distance at its
/// border plus the distance to the border: an upper bound. 80 flops.
template <class T>
MOTE_FORMULA SurfacePoint<T> mesh(Vec3<T> p, const DistanceGrid<T>& g) {
  const T scale = T(1) / g.spacing;
  const Vec3<T> at = scale * (p - g.low);
  std::int32_t i, j, k;
  const T u = cell_and_fraction(at.x, g.count[0], i), v = cell_and_fraction(at.y, g.count[1], j),
          w = cell_and_fraction(at.z, g.count[2], k);
  const std::int64_t row = g.count[0], layer = row * g.count[1];
  const float* const d = g.distance + (k * layer + j * row + i);
  const T d000 = d[0], d100 = d[1], d010 = d[row], d110 = d[row + 1];
  const T d001 = d[layer], d101 = d[layer + 1], d011 = d[layer + row], d111 = d[layer + row + 1];
  // Interpolate along x; values and x slopes are then bilinear in y and z.
  const T x00 = d000 + u * (d100 - d000), x10 = d010 + u * (d110 - d010);
  const T x01 = d001 + u * (d101 - d001), x11 = d011 + u * (d111 - d011);
  const T s00 = d100 - d000, s10 = d110 - d010, s01 = d101 - d001, s11 = d111 - d011;
  const T y0 = x00 + v * (x10 - x00), y1 = x01 + v * (x11 - x01);
  const T s0 = s00 + v * (s10 - s00), s1 = s01 + v * (s11 - s01);
  const Vec3<T> slope{s0 + w * (s1 - s0), (x10 - x00) + w * ((x11 - x01) - (x10 - x00)), y1 - y0};
  const T steep = std::sqrt(dot(slope, slope)), inside = y0 + w * (y1 - y0);
  const Vec3<T> normal = steep > 0 ? T(1) / steep * slope : Vec3<T>{0, 0, 1};
  const Vec3<T> beyond = g.spacing * (at - Vec3<T>{static_cast<T>(i) + u, static_cast<T>(j) + v,
                                                   static_cast<T>(k) + w});
  const T excess = std::sqrt(dot(beyond, beyond));
  // At the upper end of the grid, round-off leaves an excess of a few ULP, which counts as zero.
  if (!(excess > T(1e-4) * g.spacing)) return {inside, normal};
  const Vec3<T> from_surface = beyond + inside * normal;
  const T length = std::sqrt(dot(from_surface, from_surface));
  return {inside + excess, length > 0 ? T(1) / length * from_surface : normal};
}

}  // namespace obstacle

/// Nearest surface point of an obstacle. 30 flops for a plane, 110 for a mesh, 60 for others.
template <class T>
MOTE_FORMULA SurfacePoint<T> surface_at(const Obstacle<T>& o, Vec3<T> at) {
  const ObstacleFrame<T>& f = o.frame;
  const Vec3<T> from = at - f.origin;
  const Vec3<T> p{dot(from, f.ex), dot(from, f.ey), dot(from, f.ez)};
  SurfacePoint<T> s{p.z, {0, 0, 1}};
  switch (o.shape) {
    case ObstacleShape::plane:
      break;
    case ObstacleShape::box:
      s = obstacle::box(p, o.half);
      break;
    case ObstacleShape::sphere:
      s = obstacle::ball(p, o.radius);
      break;
    case ObstacleShape::cylinder:
      s = obstacle::cylinder(p, o.radius, o.half_length);
      break;
    case ObstacleShape::capsule:
      s = obstacle::capsule(p, o.radius, o.half_length);
      break;
    case ObstacleShape::mesh:
      s = obstacle::mesh(p, o.grid);
      break;
  }
  const Vec3<T> n = s.normal.x * f.ex + s.normal.y * f.ey + s.normal.z * f.ez;
  return {o.side * s.distance, o.side * n};
}

/// Collision of a body of `radius` (zero for a point) with an obstacle: moves an overlapping body
/// out along the normal. If it approaches, its normal speed is reversed and scaled by
/// `restitution`, and its tangential speed is reduced by at most friction times that impulse, never
/// reversed. Returns whether they overlapped. 40 flops more than the distance.
template <class T>
MOTE_FORMULA bool reflect(const Obstacle<T>& o, T radius, Vec3<T>& position, Vec3<T>& velocity) {
  const SurfacePoint<T> s = surface_at(o, position);
  if (!(s.distance < radius)) return false;
  position += (radius - s.distance) * s.normal;
  const Vec3<T> u = velocity - surface_velocity(o.frame, position);
  const T towards = dot(u, s.normal);
  if (!(towards < 0)) return true;
  const T impulse = -(T(1) + o.restitution) * towards;
  const Vec3<T> along = u - towards * s.normal;
  const T speed = std::sqrt(dot(along, along));
  const T slowed = o.friction * impulse < speed ? o.friction * impulse : speed;
  velocity += impulse * s.normal;
  if (speed > 0) velocity += -(slowed / speed) * along;
  return true;
}

}  // namespace mote::sim
