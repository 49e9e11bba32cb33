#include "render/pass/pick.h"

#include "render/shader_folder.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::pick_test {
namespace {

constexpr int width = 400, height = 300;

class Pick : public SceneTest {
 protected:
  Pick() { camera_.elevation = 0; }

  Viewpoint from() const { return camera_.viewpoint(width, height); }
  /// The pixel of a position, from the upper left, shifted by some pixels.
  glm::dvec2 pixel(const glm::dvec3& at, double right = 0, double down = 0) const {
    const glm::dvec2 here = pixels_of(from(), at, width, height);
    return {here.x + right, height - here.y + down};
  }
  std::optional<std::int64_t> pick(const std::vector<float>& positions, const glm::dvec2& at,
                                   double reach, double radius = 0,
                                   const std::vector<float>& radii = {}) {
    const Cloud cloud{positions, std::vector<float>(positions.size() / 3), {}, radii};
    FrameBuffers buffers;
    PickPass pass(find_shaders());
    return pass.pick(buffers.upload(cloud.frame()), Lens(from().view, from().projection), at, reach,
                     radius, width, height);
  }

  OrbitCamera camera_;
};

TEST_F(Pick, FindsTheStarNearestToThePixel) {
  const Cloud ball = ball_of(3000);
  std::mt19937 bits(5);
  for (int trial = 0; trial < 20; ++trial) {
    const glm::dvec2 at{120 + static_cast<double>(bits() % 160),
                        70 + static_cast<double>(bits() % 160)};
    double nearest = 1e9, found = -1;
    const auto column = pick(ball.positions, at, 12);
    for (std::size_t i = 0; i < ball.scalars.size(); ++i) {
      const float* p = &ball.positions[3 * i];
      const glm::dvec2 here = pixel({p[0], p[1], p[2]});
      const double distance = std::hypot(here.x - at.x, here.y - at.y);
      nearest = std::min(nearest, distance);
      if (column == static_cast<std::int64_t>(i)) found = distance;
    }
    if (nearest > 12.01) {
      EXPECT_FALSE(column.has_value());
    } else if (nearest < 11.99) {
      ASSERT_TRUE(column.has_value());
      EXPECT_LE(found, nearest + 0.25 + 1e-3) << "distances count by quarters of a pixel";
    }
  }
}

TEST_F(Pick, PrefersTheNearerOfTwoStarsBehindEachOther) {
  EXPECT_EQ(pick({0, 1, 0, 0, -1, 0, 0, 0.5f, 0}, pixel({0, 0, 0}), 5), 1);
  EXPECT_EQ(pick({0, 0, 0, 0, 0, 0}, pixel({0, 0, 0}), 5), 0)
      << "the first of two that are the same";
}

TEST_F(Pick, CountsPixelsFromTheUpperLeft) {
  const std::vector<float> two{0.3f, 0, 0.4f, 0.3f, 0, -0.4f};
  EXPECT_EQ(pick(two, {pixel({0.3, 0, 0.4}).x, 150 - 55}, 30), 0);
  EXPECT_EQ(pick(two, {pixel({0.3, 0, 0.4}).x, 150 + 55}, 30), 1);
}

TEST_F(Pick, FindsNothingOutOfReachBehindTheViewerOrNotFinite) {
  EXPECT_EQ(pick({0, 0, 0}, pixel({0, 0, 0}, 6), 5), std::nullopt);
  EXPECT_EQ(pick({0, 0, 0}, pixel({0, 0, 0}, 4), 5), 0);
  EXPECT_EQ(pick({0, -5, 0}, {width / 2.0, height / 2.0}, 50), std::nullopt);
  EXPECT_EQ(pick({nan, 0, 0, 0, 0, infinity}, pixel({0, 0, 0}), 500), std::nullopt);
  EXPECT_EQ(pick({}, {5, 5}, 50), std::nullopt);
}

TEST_F(Pick, FindsTheSphereThatIsSeenUnderThePixel) {
  // The centre of the far one is under the pixel, but the edge of the near one covers it.
  const std::vector<float> two{0, 1, 0, 0.3f, -1, 0};
  EXPECT_EQ(pick(two, pixel({0, 0, 0}), 5, 0.4), 1);
  EXPECT_EQ(pick(two, pixel({0, 0, 0}), 5, 0.2), 0);
  // The near one ends just before the pixel.
  EXPECT_EQ(pick(two, pixel({0, 0, 0}), 5, 0.28), 0);
}

TEST_F(Pick, FindsSpheresOfTheirOwnRadii) {
  const std::vector<float> two{0, 1, 0, 0.3f, -1, 0};
  EXPECT_EQ(pick(two, pixel({0, 0, 0}), 5, 0.1, {0.1f, 0.4f}), 1);
  EXPECT_EQ(pick(two, pixel({0, 0, 0}), 5, 0.4, {0.4f, 0.2f}), 0);
  EXPECT_EQ(pick(two, pixel({0, 0, 0}), 5, 0, {0.1f, 0.4f}), 0) << "drawn as stars";
}

TEST_F(Pick, FindsSpheresBesideThePixelOnlyWithinReachOfTheirEdge) {
  // of a sphere of a tenth of its distance
  const glm::dvec2 edge = pixel({0.3 / std::sqrt(1 - 0.01), 0, 0});
  EXPECT_EQ(pick({0, 0, 0}, {edge.x + 4, edge.y}, 5, 0.3), 0);
  EXPECT_EQ(pick({0, 0, 0}, {edge.x + 6, edge.y}, 5, 0.3), std::nullopt);
}

TEST_F(Pick, CountsBeyondWhatIsBoundAtOnce) {
  std::vector<float> many(3 * ((std::size_t{1} << 22) + 5), 100.0f);  // out of the picture
  many[many.size() - 6] = many[many.size() - 5] = many[many.size() - 4] = 0;
  EXPECT_EQ(pick(many, pixel({0, 0, 0}), 5), (std::int64_t{1} << 22) + 3);
}

}  // namespace
}  // namespace mote::render::pick_test
