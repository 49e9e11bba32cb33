#include "render/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "render/color_map.h"
#include "tests/render/gl_test.h"

namespace mote::render {
namespace {

/// A ball of points, denser inwards, coloured by the distance from its centre.
struct Ball {
  std::vector<float> positions, scalars;

  explicit Ball(int count) {
    std::mt19937 bits(7);
    const auto uniform = [&] { return static_cast<float>(bits()) / 4294967296.0f; };
    while (static_cast<int>(scalars.size()) < count) {
      const float x = 2 * uniform() - 1, y = 2 * uniform() - 1, z = 2 * uniform() - 1;
      const float r = std::sqrt(x * x + y * y + z * z);
      if (r > 1) continue;
      positions.insert(positions.end(), {x * r, y * r, z * r});
      scalars.push_back(r);
    }
  }
  Frame frame() const {
    Frame made;
    made.positions = positions;
    made.scalars = scalars;
    return made;
  }
};

double mean_level(const Image& image) {
  double sum = 0;
  for (const std::uint8_t value : image.rgb) sum += value;
  return sum / static_cast<double>(image.rgb.size());
}

class Picture : public GlTest {};

TEST_F(Picture, EmptyFrameIsPlainNearBlack) {
  PictureMaker maker(context(), {.width = 65, .height = 33});
  const Image image = maker.draw(Frame{}, OrbitCamera{});
  ASSERT_EQ(image.rgb.size(), 65u * 33u * 3u);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) {
    EXPECT_EQ(image.rgb[i], image.rgb[i % 3]);
    EXPECT_LT(image.rgb[i], 20);
  }
}

TEST_F(Picture, PutsNamesBesideSpheres) {
  const std::vector<float> position{0, 0, 0}, scalar{0.5f};
  Frame frame;
  frame.positions = position, frame.scalars = scalar;
  frame.names.push_back({{0, 0, 0}, "a name"});
  PictureOptions options{
      .width = 640, .height = 360, .bodies = Bodies::spheres, .sphere_radius = 1};
  OrbitCamera camera;
  camera.distance = 12;
  const auto drawn = [&](PictureOptions::Overlay overlay) {
    options.overlay = overlay;
    return PictureMaker(context(), options).draw(frame, camera);
  };
  const Image plain = drawn(PictureOptions::Overlay::none),
              named = drawn(PictureOptions::Overlay::measures);
  // Everything within half the height and width of the middle but right of it.
  int of_sphere = 0, of_name = 0;
  for (int y = 90; y < 270; ++y)
    for (int x = 160; x < 480; ++x) {
      const bool sphere = *plain.pixel(x, y) > 40;
      const bool same = std::equal(plain.pixel(x, y), plain.pixel(x, y) + 3, named.pixel(x, y));
      of_sphere += sphere, of_name += !same;
      EXPECT_TRUE(same || !sphere) << x << ", " << y;
    }
  EXPECT_GT(of_sphere, 2000);
  EXPECT_GT(of_name, 50);
}

TEST_F(Picture, HasNoLegendOfColoursThatNoBodyHas) {
  const std::vector<float> positions{-1, 0, 0, 1, 0, 0}, scalars{0, 1};
  Frame frame;
  frame.positions = positions, frame.scalars = scalars;
  frame.kinds = std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{1, 2});
  frame.own_looks = {{.color = Color{1, 0, 0}}, {.color = Color{0, 1, 0}}};
  PictureOptions options{.width = 640, .height = 360, .bodies = Bodies::spheres};
  options.looks = {{}};
  options.overlay = PictureOptions::Overlay::measures;
  const auto corner = [&] {
    const Image image = PictureMaker(context(), options).draw(frame, OrbitCamera{});
    int bright = 0;
    for (int y = 300; y < 360; ++y)
      for (int x = 440; x < 640; ++x) bright += *image.pixel(x, y) > 100;
    return bright;
  };
  EXPECT_EQ(corner(), 0);
  frame.own_looks[1].color.reset();
  EXPECT_GT(corner(), 100);
}

TEST_F(Picture, ShowsTheLinesOfItsFrame) {
  PictureMaker maker(context(), {.width = 65, .height = 33});
  Frame frame;
  frame.lines.push_back({{{-1, 0, 0}, {1, 0, 0}}, {1, 1, 1, 1}});
  const Image image = maker.draw(frame, OrbitCamera{});
  EXPECT_GT(*image.pixel(32, 16), 200);
  EXPECT_LT(*image.pixel(32, 3), 20);
}

TEST_F(Picture, ASinglePointIsDrawnInTheMiddleInItsColour) {
  const float position[] = {0, 0, 0}, scalar[] = {0.6f};
  Frame frame;
  frame.positions = position;
  frame.scalars = scalar;
  for (const char* map : {"inferno", "viridis", "turbo"}) {
    PictureMaker maker(context(), {.width = 1280, .height = 720, .map = map});
    const Image image = maker.draw(frame, OrbitCamera{});
    const Color color = sample(color_map_named(map), 0.6f);
    const std::uint8_t* middle = image.pixel(640, 360);
    // The background adds a little, and the glow makes the point slightly paler.
    EXPECT_NEAR(middle[0], 255 * color.red, 12) << map;
    EXPECT_NEAR(middle[1], 255 * color.green, 12) << map;
    EXPECT_NEAR(middle[2], 255 * color.blue, 12) << map;
    EXPECT_LT(image.pixel(100, 360)[0] + image.pixel(640, 100)[1], 40)
        << "light far from the point";
  }
}

/// Pixels that are not background.
int covered(const Image& image) {
  int count = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    count += image.rgb[i] + image.rgb[i + 1] + image.rgb[i + 2] > 60;
  return count;
}

TEST_F(Picture, SpheresOfChosenSizeAreAsLargeWhateverTheUnitOfLength) {
  const float scalar[] = {0.5f};
  for (const double unit : {1e-9, 1.0, 1e12}) {
    const float position[] = {0, 0, 0};
    Frame frame;
    frame.positions = position;
    frame.scalars = scalar;
    OrbitCamera camera;
    camera.distance = 3 * unit;
    PictureMaker maker(context(), {.width = 160, .height = 90, .bodies = Bodies::spheres});
    // The largest diameter, 44 of 720 lines; the outline may be off by a pixel.
    const double radius = 44.0 / 2 * 90 / 720, edge = 2 * M_PI * radius;
    EXPECT_NEAR(covered(maker.draw(frame, camera)), M_PI * radius * radius, edge) << unit;
  }
}

// Published colour maps begin in black, which is invisible on a dark sky. Pictures use the same
// replacement as the legend.
TEST_F(Picture, SpheresHaveTheColoursOfTheLegend) {
  const float position[] = {0, 0, 0};
  for (const std::string& map : color_map_names())
    for (const float value : {0.0f, 0.02f, 0.1f, 0.3f, 1.0f}) {
      const float scalar[] = {value};
      Frame frame;
      frame.positions = position;
      frame.scalars = scalar;
      PictureMaker maker(
          context(),
          {.width = 64, .height = 64, .map = map, .bodies = Bodies::spheres, .sphere_radius = 0.5});
      const Image image = maker.draw(frame, OrbitCamera{});
      const Color color = sample(color_map_named(map), value);
      const std::uint8_t* const middle = image.pixel(32, 32);
      const float channels[] = {color.red, color.green, color.blue};
      // The lamp is nearly white: half a pixel below and beside the centre it gives 0.62 of red and
      // green and 0.645 of blue in linear light (lighting.glsl), and a glint of less than 1e-3.
      for (int c = 0; c < 3; ++c)
        EXPECT_NEAR(middle[c], 255 * srgb_of(0.63f * linear_of(channels[c])), 4)
            << map << " " << value << " " << c;
      EXPECT_GT(middle[0] + middle[1] + middle[2], 60)
          << map << " " << value << ": seen on the sky";
    }
}

TEST_F(Picture, RowsStartAtTheTop) {
  const float position[] = {0, 0, 0.6f}, scalar[] = {1};
  Frame frame;
  frame.positions = position;
  frame.scalars = scalar;
  PictureMaker maker(context(), {.width = 64, .height = 64});
  const Image image = maker.draw(frame, OrbitCamera{});
  long above = 0, below = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) (y < 32 ? above : below) += image.pixel(x, y)[0];
  EXPECT_GT(above, below + 255);
}

TEST_F(Picture, IsTheSameFromRunToRun) {
  const Ball ball(20000);
  const auto draw = [&] {
    PictureMaker maker(context(), {.width = 320, .height = 180});
    maker.draw(ball.frame(), OrbitCamera{});  // earlier pictures must leave no trace
    return maker.draw(ball.frame(), OrbitCamera{}).rgb;
  };
  EXPECT_EQ(draw(), draw());
}

TEST_F(Picture, BrightnessDependsLittleOnTheNumberOfPointsAndOnResolution) {
  OrbitCamera camera;
  camera.frame({0, 0, 0}, 1, 16.0 / 9);
  const auto level = [&](int count, int width, int height) {
    const Ball ball(count);
    PictureMaker maker(context(), {.width = width, .height = height, .map = "plasma"});
    return mean_level(maker.draw(ball.frame(), camera));
  };
  const double reference = level(20000, 640, 360);
  EXPECT_GT(reference, 15);
  EXPECT_NEAR(level(20000, 1280, 720), reference, 0.35 * reference);
  EXPECT_NEAR(level(300000, 640, 360), reference, 0.5 * reference);
}

TEST_F(Picture, DenseCoreIsNotBlownOutAndFaintPointsShow) {
  Ball ball(50000);
  ball.positions.insert(ball.positions.end(), {0.9f, 0.3f, 0});
  ball.scalars.push_back(0.8f);
  OrbitCamera camera;
  camera.elevation = 90;
  camera.frame({0, 0, 0}, 1, 1);
  PictureMaker maker(context(), {.width = 400, .height = 400});
  const Image image = maker.draw(ball.frame(), camera);
  int white = 0, lit = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    white += image.rgb[i] > 250 && image.rgb[i + 1] > 250 && image.rgb[i + 2] > 250;
    lit += image.rgb[i] > 25;
  }
  EXPECT_LT(white, lit / 100);
  int brightest = 0;  // around the isolated point
  const int x = 200 + static_cast<int>(0.9 * 200 / 1.08),
            y = 200 - static_cast<int>(0.3 * 200 / 1.08);
  for (int dy = -6; dy <= 6; ++dy)
    for (int dx = -6; dx <= 6; ++dx)
      brightest = std::max<int>(brightest, image.pixel(x + dx, y + dy)[0]);
  EXPECT_GT(brightest, 35);
}

TEST_F(Picture, ExposureStopsBrightenAndDarken) {
  const Ball ball(5000);
  const auto level = [&](double stops) {
    PictureMaker maker(context(), {.width = 320, .height = 180, .exposure = stops});
    return mean_level(maker.draw(ball.frame(), OrbitCamera{}));
  };
  EXPECT_GT(level(2), 1.1 * level(0));
  EXPECT_LT(level(-2), level(0) / 1.1);
}

TEST_F(Picture, HeldExposureKeepsThatOfTheFirstLitPicture) {
  const Ball ball(5000);
  OrbitCamera near_camera, far_camera;
  // dense, so that an automatic exposure would darken it
  far_camera.distance = 12 * near_camera.distance;
  PictureMaker free(context(), {.width = 320, .height = 180}),
      held(context(), {.width = 320, .height = 180});
  held.hold_exposure();
  held.draw(Frame{}, near_camera);
  EXPECT_EQ(held.draw(ball.frame(), near_camera).rgb, free.draw(ball.frame(), near_camera).rgb);
  const Image automatic = free.draw(ball.frame(), far_camera),
              fixed = held.draw(ball.frame(), far_camera);
  EXPECT_GT(mean_level(fixed), mean_level(automatic));
  held.hold_exposure();
  EXPECT_EQ(held.draw(ball.frame(), far_camera).rgb, automatic.rgb)
      << "holding again takes a new measurement";
}

TEST_F(Picture, PointsThatAreNotFiniteLeaveTheBackground) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const float positions[] = {nan, 0, 0, 0, nan, 0, 0, 0, std::numeric_limits<float>::infinity()};
  const float scalars[] = {1, 1, 1};
  Frame frame;
  frame.positions = positions;
  frame.scalars = scalars;
  PictureMaker maker(context(), {.width = 64, .height = 36});
  EXPECT_EQ(maker.draw(frame, OrbitCamera{}).rgb, maker.draw(Frame{}, OrbitCamera{}).rgb);
}

TEST_F(Picture, TwoMakersDoNotDisturbEachOther) {
  const Ball ball(500);
  PictureMaker a(context(), {.width = 64, .height = 36});
  const Image alone = a.draw(ball.frame(), OrbitCamera{});
  EglContext other;
  PictureMaker b(other, {.width = 100, .height = 30, .map = "turbo"});
  b.draw(ball.frame(), OrbitCamera{});
  EXPECT_EQ(a.draw(ball.frame(), OrbitCamera{}).rgb, alone.rgb);
}

TEST_F(Picture, ImpossibleOptionsAreTheUsersError) {
  EXPECT_THROW(PictureMaker(context(), {.width = 0}), engine::InputError);
  EXPECT_THROW(PictureMaker(context(), {.height = 1 << 20}), engine::InputError);
  EXPECT_THROW(PictureMaker(context(), {.map = "infrared"}), engine::InputError);
  EXPECT_THROW(PictureMaker(context(), {.exposure = NAN}), engine::InputError);
  EXPECT_THROW(PictureMaker(context(), {.point_size = -1}), engine::InputError);
}

}  // namespace
}  // namespace mote::render
