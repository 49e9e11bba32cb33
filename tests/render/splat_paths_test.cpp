#include <array>
#include <cmath>
#include <cstdio>
#include <glm/gtc/matrix_transform.hpp>
#include <random>
#include <string>
#include <vector>

#include "engine/files.h"
#include "render/pass/splat_sums.h"
#include "tests/render/splat_cloud.h"

namespace mote::render::splat_test {
namespace {

class SplatPaths : public Splat {};

TEST_F(SplatPaths, SumPartsOfThePointsLikeAllOfThemAtOnce) {
  const Cloud cloud = [] {
    Cloud made = cloud_of(50000);
    for (std::size_t i = 0; i < made.count(); ++i) made.weights.push_back(i < 20000 ? 1.0f : 2.0f);
    return made;
  }();
  const Uploaded uploaded(cloud);
  const auto sums = [&](engine::Index part) {
    SplatSums made(find_shaders(), part);
    made.resize(width, height);
    made.run(SplatPath::compute, {&uploaded.points, 1}, flat_view, {});
    std::vector<float> values(2 * pixels);
    glGetTextureImage(made.planes().sums.texture.name(), 0, GL_RG, GL_FLOAT,
                      static_cast<GLsizei>(4 * values.size()), values.data());
    return values;
  };
  const std::vector<float> at_once = sums(splat_compute_batch), in_batches = sums(2048);
  for (std::size_t i = 0; i < at_once.size(); i += 2) {
    // Weights are integer numbers of units. For t, each point loses or gains less than one of the
    // 2^31 / 2^17 units of 1.
    ASSERT_EQ(at_once[i], in_batches[i]) << i / 2;
    ASSERT_NEAR(at_once[i + 1], in_batches[i + 1], at_once[i] * 2 / 16384) << i / 2;
  }
}

TEST_F(SplatPaths, GiveTheSamePicture) {
  // Off centre, centred, weighted; from few points in a pixel to thousands.
  for (const float spread : {0.02f, 0.7f})
    for (const bool weighted : {false, true}) {
      Cloud cloud = cloud_of(300000, spread);
      std::mt19937 random(5);
      std::exponential_distribution<float> weight(1);
      if (weighted)
        for (std::size_t i = 0; i < cloud.count(); ++i) cloud.weights.push_back(weight(random));
      const PointStyle style{.radius = 1, .light = 1};
      const std::vector<float> raster =
          light_by(SplatPath::raster, cloud, style, camera_view(), "grey");
      const std::vector<float> compute =
          light_by(SplatPath::compute, cloud, style, camera_view(), "grey");
      // 3e5 points have at least 2^31 / 2^19 / 2 = 2048 units for a weight of 1. Integers: no error
      // without weights, else below one random unit for each of the pixel's n points: 5 * sqrt(n /
      // 4) + 1. Floats: each of n additions rounds by up to 2^-24 of the partial sum.
      const double unit = 1 / 2048.0;
      for (std::size_t i = 0; i < raster.size(); i += 4) {
        const double count = raster[i + 3], n = weighted ? 8 * count + 30 : count;
        const double rounding = n * count * std::exp2(-24), chance = 2.5 * std::sqrt(n) + 1;
        ASSERT_NEAR(compute[i + 3], count, weighted ? rounding + unit * chance : 0) << i / 4;
        // The sum of t likewise; a linear grey has a slope of at most 2.3 (of the sRGB curve), and
        // light is colour times density.
        ASSERT_NEAR(compute[i], raster[i], 2.3 * (2 * rounding + 2 * unit * chance) + 1e-6 * count)
            << i / 4;
      }
    }
}

// Four categories in one pixel: their mean number is that of another category; their light is the
// sum of their lights.
TEST_F(SplatPaths, AddTheLightsOfCategoriesThatShareAPixel) {
  const std::vector<Color> palette{uncategorized, {1, 0, 0}, {0, 1, 0}, {0.25f, 0, 1}, {1, 1, 1}};
  const std::array<int, 4> counts{1, 4, 2, 3};
  Cloud cloud;
  for (int kind = 0; kind < 4; ++kind)
    for (int i = 0; i < counts[static_cast<std::size_t>(kind)]; ++i)
      cloud.add(middle_of(40, width), middle_of(30, height), 0, static_cast<float>(kind));
  cloud.add(middle_of(90, width), middle_of(60, height), 0, 3);  // and one far away
  std::array<double, 4> expected{0, 0, 0, 10};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    expected[0] += counts[kind] * static_cast<double>(linear_of(palette[kind].red));
    expected[1] += counts[kind] * static_cast<double>(linear_of(palette[kind].green));
    expected[2] += counts[kind] * static_cast<double>(linear_of(palette[kind].blue));
  }
  for (const SplatPath path : {SplatPath::raster, SplatPath::compute})
    for (const bool fresh : {false, true}) {
      const std::vector<float> light =
          light_by(path, cloud, {.radius = 1, .light = 1}, flat_view, color_map_of(palette), fresh);
      // Round-off of ten sums and products of floats.
      for (std::size_t channel = 0; channel < 4; ++channel)
        EXPECT_NEAR(light[4 * (30 * width + 40) + channel], expected[channel], 20 * 6e-8 * 10)
            << channel;
      EXPECT_NEAR(light[4 * (60 * width + 90) + 2], 1, 1e-6);
      EXPECT_EQ(sum_of(light).density, 11);
    }
}

// Next to one point of weight 1e9 a weight of 8 has some 2^31 / 1e9 x 8 units: too few to divide by
// 255, and the division must not affect the colour.
TEST_F(SplatPaths, GiveLightPointsTheColourOfTheirCategoryExactly) {
  Cloud cloud;
  cloud.add(middle_of(100, width), middle_of(50, height), 0, 2);
  cloud.weights.push_back(1e9f);
  for (int i = 0; i < 40; ++i) {
    cloud.add(middle_of(10 + i, width), middle_of(30, height), 0, 3);
    cloud.weights.push_back(8);
  }
  const std::vector<Color> palette{uncategorized, {1, 0, 0}, {0, 1, 0}, {0.25f, 0, 1}};
  for (const SplatPath path : {SplatPath::raster, SplatPath::compute}) {
    const std::vector<float> light =
        light_by(path, cloud, {.radius = 1, .light = 1}, flat_view, color_map_of(palette));
    for (std::size_t i = 0; i < 40; ++i) {
      const float* const pixel = &light[4 * (30 * width + 10 + i)];
      EXPECT_NEAR(pixel[3], 8, 1) << i;
      EXPECT_NEAR(pixel[0] / pixel[3], linear_of(0.25f), 1e-6) << i;
      EXPECT_EQ(pixel[1], 0) << i;
      EXPECT_NEAR(pixel[2] / pixel[3], 1, 1e-6) << i;
    }
  }
}

TEST_F(SplatPaths, FindTheCategoriesThatOccurInAllParts) {
  Cloud cloud;
  for (int i = 0; i < 5000; ++i)
    cloud.add(0, 0, 0, i == 4999 ? 255.0f : i == 2500 ? 31.0f : i % 2 ? 32.0f : 3.0f);
  for (const float none : {-1.0f, 0.5f, 256.0f, nan, infinity}) cloud.add(0, 0, 0, none);
  const Uploaded uploaded(cloud), one = Uploaded([] {
                                    Cloud made;
                                    made.add(0, 0, 0, 0);
                                    return made;
                                  }());
  const SplatSums in_batches(find_shaders(), 1024), whole(find_shaders());
  const std::array<PointBuffers, 2> both{uploaded.points, one.points};
  EXPECT_EQ(in_batches.categories(both), (std::vector<int>{0, 3, 31, 32, 255}));
  EXPECT_EQ(whole.categories({&uploaded.points, 1}), (std::vector<int>{3, 31, 32, 255}));
  EXPECT_EQ(whole.categories({&one.points, 1}), (std::vector<int>{0}))
      << "earlier categories are cleared";
}

TEST_F(SplatPaths, ChooseTheSamePixelAtTheEdgesOfPixels) {
  Cloud cloud;
  for (int column = 0; column <= width; ++column)
    for (int row = 0; row <= height; ++row)
      for (const float away : {-1e-7f, 0.0f, 1e-7f})
        cloud.add(2.0f * static_cast<float>(column) / width - 1 + away,
                  2.0f * static_cast<float>(row) / height - 1 + away, 0, 0.5f);
  for (const glm::mat4& view :
       {flat_view, camera_view(), glm::rotate(flat_view, 0.0f, glm::vec3{0, 0, 1})}) {
    const PointStyle style{.radius = 1, .light = 1};
    EXPECT_EQ(light_by(SplatPath::raster, cloud, style, view),
              light_by(SplatPath::compute, cloud, style, view));
  }
}

TEST_F(SplatPaths, ShareTheWordsThatChooseThePixel) {
  const auto shared = [](const char* file) {
    const std::string text = engine::read_file(find_shaders() / file);
    const std::string begin = "// begin of the shared part", end = "// end of the shared part";
    const auto from = text.find(begin), to = text.find(end);
    EXPECT_TRUE(from != std::string::npos && to != std::string::npos) << file;
    return text.substr(from, to - from);
  };
  EXPECT_EQ(shared("splat_points.vert"), shared("splat_deposit.comp"));
}

TEST_F(SplatPaths, AreTimedOnceUnlessOneIsAskedFor) {
  SplatPass pass(find_shaders(), color_map_named("grey"));
  const Target target(width, height, Target::Kind::light);
  const Uploaded uploaded(cloud_of(2000));
  EXPECT_EQ(pass.path(), SplatPath::automatic);
  pass.use(SplatPath::raster);
  pass.draw(uploaded.points, camera_view(), {}, target);
  EXPECT_EQ(pass.report(), "raster") << "no timing for an explicit path";
  pass.use(SplatPath::automatic);
  pass.draw(uploaded.points, camera_view(), {}, target);
  const SplatPath chosen = pass.path();
  EXPECT_NE(chosen, SplatPath::automatic);
  const std::string report = pass.report();
  double faster = 0, slower = 0;
  std::array<char, 8> name{}, other{};
  ASSERT_EQ(std::sscanf(report.c_str(), "%7s (%lf ms; %7s %lf ms per million points)", name.data(),
                        &faster, other.data(), &slower),
            4)
      << report;
  EXPECT_GT(faster, 0);
  EXPECT_LE(faster, slower);
  EXPECT_EQ(std::string(name.data()), chosen == SplatPath::compute ? "compute" : "raster");
  pass.use(chosen == SplatPath::raster ? SplatPath::compute : SplatPath::raster);
  EXPECT_NE(pass.path(), chosen);
  pass.use(SplatPath::automatic);
  EXPECT_EQ(pass.path(), chosen);
  EXPECT_EQ(pass.report(), report) << "no second timing";
}

TEST_F(SplatPaths, DrawNothingOfNoPoints) {
  SplatPass pass(find_shaders(), color_map_named("grey"));
  const Target target(8, 8, Target::Kind::light);
  target.clear({1, 1, 1, 1});
  pass.draw(PointBuffers{}, flat_view, {}, target);
  EXPECT_EQ(sum_of(target.read_light()).density, 64);
  EXPECT_EQ(pass.path(), SplatPath::automatic);
}

}  // namespace
}  // namespace mote::render::splat_test
