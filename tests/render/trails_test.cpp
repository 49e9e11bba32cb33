#include "render/pass/trails.h"

#include <algorithm>
#include <limits>

#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::trails_test {
namespace {

constexpr int width = 200, height = 160;
constexpr Exposure exposure{1, 0.02f};
constexpr float brightness = 0.7f;

class Trails : public SceneTest {
 protected:
  void SetUp() override {
    SceneTest::SetUp();
    if (IsSkipped()) return;
    camera_.elevation = 0;
    pass_.emplace(find_shaders(), color_map_named("grey"));
    buffers_.emplace();
  }

  Viewpoint from() const { return camera_.viewpoint(width, height); }

  /// Stores one or several bodies at these positions.
  void add(const std::vector<float>& positions, int length) {
    cloud_.positions = positions;
    cloud_.scalars.assign(positions.size() / 3, 1);
    shown_ = buffers_->upload(cloud_.frame());
    pass_->add(shown_, length);
  }
  /// One body that moves from the left, 0.1 per sample.
  void walk(int steps, int length) {
    for (int i = 0; i < steps; ++i) add({-1 + 0.1f * static_cast<float>(i), 0, 0}, length);
  }
  /// Density of light, the bottom row first.
  std::vector<float> light(int length) {
    const Target target(width, height, Target::Kind::light);
    target.clear({0, 0, 0, 0});
    pass_->draw_light(shown_, Lens(from().view, from().projection), length, exposure, brightness,
                      target);
    const std::vector<float> values = target.read_light();
    std::vector<float> density;
    for (std::size_t i = 3; i < values.size(); i += 4) density.push_back(values[i]);
    return density;
  }
  /// Density at a position of the walk.
  float at(const std::vector<float>& picture, double x, double z = 0) const {
    const glm::dvec2 here = pixels_of(from(), {x, 0, z}, width, height);
    return picture[static_cast<std::size_t>(here.y) * width + static_cast<std::size_t>(here.x)];
  }

  OrbitCamera camera_;
  std::optional<TrailsPass> pass_;
  std::optional<FrameBuffers> buffers_;
  Cloud cloud_;
  PointBuffers shown_;
};

TEST_F(Trails, FadeFromTheBodyToTheirEnd) {
  walk(11, 20);
  const std::vector<float> picture = light(20);
  EXPECT_EQ(at(picture, 0.1), 0) << "ahead of the body";
  float newer = std::numeric_limits<float>::max();
  for (double x = -0.05; x > -0.95; x -= 0.1) {
    const float here = at(picture, x);
    EXPECT_GT(here, 0) << x;
    EXPECT_LT(here, newer) << x;
    newer = here;
  }
  EXPECT_EQ(at(picture, -1.1), 0) << "before the first sample";
  EXPECT_EQ(at(picture, -0.5, 0.1), 0) << "beside the trail";
}

TEST_F(Trails, AreAsBrightOnTheToneMapsScaleAsTold) {
  walk(11, 20);
  const std::vector<float> picture = light(20);
  const auto x = static_cast<int>(pixels_of(from(), {-0.05, 0, 0}, width, height).x);
  double column = 0;
  for (int y = 0; y < height; ++y)
    column += picture[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  // 11 samples are stored; half way between the first two the age is 0.5 / 10. The line is a pixel
  // wide in so small a picture. A pixel is a seventh of the distance between two points and changes
  // the age by 0.014, the shown brightness by 1 % and so the density, at a slope of 3, by 4 %: half
  // of it either way.
  const double of_white = std::asinh(exposure.white / exposure.faint);
  const double expected = exposure.faint * std::sinh(brightness * (1 - 0.05) * of_white);
  EXPECT_NEAR(column / expected, 1, 0.03);
}

TEST_F(Trails, KeepOnlyTheNewest) {
  walk(20, 4);
  EXPECT_EQ(pass_->stored(), 4);
  const std::vector<float> picture = light(4);
  EXPECT_GT(at(picture, 0.75), 0);
  EXPECT_EQ(at(picture, 0.55), 0);
  EXPECT_EQ(at(light(2), 0.75), 0) << "fewer are drawn when fewer are requested";
}

TEST_F(Trails, KeepWhatTheyKnowWhenTheirLengthChanges) {
  walk(11, 7);
  add({0.1f, 0, 0}, 20);
  EXPECT_EQ(pass_->stored(), 8);
  EXPECT_GT(at(light(20), -0.45), 0);
  EXPECT_EQ(at(light(20), -0.75), 0);
  add({0.2f, 0, 0}, 3);
  EXPECT_EQ(pass_->stored(), 3);
  EXPECT_GT(at(light(20), 0.05), 0);
  EXPECT_EQ(at(light(20), -0.15), 0);
}

TEST_F(Trails, OfPlacesThatTheHostHasAreTheSame) {
  walk(11, 20);
  const std::vector<float> picture = light(20);
  pass_->clear();
  for (int i = 0; i < 11; ++i)
    pass_->add(std::vector<float>{-1 + 0.1f * static_cast<float>(i), 0, 0}, 20);
  EXPECT_EQ(pass_->stored(), 11);
  EXPECT_EQ(light(20), picture);
}

TEST_F(Trails, ForgetWhenTheNumberOfBodiesChangesOrWhenTold) {
  walk(5, 20);
  add({0, 0, 0, 0.5f, 0, 0.5f}, 20);
  EXPECT_EQ(pass_->stored(), 1);
  pass_->clear();
  EXPECT_EQ(pass_->stored(), 0);
  const std::vector<float> picture = light(20);
  EXPECT_EQ(*std::max_element(picture.begin(), picture.end()), 0);
}

TEST_F(Trails, OfSeveralBodiesAreNotConnected) {
  add({-0.8f, 0, 0.5f, -0.8f, 0, -0.5f}, 5);
  add({0.8f, 0, 0.5f, 0.8f, 0, -0.5f}, 5);
  const std::vector<float> picture = light(5);
  EXPECT_GT(at(picture, 0.2, 0.5), 0);
  EXPECT_GT(at(picture, 0.2, -0.5), 0);
  for (const double x : {-0.8, -0.4, 0.0, 0.4, 0.8}) EXPECT_EQ(at(picture, x, 0), 0) << x;
}

TEST_F(Trails, AreShortForManyBodiesAndNoneForVeryMany) {
  const auto most = static_cast<std::size_t>(TrailsPass::max_bodies);
  for (int i = 0; i < 60; ++i) add(std::vector<float>(3 * most), 500);
  EXPECT_EQ(pass_->stored(), TrailsPass::max_bytes / (12 * TrailsPass::max_bodies));
  add(std::vector<float>(3 * (most + 1)), 500);
  EXPECT_EQ(pass_->stored(), 0);
}

TEST_F(Trails, BreakWhereAPositionIsNotFinite) {
  walk(4, 20);
  add({nan, nan, nan}, 20);
  add({nan, nan, nan}, 20);
  for (int i = 6; i < 11; ++i) add({-1 + 0.1f * static_cast<float>(i), 0, 0}, 20);
  const std::vector<float> picture = light(20);
  EXPECT_GT(at(picture, -0.25), 0);
  EXPECT_GT(at(picture, -0.85), 0);
  EXPECT_EQ(at(picture, -0.55), 0);
  float stray = 0;
  const double row = pixels_of(from(), {0, 0, 0}, width, height).y;
  for (std::size_t i = 0; i < picture.size(); ++i) {
    ASSERT_TRUE(std::isfinite(picture[i]));
    if (std::abs(static_cast<double>(i / width) + 0.5 - row) > 3) stray += picture[i];
  }
  EXPECT_EQ(stray, 0);
}

TEST_F(Trails, AreHiddenBySpheresWhenTheyAreDrawnOverThem) {
  walk(11, 20);
  const SampleTarget nothing(width, height);
  nothing.begin();
  const Target screen(width, height, Target::Kind::screen);
  const auto brightest = [&](const SampleTarget* spheres) {
    screen.clear({0, 0, 0, 1});
    pass_->draw_over(shown_, Lens(from().view, from().projection), 20, 0.8f, spheres, screen);
    const std::vector<std::uint8_t> bytes = screen.read_screen();
    return *std::max_element(bytes.begin(), bytes.end());
  };
  EXPECT_GT(brightest(nullptr), 75) << "half of it in each of two rows";
  EXPECT_EQ(brightest(&nothing), brightest(nullptr));
  const SampleTarget wall(width, height);
  wall.begin();
  const float close = 0.9f;
  GLint framebuffer = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
  glClearNamedFramebufferfv(static_cast<GLuint>(framebuffer), GL_DEPTH, 0, &close);
  EXPECT_EQ(brightest(&wall), 0);
}

}  // namespace
}  // namespace mote::render::trails_test
