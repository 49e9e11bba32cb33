#include "render/pass/lines.h"

#include <algorithm>

#include "render/pass/spheres.h"
#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::lines_test {
namespace {

constexpr int width = 200, height = 160;
const glm::vec4 white{1, 1, 1, 1};

class Lines : public SceneTest {
 protected:
  /// The camera is at (0, -3, 0) and looks along y; x is right and z up.
  Lines() { camera_.elevation = 0; }

  Viewpoint from() const { return camera_.viewpoint(width, height); }
  Lens lens() const { return {from().view, from().projection}; }

  /// Green of each pixel, 0 to 1, the bottom row first, of lines over black.
  std::vector<double> draw(const std::vector<Line>& lines, const SampleTarget* spheres = nullptr) {
    const Target screen(width, height, Target::Kind::screen);
    screen.clear({0, 0, 0, 1});
    LinesPass(find_shaders()).draw(lines, lens(), spheres, screen);
    const std::vector<std::uint8_t> bytes = screen.read_screen();
    std::vector<double> green;
    for (std::size_t i = 1; i < bytes.size(); i += 3) green.push_back(bytes[i] / 255.0);
    return green;
  }
  static double at(const std::vector<double>& picture, double x, double y) {
    return picture[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  }
  static double column(const std::vector<double>& picture, int x) {
    double sum = 0;
    for (int y = 0; y < height; ++y) sum += at(picture, x, y);
    return sum;
  }

  OrbitCamera camera_;
};

TEST_F(Lines, AreAsWideAtAnyDistance) {
  for (const float pixels : {1.0f, 1.5f, 4.0f})
    for (const float y : {-2.0f, 0.0f, 30.0f}) {
      // Slanted, so that the edge crosses pixels at all offsets.
      const auto picture = draw({{{{-90, y, -9}, {90, y, 9}}, white, pixels}});
      double mean = 0;
      for (int x = 40; x < 160; ++x) mean += column(picture, x) / 120;
      const double slant = std::sqrt(1 + 0.01);  // a column cuts the line at an angle
      // Bytes round to 1/510, at random in some five pixels of each column.
      EXPECT_NEAR(mean, pixels * slant, 0.02) << pixels << " " << y;
    }
}

TEST_F(Lines, LieWhereTheirPointsAre) {
  const glm::vec3 a{-0.6f, 0.4f, -0.3f}, b{0.5f, -0.8f, 0.4f};
  const auto picture = draw({{{a, b}, white, 2}});
  for (const double t : {0.1, 0.5, 0.9}) {
    const glm::dvec2 here = pixels_of(from(), glm::dvec3(a) + t * glm::dvec3(b - a), width, height);
    EXPECT_GT(at(picture, here.x, here.y), 0.7) << t;
  }
  for (const double t : {-0.1, 1.1}) {
    const glm::dvec2 here = pixels_of(from(), glm::dvec3(a) + t * glm::dvec3(b - a), width, height);
    EXPECT_EQ(at(picture, here.x, here.y), 0) << t;
  }
}

TEST_F(Lines, ThatAreApartAreDrawnAsIfEachWereOneAlone) {
  const std::vector<glm::vec3> points{
      {-0.6f, 0.4f, -0.3f}, {0.5f, -0.8f, 0.4f}, {0.5f, 0.1f, -0.4f}, {-0.3f, 0, 0.6f}};
  Line separate{points, white, 3};
  separate.segments = true;
  EXPECT_EQ(draw({separate}),
            draw({{{points[0], points[1]}, white, 3}, {{points[2], points[3]}, white, 3}}));
  EXPECT_NE(draw({separate}), draw({{points, white, 3}}));
}

TEST_F(Lines, ThatPassTheViewerShowOnlyWhatLiesAhead) {
  // From far behind the viewer at y = -3, past it and to far ahead.
  const glm::dvec3 a{1, -20, -1.5}, b{0.6, 4, 1.2};
  const auto picture = draw({{{glm::vec3(a), glm::vec3(b)}, white, 2}});
  std::vector<glm::dvec2> line;
  for (int i = 0; i <= 20000; ++i) {
    const glm::dvec3 here = a + (b - a) * (i / 20000.0);
    if (here.y > -2.99) line.push_back(pixels_of(from(), here, width, height));
  }
  double length = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool shown = line[i].x > 0 && line[i].x < width && line[i].y > 0 && line[i].y < height;
    if (shown) length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  }
  ASSERT_GT(length, 50);
  double sum = 0, astray = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double nearest = 1e9;
      for (const glm::dvec2& point : line)
        nearest = std::min(nearest, std::hypot(point.x - x - 0.5, point.y - y - 0.5));
      (nearest < 3 ? sum : astray) += at(picture, x, y);
    }
  EXPECT_EQ(astray, 0);
  EXPECT_NEAR(sum, 2 * length, 4) << "width times length, apart from the two ends";
}

TEST_F(Lines, HaveSharpCorners) {
  const Line corner{{{-0.7f, 0, 0}, {0, 0, 0}, {0, 0, -0.7f}}, white, 16};
  const auto picture = draw({corner});
  EXPECT_EQ(at(picture, width / 2 + 6.5, height / 2 + 6.5), 1) << "8 pixels to either side";
  EXPECT_EQ(at(picture, width / 2 + 9.5, height / 2 + 9.5), 0);
  EXPECT_EQ(at(picture, width / 2 - 9.5, height / 2 - 9.5), 0) << "the inner side";
}

TEST_F(Lines, HaveNoGapsAndNoBrightSpotsAtTheirBends) {
  Line bent{{}, {1, 1, 1, 0.5f}, 4};
  for (int i = 0; i <= 40; ++i) {
    const float angle = 0.1f * static_cast<float>(i);
    bent.points.push_back({0.7f * std::cos(angle), 0, 0.7f * std::sin(angle)});
  }
  const auto picture = draw({bent});
  EXPECT_LE(*std::max_element(picture.begin(), picture.end()), 0.505);
  for (float angle = 0.05f; angle < 3.95f; angle += 0.03f) {
    const glm::dvec2 here =
        pixels_of(from(), {0.7 * std::cos(angle), 0, 0.7 * std::sin(angle)}, width, height);
    EXPECT_GT(at(picture, here.x, here.y), 0.48) << angle;
  }
}

TEST_F(Lines, CloseWhenTheyAreToldTo) {
  Line square{{{-0.5f, 0, -0.5f}, {0.5f, 0, -0.5f}, {0.5f, 0, 0.5f}, {-0.5f, 0, 0.5f}}, white, 2};
  const glm::dvec2 left = pixels_of(from(), {-0.5, 0, 0}, width, height);
  EXPECT_EQ(at(draw({square}), left.x, left.y), 0);
  square.closed = true;
  EXPECT_GT(at(draw({square}), left.x, left.y), 0.7);
}

TEST_F(Lines, VanishBehindSpheresAndCrossThemInFront) {
  SampleTarget surfaces(width, height);
  SpheresPass spheres(find_shaders(), color_map_named("grey"));
  FrameBuffers buffers;
  const Cloud ball{{0, 0, 0}, {0}, {}};
  spheres.draw(buffers.upload(ball.frame()), lens(), {0.5f, 1}, surfaces);
  const auto middle = [&](float y, bool in_front) {
    const Line line{{{-1, y, 0}, {1, y, 0}}, white, 3, false, in_front};
    return at(draw({line}, &surfaces), width / 2, height / 2);
  };
  EXPECT_EQ(middle(0.6f, false), 0) << "behind";
  EXPECT_EQ(middle(0, false), 0) << "inside";
  EXPECT_EQ(middle(-0.6f, false), 1) << "before";
  EXPECT_EQ(middle(0.6f, true), 1) << "with in_front";
  const auto picture = draw({{{{-1, 0.6f, 0}, {1, 0.6f, 0}}, white, 3}}, &surfaces);
  EXPECT_EQ(at(picture, pixels_of(from(), {0.8, 0.6, 0}, width, height).x, height / 2), 1)
      << "beside";
}

TEST_F(Lines, OfFewerThanTwoPointsAreNothing) {
  const auto picture = draw({{{}, white, 3}, {{{0, 0, 0}}, white, 3}});
  EXPECT_EQ(*std::max_element(picture.begin(), picture.end()), 0);
}

TEST_F(Lines, KeepTheOpacityOfThePicture) {
  const Target screen(8, 8, Target::Kind::screen);
  screen.clear({0, 0, 0, 1});
  LinesPass(find_shaders())
      .draw({{{{-1, 0, 0}, {1, 0, 0}}, {1, 1, 1, 0.5f}, 9}}, lens(), nullptr, screen);
  const std::vector<float> values = screen.read_light();
  for (std::size_t i = 3; i < values.size(); i += 4) EXPECT_EQ(values[i], 1);
}

}  // namespace
}  // namespace mote::render::lines_test
