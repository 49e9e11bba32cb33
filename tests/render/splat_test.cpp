#include "render/pass/splat.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "render/pass/points.h"
#include "tests/render/cloud.h"
#include "tests/render/splat_cloud.h"

namespace mote::render::splat_test {
namespace {

INSTANTIATE_TEST_SUITE_P(By, Splat, testing::Values(SplatPath::raster, SplatPath::compute),
                         [](const auto& by) {
                           return by.param == SplatPath::raster ? "raster" : "compute";
                         });

TEST_P(Splat, OnePointHasTheLightAndTheColourItShould) {
  for (const float radius : {1.0f, 1.8f, 3.0f, 4.5f, 12.0f}) {
    Cloud cloud;
    cloud.add(0.1f, 0.05f, 0, 0.75f);
    const Sum sum = sum_of(light_of(cloud, {.radius = radius, .light = 10}));
    // Taps sum to 1: what remains is the round-off of up to 23 x 23 floats, each below 2^-23 of the
    // light.
    EXPECT_NEAR(sum.density, 10, 10 * 529 * std::exp2(-23)) << radius;
    // A lone point has 2^30 units, so t is exact to float; the table's linear steps differ from its
    // curve by up to 2e-3.
    const Color color = sample(color_map_named("viridis"), 0.75f);
    EXPECT_NEAR(sum.red / sum.density, linear_of(color.red), 2e-3);
    EXPECT_NEAR(sum.green / sum.density, linear_of(color.green), 2e-3);
    EXPECT_NEAR(sum.blue / sum.density, linear_of(color.blue), 2e-3);
  }
}

TEST_P(Splat, OnePointIsSeenWithinHalfAPixelOfItsPlace) {
  for (const float offset : {-0.4f, -0.1f, 0.3f, 0.45f}) {
    Cloud cloud;
    const double column_wanted = 80.5 + offset, row_wanted = 30.5 - offset;
    cloud.add(static_cast<float>(column_wanted / width * 2 - 1),
              static_cast<float>(row_wanted / height * 2 - 1), 0, 0.5f);
    const std::vector<float> light = light_of(cloud, {.radius = 4, .light = 1}, flat_view);
    double x = 0, y = 0, all = 0;
    for (int row = 0; row < height; ++row)
      for (int column = 0; column < width; ++column) {
        const double density = light[4 * static_cast<std::size_t>(row * width + column) + 3];
        x += density * (column + 0.5);
        y += density * (row + 0.5);
        all += density;
        if (density > 0) {
          EXPECT_LT(std::max(std::abs(column - 80), std::abs(row - 30)), 4);
        }
      }
    // Half a pixel by rounding to pixels, plus the round-off of 49 floats.
    EXPECT_NEAR(x / all, column_wanted, 0.5 + 1e-4);
    EXPECT_NEAR(y / all, row_wanted, 0.5 + 1e-4);
  }
}

TEST_P(Splat, SpritesAreThoseOfThePointsPassWithinTwoPercentOfTheirPeak) {
  Cloud cloud;
  cloud.add(middle_of(70, width), middle_of(40, height), 0, 1);
  for (const float radius : {1.8f, 3.0f, 4.5f, 9.0f}) {
    const PointStyle style{.radius = radius, .light = 1};
    const std::vector<float> light = light_of(cloud, style, flat_view);
    double all = 0;
    const auto sprite = [radius](int x, int y) {
      return std::pow(std::max(1 - (x * x + y * y) / (double{radius} * radius), 0.0), 5);
    };
    for (int y = -20; y <= 20; ++y)
      for (int x = -20; x <= 20; ++x) all += sprite(x, y);
    // The separable filter loses 0.5 to 2 % of its peak as a product of two rows, and gains up to 1
    // % by its normalisation.
    for (int y = -20; y <= 20; ++y)
      for (int x = -20; x <= 20; ++x) {
        const float here = light[4 * static_cast<std::size_t>((40 + y) * width + 70 + x) + 3];
        EXPECT_NEAR(here * all, sprite(x, y), 0.03) << radius << " at " << x << " " << y;
      }
  }
}

TEST_P(Splat, AMillionPointsInOnePixelAreCountedExactly) {
  const std::size_t count = 1000000;
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i)
    cloud.add(middle_of(5, width), middle_of(80, height), 0, 0.25f);
  const std::vector<float> light = light_of(cloud, {.radius = 1, .light = 1}, flat_view);
  const std::size_t pixel = 4 * (80 * width + 5);
  EXPECT_EQ(light[pixel + 3], 1e6f);
  EXPECT_EQ(sum_of(light).density, 1e6);
  // On the raster path the sum of t has 10^6 floats, each step off by up to 2^-24 of the partial
  // sum: 3 % at most, and a colour of viridis changes by less than twice the change of t.
  const Color color = sample(color_map_named("viridis"), 0.25f);
  EXPECT_NEAR(light[pixel + 2] / 1e6, linear_of(color.blue), 0.03 * 0.25 * 2 + 2e-3);
}

TEST_P(Splat, PartsOfManyPointsAddUp) {
  // More than two batches of the raster path (2^20 points), and not a multiple of a group's points.
  const std::size_t count = (2u << 20) + 12345;
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i)
    cloud.add(middle_of(static_cast<int>(i % width), width),
              middle_of(static_cast<int>(i % height), height), 0, 0.5f);
  const std::vector<float> light = light_of(cloud, {.radius = 1, .light = 1}, flat_view);
  std::vector<float> wanted(pixels);
  for (std::size_t i = 0; i < count; ++i) wanted[i % height * width + i % width] += 1;
  for (std::size_t i = 0; i < pixels; ++i) ASSERT_EQ(light[4 * i + 3], wanted[i]) << i;
}

TEST_P(Splat, AllLightIsThatOfTheVisiblePoints) {
  Cloud cloud = cloud_of(50000, 0.5f);
  std::size_t visible = 0;
  for (std::size_t i = 0; i < cloud.count(); ++i) {
    const float* at = &cloud.positions[3 * i];
    if (std::abs(at[0]) <= 1 && std::abs(at[1]) <= 1 && std::abs(at[2]) <= 1) ++visible;
  }
  ASSERT_GT(visible, 40000);
  ASSERT_LT(visible, 49000);
  const double sum = sum_of(light_of(cloud, {.radius = 1, .light = 0.5f}, flat_view)).density;
  // Sums of integers and half-integers are exact; a radius of 1 has a single tap, so no light
  // leaves the picture.
  EXPECT_EQ(sum, 0.5 * static_cast<double>(visible));
}

TEST_P(Splat, LightIsProportionalToTheWeight) {
  Cloud cloud;
  for (int i = 0; i < 4; ++i)
    cloud.add(middle_of(20 + 30 * i, width), middle_of(45, height), 0, 0.5f);
  cloud.weights = {1, 2.5f, 1e-3f, 1000};
  const std::vector<float> light = light_of(cloud, {.radius = 1, .light = 3}, flat_view);
  // A weight of 1 has at least 2^30 / 1003.5 / 1.001 / 2 = 534,000 units; rounding is below a unit
  // each.
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(light[4 * (45 * width + 20 + 30 * i) + 3], 3 * cloud.weights[i],
                3 * (1 / 534000.0 + cloud.weights[i] * std::exp2(-22)));
}

TEST_P(Splat, WeightsBelowTheFloorCountAsTheFloor) {
  Cloud cloud;
  cloud.add(0, 0, 0, 0.5f);
  cloud.weights = {0.125f};
  EXPECT_NEAR(sum_of(light_of(cloud, {.radius = 1, .light = 1, .weight_floor = 0.5f})).density, 0.5,
              1e-6);
  cloud.weights.clear();
  EXPECT_NEAR(sum_of(light_of(cloud, {.radius = 1, .light = 1, .weight_floor = 2})).density, 2,
              1e-6);
}

TEST_P(Splat, OneHeavyPointDoesNotDarkenThousandsOfLightOnes) {
  const std::size_t count = 200000;
  Cloud cloud;
  for (std::size_t i = 0; i < count; ++i)
    cloud.add(middle_of(static_cast<int>(i % 100), width), middle_of(10, height), 0, 0.3f);
  cloud.weights.assign(count, 1);
  cloud.add(middle_of(130, width), middle_of(70, height), 0, 0.5f);
  cloud.weights.push_back(5e9f);
  const std::vector<float> light = light_of(cloud, {.radius = 1, .light = 1}, flat_view, "grey");
  // Less than 2^31 units for 5e9: a weight of 1 has a quarter of a unit, so one point of four has
  // one. For a pixel's 2000 points the standard deviation is sqrt(2000 * 3 / 16) = 19.4 units of 4.
  double red = 0, density = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_NEAR(light[4 * (10 * width + i) + 3], 2000, 5 * 4 * 19.4) << i;
    red += light[4 * (10 * width + i)];
    density += light[4 * (10 * width + i) + 3];
  }
  EXPECT_NEAR(density, 2e5, 5 * 4 * 194);
  // Of the 50,000 units three of ten have t = 1: a mean of 0.3 that is off by 5 * sqrt(0.3 * 0.7 /
  // 50,000) = 0.01 at most; the slope of the map's light is 0.65 there, and its curvature adds half
  // of 2 * 0.02^2 for the variation between pixels.
  EXPECT_NEAR(red / density, linear_of(sample(color_map_named("grey"), 0.3f).red),
              0.01 * 0.65 + 4e-4 + 2e-3);
  EXPECT_NEAR(light[4 * (70 * width + 130) + 3], 5e9, 1e3);
}

TEST_P(Splat, PointsInOnePixelGetTheColourOfTheirMeanScalar) {
  Cloud cloud;
  for (const float scalar : {0.1f, 0.2f, 0.9f})
    cloud.add(middle_of(50, width), middle_of(50, height), 0, scalar);
  for (const char* map : {"viridis", "inferno"}) {
    const Sum sum = sum_of(light_of(cloud, {.radius = 3, .light = 2}, flat_view, map));
    const Color color = sample(color_map_named(map), 0.4f);
    EXPECT_NEAR(sum.density, 6, 1e-5);
    EXPECT_NEAR(sum.red / sum.density, linear_of(color.red), 2e-3);
    EXPECT_NEAR(sum.green / sum.density, linear_of(color.green), 2e-3);
    EXPECT_NEAR(sum.blue / sum.density, linear_of(color.blue), 2e-3);
  }
}

TEST_P(Splat, MeanColoursAreWeighted) {
  Cloud cloud;
  for (const float scalar : {0.0f, 1.0f})
    cloud.add(middle_of(50, width), middle_of(50, height), 0, scalar);
  cloud.weights = {3, 1};
  const Sum sum = sum_of(light_of(cloud, {.radius = 3, .light = 1}, flat_view, "grey"));
  EXPECT_NEAR(sum.red / sum.density, linear_of(sample(color_map_named("grey"), 0.25f).red), 2e-3);
}

TEST_P(Splat, ScalarsOutsideTheRangeGetTheEndColours) {
  expect_end_colours_outside_the_range([&](float scalar) {
    return light_of({{0, 0, 0}, {scalar}, {}}, {.radius = 3, .light = 1}, flat_view, "inferno");
  });
}

TEST_P(Splat, WhatIsNotFiniteOrNotInThePictureDrawsNothing) {
  const PointStyle style{.radius = 4, .light = 3};
  const auto density = [&](float x, float y, float z, std::vector<float> weights = {}) {
    Cloud cloud;
    cloud.add(x, y, z, 0.5f);
    cloud.weights = std::move(weights);
    return sum_of(light_of(cloud, style)).density;
  };
  EXPECT_NEAR(density(0, 0, 0), 3, 1e-5);
  for (const float bad : {nan, infinity, -infinity, 1e38f, 100.0f}) {
    EXPECT_EQ(density(bad, 0, 0), 0) << bad;
    EXPECT_EQ(density(0, bad, 0), 0) << bad;
  }
  EXPECT_EQ(density(0, 0, nan), 0);
  EXPECT_EQ(density(0, -60, 70), 0) << "behind the camera";
  for (const float bad : {nan, infinity, -infinity, -1.0f, 0.0f})
    EXPECT_EQ(density(0, 0, 0, {bad}), 0) << bad;
}

TEST_P(Splat, ABadPointDoesNotHarmItsNeighbours) {
  Cloud cloud;
  cloud.add(0.1f, 0.2f, 0, 0.5f);
  cloud.weights = {1};
  const PointStyle style{.radius = 4, .light = 3};
  const double one = sum_of(light_of(cloud, style)).density;
  cloud.add(nan, 0, 0, 0.5f);
  cloud.add(0.1f, 0.2f, 0, 0.5f);
  cloud.add(0.1f, 0.2f, 0, nan);
  cloud.add(0.1f, 0.2f, 0, 0.5f);
  cloud.weights = {1, 1, nan, -infinity, -0.5f};
  EXPECT_NEAR(sum_of(light_of(cloud, style)).density, one, 1e-5);
}

TEST_P(Splat, LightIsAddedToWhatIsThere) {
  SplatPass pass(find_shaders(), color_map_named("grey"));
  pass.use(GetParam());
  const Target target(16, 16, Target::Kind::light);
  target.clear({1, 2, 3, 4});
  Cloud cloud;
  cloud.add(0, 0, 0, 1);
  const Uploaded uploaded(cloud);
  for (int i = 0; i < 2; ++i)
    pass.draw(uploaded.points, flat_view, {.radius = 1, .light = 5}, target);
  const std::vector<float> light = target.read_light();
  const std::size_t middle = 4 * (8 * 16 + 8);
  EXPECT_NEAR(light[middle], 1 + 10, 1e-4);
  EXPECT_NEAR(light[middle + 3], 4 + 10, 1e-4);
  EXPECT_EQ(light[0], 1);
  EXPECT_EQ(light[3], 4);
}

TEST_P(Splat, FreshLightIsWhatIsDrawnWhateverItHeld) {
  SplatPass pass(find_shaders(), color_map_named("grey"));
  pass.use(GetParam());
  const Uploaded uploaded(cloud_of(5000, 0.3f));
  const auto drawn = [&](std::span<const PointBuffers> points, float held, bool fresh) {
    const Target target(width, height, Target::Kind::light);
    target.clear({held, held, held, held});
    pass.draw(points, flat_view, {.radius = 2, .light = 1}, target, fresh);
    return target.read_light();
  };
  EXPECT_EQ(drawn({&uploaded.points, 1}, 7, true), drawn({&uploaded.points, 1}, 0, false));
  EXPECT_EQ(drawn({}, 7, true), drawn({}, 0, false));
}

TEST_P(Splat, SeveralBuffersAddUpLikeOne) {
  const Cloud all = cloud_of(5000, 0.3f);
  std::vector<Cloud> clouds(3);
  for (std::size_t i = 0; i < all.count(); ++i) {
    const float* at = &all.positions[3 * i];
    clouds[std::min<std::size_t>(i / 2048, 2)].add(at[0], at[1], at[2], all.scalars[i]);
  }
  std::vector<Uploaded> uploaded;
  for (const Cloud& cloud : clouds) uploaded.emplace_back(cloud);
  std::vector<PointBuffers> buffers(1);  // the first one is empty
  for (const Uploaded& some : uploaded) buffers.push_back(some.points);
  SplatPass pass(find_shaders(), color_map_named("grey"));
  pass.use(GetParam());
  const Target target(width, height, Target::Kind::light);
  pass.draw(buffers, flat_view, {.radius = 1, .light = 1}, target, true);
  const std::vector<float> one = light_of(all, {.radius = 1, .light = 1}, flat_view, "grey"),
                           several = target.read_light();
  // Densities are integers. For t, 1000 points in a buffer have 2^20 units for a weight of 1,
  // floats round by 2^-24 of a sum of at most 5000, and GPUs interpolate colours in 2^8 steps
  // between two of 2^8 entries; a linear grey has a slope of at most 2.3.
  for (std::size_t i = 0; i < one.size(); i += 4) {
    ASSERT_EQ(several[i + 3], one[i + 3]) << i / 4;
    ASSERT_NEAR(several[i], one[i],
                2.3 * one[i + 3] * (2 * std::exp2(-20) + 200 * std::exp2(-24) + std::exp2(-16)))
        << i / 4;
  }
}

TEST_P(Splat, TheSameIsDrawnEveryTime) {
  const Cloud cloud = cloud_of(100000, 0.2f);
  const PointStyle style{.radius = 3, .light = 0.1f};
  EXPECT_EQ(light_of(cloud, style), light_of(cloud, style));
}

TEST_P(Splat, SizesSpritesAndColoursMayChange) {
  SplatPass pass(find_shaders(), color_map_named("grey"));
  pass.use(GetParam());
  const Uploaded uploaded(cloud_of(1000, 0.1f));
  for (const int size : {64, 16, 128}) {
    const Target target(size, size, Target::Kind::light);
    target.clear({0, 0, 0, 0});
    pass.draw(uploaded.points, flat_view, {.radius = 1, .light = 1}, target);
    EXPECT_EQ(sum_of(target.read_light()).density, 1000) << size;
  }
  const Target wide(64, 64, Target::Kind::light);
  wide.clear({0, 0, 0, 0});
  Cloud one;
  one.add(0, 0, 0, 0.5f);
  const Uploaded lone(one);
  pass.draw(lone.points, flat_view, {.radius = 4, .light = 1}, wide);
  EXPECT_LT(wide.read_light()[4 * (32 * 64 + 32) + 3], 0.5f) << "the sprite has become larger";
  pass.set_map(color_map_named("inferno"));
  const Target target(64, 64, Target::Kind::light);
  target.clear({0, 0, 0, 0});
  pass.draw(uploaded.points, flat_view, {.radius = 1, .light = 1}, target);
  const Sum sum = sum_of(target.read_light());
  EXPECT_GT(sum.red, 1.5 * sum.green);
}

TEST_P(Splat, BlocksOfPixelsAreAsBrightAsThoseOfThePointsPass) {
  // A point moves by up to half a pixel, so points whose light reaches an edge of a block of 8 x 8
  // carry light across it. Uniform shifts cancel on average. Per point near an edge (within 3 + 1/2
  // pixels, so at most the 8 x 8 - 1 of the block and the ring of 3.5 around it, 15 x 15 pixels),
  // no more than half a pixel times the largest density of a row of its sprite (1.41 / 3 a pixel)
  // moves, in x and in y; uniform in +- 1/2 that has the standard deviation 0.47 / sqrt(12) = 0.136
  // for an edge, 0.27 for four. With n points a pixel there are 225 n points, so a standard
  // deviation of at most 0.27 * sqrt(225 n) for 64 n points; five of them with n = 20: 0.27 * 5 *
  // 67 / 1280 = 7 %. Add the sprite's 2 % of its peak and the sum over pixels instead of the
  // integral (2 % at 3 pixels).
  const int per_pixel = 20;
  std::mt19937 random(3);
  std::uniform_real_distribution<float> position(-1, 1), scalar(0, 1);
  Cloud cloud;
  for (int i = 0; i < per_pixel * pixels; ++i)
    cloud.add(position(random), position(random), 0, scalar(random));
  const PointStyle style{.radius = 3, .light = 1.0f / per_pixel};
  const std::vector<float> light = light_of(cloud, style, flat_view);

  PointsPass points(find_shaders(), color_map_named("viridis"));
  const Target target(width, height, Target::Kind::light);
  target.clear({0, 0, 0, 0});
  const Uploaded uploaded(cloud);
  points.draw(uploaded.points, flat_view, style, target);
  const std::vector<float> wanted = target.read_light();
  double largest = 0, all = 0, all_wanted = 0;
  for (int row = 0; row + 8 <= height; row += 8)
    for (int column = 0; column + 8 <= width; column += 8) {
      double here = 0, there = 0;
      for (int y = row; y < row + 8; ++y)
        for (int x = column; x < column + 8; ++x) {
          here += light[4 * static_cast<std::size_t>(y * width + x) + 3];
          there += wanted[4 * static_cast<std::size_t>(y * width + x) + 3];
        }
      largest = std::max(largest, std::abs(here / there - 1));
      all += here;
      all_wanted += there;
    }
  EXPECT_LT(largest, 0.07 + 0.04);
  EXPECT_NEAR(all / all_wanted, 1, 0.02);
}

}  // namespace
}  // namespace mote::render::splat_test
