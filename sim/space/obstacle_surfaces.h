#pragma once

#include "sim/space/mesh.h"

/// Surfaces of obstacles in their local frames (ObstacleShape), for drawing.
namespace mote::sim {

TriangleMesh box_surface(engine::Vec3d half);
TriangleMesh sphere_surface(double radius);
/// From z = `low` to `high`; without its ends if it is a part of a longer one.
TriangleMesh cylinder_surface(double radius, double low, double high, bool ends);
TriangleMesh capsule_surface(double radius, double half_length);

/// A convex polygon in space, counter-clockwise about its normal.
TriangleMesh polygon_surface(const std::vector<engine::Vec3d>& corners);

/// The half-space on the side of a plane to which its normal points.
struct HalfSpace {
  engine::Vec3d point, normal;
  double height(engine::Vec3d at) const { return dot(at - point, normal); }
};

/// The part of a surface in a half-space, or within `slack` of it (Sutherland & Hodgman 1974,
/// Commun. ACM 17, 32).
TriangleMesh clipped(const TriangleMesh& surface, const HalfSpace& space, double slack);

}  // namespace mote::sim
