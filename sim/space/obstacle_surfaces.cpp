#include "sim/space/obstacle_surfaces.h"

#include <cmath>
#include <numbers>

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr std::uint32_t around = 64;   // corners of a circle
constexpr std::uint32_t quarter = 16;  // rings from the equator of a sphere to its pole

/// A surface of revolution about z, closed where a ring has no radius: rings of (radius, z) in
/// ascending order of their place along the surface, from its lower end.
TriangleMesh revolved(const std::vector<std::pair<double, double>>& rings) {
  TriangleMesh mesh;
  for (const auto& [radius, z] : rings)
    for (std::uint32_t k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * k / around;
      mesh.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  for (std::uint32_t ring = 0; ring + 1 < rings.size(); ++ring)
    for (std::uint32_t k = 0; k < around; ++k) {
      const std::uint32_t a = ring * around + k, b = ring * around + (k + 1) % around;
      if (rings[ring].first > 0) mesh.triangles.push_back({a, b, b + around});
      if (rings[ring + 1].first > 0) mesh.triangles.push_back({a, b + around, a + around});
    }
  return mesh;
}

/// Rings of a hemisphere about (0, 0, z), above it or below.
void add_hemisphere(std::vector<std::pair<double, double>>& rings, double radius, double z,
                    bool above) {
  for (std::uint32_t k = 0; k <= quarter; ++k) {
    const double angle = 0.5 * std::numbers::pi * (above ? k : quarter - k) / quarter;
    const bool pole = k == (above ? quarter : 0);
    rings.emplace_back(pole ? 0 : radius * std::cos(angle),
                       z + (above ? 1 : -1) * radius * std::sin(angle));
  }
}

}  // namespace

TriangleMesh box_surface(Vec3d half) {
  TriangleMesh mesh;
  for (std::uint32_t corner = 0; corner < 8; ++corner)
    mesh.vertices.push_back({corner & 1u ? half.x : -half.x, corner & 2u ? half.y : -half.y,
                             corner & 4u ? half.z : -half.z});
  constexpr std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    mesh.triangles.push_back({f[0], f[1], f[2]});
    mesh.triangles.push_back({f[0], f[2], f[3]});
  }
  return mesh;
}

TriangleMesh sphere_surface(double radius) {
  return capsule_surface(radius, 0);
}

TriangleMesh cylinder_surface(double radius, double low, double high, bool ends) {
  if (!ends) return revolved({{radius, low}, {radius, high}});
  return revolved({{0, low}, {radius, low}, {radius, high}, {0, high}});
}

TriangleMesh capsule_surface(double radius, double half_length) {
  std::vector<std::pair<double, double>> rings;
  add_hemisphere(rings, radius, -half_length, false);
  if (half_length == 0) rings.pop_back();  // one equator
  add_hemisphere(rings, radius, half_length, true);
  return revolved(rings);
}

TriangleMesh polygon_surface(const std::vector<Vec3d>& corners) {
  TriangleMesh mesh{corners, {}};
  for (std::uint32_t k = 2; k < corners.size(); ++k) mesh.triangles.push_back({0, k - 1, k});
  return mesh;
}

TriangleMesh clipped(const TriangleMesh& surface, const HalfSpace& space, double slack) {
  std::vector<double> height;
  for (const Vec3d& v : surface.vertices) height.push_back(space.height(v) + slack);
  TriangleMesh kept{surface.vertices, {}};
  for (const auto& triangle : surface.triangles) {
    std::vector<std::uint32_t> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t here = triangle[k], next = triangle[(k + 1) % 3];
      const double a = height[here], b = height[next];
      if (a >= 0) corners.push_back(here);
      if ((a >= 0) == (b >= 0)) continue;
      corners.push_back(static_cast<std::uint32_t>(kept.vertices.size()));
      const Vec3d from = surface.vertices[here];
      kept.vertices.push_back(from + (a / (a - b)) * (surface.vertices[next] - from));
    }
    for (std::size_t k = 2; k < corners.size(); ++k)
      kept.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  return kept;
}

}  // namespace mote::sim
