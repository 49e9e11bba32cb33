// The window fits its scene between its panels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "tests/app/picture_files.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// The part of a window in which a subject is: from its middle up, down and to the sides until a
/// panel. Panels are where the pictures of the window and of its scene alone differ; they are
/// lighter than the sky by 26 levels in sum.
Box free_about(const Box& subject, const PictureFile& all, const PictureFile& scene) {
  const auto panel = [&](int x, int y) {
    return difference_at(all, scene, y * all.width + x) > 12;
  };
  const int x = (subject.left + subject.right) / 2, y = (subject.top + subject.bottom) / 2;
  Box free{x, x, y, y};
  while (free.left > 0 && !panel(free.left - 1, y)) --free.left;
  while (free.right < all.width - 1 && !panel(free.right + 1, y)) ++free.right;
  while (free.top > 0 && !panel(x, free.top - 1)) --free.top;
  while (free.bottom < all.height - 1 && !panel(x, free.bottom + 1)) ++free.bottom;
  // None is in a corner of the subject, either.
  int covered = 0;
  for (int row = subject.top; row <= subject.bottom; ++row)
    for (int column = subject.left; column <= subject.right; ++column)
      covered += panel(column, row);
  EXPECT_EQ(covered, 0);
  return free;
}

void expect_inside(const Box& subject, const Box& free) {
  EXPECT_GT(subject.left, free.left) << subject << " in " << free;
  EXPECT_LT(subject.right, free.right) << subject << " in " << free;
  EXPECT_GT(subject.top, free.top) << subject << " in " << free;
  EXPECT_LT(subject.bottom, free.bottom) << subject << " in " << free;
}

class ViewFraming : public testing::Test {
 protected:
  void SetUp() override {
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  const fs::path& here() const { return folder_.path(); }

  /// Plays a script in the window of a scene, without legend, scale bar, names and trails.
  void play(const std::string& scene, const std::string& size, const std::string& scale,
            const std::string& script, const std::vector<std::string>& settings = {}) {
    write(here() / "script", "settle\nkey L\nkey K\n" + script + "frames 1\n");
    std::vector<std::string> words{"view",    scene,    "--offscreen",     "--paused",   "--size",
                                   size,      "--set",  "view.trails=off", "--ui-scale", scale,
                                   "--drive", "script", "--backend",       "cpu"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    const Result seen = mote(here(), words);
    EXPECT_EQ(seen.code, 0) << seen.err;
  }
  PictureFile picture(const std::string& name) const { return read_picture(here() / name); }

  /// A scene of small bodies at these positions, with a camera before them.
  void write_bodies(const std::vector<std::string>& positions, const std::string& camera) {
    std::string bodies;
    for (const std::string& position : positions)
      bodies += "{ mass = 1, position = { " + position + " } }, ";
    write(here() / "small.lua",
          "return { gravity = { softening = 1 }, integrator = { dt = 0.001 }, bodies = { " +
              bodies +
              "}, view = { bodies = 'spheres', radius = 0.2, map = 'grey', camera = { azimuth = "
              "-90, elevation = 0" +
              camera + " } } }");
  }
  /// Where two small bodies at x = -10 and 10 are.
  Box span(const std::string& camera, const std::string& size, const std::string& script) {
    write_bodies({"-10, 0, 0", "10, 0, 0"}, camera);
    play("small.lua", size, "1", script + "frames 2\nscreenshot seen.png scene\n");
    return span_of(picture("seen.png"));
  }
  static Box span_of(const PictureFile& picture) {
    return box_where(picture, [&](int i) { return picture.bytes.get()[3 * i] > 60; });
  }

 private:
  TemporaryFolder folder_;
};

// Panels are 21 and 22.5 times as wide as text of 15 pixels is high, with gaps of half of that.
constexpr int left_panel = 315 + 15, right_panel = 337 + 15;

TEST_F(ViewFraming, FitsTheBodiesBetweenThePanels) {
  // Without a distance, and with one at which they fill the width of a picture of 16 to 9.
  for (const std::string camera : {"", ", distance = 17.2, target = { 0, 0, 0 }"}) {
    const Box seen = span(camera, "1280x720", "");
    EXPECT_GE(seen.left, left_panel) << camera;
    EXPECT_LE(seen.right, 1280 - right_panel) << camera;
    EXPECT_GT(seen.width(), 0.8 * (1280 - left_panel - right_panel)) << camera;
  }
}

TEST_F(ViewFraming, FollowsTheSizeOfTheWindowAndItsPanels) {
  const std::string camera = ", distance = 17.2, target = { 0, 0, 0 }";
  const Box small = span(camera, "1280x720", "size 1120 900\nframes 2\n"),
            without = span(camera, "1280x720", "panels off\n");
  EXPECT_GE(small.left, left_panel);
  EXPECT_LE(small.right, 1120 - right_panel);
  EXPECT_GT(without.width(), 0.9 * 1280);
}

// Both panels at the left leave the right side to the bodies, whose area is as wide as before with
// one of them.
TEST_F(ViewFraming, UsesTheAreaThatMovedPanelsLeave) {
  const Box seen = span("", "1280x720", "drag 1100 17 200 100\nframes 30\n");
  EXPECT_GE(seen.left, left_panel);
  EXPECT_GT(seen.right, 1280 - right_panel);
  // Its middle is that of the free area.
  EXPECT_NEAR((seen.left + seen.right) / 2, (left_panel + 1280) / 2, 12);
  // A wider panel takes more of it.
  const Box less = span("", "1280x720", "drag 326 200 410 200\nframes 30\n");
  EXPECT_GE(less.left, left_panel + 80);
}

// What does not fit between panels is not squeezed: they are folded. The panel at the bottom takes
// a quarter of the height, and the picture keeps its proportions.
TEST_F(ViewFraming, LeavesNarrowWindowsToTheScene) {
  EXPECT_GT(span("", "800x480", "").width(), 0.35 * 800);
  EXPECT_GT(span(", distance = 17.2, target = { 0, 0, 0 }", "800x480", "").width(), 0.7 * 800);
}

// Four bodies in a cross, as wide as high. Its sphere, larger by a tenth, fits the narrower side of
// the area with a margin of 2 %: bodies at the radius r are seen from the distance d = 1.02 * 1.1 r
// / sin 20 deg, half the angle of view, and r / d = 0.84 tan 20 deg. Bodies have a fiftieth of r;
// the sides that the lamp does not light may be too dark to be seen.
TEST_F(ViewFraming, FillsTheAreaOfWindowsOfAllSizes) {
  write_bodies({"-10, 0, 0", "10, 0, 0", "0, 0, -10", "0, 0, 10"}, "");
  struct Window {
    const char *size, *scale;
  };
  for (const Window& window : {Window{"1280x720", "1"}, Window{"1920x1080", "1"},
                               Window{"800x480", "1"}, Window{"3840x2160", "2"}}) {
    SCOPED_TRACE(window.size);
    play("small.lua", window.size, window.scale,
         "screenshot seen.png scene\nframes 1\nscreenshot all.png\n");
    const PictureFile seen = picture("seen.png"), all = picture("all.png");
    const Box cross = span_of(seen), free = free_about(cross, all, seen);
    expect_inside(cross, free);
    // Half of the height of text is left beside panels.
    const double gap = 7.5 * std::stod(window.scale);
    const double side = std::min(free.width() - 2 * gap, free.height() - gap);
    const double span = std::cos(20 * std::numbers::pi / 180) / (1.02 * 1.1) * side;
    const double radius = 0.01 * span, pixel = 1;
    EXPECT_NEAR(cross.width(), span + radius, radius + pixel) << free;
    EXPECT_NEAR(cross.height(), span + radius, radius + pixel) << free;
    EXPECT_NEAR(0.5 * (cross.left + cross.right), 0.5 * (free.left + free.right), radius + pixel);
    EXPECT_NEAR(0.5 * (cross.top + cross.bottom), 0.5 * (free.top + free.bottom - gap),
                radius + pixel);
  }
}

TEST_F(ViewFraming, ASavedCameraOpensWhereItWas) {
  const Box before = span("", "1280x720", "camera 40 -90 0\nkey Ctrl+S\nframes 2\n");
  write(here() / "script", "settle\nkey L\nframes 2\nscreenshot again.png scene\nframes 1\n");
  const Result seen =
      mote(here(), {"view", "small_tuned.json", "--offscreen", "--paused", "--size", "1280x720",
                    "--ui-scale", "1", "--drive", "script", "--backend", "cpu"});
  ASSERT_EQ(seen.code, 0) << seen.err;
  const Box after = span_of(read_picture(here() / "again.png"));
  EXPECT_NEAR(after.left, before.left, 1);
  EXPECT_NEAR(after.right, before.right, 1);
}

/// A shipped scene with few bodies.
struct SmallScene {
  std::string name;
  std::vector<std::string> settings;
};
std::ostream& operator<<(std::ostream& out, const SmallScene& scene) {
  return out << scene.name;
}

class ViewFramingOf : public ViewFraming, public testing::WithParamInterface<SmallScene> {};

// The camera of a scene is made for a picture of 16 to 9. What is seen in that is seen between the
// panels, no smaller than in the largest picture of 16 to 9 that fits there. Bodies before the
// camera's target are up to a fifth smaller than that, since a camera that is f times as far
// shows what is R nearer (d - R) / (d - R / f) times as large: 0.8 for R < 0.4 d, f < 2.
TEST_P(ViewFramingOf, KeepsWhatTheCameraShows) {
  const std::string scene = (scenes_folder / (GetParam().name + ".lua")).string();
  const auto headless = [&](const std::string& show, const std::string& name) {
    std::vector<std::string> words{
        "run",    scene,      "--steps",   "0",   "--out", "run", "--quiet",   "--force",
        "--size", "1280x720", "--backend", "cpu", "--set", show,  "--picture", name};
    for (const std::string& setting : GetParam().settings)
      words.insert(words.end(), {"--set", setting});
    const Result drawn = mote(here(), words);
    EXPECT_EQ(drawn.code, 0) << drawn.err;
    return picture(name);
  };
  // Bodies are where a picture without them differs.
  const auto bodies = [](const PictureFile& with, const PictureFile& without) {
    return box_where(with, [&](int i) { return difference_at(with, without, i) > seen_above; });
  };
  // Of more than 64 stars of a cluster, the camera shows all but the outermost. Discs of points
  // have a size in pixels, which does not fall with the distance of the camera: small ones here.
  const Box full = bodies(headless("view.show=", "run.png"), headless("view.show=0*x", "bare.png"));
  play(scene, "1280x720", "1",
       "screenshot seen.png scene\nframes 1\nscreenshot all.png\nframes 1\n"
       "size 1120 900\nframes 2\nsettle\n"
       "screenshot high.png scene\nframes 1\nscreenshot high_all.png\nframes 1\n"
       "set view.show 0*x\nsettle\nframes 2\nscreenshot high_bare.png scene\nframes 1\n"
       "size 1280 720\nframes 2\nsettle\nscreenshot bare.png scene\n",
       GetParam().settings);
  for (const std::string of : {"seen", "high"}) {
    SCOPED_TRACE(of);
    const bool first = of == "seen";
    const PictureFile seen = picture(of + ".png"),
                      all = picture(first ? "all.png" : "high_all.png"),
                      bare = picture(first ? "bare.png" : "high_bare.png");
    ASSERT_TRUE(seen.bytes && all.bytes && bare.bytes);
    const Box box = bodies(seen, bare), free = free_about(box, all, seen);
    expect_inside(box, free);
    const double by = std::min(free.height() / 720.0, free.width() / 1280.0);
    EXPECT_GT(box.width(), 0.8 * by * full.width()) << box << " in " << free << " of " << full;
    EXPECT_GT(box.height(), 0.8 * by * full.height()) << box << " in " << free << " of " << full;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, ViewFramingOf,
    testing::Values(SmallScene{"hourglass", {"n=100", "view.occlusion=0", "view.shadow=0"}},
                    SmallScene{"jelly",
                               {"balls=2", "across=5", "view.occlusion=0", "view.shadow=0"}},
                    SmallScene{"kepler", {"view.point_size=6"}},
                    SmallScene{"plummer", {"n=64", "view.camera.distance=6"}}),
    [](const auto& scene) { return scene.param.name; });

}  // namespace
}  // namespace mote::test
