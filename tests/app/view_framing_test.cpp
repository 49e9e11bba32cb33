// The window fits its scene between its panels.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/picture_files.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class ViewFraming : public testing::Test {
 protected:
  void SetUp() override {
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  const fs::path& here() const { return folder_.path(); }

  /// Columns of the picture between which bodies are seen.
  struct Span {
    int left, right;
    int width() const { return right - left; }
  };

  /// Where two small bodies at x = -10 and 10 are, with a camera before them.
  Span span(const std::string& camera, const std::string& size, const std::string& script) {
    write(
        here() / "pair.lua",
        "return { gravity = { softening = 1 }, integrator = { dt = 0.001 },"
        " bodies = { { mass = 1, position = { -10, 0, 0 } }, { mass = 1, position = { 10, 0, 0 } } "
        "}, view = { bodies = 'spheres', radius = 0.1, trails = 'off', map = 'grey', camera = { "
        "azimuth = -90, elevation = 0" +
            camera + " } } }");
    write(here() / "script",
          "settle\nkey L\n" + script + "frames 2\nscreenshot seen.png scene\nframes 1\n");
    const Result seen = mote(here(), {"view", "pair.lua", "--offscreen", "--paused", "--size", size,
                                      "--ui-scale", "1", "--drive", "script", "--backend", "cpu"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return span_of(read_picture(here() / "seen.png"));
  }
  static Span span_of(const PictureFile& picture) {
    Span found{picture.width, -1};
    for (int i = 0; i < picture.width * picture.height; ++i)
      if (picture.bytes.get()[3 * i] > 60) {
        found.left = std::min(found.left, i % picture.width);
        found.right = std::max(found.right, i % picture.width);
      }
    return found;
  }

 private:
  TemporaryFolder folder_;
};

// Panels are 21 and 22.5 times as wide as text of 15 pixels is high, with gaps of half of that.
constexpr int left_panel = 315 + 15, right_panel = 337 + 15;

TEST_F(ViewFraming, FitsTheBodiesBetweenThePanels) {
  // Without a distance, and with one at which they fill the width of a picture of 16 to 9.
  for (const std::string camera : {"", ", distance = 17.2, target = { 0, 0, 0 }"}) {
    const Span seen = span(camera, "1280x720", "");
    EXPECT_GE(seen.left, left_panel) << camera;
    EXPECT_LE(seen.right, 1280 - right_panel) << camera;
    EXPECT_GT(seen.width(), 0.8 * (1280 - left_panel - right_panel)) << camera;
  }
}

TEST_F(ViewFraming, FollowsTheSizeOfTheWindowAndItsPanels) {
  const std::string camera = ", distance = 17.2, target = { 0, 0, 0 }";
  const Span small = span(camera, "1280x720", "size 1120 900\nframes 2\n"),
             without = span(camera, "1280x720", "panels off\n");
  EXPECT_GE(small.left, left_panel);
  EXPECT_LE(small.right, 1120 - right_panel);
  EXPECT_GT(without.width(), 0.9 * 1280);
}

// Both panels at the left leave the right side to the bodies, whose area is as wide as before with
// one of them.
TEST_F(ViewFraming, UsesTheAreaThatMovedPanelsLeave) {
  const Span seen = span("", "1280x720", "drag 1100 17 200 100\nframes 30\n");
  EXPECT_GE(seen.left, left_panel);
  EXPECT_GT(seen.right, 1280 - right_panel);
  // Its middle is that of the free area.
  EXPECT_NEAR((seen.left + seen.right) / 2, (left_panel + 1280) / 2, 12);
  // A wider panel takes more of it.
  const Span less = span("", "1280x720", "drag 326 200 410 200\nframes 30\n");
  EXPECT_GE(less.left, left_panel + 80);
}

// What does not fit between panels is not squeezed: they are folded. The panel at the bottom takes
// a quarter of the height, and the picture keeps its proportions.
TEST_F(ViewFraming, LeavesNarrowWindowsToTheScene) {
  EXPECT_GT(span("", "800x480", "").width(), 0.35 * 800);
  EXPECT_GT(span(", distance = 17.2, target = { 0, 0, 0 }", "800x480", "").width(), 0.7 * 800);
}

TEST_F(ViewFraming, ASavedCameraOpensWhereItWas) {
  const Span before = span("", "1280x720", "camera 40 -90 0\nkey Ctrl+S\nframes 2\n");
  write(here() / "script", "settle\nkey L\nframes 2\nscreenshot again.png scene\nframes 1\n");
  const Result seen =
      mote(here(), {"view", "pair_tuned.json", "--offscreen", "--paused", "--size", "1280x720",
                    "--ui-scale", "1", "--drive", "script", "--backend", "cpu"});
  ASSERT_EQ(seen.code, 0) << seen.err;
  const Span after = span_of(read_picture(here() / "again.png"));
  EXPECT_NEAR(after.left, before.left, 1);
  EXPECT_NEAR(after.right, before.right, 1);
}

}  // namespace
}  // namespace mote::test
