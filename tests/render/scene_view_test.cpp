#include "render/scene_view.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "render/color_map.h"
#include "render/picture.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render::scene_view_test {
namespace {

constexpr int width = 320, height = 180;

class View : public SceneTest {
 protected:
  View() { camera_.frame({0, 0, 0}, 1.2, static_cast<double>(width) / height); }

  Viewpoint from() const { return camera_.viewpoint(width, height); }

  /// The bytes of a picture drawn by this view, the bottom row first.
  std::vector<std::uint8_t> draw(SceneView& view, const Cloud& cloud, const ViewStyle& style,
                                 const Extras& extras = {}) {
    const Target screen(width, height, Target::Kind::screen);
    FrameBuffers buffers;
    view.draw(buffers.upload(cloud.frame()), from(), style, extras, screen.framebuffer(), width,
              height);
    return screen.read_screen();
  }
  std::vector<std::uint8_t> draw(const Cloud& cloud, const ViewStyle& style,
                                 const Extras& extras = {}) {
    SceneView view;
    return draw(view, cloud, style, extras);
  }
  const std::uint8_t* at(const std::vector<std::uint8_t>& picture,
                         const glm::dvec3& position) const {
    const glm::dvec2 here = pixels_of(from(), position, width, height);
    return &picture[3 *
                    (static_cast<std::size_t>(here.y) * width + static_cast<std::size_t>(here.x))];
  }

  OrbitCamera camera_;
};

TEST_F(View, DrawsWhatThePictureMakerDraws) {
  Cloud ball = ball_of(3000);
  for (int i = 0; i < 3000; ++i) ball.weights.push_back(1 + static_cast<float>(i % 7));
  const ViewStyle style{.map = "magma", .exposure = 0.5};
  PictureMaker maker(context(),
                     {.width = width, .height = height, .map = "magma", .exposure = 0.5});
  const Image image = maker.draw(ball.frame(), camera_);
  // measures the weights from their buffer
  const std::vector<std::uint8_t> bytes = draw(ball, style);
  for (int y = 0; y < height; ++y)
    ASSERT_TRUE(std::equal(image.pixel(0, y), image.pixel(0, y) + 3 * width,
                           &bytes[3ul * width * (height - 1 - y)]))
        << y;
}

// Pure red, green and blue: each body is drawn in its own channel only.
TEST_F(View, ShowsPointsOfAPaletteInTheirColours) {
  const std::vector<Color> palette{uncategorized, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::array<glm::dvec3, 4> places{{{0, 0, 0}, {0.5, 0, 0}, {-0.5, 0, 0}, {0, 0.7, 0}}};
  const auto expect_colours = [&](const std::vector<std::uint8_t>& picture,
                                  const std::string& what) {
    for (std::size_t i = 1; i < 4; ++i) {
      const std::uint8_t* const pixel = at(picture, places[i]);
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const bool own = channel == i - 1;
        EXPECT_GT(pixel[i - 1], 60) << what << i;
        EXPECT_TRUE(own || pixel[channel] < pixel[i - 1] / 2) << what << i;
      }
    }
    const std::uint8_t* const grey = at(picture, places[0]);
    EXPECT_LT(std::abs(grey[0] - grey[1]), 24) << what;
    EXPECT_LT(std::abs(grey[2] - grey[1]), 24) << what;
  };
  Cloud cloud;
  for (std::size_t i = 0; i < 4; ++i)
    cloud.add(static_cast<float>(places[i].x), static_cast<float>(places[i].y),
              static_cast<float>(places[i].z), static_cast<float>(i));
  const ViewStyle stars{.palette = palette, .bloom = 0};
  const ViewStyle spheres{.bodies = Bodies::spheres, .palette = palette, .sphere_radius = 0.1};
  expect_colours(draw(cloud, stars), "stars ");
  expect_colours(draw(cloud, spheres), "spheres ");
  for (const SplatPath path : {SplatPath::raster, SplatPath::compute}) {
    ViewStyle splats = stars;
    splats.splat_from = 1, splats.splat = path;
    expect_colours(draw(cloud, splats), "splats ");
  }
  // Their trails end at their old positions, further down.
  Cloud old = cloud;
  for (std::size_t i = 1; i < old.positions.size(); i += 3) old.positions[i] -= 0.6f;
  for (ViewStyle style : {stars, spheres}) {
    SceneView moved;
    FrameBuffers buffers;
    moved.add_to_trails(buffers.upload(old.frame()), 4);
    style.trail_length = 4;
    const std::vector<std::uint8_t> with = draw(moved, cloud, style);
    for (std::size_t i = 1; i < 4; ++i) {
      const std::uint8_t* const pixel = at(with, places[i] - glm::dvec3(0, 0.3, 0));
      for (std::size_t channel = 0; channel < 3; ++channel)
        EXPECT_TRUE(channel == i - 1 ? pixel[channel] > 40 : pixel[channel] < 40)
            << "trail " << i << " has " << int{pixel[channel]} << " of " << channel;
    }
  }
  SceneView one;
  const std::vector<std::uint8_t> before = draw(one, cloud, {});
  expect_colours(draw(one, cloud, stars), "after a map ");
  EXPECT_EQ(draw(one, cloud, {}), before) << "the map is back";
  EXPECT_NE(draw(cloud, {.palette = {palette[0], palette[1], palette[3], palette[2]}, .bloom = 0}),
            draw(cloud, stars));
}

TEST_F(View, GlowsAsMuchAsItIsTold) {
  Cloud ball = ball_of(3000);
  for (float& x : ball.positions) x *= 0.3f;
  const auto lit = [&](double bloom) {
    const std::vector<std::uint8_t> bytes = draw(ball, {.bloom = bloom});
    int count = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 3) count += bytes[i] > 9;
    return count;
  };
  const int none = lit(0), weak = lit(0.5), usual = lit(1), strong = lit(2);
  EXPECT_GT(none, 500);
  EXPECT_GT(weak, none);
  EXPECT_GT(usual, weak);
  EXPECT_GT(usual, none + none / 50);
  EXPECT_GT(strong, usual + usual / 10);
  EXPECT_EQ(draw(ball, {.bloom = 1}), draw(ball, {}));
}

TEST_F(View, ExposureFollowsSoftlyInALivingPictureOnly) {
  Cloud wide = ball_of(2000), dense = wide;
  for (float& x : dense.positions) x *= 0.2f;
  const double target = sum_of(draw(dense, {}));
  SceneView each, view;
  draw(each, wide, {});
  EXPECT_EQ(sum_of(draw(each, dense, {})), target) << "each for itself without seconds";

  draw(view, {}, {.seconds = 0.016});
  const double first = sum_of(draw(view, wide, {.seconds = 0.016}));
  EXPECT_NEAR(first, sum_of(draw(wide, {})), 0.001 * first) << "the first at once";
  double last = sum_of(draw(view, dense, {.seconds = 0.016}));
  EXPECT_GT(last, 1.02 * target) << "dense light still shown as bright as when it was wide";
  last = sum_of(draw(view, dense, {.seconds = 0.016}));
  EXPECT_GT(last, 1.02 * target) << "also a picture later, when it has been measured";
  for (int i = 0; i < 10; ++i) {
    const double next = sum_of(draw(view, dense, {.seconds = 0.1}));
    EXPECT_LE(next, last * 1.0005);
    last = next;
  }
  draw(view, dense, {.seconds = 5});
  EXPECT_NEAR(sum_of(draw(view, dense, {.seconds = 5})), target, 0.001 * target);
  draw(view, wide, {.seconds = 0.016});
  view.reset_exposure();
  EXPECT_NEAR(sum_of(draw(view, dense, {.seconds = 0.016})), target, 0.001 * target);
  draw(view, wide, {.seconds = 5});
  draw(view, wide, {.seconds = 5});
  Cloud fewer = dense;
  fewer.positions.resize(fewer.positions.size() - 30);
  fewer.scalars.resize(fewer.scalars.size() - 10);
  EXPECT_GT(sum_of(draw(view, fewer, {.seconds = 0.016})), 1.02 * sum_of(draw(fewer, {})))
      << "some bodies were removed, and the brightness does not jump";
  const Cloud others = ball_of(900);
  EXPECT_EQ(draw(view, others, {.seconds = 0.016}), draw(others, {}))
      << "far fewer bodies, another scene";
}

TEST_F(View, HeldExposureStays) {
  Cloud wide = ball_of(2000), dense = wide;
  for (float& x : dense.positions) x *= 0.2f;
  SceneView view;
  view.hold_exposure(true);
  draw(view, {}, {});
  EXPECT_EQ(draw(view, wide, {.seconds = 1}), draw(wide, {}));
  const double held = sum_of(draw(view, dense, {.seconds = 1}));
  EXPECT_GT(held, 1.02 * sum_of(draw(dense, {})));
  view.hold_exposure(false);
  EXPECT_EQ(draw(view, dense, {}), draw(dense, {}));
}

TEST_F(View, IsAsBrightWithSplatsAsWithPoints) {
  const Cloud ball = ball_of(200'000);
  const double points = sum_of(draw(ball, {.splat_from = 1'000'000}));
  for (const SplatPath path : {SplatPath::raster, SplatPath::compute}) {
    SceneView view;
    EXPECT_EQ(view.splat_report(), "");
    // Splats are at the centres of their pixels: peaks are higher, and the tone map, which is flat
    // at the top, shows them darker on average, by about 4 %.
    EXPECT_NEAR(sum_of(draw(view, ball, {.splat = path})), points, 0.06 * points);
    EXPECT_NE(view.splat_report(), "");
  }
}

TEST_F(View, AxesHaveTheirColoursAndTheBoxItsPlace) {
  Extras extras;
  extras.box_low = {-0.8f, -0.8f, -0.8f};
  extras.box_high = {0.8f, 0.8f, 0.8f};
  extras.axes_length = 0.6;
  camera_.azimuth = -60;  // no axis hides another
  const std::vector<std::uint8_t> plain = draw({}, {}, extras);
  EXPECT_LT(*std::max_element(plain.begin(), plain.end()), 20) << "only on request";
  const std::vector<std::uint8_t> bytes = draw({}, {.axes = true, .box = true}, extras);
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 position{0, 0, 0};
    position[axis] = 0.45;
    const std::uint8_t* color = at(bytes, position);
    for (const int other : {(axis + 1) % 3, (axis + 2) % 3})
      EXPECT_GT(color[axis], color[other] + 30) << axis << " " << other;
  }
  for (const glm::dvec3 position :
       {glm::dvec3{-0.8, 0.8, 0.31}, {0.8, 0.2, 0.8}, {0.1, -0.8, -0.8}}) {
    int brightest = 0;
    for (int dx = -1; dx <= 1; ++dx) {
      const std::uint8_t* here = at(bytes, position) + 3 * dx;
      brightest = std::max<int>(brightest, here[2]);
    }
    EXPECT_GT(brightest, 40);
  }
}

TEST_F(View, TheMarkedBodyHasARing) {
  Extras extras;
  extras.marked = glm::vec3{0.2f, 0, 0};
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    const Cloud one{{0.2f, 0, 0}, {0.5f}, {}};
    const ViewStyle style{.bodies = bodies, .point_size = 6};
    const std::vector<std::uint8_t> plain = draw(one, style), marked = draw(one, style, extras);
    const glm::dvec2 middle = pixels_of(from(), {0.2, 0, 0}, width, height);
    double nearest = 1e9, farthest = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::size_t i =
            3 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x));
        if (marked[i] < plain[i] + 100) continue;
        const double distance = std::hypot(x + 0.5 - middle.x, y + 0.5 - middle.y);
        nearest = std::min(nearest, distance);
        farthest = std::max(farthest, distance);
      }
    EXPECT_GT(nearest, 1.5);
    EXPECT_LT(farthest, nearest + 2.5) << "a circle about the body";
  }
}

TEST_F(View, ChangesBetweenStarsAndSpheresLeaveNoTrace) {
  const Cloud ball = ball_of(100);
  Extras extras;
  extras.axes_length = 1;
  const ViewStyle stars{.axes = true},
      spheres{.bodies = Bodies::spheres, .map = "viridis", .axes = true};
  SceneView view;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(draw(view, ball, stars, extras), draw(ball, stars, extras));
    EXPECT_EQ(draw(view, ball, spheres, extras), draw(ball, spheres, extras));
  }
  const ViewStyle other{.bodies = Bodies::spheres, .map = "plasma"};
  EXPECT_EQ(draw(view, ball, other), draw(ball, other)) << "and so do changes of the map";
}

TEST_F(View, SpheresHideLines) {
  const ViewStyle style{.bodies = Bodies::spheres, .sphere_radius = 0.5};
  const Cloud one{{0, 0, 0}, {0}, {}};
  // towards the viewer
  const glm::vec3 away(from().view[0][2], from().view[1][2], from().view[2][2]);
  const auto red = [&](float nearer) {
    Extras extras;
    const glm::vec3 middle = nearer * away;
    extras.lines.push_back(
        {{middle - glm::vec3(1, 0, 0), middle + glm::vec3(1, 0, 0)}, {1, 0, 0, 1}});
    return at(draw(one, style, extras), glm::dvec3(middle))[0];
  };
  EXPECT_GT(red(0.7f), 100);
  EXPECT_EQ(red(-0.7f), at(draw(one, style), glm::dvec3(-0.7f * away))[0]) << "as without the line";
}

TEST_F(View, DrawsTheSameWhateverOthersLeftBehind) {
  const Cloud ball = ball_of(100);
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    const ViewStyle style{.bodies = bodies, .axes = true};
    const std::vector<std::uint8_t> clean = draw(ball, style);
    glEnable(GL_SCISSOR_TEST);
    glScissor(3, 3, 10, 10);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_NEVER);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    glDepthMask(GL_FALSE);
    const std::vector<std::uint8_t> dirty = draw(ball, style);
    EXPECT_EQ(clean, dirty);
  }
}

TEST_F(View, FollowsTheSizeOfTheWindowAndSurvivesNone) {
  const Cloud ball = ball_of(500);
  FrameBuffers buffers;
  const PointBuffers points = buffers.upload(ball.frame());
  SceneView view;
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres})
    for (const glm::ivec2 size :
         {glm::ivec2{64, 48}, {0, 48}, {64, 0}, {1, 1}, {300, 20}, {64, 20}, {64, 48}}) {
      const int columns = std::max(size.x, 1), rows = std::max(size.y, 1);
      const Target screen(columns, rows, Target::Kind::screen);
      screen.clear({0, 1, 0, 1});
      const std::vector<std::uint8_t> untouched = screen.read_screen();
      const auto draw_with = [&](SceneView& drawing) {
        drawing.draw(points, camera_.viewpoint(columns, rows), {.bodies = bodies}, {},
                     screen.framebuffer(), size.x, size.y);
        return screen.read_screen();
      };
      const std::vector<std::uint8_t> bytes = draw_with(view);
      if (size.x == 0 || size.y == 0) {
        EXPECT_EQ(bytes, untouched);
        continue;
      }
      EXPECT_NE(bytes, untouched);
      SceneView fresh;
      EXPECT_EQ(bytes, draw_with(fresh)) << columns << " " << rows;
    }
}

TEST_F(View, TrailsShowForStarsAndForSpheres) {
  SceneView view;
  FrameBuffers buffers;
  Cloud one{{-0.7f, 0, 0}, {0.7f}, {}};
  view.add_to_trails(buffers.upload(one.frame()), 10);
  one.positions = {0.7f, 0, 0};
  view.add_to_trails(buffers.upload(one.frame()), 10);
  for (const Bodies bodies : {Bodies::stars, Bodies::spheres}) {
    const ViewStyle with{.bodies = bodies, .trail_length = 10}, without{.bodies = bodies};
    const double trail = at(draw(view, one, with), {0.3, 0, 0})[0];
    EXPECT_GT(trail, at(draw(view, one, without), {0.3, 0, 0})[0] + 30);
  }
  view.clear_trails();
  EXPECT_EQ(draw(view, one, {.trail_length = 10}), draw(one, {}));
}

TEST_F(View, PicksWhatItDrew) {
  const Cloud two{{0, 0, 0, 0.3f, -0.5f, 0.2f}, {0, 1}, {}};
  FrameBuffers buffers;
  const PointBuffers points = buffers.upload(two.frame());
  const Target screen(width, height, Target::Kind::screen);
  SceneView view;
  const glm::dvec2 middle{width / 2.0, height / 2.0};
  view.draw(points, from(), {}, {}, screen.framebuffer(), width, height);
  EXPECT_EQ(view.pick(points, from(), middle, 5, width, height), 0);
  view.draw(points, from(), {.bodies = Bodies::spheres, .sphere_radius = 0.7}, {},
            screen.framebuffer(), width, height);
  EXPECT_EQ(view.pick(points, from(), middle, 5, width, height), 1)
      << "the nearer sphere covers the other's middle";
  EXPECT_EQ(view.position(points, 1), glm::vec3(0.3f, -0.5f, 0.2f));
}

TEST_F(View, AnUnknownMapIsTheUsersError) {
  SceneView view;
  EXPECT_THROW(draw(view, ball_of(3), {.map = "infrared"}), engine::InputError);
}

}  // namespace
}  // namespace mote::render::scene_view_test
