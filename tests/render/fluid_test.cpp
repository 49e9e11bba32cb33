#include "render/pass/fluid.h"

#include <algorithm>
#include <array>
#include <optional>

#include "render/pass/spheres.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render {
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
  EXPECT_GT(most(0, 1), 100) << "a line before the water is seen";
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

}  // namespace
}  // namespace mote::render
