// Translucent surfaces.
#include "render/pass/surfaces.h"

#include <glm/geometric.hpp>

#include "render/pass/spheres.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::surfaces_test {
namespace {

constexpr int width = 320, height = 240;

/// A square of side 2 at y = 0, seen by a camera on its negative side.
std::shared_ptr<const SurfaceMesh> square() {
  const std::vector<glm::dvec3> corners{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
  const std::vector<glm::uvec3> triangles{{0, 1, 2}, {0, 2, 3}};
  return std::make_shared<const SurfaceMesh>(with_normals(corners, triangles));
}

class Surfaces : public SceneTest {
 protected:
  /// The camera is at (0, -3, 0) and looks along y; x is right and z up.
  Surfaces() {
    camera_.elevation = 0;
    camera_.field_of_view = 70;
  }
  Viewpoint from() const { return camera_.viewpoint(width, height); }
  Lens lens() const { return Lens(from().view, from().projection); }

  /// Red of each pixel over a background, 0 to 1.
  std::vector<float> draw(const std::vector<PlacedSurface>& surfaces, float background,
                          const SampleTarget* hides = nullptr) {
    const Target screen(width, height, Target::Kind::screen);
    screen.clear({background, background, background, 1});
    SurfacesPass(find_shaders()).draw(surfaces, lens(), 1, hides, screen);
    const std::vector<float> light = screen.read_light();
    std::vector<float> red;
    for (std::size_t i = 0; i < light.size(); i += 4) {
      red.push_back(light[i]);
      EXPECT_EQ(light[i + 3], 1) << "the picture stays opaque";
    }
    return red;
  }
  float at(const std::vector<float>& picture, const glm::dvec3& point) const {
    const glm::dvec2 p = pixels_of(from(), point, width, height);
    return picture[static_cast<std::size_t>(p.y) * width + static_cast<std::size_t>(p.x)];
  }

  OrbitCamera camera_;
};

TEST_F(Surfaces, LetThroughWhatTheirOpacityLeaves) {
  const PlacedSurface pane{square(), glm::mat4(1), {1, 1, 1, 0.25f}, 0};
  const auto over_dark = draw({pane}, 0), over_light = draw({pane}, 0.8f);
  // Opacity and colour are stored in 8 bits.
  EXPECT_NEAR(at(over_light, {0, 0, 0}) - at(over_dark, {0, 0, 0}), 0.75 * 0.8, 2.0 / 255);
  EXPECT_NEAR(at(over_light, {1.2, 0, 0}), 0.8, 1.0 / 255) << "beside it";
  const auto two = draw({pane, pane}, 0.8f), two_dark = draw({pane, pane}, 0);
  EXPECT_NEAR(at(two, {0, 0, 0}) - at(two_dark, {0, 0, 0}), 0.75 * 0.75 * 0.8, 3.0 / 255);
}

TEST_F(Surfaces, AreMoreOpaqueAtGrazingAngles) {
  const std::vector<glm::dvec3> corners{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  const std::vector<glm::uvec3> triangles{{0, 1, 2}, {0, 2, 3}};
  const auto floor = std::make_shared<const SurfaceMesh>(with_normals(corners, triangles));
  camera_.elevation = 12;
  const auto kept = [&](float rim) {
    const PlacedSurface pane{floor, glm::mat4(1), {1, 1, 1, 0.2f}, rim};
    return (at(draw({pane}, 0.8f), {0, 0, 0}) - at(draw({pane}, 0), {0, 0, 0})) / 0.8;
  };
  EXPECT_NEAR(kept(0), 0.8, 0.01);
  const double grazing = 1 - std::sin(12 * 3.14159265 / 180);
  EXPECT_NEAR(kept(0.5f), 0.8 - 0.5 * grazing * grazing * grazing, 0.01);
}

TEST_F(Surfaces, AreHiddenBehindSpheresAndSeenBefore) {
  SampleTarget solids(width, height);
  SpheresPass spheres(find_shaders(), color_map_named("grey"));
  FrameBuffers buffers;
  const Cloud ball{{0, 0, 0}, {0}, {}};
  spheres.draw(buffers.upload(ball.frame()), lens(), {0.4f, 1}, solids);
  const auto change = [&](float y, const glm::dvec3& where) {
    glm::mat4 placed(1);
    placed[3] = {0, y, 0, 1};
    return std::fabs(at(draw({{square(), placed, {1, 1, 1, 0.5f}, 0}}, 0.4f, &solids), where) -
                     0.4f);
  };
  EXPECT_LT(change(0.8f, {0, 0.8, 0}), 1e-6) << "behind";
  EXPECT_GT(change(-0.8f, {0, -0.8, 0}), 0.02) << "before";
  EXPECT_GT(change(0.8f, {0.9, 0.8, 0}), 0.02) << "beside";
}

TEST_F(Surfaces, HaveSmoothEdges) {
  glm::mat4 turned(1);
  const float c = std::cos(0.2f), s = std::sin(0.2f);
  turned[0] = {c, 0, s, 0}, turned[2] = {-s, 0, c, 0};
  const auto picture = draw({{square(), turned, {1, 1, 1, 1}, 0}}, 0);
  const float full = at(picture, {0, 0, 0});
  int partial = 0;
  for (const float red : picture) partial += red > 0.1f * full && red < 0.9f * full;
  EXPECT_GT(partial, 100) << "four edges of some 120 pixels each, with four samples in each";
}

TEST(SurfaceNormals, AreThoseOfASphereOnItsTriangulation) {
  constexpr unsigned around = 48, rings = 25;
  std::vector<glm::dvec3> vertices;
  std::vector<glm::uvec3> triangles;
  for (unsigned k = 0; k < rings; ++k)
    for (unsigned i = 0; i < around; ++i) {
      const double polar = M_PI * k / (rings - 1), angle = 2 * M_PI * i / around;
      vertices.emplace_back(std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle),
                            -std::cos(polar));
    }
  for (unsigned k = 0; k + 1 < rings; ++k)
    for (unsigned i = 0; i < around; ++i) {
      const unsigned a = k * around + i, b = k * around + (i + 1) % around;
      triangles.emplace_back(a, b, b + around);
      triangles.emplace_back(a, b + around, a + around);
    }
  const SurfaceMesh mesh = with_normals(vertices, triangles);
  ASSERT_EQ(mesh.positions.size(), 3 * triangles.size());
  for (std::size_t k = 0; k < mesh.positions.size(); ++k) {
    const glm::vec3 p = mesh.positions[k];
    if (std::fabs(p.z) > 0.9f) continue;  // rings of no size at the poles
    // Weights by angle cancel what is of first order in the angle between triangles, 7.5 degrees;
    // its square is 0.017.
    EXPECT_GT(glm::dot(mesh.normals[k], p), 1 - 0.5 * 0.017 * 0.017) << p.x << " " << p.z;
  }
}

TEST(SurfaceNormals, AreSharpAtTheEdgesOfACube) {
  std::vector<glm::dvec3> corners;
  for (int k = 0; k < 8; ++k) corners.emplace_back(k & 1, k >> 1 & 1, k >> 2);
  const std::vector<glm::uvec3> triangles{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}};
  const SurfaceMesh mesh = with_normals(corners, triangles);
  for (std::size_t k = 0; k < mesh.normals.size(); ++k)
    EXPECT_EQ(mesh.normals[k], glm::vec3(0, 0, k < 6 ? -1 : 1));
}

}  // namespace
}  // namespace mote::render::surfaces_test
