#include "render/pass/fluid.h"

#include <algorithm>
#include <array>
#include <optional>

#include "render/pass/lamp.h"
#include "render/pass/spheres.h"
#include "render/shader_folder.h"
#include "render/surface_mesh.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::fluid_test {
namespace {

constexpr int width = 240, height = 160;
constexpr float half = 0.05f;  // half the particle spacing

/// A cubic lattice of particles about a point.
Cloud cube_of(int side, float z = 0) {
  Cloud cube;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) {
        const auto at = [&](int n) {
          return 2 * half * (static_cast<float>(n) - 0.5f * static_cast<float>(side - 1));
        };
        cube.add(at(i), at(j), at(k) + z, 0);
      }
  return cube;
}

class Fluid : public SceneTest {
 protected:
  /// The camera is at (0, -3, 0) and looks along y; x is right and z up.
  Fluid() { camera_.elevation = 0; }

  Viewpoint from() const { return camera_.viewpoint(width, height); }

  /// The picture, from the bottom row, over a plain background of this level.
  std::vector<std::uint8_t> draw(const Cloud& cloud, float background_level = 128 / 255.0f) {
    FrameBuffers buffers;
    FluidPass pass(find_shaders());
    SampleTarget hides(width, height);
    const Target screen(width, height, Target::Kind::screen);
    const Viewpoint viewpoint = from();
    const Lens lens(viewpoint.view, viewpoint.projection);
    const FluidStyle style{half, 1};
    pass.find(buffers.upload(cloud.frame()), lens, style, width, height);
    pass.background().clear({background_level, background_level, background_level, 1});
    pass.behind().clear({background_level, background_level, background_level, 1});
    hides.begin();
    pass.hide(lens, hides);
    pass.show(lens, style, hides, screen);
    nearness_ = hides.read_nearness();
    return screen.read_screen();
  }
  static std::array<int, 3> pixel(const std::vector<std::uint8_t>& picture, int x, int y) {
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x));
    return {picture[at], picture[at + 1], picture[at + 2]};
  }
  float near_at(int x, int y) const {
    return nearness_[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  }

  OrbitCamera camera_;
  std::vector<float> nearness_;
};

TEST_F(Fluid, CoversWhereParticlesAreAndNothingElse) {
  const auto picture = draw(cube_of(12));
  const auto middle = pixel(picture, width / 2, height / 2);
  EXPECT_GT(middle[2], middle[0] + 20) << "water is blue";
  EXPECT_GT(near_at(width / 2, height / 2), 0);
  EXPECT_EQ(pixel(picture, 3, 3), (std::array<int, 3>{128, 128, 128}));
  EXPECT_EQ(near_at(3, 3), 0);
}

TEST_F(Fluid, ItsSurfaceIsSmootherThanItsParticles) {
  // The front of the cube is a plane perpendicular to the line of sight: its distances are equal
  // except for the bumps of spheres, which end (1.7 - sqrt(1.7^2 - 2)) half = 0.038 behind their
  // fronts where four of them meet.
  draw(cube_of(12));
  float nearest = 0, farthest = 1;
  for (int y = height / 2 - 10; y < height / 2 + 10; ++y)
    for (int x = width / 2 - 10; x < width / 2 + 10; ++x) {
      nearest = std::max(nearest, near_at(x, y));
      farthest = std::min(farthest, near_at(x, y));
    }
  const double near = 1e-3 * camera_.distance, bumps = near / farthest - near / nearest;
  EXPECT_LT(bumps, 0.25 * 0.038);
  // Centres of the front particles, half a cube before the centre, minus their radius.
  EXPECT_NEAR(near / nearest, 3 - 11 * half - 1.7 * half, 0.04);
}

TEST_F(Fluid, LetsThroughMoreTheThinnerItIs) {
  Cloud sheet = cube_of(12);
  Cloud thin;
  for (std::size_t i = 0; i < sheet.count(); ++i)
    if (sheet.positions[3 * i + 1] < -0.9f * 11 * half)
      thin.add(sheet.positions[3 * i], sheet.positions[3 * i + 1], sheet.positions[3 * i + 2], 0);
  const auto red = [&](const Cloud& cloud, float background_level) {
    return pixel(draw(cloud, background_level), width / 2, height / 2)[0];
  };
  const int through_thin = red(thin, 1) - red(thin, 0),
            through_thick = red(sheet, 1) - red(sheet, 0);
  EXPECT_GT(through_thick, 10);
  EXPECT_GT(through_thin, through_thick + 50);
}

TEST_F(Fluid, WallsAreNoPartOfIt) {
  Cloud cube = cube_of(12);
  cube.radii.assign(cube.count(), -half);
  const auto walls = draw(cube);
  EXPECT_TRUE(std::all_of(walls.begin(), walls.end(), [](int level) { return level == 128; }));
  cube.radii.assign(cube.count(), half);
  const auto water = draw(cube);
  cube.radii.clear();
  EXPECT_EQ(water, draw(cube));
}

TEST_F(Fluid, NothingThereLeavesThePictureAsItIs) {
  const auto picture = draw({});
  EXPECT_TRUE(std::all_of(picture.begin(), picture.end(), [](int level) { return level == 128; }));
}

TEST_F(Fluid, IsAWayToDrawBodiesInAView) {
  FrameBuffers buffers;
  const PointBuffers points = buffers.upload(cube_of(12).frame());
  const Target screen(width, height, Target::Kind::screen);
  SceneView view;
  Extras extras;
  extras.lines.push_back({{{-5, -1, 0.1f}, {5, -1, 0.1f}}, {1, 0, 0, 1}});  // before the fluid
  extras.lines.push_back({{{-5, 2, -0.1f}, {5, 2, -0.1f}}, {0, 1, 0, 1}});  // behind it
  view.draw(points, from(), {.bodies = Bodies::fluid, .sphere_radius = half}, extras,
            screen.framebuffer(), width, height);
  const auto picture = screen.read_screen();
  const auto most = [&](int channel, int other) {
    int most_seen = 0;
    for (int y = 0; y < height; ++y) {
      const auto p = pixel(picture, width / 2, y);
      most_seen = std::max(
          most_seen, p[static_cast<std::size_t>(channel)] - p[static_cast<std::size_t>(other)]);
    }
    return most_seen;
  };
  // It covers a pixel in height, but not a row of pixels.
  EXPECT_GT(most(0, 1), 80) << "a line before the water is seen";
  EXPECT_LT(most(1, 2), 60) << "one behind it is weakened";
  const auto beside = [&](int channel) {
    int most_seen = 0;
    for (int y = 0; y < height; ++y)
      most_seen = std::max(most_seen, pixel(picture, 8, y)[static_cast<std::size_t>(channel)]);
    return most_seen;
  };
  EXPECT_GT(beside(0), 100);
  EXPECT_GT(beside(1), 100);
}

/// A square of side 2 at this y, of white of this opacity.
PlacedSurface pane(float y, float opacity) {
  const std::vector<glm::dvec3> corners{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
  const std::vector<glm::uvec3> triangles{{0, 1, 2}, {0, 2, 3}};
  PlacedSurface placed{std::make_shared<const SurfaceMesh>(with_normals(corners, triangles)),
                       glm::mat4(1),
                       {1, 1, 1, opacity},
                       0};
  placed.placement[3] = {0, y, 0, 1};
  return placed;
}

TEST_F(Fluid, APaneBeforeItIsSeenOnceAndOneBehindThroughIt) {
  // A thin layer, which lets much light through.
  const Cloud cube = cube_of(12);
  Cloud thin;
  for (std::size_t i = 0; i < cube.count(); ++i)
    if (cube.positions[3 * i + 1] < -0.9f * 11 * half)
      thin.add(cube.positions[3 * i], cube.positions[3 * i + 1], cube.positions[3 * i + 2], 0);
  FrameBuffers buffers;
  const PointBuffers points = buffers.upload(thin.frame());
  SceneView view;
  const Target screen(width, height, Target::Kind::screen);
  const auto picture = [&](bool water, std::vector<PlacedSurface> panes) {
    PointBuffers drawn = points;
    if (!water) drawn.count = 0;
    Extras extras;
    extras.surfaces = std::move(panes);
    view.draw(drawn, from(), {.bodies = Bodies::fluid, .sphere_radius = half}, extras,
              screen.framebuffer(), width, height);
    return pixel(screen.read_screen(), width / 2 + 3, height / 2 + 5);
  };
  constexpr float opacity = 0.25f;
  const auto sky = picture(false, {}), glass = picture(false, {pane(-1, opacity)});
  const auto water = picture(true, {}), before = picture(true, {pane(-1, opacity)}),
             behind = picture(true, {pane(1, opacity)});
  for (std::size_t c = 0; c < 3; ++c) {
    const double own = glass[c] - (1 - opacity) * sky[c];  // light of the pane
    // Each picture is rounded and dithered by a step at most, and the opacity is stored in 8 bits.
    EXPECT_NEAR(before[c], own + (1 - opacity) * water[c], 3) << c;
  }
  EXPECT_GT(behind[1], water[1] + 5);
}

TEST_F(Fluid, IsDarkerWhereASolidHidesItsSky) {
  Cloud cloud = cube_of(12);
  cloud.radii.assign(cloud.count(), half);
  // Half of a ball before the cube, whose front is at y = -11 half - 1.7 half.
  constexpr float front = -12.7f * half, radius = 0.2f;
  cloud.add(0, front, 0, 0);
  cloud.radii.push_back(-radius);
  FrameBuffers buffers;
  const PointBuffers points = buffers.upload(cloud.frame());
  SceneView view;
  const Target screen(width, height, Target::Kind::screen);
  const auto picture = [&](double strength, double shadow) {
    ViewStyle style{.bodies = Bodies::fluid, .sphere_radius = half, .solids = true};
    style.occlusion = strength, style.shadow = shadow;
    view.draw(points, from(), style, {}, screen.framebuffer(), width, height);
    return screen.read_screen();
  };
  const auto plain = picture(0, 0), occluded = picture(3, 0), shaded = picture(0, 1);
  // Steps of dithering are 1 % of the light. How much of its blue light is left of the water beside
  // the ball.
  const auto left = [&](const std::vector<std::uint8_t>& darker, const glm::dvec3& at) {
    const glm::dvec2 p = pixels_of(from(), at, width, height);
    const int x = static_cast<int>(p.x), y = static_cast<int>(p.y);
    return double(pixel(darker, x, y)[2]) / pixel(plain, x, y)[2];
  };
  EXPECT_LT(left(occluded, {0, front, 1.12 * radius}), 0.95) << "beside the ball";
  EXPECT_GT(left(occluded, {0, front, 1.12 * radius}), 0.5);
  EXPECT_NEAR(left(occluded, {-0.35, front, 0.35}), 1, 0.02) << "far from it";
  // The shadow falls to the lower right, where it is an ellipse as long as its sphere over the
  // cosine of the lamp's angle to the normal of the front.
  const glm::dvec3 lamp = to_lamp();
  const double across = std::hypot(lamp.x, lamp.y), way = 0.8 * radius / lamp.z / across;
  EXPECT_LT(left(shaded, {-way * lamp.x, front, -way * lamp.y}), 0.85) << "behind it";
  EXPECT_NEAR(left(shaded, {-0.35, front, 0.35}), 1, 0.02) << "towards the lamp";
}

}  // namespace
}  // namespace mote::render::fluid_test
