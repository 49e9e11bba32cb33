// Surfaces and tubes that connect bodies.
#include "render/pass/body_mesh.h"

#include <cmath>

#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::body_mesh_test {
namespace {

constexpr int width = 320, height = 240;

class BodyMeshes : public SceneTest {
 protected:
  /// The camera is at (0, -3, 0) and looks along y; x is right and z up.
  BodyMeshes() {
    camera_.elevation = 0;
    camera_.field_of_view = 70;
  }

  Viewpoint from() const { return camera_.viewpoint(width, height); }

  /// Draws spheres of this radius and what connects them.
  void draw(const Cloud& cloud, const BodyMesh& mesh, float radius) {
    if (!spheres_) {
      spheres_.emplace(find_shaders(), color_map_named("viridis"));
      pass_.emplace(find_shaders(), color_map_named("viridis"));
      surfaces_.emplace(width, height);
      screen_.emplace(width, height, Target::Kind::screen);
    }
    const Lens lens(from().view, from().projection);
    const PointBuffers points = buffers_.emplace().upload(cloud.frame());
    pass_->use(std::make_shared<const BodyMesh>(mesh));
    spheres_->draw(pass_->visible(points), lens, {radius, 1}, *surfaces_);
    pass_->draw(points, lens, {radius, 1}, *surfaces_);
    spheres_->compose(*surfaces_, *screen_);
    nearness_ = surfaces_->read_nearness();
    picture_ = screen_->read_screen();
  }

  /// Distance from the camera along y of what is seen at a point; 0: nothing.
  double depth_at(const glm::dvec3& point) const {
    const glm::dvec2 p = pixels_of(from(), point, width, height);
    const float near =
        nearness_[static_cast<std::size_t>(p.y) * width + static_cast<std::size_t>(p.x)];
    return near > 0 ? 1e-3 * camera_.distance / near : 0;
  }
  int brightness_at(const glm::dvec3& point) const {
    const glm::dvec2 p = pixels_of(from(), point, width, height);
    const std::size_t at =
        3 * (static_cast<std::size_t>(p.y) * width + static_cast<std::size_t>(p.x));
    return picture_[at] + picture_[at + 1] + picture_[at + 2];
  }

  OrbitCamera camera_;
  std::optional<SpheresPass> spheres_;
  std::optional<BodyMeshPass> pass_;
  std::optional<SampleTarget> surfaces_;
  std::optional<Target> screen_;
  std::optional<FrameBuffers> buffers_;
  std::vector<float> nearness_;
  std::vector<std::uint8_t> picture_;
};

/// A sheet of n x n bodies y = slope x, which extends to +-1 along x and z.
struct Sheet {
  Cloud cloud;
  BodyMesh mesh;
};
Sheet sheet(int n, double slope) {
  Sheet made;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      const float x = 2.0f * static_cast<float>(i) / static_cast<float>(n - 1) - 1;
      const float z = 2.0f * static_cast<float>(k) / static_cast<float>(n - 1) - 1;
      made.cloud.add(x, static_cast<float>(slope) * x, z, 0.5f);
      made.mesh.hidden.push_back(static_cast<std::uint32_t>(k * n + i));
    }
  for (int k = 0; k + 1 < n; ++k)
    for (int i = 0; i + 1 < n; ++i) {
      const auto at = static_cast<unsigned>(k * n + i), up = at + static_cast<unsigned>(n);
      made.mesh.triangles.emplace_back(at, at + 1, up);
      made.mesh.triangles.emplace_back(at + 1, up + 1, up);
    }
  made.mesh.count = n * n;
  return made;
}

TEST_F(BodyMeshes, ASheetIsAPlaneInPlaceOfItsSpheres) {
  const Sheet tilted = sheet(9, 0.5);
  draw(tilted.cloud, tilted.mesh, 0.2f);
  for (const double x : {-0.8, -0.33, 0.1, 0.77})
    for (const double z : {-0.7, 0.05, 0.6})
      // A pixel is 1/80 of the distance wide, and the sheet recedes by a third of that.
      EXPECT_NEAR(depth_at({x, 0.5 * x, z}), 3 + 0.5 * x, 0.03) << x << " " << z;
  EXPECT_EQ(depth_at({1.1, 0.5, 1.1}), 0) << "spheres at the corners would be seen here";
}

TEST_F(BodyMeshes, SheetsAreLitOnBothSides) {
  const Sheet front = sheet(5, 0);
  Sheet back = front;
  for (glm::uvec3& t : back.mesh.triangles) std::swap(t.y, t.z);
  draw(front.cloud, front.mesh, 0.1f);
  const auto seen = picture_;
  draw(back.cloud, back.mesh, 0.1f);
  EXPECT_EQ(picture_, seen);
  EXPECT_GT(brightness_at({0, 0, 0}), 100);
}

TEST_F(BodyMeshes, CoarseSpheresHaveTheLightOfSmoothOnes) {
  // Vertices of a sphere of triangles: their normals are those of the sphere, so that light varies
  // over the triangles as over the sphere of a single body.
  constexpr int around = 24, rings = 13;
  Cloud ball;
  BodyMesh mesh;
  for (int k = 0; k < rings; ++k)
    for (int i = 0; i < around; ++i) {
      const double polar = M_PI * k / (rings - 1), angle = 2 * M_PI * i / around;
      ball.add(static_cast<float>(std::sin(polar) * std::cos(angle)),
               static_cast<float>(std::sin(polar) * std::sin(angle)),
               static_cast<float>(-std::cos(polar)), 0.5f);
      mesh.hidden.push_back(static_cast<std::uint32_t>(k * around + i));
    }
  for (int k = 0; k + 1 < rings; ++k)
    for (int i = 0; i < around; ++i) {
      const auto a = static_cast<unsigned>(k * around + i),
                 b = static_cast<unsigned>(k * around + (i + 1) % around);
      mesh.triangles.emplace_back(a, b, b + around);
      mesh.triangles.emplace_back(a, b + around, a + around);
    }
  mesh.count = rings * around;
  draw(ball, mesh, 0.1f);
  const auto coarse = picture_;
  draw({{0, 0, 0}, {0.5f}, {}}, {.count = 1}, 1);
  double worst = 0;
  for (const double x : {-0.5, -0.2, 0.0, 0.3, 0.55})
    for (const double z : {-0.5, 0.0, 0.25, 0.5}) {
      const glm::dvec2 p = pixels_of(from(), {x, -std::sqrt(1 - x * x - z * z), z}, width, height);
      const std::size_t at =
          3 * (static_cast<std::size_t>(p.y) * width + static_cast<std::size_t>(p.x));
      for (std::size_t c = 0; c < 3; ++c)
        worst = std::max(worst, std::fabs(double(coarse[at + c]) - double(picture_[at + c])));
    }
  // Flat triangles would differ by up to half of their angle of 15 degrees, 0.13 or 33 of 255 in
  // light. Normals that are interpolated differ by its square, 0.017 or 4.4, and by rounding.
  EXPECT_LT(worst, 6);
}

/// A roof of two planes, y = -+tan(slope) x, with its ridge along z.
Sheet roof(double slope) {
  Sheet made = sheet(9, 0);
  for (std::size_t k = 0; k < made.cloud.positions.size(); k += 3)
    made.cloud.positions[k + 1] =
        static_cast<float>(std::tan(slope) * std::fabs(made.cloud.positions[k]));
  return made;
}

TEST_F(BodyMeshes, EdgesAreSharpWhereTrianglesMeetSteeply) {
  // The faces beside an edge of 90 degrees are flat up to it: each has one light, of lamps that are
  // far away, and differs from it by no more than the glint, which changes with the line of sight.
  // Normals that were smoothed over the edge would meet there.
  const Sheet steep = roof(M_PI / 4);
  draw(steep.cloud, steep.mesh, 0.1f);
  const auto at = [&](double x) { return brightness_at({x, std::fabs(x), 0.1}); };
  const int step = std::abs(at(-0.03) - at(0.03));
  EXPECT_GT(step, 60);
  EXPECT_NEAR(at(-0.03), at(-0.2), step / 10.0);
  EXPECT_NEAR(at(0.03), at(0.2), step / 10.0);
  const Sheet blunt = roof(M_PI / 24);  // 15 degrees
  draw(blunt.cloud, blunt.mesh, 0.1f);
  const auto near = [&](double x) {
    return brightness_at({x, std::tan(M_PI / 24) * std::fabs(x), 0.1});
  };
  // The light changes over the width of two triangles, not from one pixel to the next.
  EXPECT_LT(std::abs(near(-0.03) - near(0.03)), 0.3 * std::abs(near(-0.25) - near(0.25)));
}

TEST_F(BodyMeshes, RodsAreTubesBetweenSpheres) {
  Cloud pair;
  pair.add(-1, 0, 0, 0);
  pair.add(1, 0, 0, 1);
  draw(pair, {.rods = {{0, 1, 0.5f}}, .count = 2}, 0.3f);
  EXPECT_NEAR(depth_at({0, 0, 0}), 3 - 0.15, 0.01) << "half as thick as the spheres";
  EXPECT_NEAR(depth_at({0.4, 0, 0.08}), 3 - std::sqrt(0.15 * 0.15 - 0.08 * 0.08), 0.02);
  EXPECT_EQ(depth_at({0, 0, 0.18}), 0);
  EXPECT_NEAR(depth_at({-1, 0, 0}), 3 - 0.3 * 3 / std::sqrt(10.0), 0.01) << "its spheres stay";
}

TEST_F(BodyMeshes, RodsJoinNearestImages) {
  Cloud pair;
  pair.add(-1.2f, 0, 0, 0);
  pair.add(1.2f, 0, 0, 1);
  BodyMesh mesh{.rods = {{0, 1, 0.5f}}, .count = 2};
  mesh.period = {3, 0, 0};
  draw(pair, mesh, 0.2f);
  EXPECT_EQ(depth_at({0, 0, 0}), 0) << "not across the box";
  EXPECT_GT(depth_at({1.42, 0, 0}), 0) << "half of it leaves on this side";
  EXPECT_GT(depth_at({-1.42, 0, 0}), 0) << "and half on that";
  EXPECT_EQ(depth_at({1.6, 0, 0}), 0) << "up to the middle";
}

TEST_F(BodyMeshes, OfOtherBodiesAreNotDrawn) {
  const Sheet all = sheet(4, 0);
  Cloud fewer = all.cloud;
  fewer.positions.resize(3 * 5);
  fewer.scalars.resize(5);
  draw(fewer, all.mesh, 0.05f);
  EXPECT_EQ(depth_at({0, 0, 0}), 0);
  EXPECT_GT(depth_at({-1, 0, -1}), 0) << "the spheres are";
}

}  // namespace
}  // namespace mote::render::body_mesh_test
