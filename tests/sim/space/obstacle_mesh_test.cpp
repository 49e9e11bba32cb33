// Obstacles made of triangles.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>

#include "engine/check.h"
#include "engine/math/random.h"
#include "sim/space/obstacles.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

using engine::Vec3d;
using sim::MeshDistance;
using sim::TriangleMesh;

constexpr double full_turn = 2 * std::numbers::pi;

/// A surface over two angles, closed along the first; along the second closed (a torus) or with
/// poles at its ends.
TriangleMesh surface_of(int nu, int nv, bool poles,
                        const std::function<Vec3d(double, double)>& at) {
  TriangleMesh mesh;
  for (int j = 0; j <= nv; ++j)
    for (int i = 0; i <= nu; ++i) {
      // The last point equals the first bit for bit, as do all points of a pole.
      const int k = poles && (j == 0 || j == nv) ? 0 : i % nu;
      mesh.vertices.push_back(at(full_turn * k / nu, static_cast<double>(poles ? j : j % nv) / nv));
    }
  const auto index = [&](int i, int j) { return static_cast<std::uint32_t>(j * (nu + 1) + i); };
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < nu; ++i) {
      mesh.triangles.push_back({index(i, j), index(i + 1, j), index(i + 1, j + 1)});
      mesh.triangles.push_back({index(i, j), index(i + 1, j + 1), index(i, j + 1)});
    }
  return mesh;
}

TriangleMesh sphere_mesh(int nu, int nv) {
  return surface_of(nu, nv, true, [nv](double u, double v) {
    const double theta = std::numbers::pi * v, r = v == 0 || v == 1 ? 0 : std::sin(theta);
    return Vec3d{r * std::cos(u), r * std::sin(u), -std::cos(theta)};
  });
}

TriangleMesh torus_mesh(int nu, int nv) {
  return surface_of(nu, nv, false, [](double u, double v) {
    const double phi = full_turn * v, rho = 1 + 0.4 * std::cos(phi);
    return Vec3d{rho * std::cos(u), rho * std::sin(u), 0.4 * std::sin(phi)};
  });
}

/// Half lengths 1, 0.5 and 0.25; corners repeated for each triangle, as in STL.
TriangleMesh box_mesh() {
  TriangleMesh mesh;
  const auto add = [&](Vec3d a, Vec3d b, Vec3d c) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec3d v : {a, b, c}) mesh.vertices.push_back({v.x, 0.5 * v.y, 0.25 * v.z});
    mesh.triangles.push_back({first, first + 1, first + 2});
  };
  for (const double e : {-1.0, 1.0})
    for (int axis = 0; axis < 3; ++axis) {
      const auto corner = [&](double u, double v) {
        return axis == 0 ? Vec3d{e, e * u, v} : axis == 1 ? Vec3d{v, e, e * u} : Vec3d{e * u, v, e};
      };
      add(corner(-1, -1), corner(1, -1), corner(1, 1));
      add(corner(-1, -1), corner(1, 1), corner(-1, 1));
    }
  return mesh;
}

/// Largest difference between the nodes of a grid and a distance function.
double worst_node(const MeshDistance& d, const std::function<double(Vec3d)>& distance) {
  double worst = 0;
  const float* node = d.distance.data();
  for (int k = 0; k < d.count[2]; ++k)
    for (int j = 0; j < d.count[1]; ++j)
      for (int i = 0; i < d.count[0]; ++i) {
        const Vec3d p = d.low + d.spacing * Vec3d{double(i), double(j), double(k)};
        worst = std::max(worst, std::fabs(double(*node++) - distance(p)));
      }
  return worst;
}

TEST(ObstacleMeshes, OfABoxHaveItsDistancesAtTheNodes) {
  const MeshDistance d = sim::distances_to(sim::closed_surface(box_mesh(), "box"), 20, 0.6, 2);
  // Up to 1.3, rounded to float: 2^-24.
  EXPECT_LT(worst_node(d,
                       [](Vec3d p) {
                         return sim::obstacle::box(p, {1, 0.5, 0.25}).distance;
                       }),
            1e-7);
  EXPECT_GE(d.count[0], 20 + 2 * 6);
}

TEST(ObstacleMeshes, OfASphereAndATorusHaveTheirDistancesToTheDepthOfTheFacets) {
  // A chord of angle a is 1 - cos(a / 2) below its arc; facets have a corner in each direction.
  const MeshDistance sphere =
      sim::distances_to(sim::closed_surface(sphere_mesh(200, 100), "sphere"), 24, 0.5, 2);
  const double depth = 2 * (1 - std::cos(std::numbers::pi / 200));
  EXPECT_LT(worst_node(sphere, [](Vec3d p) { return engine::length(p) - 1; }), depth);
  // Not convex: the sign is also correct in the hole.
  const MeshDistance torus =
      sim::distances_to(sim::closed_surface(torus_mesh(200, 100), "torus"), 24, 0.5, 2);
  EXPECT_LT(
      worst_node(torus, [](Vec3d p) { return std::hypot(std::hypot(p.x, p.y) - 1, p.z) - 0.4; }),
      1.4 * (1 - std::cos(std::numbers::pi / 200)) + 0.4 * (1 - std::cos(std::numbers::pi / 100)));
}

TEST(ObstacleMeshes, HaveTheRightSignBeyondSharpEdgesAndCorners) {
  // A flat, pointed tetrahedron: beyond its edges and corners, a point may be behind one adjacent
  // face and in front of another, so the normal of a single face does not give the sign.
  TriangleMesh mesh;
  mesh.vertices = {{3, 0, 0}, {-0.5, 0.6, 0}, {-0.5, -0.5, 0.1}, {-0.2, 0.1, 0.3}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const TriangleMesh surface = sim::closed_surface(mesh, "tetrahedron");
  const MeshDistance d = sim::distances_to(surface, 40, 0.3, 2);
  const float* node = d.distance.data();
  int inside = 0;
  for (int k = 0; k < d.count[2]; ++k)
    for (int j = 0; j < d.count[1]; ++j)
      for (int i = 0; i < d.count[0]; ++i, ++node) {
        const Vec3d p = d.low + d.spacing * Vec3d{double(i), double(j), double(k)};
        bool behind_all = true;
        for (const auto& t : surface.triangles) {
          const Vec3d a = surface.vertices[t[0]];
          behind_all &=
              dot(p - a, cross(surface.vertices[t[1]] - a, surface.vertices[t[2]] - a)) < 0;
        }
        ASSERT_EQ(*node < 0, behind_all) << p.x << ' ' << p.y << ' ' << p.z;
        inside += behind_all ? 1 : 0;
      }
  EXPECT_GT(inside, 100);
}

TEST(ObstacleMeshes, AreTheSameForAnyNumberOfThreads) {
  const TriangleMesh torus = sim::closed_surface(torus_mesh(40, 20), "torus");
  const MeshDistance one = sim::distances_to(torus, 16, 0.1, 1),
                     five = sim::distances_to(torus, 16, 0.1, 5);
  ASSERT_EQ(one.distance.size(), five.distance.size());
  for (engine::Index k = 0; k < one.distance.size(); ++k)
    ASSERT_EQ(one.distance[k], five.distance[k]);
}

void write_stl(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::ofstream file(path);
  file.precision(9);
  file << "solid mote\n";
  for (const auto& t : mesh.triangles) {
    file << "facet normal 0 0 0\nouter loop\n";
    for (const std::uint32_t v : t)
      file << "vertex " << mesh.vertices[v].x << ' ' << mesh.vertices[v].y << ' '
           << mesh.vertices[v].z << '\n';
    file << "endloop\nendfacet\n";
  }
  file << "endsolid mote\n";
}

void write_obj(const std::filesystem::path& path, const TriangleMesh& mesh) {
  std::ofstream file(path);
  file.precision(9);
  for (const Vec3d& v : mesh.vertices) file << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& t : mesh.triangles)
    file << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
}

TEST(ObstacleMeshes, FromFilesArePlacedAndActLikeTheShape) {
  const TemporaryFolder folder;
  write_stl(folder.path() / "box.STL", box_mesh());
  write_obj(folder.path() / "box.obj", box_mesh());
  sim::BoxObstacle box;
  box.center = {1, 2, 3}, box.size = {4, 2, 1}, box.rotation = {0, 0, 30};
  std::vector<sim::Obstacle<double>> shape, mesh;
  sim::Obstacles({box}, {}, {}, 1, 1).at(0, nullptr, shape);
  for (const char* name : {"box.STL", "box.obj"}) {
    sim::MeshObstacle described;
    described.file = (folder.path() / name).string(), described.scale = 2,
    described.resolution = 64;
    described.center = {1, 2, 3}, described.rotation = {0, 0, 30};
    const sim::Obstacles obstacles({described}, {}, {}, 0.5, 2);
    obstacles.at(0, nullptr, mesh);
    const double spacing = 4.0 / 64;
    for (std::uint64_t k = 0; k < 2000; ++k) {
      engine::Random random(8, 0, k);
      const Vec3d p{random.uniform(-2, 4), random.uniform(-1, 5), random.uniform(1, 5)};
      const auto exact = surface_at(shape[0], p), interpolated = surface_at(mesh[0], p);
      // Nearby: distances are 1-Lipschitz, cells have a half diagonal of 0.87 spacings. Far away:
      // never underestimated.
      if (exact.distance < 0.5) {
        EXPECT_NEAR(interpolated.distance, exact.distance, 0.87 * spacing);
      } else {
        EXPECT_GT(interpolated.distance, exact.distance - 0.87 * spacing);
      }
    }
    // Over a face the distance is linear, hence exact to float.
    const Vec3d over = Vec3d{1, 2, 3} + Vec3d{0.31, 0.17, 0.63};
    EXPECT_NEAR(surface_at(mesh[0], over).distance, 0.13, 1e-6);
    EXPECT_NEAR(surface_at(mesh[0], over).normal.z, 1, 1e-6);
    described.container = true;
    const sim::Obstacles hollow({described}, {}, {}, 0.5, 2);
    hollow.at(0, nullptr, mesh);
    EXPECT_NEAR(surface_at(mesh[0], over).distance, -0.13, 1e-6);
  }
}

TEST(ObstacleMeshes, ThatAreNoClosedSurfacesAreRefused) {
  const auto message_for = [](const TriangleMesh& mesh) {
    return message_of<engine::InputError>([&] { sim::closed_surface(mesh, "bowl.stl"); });
  };
  TriangleMesh open = box_mesh();
  open.triangles.pop_back();
  EXPECT_NE(
      message_for(open).find("bowl.stl: the mesh is not closed: 3 edges with only one triangle"),
      std::string::npos)
      << message_for(open);
  TriangleMesh turned = box_mesh();
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_NE(message_for(turned).find("do not all face outwards: 3 edges"), std::string::npos)
      << message_for(turned);
  TriangleMesh doubled = box_mesh();
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_NE(message_for(doubled).find("3 edges with more than two triangles"), std::string::npos)
      << message_for(doubled);
  EXPECT_NE(message_for({}).find("encloses nothing"), std::string::npos) << message_for({});
  TriangleMesh broken = box_mesh();
  broken.vertices[0].x = std::nan("");
  EXPECT_NE(message_for(broken).find("not a finite number"), std::string::npos);
}

TEST(ObstacleMeshes, InsideOutAreFlipped) {
  TriangleMesh mesh = box_mesh();
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  const MeshDistance d = sim::distances_to(sim::closed_surface(mesh, "box"), 10, 0.1, 1);
  EXPECT_LT(worst_node(d,
                       [](Vec3d p) {
                         return sim::obstacle::box(p, {1, 0.5, 0.25}).distance;
                       }),
            1e-7);
}

TEST(ObstacleMeshes, FromInvalidFilesAreRefused) {
  const TemporaryFolder folder;
  const auto message_for = [&](const char* name) {
    return message_of<engine::InputError>([&] { sim::read_mesh(folder.path() / name); });
  };
  EXPECT_NE(message_for("none.stl").find("there is no such file"), std::string::npos);
  EXPECT_NE(message_for("scene.blend").find("is not a mesh format that can be read"),
            std::string::npos);
  std::ofstream(folder.path() / "bad.obj") << "v 0 0\nf 1 2 3\n";
  EXPECT_NE(message_for("bad.obj"), "");
  std::ofstream(folder.path() / "empty.stl") << "solid a\nendsolid a\n";
  EXPECT_NE(message_for("empty.stl"), "");
}

TEST(ObstacleMeshes, OfAHundredThousandTrianglesAreDoneInSeconds) {
  MOTE_SKIP_IF_SANITIZED("it is about speed; other ObstacleMeshes.* build smaller meshes");
  const TriangleMesh mesh = sim::closed_surface(torus_mesh(360, 140), "torus");
  ASSERT_EQ(mesh.triangles.size(), 100800u);
  const MeshDistance d = sim::distances_to(mesh, 40, 0.1, 2);
  EXPECT_GT(d.distance.size(), 40 * 40 * 11);
}

}  // namespace
}  // namespace mote::test
