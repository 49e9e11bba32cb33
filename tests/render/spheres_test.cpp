#include "render/pass/spheres.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::spheres_test {
namespace {

constexpr int width = 320, height = 240;

/// Distance along `way` to the first point of a sphere, or negative if there is none.
double distance_to(const glm::dvec3& center, double radius, const glm::dvec3& way) {
  const glm::dvec3 unit = glm::normalize(way);
  const double along = glm::dot(center, unit);
  const double inside = radius * radius - glm::dot(center, center) + along * along;
  return inside < 0 ? -1 : along - std::sqrt(inside);
}

struct Ball {
  glm::vec3 at;
  float radius;
};

class Spheres : public SceneTest {
 protected:
  /// The camera is at (0, -3, 0) and looks along y; x is right and z up.
  Spheres() {
    camera_.elevation = 0;
    camera_.field_of_view = 70;
  }

  Viewpoint from() const { return camera_.viewpoint(width, height); }
  glm::dvec3 in_camera(const glm::dvec3& at) const {
    return glm::dvec3(glm::dmat4(from().view) * glm::dvec4(at, 1));
  }

  void draw(const Cloud& cloud, float radius, float brightness = 1) {
    if (!pass_) {
      pass_.emplace(find_shaders(), color_map_named("viridis"));
      surfaces_.emplace(width, height);
      screen_.emplace(width, height, Target::Kind::screen);
      buffers_.emplace();
    }
    const Viewpoint viewpoint = from();
    pass_->draw(buffers_->upload(cloud.frame()), Lens(viewpoint.view, viewpoint.projection),
                {radius, brightness}, *surfaces_);
    pass_->compose(*surfaces_, *screen_);
  }
  std::vector<float> nearness() const { return surfaces_->read_nearness(); }
  std::vector<std::uint8_t> picture() const { return screen_->read_screen(); }

  OrbitCamera camera_;
  std::optional<SpheresPass> pass_;
  std::optional<SampleTarget> surfaces_;
  std::optional<Target> screen_;
  std::optional<FrameBuffers> buffers_;
};

TEST_F(Spheres, CoverThePixelsAndHaveTheDistancesThatGeometrySays) {
  const double near = 1e-3 * camera_.distance;
  for (const Ball& ball :
       {Ball{{0, 0, 0}, 0.5f}, {{-1.9f, 0, 1.2f}, 0.6f}, {{0.5f, -2, -0.3f}, 0.4f}}) {
    draw({{ball.at.x, ball.at.y, ball.at.z}, {0.5f}, {}}, ball.radius);
    const std::vector<float> depth = nearness();
    const glm::dvec3 center = in_camera(ball.at);
    int covered = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        int hits = 0;  // of the pixel's corners
        for (const glm::ivec2 corner : {glm::ivec2{0, 0}, {1, 0}, {0, 1}, {1, 1}})
          hits += distance_to(center, ball.radius,
                              sight_of(from(), x + corner.x, y + corner.y, width, height)) > 0;
        const float found =
            depth[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
        if (hits == 0) {
          ASSERT_EQ(found, 0) << x << " " << y;
        }
        if (hits < 4) continue;
        ++covered;
        double error = 1;  // it must match one of the samples
        for (const glm::vec2& position : surfaces_->sample_positions()) {
          const glm::dvec3 way =
              sight_of(from(), x + 0.5 + position.x, y + 0.5 + position.y, width, height);
          // along the axis
          const double distance = distance_to(center, ball.radius, way) / glm::length(way);
          error = std::min(error, std::abs(found * distance / near - 1));
        }
        // The square root of the remainder of r^2 magnifies round-off (6e-8 of a few lengths)
        // towards the edge: at a tenth of a pixel from it by about 40, together 2e-5.
        ASSERT_LT(error, 2e-5) << x << " " << y;
      }
    EXPECT_GT(covered, 1000);
  }
}

TEST_F(Spheres, HaveTheirOwnRadiiWherePointsHaveSome) {
  // Pixels covered by balls; one left and one right of the centre, at the same distance.
  const auto covered = [&](const std::vector<float>& radii, float radius) {
    draw({{-0.8f, 0, 0, 0.8f, 0, 0}, {0.5f, 0.5f}, {}, radii}, radius);
    std::array<int, 2> pixels{};
    const std::vector<float> depth = nearness();
    for (std::size_t i = 0; i < depth.size(); ++i)
      pixels[i % width < width / 2 ? 0 : 1] += depth[i] > 0;
    return pixels;
  };
  const auto small = covered({}, 0.2f), large = covered({}, 0.4f),
             both = covered({0.2f, 0.4f}, 0.3f);
  EXPECT_GT(large[0], 3 * small[0]);
  EXPECT_EQ(both[0], small[0]);
  EXPECT_EQ(both[1], large[1]);
}

TEST_F(Spheres, HaveSmoothOutlinesOfTheExactSize) {
  // So bright that the whole sphere is white: a pixel shows the fraction of it that the sphere
  // covers.
  const glm::vec3 at{0.9f, 0.4f, -0.5f};
  const float radius = 0.6f;
  draw({{at.x, at.y, at.z}, {1}, {}}, radius, 1e6f);
  double area = 0, partial = 0;
  const std::vector<std::uint8_t> bytes = picture();
  const double dark = linear_of(6.0f / 255);
  for (std::size_t i = 1; i < bytes.size(); i += 3) {
    const double part = (linear_of(static_cast<float>(bytes[i]) / 255) - dark) / (1 - dark);
    area += part;
    partial += part > 0.1 && part < 0.9;
  }
  // The outline is the intersection of a cone and the picture: an ellipse. Half angle a of the
  // cone, angle p from the axis.
  const glm::dvec3 center = in_camera(at);
  const double sin_a = radius / glm::length(center), cos_p = -center.z / glm::length(center);
  const double rest = cos_p * cos_p - sin_a * sin_a;
  const double focal = 0.5 * height * camera_.projection_matrix(1)[1][1];
  const double expected = std::numbers::pi * focal * focal * sin_a * sin_a *
                          std::sqrt(1 - sin_a * sin_a) / std::pow(rest, 1.5);
  // Four samples resolve the coverage of an edge pixel to about 0.15; some 350 of them have a
  // random error of 3. An error of a tenth of a pixel in the radius would be 30.
  EXPECT_NEAR(area, expected, 10);
  EXPECT_GT(partial, 100);
}

TEST_F(Spheres, ThatIntersectShowTheFrontOneInEveryPixel) {
  const Ball yellow{{-0.2f, 0, 0}, 0.5f}, violet{{0.25f, -0.2f, 0.1f}, 0.5f};
  const Cloud both{
      {yellow.at.x, yellow.at.y, yellow.at.z, violet.at.x, violet.at.y, violet.at.z}, {1, 0}, {}};
  draw(both, 0.5f);
  const std::vector<std::uint8_t> bytes = picture();
  int seen_yellow = 0, seen_violet = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int owners = 0;  // of the corners: 1 yellow, 100 violet
      for (const glm::ivec2 corner : {glm::ivec2{-1, -1}, {2, -1}, {-1, 2}, {2, 2}}) {
        const glm::dvec3 way = sight_of(from(), x + corner.x, y + corner.y, width, height);
        const double r = distance_to(in_camera(yellow.at), 0.5, way),
                     b = distance_to(in_camera(violet.at), 0.5, way);
        if (r > 0 && (b < 0 || r < b)) owners += 1;
        if (b > 0 && (r < 0 || b < r)) owners += 100;
      }
      const std::uint8_t* pixel =
          &bytes[3 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x))];
      if (owners == 4) {
        ASSERT_GT(pixel[0], pixel[2]) << x << " " << y;
        ++seen_yellow;
      } else if (owners == 400) {
        ASSERT_LT(pixel[0], pixel[2]) << x << " " << y;
        ++seen_violet;
      }
    }
  EXPECT_GT(seen_yellow, 500);
  EXPECT_GT(seen_violet, 500);
  draw({{violet.at.x, violet.at.y, violet.at.z, yellow.at.x, yellow.at.y, yellow.at.z}, {0, 1}, {}},
       0.5f);
  EXPECT_EQ(picture(), bytes) << "the order in the buffer does not matter";
}

TEST_F(Spheres, AreLitFromTheUpperLeft) {
  draw({{0, 0, 0}, {0.7f}, {}}, 0.8f);
  const std::vector<std::uint8_t> bytes = picture();
  const auto green = [&](int dx, int dy) {
    return bytes[3 * (static_cast<std::size_t>(height / 2 + dy) * width +
                      static_cast<std::size_t>(width / 2 + dx)) +
                 1];
  };
  EXPECT_GT(green(-25, 25), green(25, -25) + 40);
}

TEST_F(Spheres, FarSmallerThanAPixelAreStillSeen) {
  const Cloud one{{0, 0, 0}, {1}, {}};
  draw({{}, {}, {}}, 1);
  const double empty = sum_of(picture());
  draw(one, 1e-9f);
  EXPECT_GT(sum_of(picture()), empty + 100);
}

TEST_F(Spheres, ThatCannotBeSeenAreNotDrawn) {
  draw({{}, {}, {}}, 1);
  const std::vector<std::uint8_t> empty = picture();
  draw({{nan, 0, 0, 0, -2.8f, 0, 0, -9, 0, 0, 0, infinity}, {1, 1, 1, 1}, {}}, 0.5f);
  EXPECT_EQ(picture(), empty) << "not finite, around the viewer, behind the viewer";
}

TEST_F(Spheres, DoNotDependOnTheUnitOfLength) {
  draw({{0.3f, 0.2f, 0.1f}, {1}, {}}, 0.5f);
  const std::vector<std::uint8_t> plain = picture();
  for (const float unit : {1e-20f, 1e20f}) {
    camera_.distance = 3 * static_cast<double>(unit);
    draw({{0.3f * unit, 0.2f * unit, 0.1f * unit}, {1}, {}}, 0.5f * unit);
    const std::vector<std::uint8_t> scaled = picture();
    int different = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) different += std::abs(plain[i] - scaled[i]) > 2;
    EXPECT_LT(different, 60) << "apart from a few samples at the edge, which rounding moves";
  }
}

}  // namespace
}  // namespace mote::render::spheres_test
