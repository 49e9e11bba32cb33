// What explains a picture: legend, scale bar, time, title and credits.
#include <algorithm>
#include <cmath>

#include "render/picture.h"
#include "tests/render/cloud.h"
#include "tests/render/scene_test.h"

namespace mote::render {
namespace {

class Captions : public SceneTest {
 protected:
  Image draw(PictureOptions options) {
    const Cloud all = ball_of(300);
    Frame frame = all.frame();
    frame.scalar_name = "speed [km/s]";
    frame.time_label = "t = 3 Myr";
    options.title = "Two galaxies";
    options.credits = "J. Doe";
    options.units = *engine::unit_system_named("galactic");
    OrbitCamera camera;
    return PictureMaker(context(), options).draw(frame, camera);
  }
};

/// Fraction of the pixels of a part of two pictures that differ; parts in fractions of the picture.
double changed(const Image& a, const Image& b, double left, double right, double top,
               double bottom) {
  int count = 0, different = 0;
  for (int y = static_cast<int>(top * a.height); y < static_cast<int>(bottom * a.height); ++y)
    for (int x = static_cast<int>(left * a.width); x < static_cast<int>(right * a.width); ++x) {
      ++count;
      different += !std::equal(a.pixel(x, y), a.pixel(x, y) + 3, b.pixel(x, y));
    }
  return static_cast<double>(different) / count;
}

TEST_F(Captions, AreInTheCornersAtAnySize) {
  using Overlay = PictureOptions::Overlay;
  for (const auto& [width, height] : {std::pair{480, 360}, {1280, 720}, {2560, 1440}}) {
    PictureOptions options{.width = width, .height = height};
    const Image plain = draw(options);
    options.overlay = Overlay::measures;
    const Image measured = draw(options);
    EXPECT_GT(changed(plain, measured, 0, 0.3, 0.85, 1), 0.02) << "scale bar";
    EXPECT_GT(changed(plain, measured, 0.6, 1, 0.8, 1), 0.05) << "legend";
    EXPECT_GT(changed(plain, measured, 0.7, 1, 0, 0.12), 0.002) << "time";
    EXPECT_EQ(changed(plain, measured, 0, 0.5, 0, 0.2), 0) << "no title";
    EXPECT_EQ(changed(plain, measured, 0.2, 0.8, 0.2, 0.7), 0) << "nothing in the middle";
    options.overlay = Overlay::all;
    EXPECT_GT(changed(measured, draw(options), 0, 0.5, 0, 0.2), 0.002) << "title and credits";
  }
}

TEST_F(Captions, AreTheSameBytesEachTime) {
  PictureOptions options{.width = 640, .height = 360};
  options.overlay = PictureOptions::Overlay::all;
  EXPECT_EQ(draw(options).rgb, draw(options).rgb);
}

TEST_F(Captions, AreDarkOnAWhiteBackground) {
  PictureOptions options{.width = 1280, .height = 720};
  options.on_white = true;
  const Image plain = draw(options);
  options.overlay = PictureOptions::Overlay::all;
  const Image told = draw(options);
  EXPECT_EQ(*plain.pixel(2, 2), 255) << "white";
  int darkest = 255;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 200; ++x) darkest = std::min<int>(darkest, *told.pixel(x, y));
  EXPECT_LT(darkest, 60);
}

// The light of stars is ink there.
TEST_F(Captions, StarsAreInkOnAWhiteBackground) {
  PictureOptions options{.width = 320, .height = 240};
  const Image dark = draw(options);
  options.on_white = true;
  const Image white = draw(options);
  const auto luminance = [](const std::uint8_t* p) { return p[0] + p[1] + p[2]; };
  int bright = 0, agree = 0;
  for (int y = 0; y < 240; ++y)
    for (int x = 0; x < 320; ++x) {
      const bool light = luminance(dark.pixel(x, y)) > 200;
      bright += light;
      agree += light && luminance(white.pixel(x, y)) < 755;
    }
  EXPECT_GT(bright, 100);
  EXPECT_EQ(agree, bright);
}

}  // namespace
}  // namespace mote::render
