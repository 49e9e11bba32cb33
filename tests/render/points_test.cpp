#include "render/pass/points.h"

#include <cmath>
#include <vector>

#include "render/camera.h"
#include "render/frame_buffers.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/gl_test.h"

namespace mote::render::points_test {
namespace {

constexpr int width = 160, height = 90;

class Points : public GlTest {
 protected:
  std::vector<float> light_of(const Cloud& cloud, const PointStyle& style,
                              const char* map = "viridis") {
    PointsPass pass(find_shaders(), color_map_named(map));
    const Target target(width, height, Target::Kind::light);
    target.clear({0, 0, 0, 0});
    const OrbitCamera camera;
    const double aspect = static_cast<double>(width) / height;
    FrameBuffers buffers;
    pass.draw(buffers.upload(cloud.frame()),
              camera.projection_matrix(aspect) * camera.view_matrix(), style, target);
    return target.read_light();
  }

  Sum sum_of(const Cloud& cloud, const PointStyle& style) {
    return render::sum_of(light_of(cloud, style));
  }
};

TEST_F(Points, OnePointHasTheLightAndTheColourItShould) {
  const Cloud cloud{{0, 0, 0}, {0.75f}, {}};
  const Sum sum = sum_of(cloud, {.radius = 6, .light = 10});
  // A sum over pixels instead of an integral; for a sprite of 6 pixels they agree to better than 1
  // %.
  EXPECT_NEAR(sum.density, 10, 0.1);
  const Color color = sample(color_map_named("viridis"), 0.75f);
  EXPECT_NEAR(sum.red / sum.density, linear_of(color.red), 2e-3);
  EXPECT_NEAR(sum.green / sum.density, linear_of(color.green), 2e-3);
  EXPECT_NEAR(sum.blue / sum.density, linear_of(color.blue), 2e-3);
}

TEST_F(Points, LightIsAroundTheMiddleOfThePicture) {
  const std::vector<float> light = light_of({{0, 0, 0}, {1}, {}}, {.radius = 6, .light = 10});
  double x = 0, y = 0, all = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const double density = light[4 * static_cast<std::size_t>(row * width + column) + 3];
      x += density * (column + 0.5);
      y += density * (row + 0.5);
      all += density;
      if (density > 0) {
        EXPECT_LE(std::hypot(column + 0.5 - width / 2.0, row + 0.5 - height / 2.0), 6.01);
      }
    }
  EXPECT_NEAR(x / all, width / 2.0, 0.05);
  EXPECT_NEAR(y / all, height / 2.0, 0.05);
}

TEST_F(Points, TwoCoincidentPointsGiveTwiceTheLightOfOne) {
  const PointStyle style{.radius = 4, .light = 3};
  const Sum one = sum_of({{0.1f, 0.2f, 0}, {0.4f}, {}}, style);
  const Sum two = sum_of({{0.1f, 0.2f, 0, 0.1f, 0.2f, 0}, {0.4f, 0.4f}, {}}, style);
  EXPECT_GT(one.density, 0);
  EXPECT_NEAR(two.density, 2 * one.density, 1e-5 * one.density);
  EXPECT_NEAR(two.red, 2 * one.red, 1e-5 * one.density);
  EXPECT_NEAR(two.green, 2 * one.green, 1e-5 * one.density);
  EXPECT_NEAR(two.blue, 2 * one.blue, 1e-5 * one.density);
}

TEST_F(Points, LightIsProportionalToTheWeight) {
  const PointStyle style{.radius = 4, .light = 3};
  const double one = sum_of({{0, 0, 0}, {0.5f}, {1}}, style).density;
  EXPECT_NEAR(sum_of({{0, 0, 0}, {0.5f}, {2.5f}}, style).density, 2.5 * one, 1e-4 * one);
  EXPECT_NEAR(sum_of({{0, 0, 0}, {0.5f}, {}}, style).density, one, 1e-4 * one)
      << "no weights mean weight 1";
}

TEST_F(Points, WhatIsNotFiniteDrawsNothing) {
  const PointStyle style{.radius = 4, .light = 3};
  for (const float bad : {nan, infinity, -infinity, 1e38f})
    for (int axis = 0; axis < 3; ++axis) {
      Cloud cloud{{0, 0, 0}, {0.5f}, {}};
      cloud.positions[static_cast<std::size_t>(axis)] = bad;
      EXPECT_EQ(sum_of(cloud, style).density, 0) << bad << " " << axis;
    }
  EXPECT_EQ(sum_of({{0, 0, 0}, {0.5f}, {nan}}, style).density, 0);
  EXPECT_EQ(sum_of({{0, 0, 0}, {0.5f}, {infinity}}, style).density, 0);
  EXPECT_EQ(sum_of({{0, 0, 0}, {0.5f}, {-1}}, style).density, 0) << "light is never taken away";
}

TEST_F(Points, ABadPointDoesNotHarmItsNeighbours) {
  const PointStyle style{.radius = 4, .light = 3};
  const double one = sum_of({{0.1f, 0.2f, 0}, {0.5f}, {}}, style).density;
  EXPECT_EQ(sum_of({{nan, 0, 0, 0.1f, 0.2f, 0}, {0.5f, 0.5f}, {}}, style).density, one);
}

TEST_F(Points, ScalarsOutsideTheRangeGetTheEndColours) {
  expect_end_colours_outside_the_range([&](float scalar) {
    return light_of({{0, 0, 0}, {scalar}, {}}, {.radius = 4, .light = 1}, "inferno");
  });
}

TEST_F(Points, ARangeOfNothingGetsTheMiddleColour) {
  PointsPass pass(find_shaders(), color_map_named("grey"));
  const Target target(8, 8, Target::Kind::light);
  target.clear({0, 0, 0, 0});
  const Cloud cloud{{0, 0, 0}, {3}, {}};
  Frame frame = cloud.frame();
  frame.scalar_low = frame.scalar_high = 3;
  const OrbitCamera camera;
  FrameBuffers buffers;
  pass.draw(buffers.upload(frame), camera.projection_matrix(1) * camera.view_matrix(),
            {.radius = 4}, target);
  const std::vector<float> light = target.read_light();
  const std::size_t middle = 4 * (4 * 8 + 4);
  EXPECT_NEAR(light[middle] / light[middle + 3],
              linear_of(sample(color_map_named("grey"), 0.5f).red), 2e-3);
}

TEST(PointStyles, AllPointsTogetherHaveTheLightOfDensityOne) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{100}, std::size_t{100000}}) {
    const Cloud cloud{std::vector<float>(3 * count), std::vector<float>(count),
                      std::vector<float>(count, 7.0f)};
    const PointStyle style = automatic_style(cloud.frame(), 320, 200);
    EXPECT_NEAR(style.light * 7.0 * static_cast<double>(count) / (320 * 200), 1, 1e-5);
  }
}

TEST(PointStyles, FewPointsAreLargeAndVisibleWhateverTheirWeight) {
  const Cloud few{
      std::vector<float>(18), std::vector<float>(6), {1, 3e-6f, 3e-6f, 3e-7f, 1e-3f, 0}};
  const Cloud many{std::vector<float>(300000), std::vector<float>(100000), {}};
  const PointStyle dots = automatic_style(few.frame(), 1280, 720);
  const PointStyle dust = automatic_style(many.frame(), 1280, 720);
  EXPECT_GT(dots.radius, 4 * dust.radius);
  EXPECT_FLOAT_EQ(dots.weight_floor, 0.5f);
  EXPECT_EQ(dust.weight_floor, 0);
}

TEST(PointStyles, SizeFollowsThePictureUnlessGiven) {
  const Cloud cloud{std::vector<float>(18), std::vector<float>(6), {}};
  const float small = automatic_style(cloud.frame(), 1280, 720).radius;
  EXPECT_FLOAT_EQ(automatic_style(cloud.frame(), 2560, 1440).radius, 2 * small);
  EXPECT_FLOAT_EQ(automatic_style(cloud.frame(), 2560, 1440, 12).radius, 6);
}

TEST(PointStyles, WeightsThatAreNotFiniteOrAllZeroAreSurvived) {
  for (const float bad : {nan, infinity, 0.0f}) {
    const Cloud cloud{std::vector<float>(6), std::vector<float>(2), {bad, bad}};
    const PointStyle style = automatic_style(cloud.frame(), 100, 100);
    EXPECT_TRUE(std::isfinite(style.light) && style.light > 0) << bad;
  }
}

}  // namespace
}  // namespace mote::render::points_test
