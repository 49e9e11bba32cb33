// Outlines of obstacles.
#include "sim/space/obstacle_outline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "sim/space/mesh_lines.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::ObstacleDescription;
using sim::Outline;

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr sim::OutlineRegion about_zero{
    {0, 0, 0}, 4, {-unbounded, -unbounded, -unbounded}, {unbounded, unbounded, unbounded}};

/// Largest distance of a point of the lines from the surface of the obstacle.
double farthest_off(const std::vector<Outline>& lines, const ObstacleDescription& described,
                    double time) {
  const sim::Obstacles obstacles({described}, {}, {}, 1, 1);
  std::vector<sim::Obstacle<double>> walls;
  obstacles.at(time, nullptr, walls);
  double farthest = 0;
  for (const Outline& line : lines)
    for (const Vec3d p : line.points) {
      double nearest = unbounded;
      for (const auto& wall : walls)
        nearest = std::min(nearest, std::fabs(sim::surface_at(wall, p).distance));
      farthest = std::max(farthest, nearest);
    }
  return farthest;
}

std::vector<ObstacleDescription> all_shapes() {
  sim::PlaneObstacle plane;
  plane.point = {0.3, 0, -1}, plane.normal = {1, 2, 2};
  sim::BoxObstacle box;
  box.size = {1, 2, 3}, box.rotation = {20, 30, 0}, box.center = {0.5, 0, 0};
  sim::SphereObstacle ball;
  ball.radius = 1.5;
  sim::CylinderObstacle endless_one, cylinder;
  endless_one.axis = {0, 1, 1}, endless_one.radius = 0.4;
  cylinder.axis = {1, 0, 1}, cylinder.length = 2;
  cylinder.container = true;
  sim::CapsuleObstacle capsule;
  capsule.from = {-1, 0, 0}, capsule.to = {1, 1, 0}, capsule.radius = 0.3;
  std::vector<ObstacleDescription> all{plane, box, ball, endless_one, cylinder, capsule};
  box.container = true;
  all.push_back(box);
  return all;
}

TEST(ObstacleOutlines, LieOnTheMovingSurface) {
  for (ObstacleDescription shape : all_shapes()) {
    std::visit(
        [](auto& s) {
          s.velocity = {0.1, 0, 0.2}, s.angular_velocity = {0.3, 0.5, 0},
          s.pivot = Vec3d{0.2, 0.1, 0};
          s.amplitude = {0, 0.3, 0}, s.frequency = 1;
        },
        shape);
    for (const double time : {0.0, 1.3}) {
      const auto lines = sim::ObstacleOutlines({shape}).at(time, nullptr, about_zero);
      EXPECT_GE(lines.size(), 5u) << sim::name_of(shape);
      EXPECT_LT(farthest_off(lines, shape, time), 1e-12) << sim::name_of(shape);
    }
    EXPECT_GT(farthest_off(sim::ObstacleOutlines({shape}).at(0, nullptr, about_zero), shape, 1.3),
              1e-3)
        << sim::name_of(shape);
  }
}

TEST(ObstacleOutlines, OfUnboundedShapesAreClippedAtPlanesAndWhereNoBodyCanBe) {
  sim::CylinderObstacle post;
  post.radius = 0.5;
  sim::PlaneObstacle slope;
  slope.normal = {0.6, 0, 0.8};
  const sim::ObstacleOutlines outlines({post, slope, sim::PlaneObstacle{}});
  sim::OutlineRegion region = about_zero;
  region.low.y = -1, region.high.y = 1;
  const auto lines = outlines.at(0, nullptr, region);
  double highest = 0, widest = 0;
  for (const Outline& line : lines)
    for (const Vec3d p : line.points) {
      // Clipping has a slack of 1e-4 of the region.
      ASSERT_GE(p.z, -5e-4);
      ASSERT_GE(0.6 * p.x + 0.8 * p.z, -5e-4);
      ASSERT_LE(std::fabs(p.y), 1 + 5e-4);
      highest = std::max(highest, p.z);
      widest = std::max(widest, p.x);
    }
  EXPECT_NEAR(widest, 8, 1) << "grids extend to about twice the radius";
  EXPECT_GT(highest, 1.9);
}

/// Volume enclosed by a surface, by the divergence theorem.
double volume_of(const sim::TriangleMesh& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles)
    sum += dot(surface.vertices[t[0]], cross(surface.vertices[t[1]], surface.vertices[t[2]])) / 6;
  return sum;
}
double area_of(const sim::TriangleMesh& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles)
    sum += 0.5 * length(cross(surface.vertices[t[1]] - surface.vertices[t[0]],
                              surface.vertices[t[2]] - surface.vertices[t[0]]));
  return sum;
}

TEST(ObstacleSurfaces, LieOnTheMovingSurface) {
  for (ObstacleDescription shape : all_shapes()) {
    std::visit(
        [](auto& s) {
          s.velocity = {0.1, 0, 0.2}, s.angular_velocity = {0.3, 0.5, 0};
        },
        shape);
    const auto surfaces = sim::ObstacleOutlines({shape}).surfaces(1.3, nullptr, about_zero);
    ASSERT_EQ(surfaces.size(), 1u);
    std::vector<Outline> corners(1);
    const auto& f = surfaces[0].frame;
    for (const auto& triangle : surfaces[0].surface->triangles)
      for (const std::uint32_t k : triangle) {
        const Vec3d p = surfaces[0].surface->vertices[k];
        if (std::holds_alternative<sim::CylinderObstacle>(shape) && p.x == 0 && p.y == 0) continue;
        corners[0].points.push_back(f.origin + p.x * f.ex + p.y * f.ey + p.z * f.ez);
      }
    EXPECT_GT(corners[0].points.size(), 5u) << sim::name_of(shape);
    EXPECT_LT(farthest_off(corners, shape, 1.3), 1e-12) << sim::name_of(shape);
  }
}

// Circles of 64 corners, h = 2 pi / 64 apart, have 1 - h^2 / 6 of the area of round ones. Frusta
// between rings h apart have 1 - h^2 / 4 of the volume of a ball. The next terms are of order h^4.
TEST(ObstacleSurfaces, EncloseTheVolumeOfTheirShapes) {
  const double pi = std::numbers::pi, h = 2 * pi / 64, next = h * h * h * h;
  const double round = 1 - h * h / 6, ball = (1 - h * h / 4) * round;
  EXPECT_NEAR(volume_of(sim::box_surface({1, 2, 3})), 48, 1e-12);
  EXPECT_NEAR(volume_of(sim::sphere_surface(2)) / (4 * pi / 3 * 8), ball, next);
  EXPECT_NEAR(volume_of(sim::cylinder_surface(2, -1, 3, true)) / (16 * pi), round, next);
  EXPECT_NEAR(volume_of(sim::capsule_surface(2, 3)), 4 * pi / 3 * 8 * ball + 24 * pi * round,
              110 * next);
}

TEST(ObstacleSurfaces, OfPlanesAreCutAtOtherPlanes) {
  sim::PlaneObstacle floor, wall;
  wall.normal = {1, 0, 0}, wall.point = {0, 0, 0};
  const double alone =
      area_of(*sim::ObstacleOutlines({floor}).surfaces(0, nullptr, about_zero)[0].surface);
  const auto both = sim::ObstacleOutlines({floor, wall}).surfaces(0, nullptr, about_zero);
  // Cutting has a slack of 1e-4 of the region, of twice whose size the plane is.
  EXPECT_NEAR(area_of(*both[0].surface) / alone, 0.5, 1e-4);
  EXPECT_TRUE(both[0].flat);
}

TEST(ObstacleOutlines, AreNoneWithoutObstacles) {
  EXPECT_TRUE(sim::ObstacleOutlines(std::vector<ObstacleDescription>{}).empty());
  EXPECT_TRUE(sim::ObstacleOutlines().at(0, nullptr, about_zero).empty());
}

/// A surface of revolution about z, closed at either end by a point.
sim::TriangleMesh lathe(int around, const std::vector<std::pair<double, double>>& profile) {
  sim::TriangleMesh mesh;
  const auto count = static_cast<std::uint32_t>(around);
  for (const auto& [r, z] : profile)
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.3) / around;
      mesh.vertices.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
  const auto rings = static_cast<std::uint32_t>(profile.size());
  for (std::uint32_t r = 0; r + 1 < rings; ++r)
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t a = r * count + k, b = r * count + (k + 1) % count;
      mesh.triangles.push_back({a, b, b + count});
      mesh.triangles.push_back({a, b + count, a + count});
    }
  mesh.vertices.push_back({0, 0, profile.front().second});
  mesh.vertices.push_back({0, 0, profile.back().second});
  for (std::uint32_t k = 0; k < count; ++k) {
    mesh.triangles.push_back({rings * count, (k + 1) % count, k});
    const std::uint32_t last = (rings - 1) * count;
    mesh.triangles.push_back({rings * count + 1, last + k, last + (k + 1) % count});
  }
  return mesh;
}

TEST(MeshLines, OfASolidWithEdgesAreItsEdges) {
  // A square prism has twelve edges, without the diagonals of its faces.
  const auto lines = sim::lines_of(lathe(4, {{1, -1}, {1, 1}}));
  EXPECT_EQ(lines.size(), 12u);
}

TEST(MeshLines, OfASmoothSurfaceAreItsSections) {
  std::vector<std::pair<double, double>> ball;
  for (int k = 1; k < 40; ++k) {
    const double angle = std::numbers::pi * k / 40;
    ball.emplace_back(std::sin(angle), -1.5 * std::cos(angle));
  }
  const auto lines = sim::lines_of(lathe(48, ball));
  // Eleven sections across the long axis, and one across each other axis.
  ASSERT_EQ(lines.size(), 13u);
  for (const Outline& line : lines) {
    EXPECT_TRUE(line.closed);
    EXPECT_GE(line.points.size(), 48u);
    double around = 0, flattest = 1;
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
      double thick = 0;
      for (const Vec3d p : line.points)
        thick = std::max(thick, std::fabs(dot(p - line.points[0], axis)));
      flattest = std::min(flattest, thick);
    }
    EXPECT_LT(flattest, 1e-12) << "it lies in a plane";
    for (std::size_t k = 0; k < line.points.size(); ++k) {
      const Vec3d p = line.points[k], next = line.points[(k + 1) % line.points.size()];
      // Chords of a circle with 40 or more segments are inside by less than 1 - cos(pi / 40).
      EXPECT_NEAR(std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z / 2.25), 1, 0.01);
      around = std::max(around, engine::length(next - p));
    }
    EXPECT_LT(around, 0.3) << "consecutive points are adjacent on the surface";
  }
}

}  // namespace
}  // namespace mote::test
