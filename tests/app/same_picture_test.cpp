// A scene is drawn alike with and without a window, and large enough to be seen.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/json.h"
#include "tests/app/picture_files.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// The larger extent of what a picture shows, as a fraction of the picture, is at least this.
constexpr double smallest_subject = 0.2;
constexpr int width = 320, height = 180;
/// What extends so far and is in one piece has at least so many pixels. Bodies that are apart have
/// as many: each is a disc of 6 pixels or more across, of 28 pixels, and a picture of one body has
/// its path.
constexpr int fewest_pixels = static_cast<int>(smallest_subject * height);

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; View.* and Render.* draw scenes");
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  const fs::path& here() const { return folder_.path(); }

  /// Draws a scene with these options, always on the same backend, and without what only windows
  /// draw (axes, bounding box and orbits; trails if `settings` do not have them).
  void draw(std::vector<std::string> command, const fs::path& scene,
            const std::vector<std::string>& settings) const {
    command.insert(command.begin() + 1, scene);
    command.insert(command.end(), {"--backend", "cpu", "--size",
                                   std::to_string(width) + "x" + std::to_string(height)});
    std::vector<std::string> all{"view.axes=false", "view.box=false", "view.orbits=false"};
    all.insert(all.end(), settings.begin(), settings.end());
    for (const std::string& setting : all) command.insert(command.end(), {"--set", setting});
    const Result drawn = mote(here(), command);
    ASSERT_EQ(drawn.code, 0) << drawn.err;
  }

  /// The end of a run without a window.
  PictureFile headless(const fs::path& scene, const std::vector<std::string>& settings,
                       int steps = 0) const {
    draw({"run", "--steps", std::to_string(steps), "--out", "run", "--force", "--quiet",
          "--picture", "run.png"},
         scene, settings);
    return read_picture(here() / "run.png");
  }

  /// The window without panels at the end of a script.
  PictureFile window(const fs::path& scene, const std::vector<std::string>& settings,
                     const std::string& script = "") const {
    write(here() / "script",
          "settle\npanels off\n" + script + "frames 2\nscreenshot window.png scene\nframes 1\n");
    fs::remove(here() / "window.png");
    draw({"view", "--offscreen", "--paused", "--drive", "script"}, scene, settings);
    return read_picture(here() / "window.png");
  }

  /// So small a window has no space beside its panels, so that the camera is the same as without
  /// them.
  static void expect_same(const PictureFile& headless, const PictureFile& seen) {
    ASSERT_TRUE(headless.bytes && seen.bytes);
    ASSERT_EQ(headless.width, seen.width);
    ASSERT_EQ(headless.height, seen.height);
    const Difference d = difference(headless, seen, headless.height);
    // Both use the same passes and driver. Positions are floats, relative to the origin here and to
    // the camera's target there: the difference, 1e-7 of the scene, moves an edge across a sample
    // centre at one pixel in a thousand. Another radius or camera position exceeds both limits a
    // hundred times.
    EXPECT_LT(d.mean, 0.05);
    EXPECT_LT(d.far, 1e-3);
  }

 private:
  TemporaryFolder folder_;
};

class PictureOfAShippedScene : public Pictures, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    Pictures::SetUp();
    if (IsSkipped()) return;
    if (mote(here(), {"check", scene_, "--set", "n=128"}).code == 0) small_ = {"n=128"};
    // 128 grains are few in this glass.
    if (GetParam() == "hourglass") small_ = {};
    if (GetParam() == "water_wheel") small_ = {"spacing=0.04"};
  }
  std::vector<std::string> small(const std::vector<std::string>& more) const {
    std::vector<std::string> settings = small_;
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
  }

  /// What the bodies add to a picture of the scene: outlines and grids of its obstacles are not
  /// their matter.
  Subject bodies(const PictureFile& picture, int steps = 0) const {
    return subject_beside(picture, headless(scene_, small(nobody), steps));
  }

  /// The end of the scene in the window, with the paths of the bodies.
  Subject paths() const {
    // Here bodies come in the course of time, from a jet.
    if (GetParam() == "water_wheel") {
      const int steps = 3000;
      return bodies(headless(scene_, small({}), steps), steps);
    }
    const engine::Json expanded = engine::parse_json(mote(here(), {"check", "--json", scene_}).out);
    // All of it in a second, which has 60 frames.
    const std::string rate = expanded.at("stop").at("time").dump();
    return bodies(window(scene_, small({"view.trails=on"}),
                         "rate " + rate + "\nrun\nframes 62\npause\nsettle\n"));
  }

  const fs::path scene_ = scenes_folder / (GetParam() + ".lua");
  const std::vector<std::string> nobody{"view.show=0*x"};

 private:
  std::vector<std::string> small_;
};

TEST_P(PictureOfAShippedScene, IsThatOfTheWindow) {
  const PictureFile headless = this->headless(scene_, small({}));
  expect_same(headless, window(scene_, small({})));
  EXPECT_LT(subject_of(headless).lit, 0.95) << "there is a background";
  Subject subject = bodies(headless);
  EXPECT_GT(subject.pixels, 0) << "something is seen";
  // Some begin in one place. What they are about is where the bodies go.
  if (subject.larger() < smallest_subject) subject = paths();
  EXPECT_GT(subject.larger(), smallest_subject);
  EXPECT_GT(subject.pixels, fewest_pixels);
}

/// A shipped scene with few bodies, and steps in which its picture changes.
struct MovedScene {
  std::string name;
  std::vector<std::string> settings;
  int steps;
};
std::ostream& operator<<(std::ostream& out, const MovedScene& scene) {
  return out << scene.name;
}

class PictureOfMotion : public Pictures, public testing::WithParamInterface<MovedScene> {};

/// After a number of steps, too: bodies, what connects them, and obstacles that move.
TEST_P(PictureOfMotion, IsThatOfTheWindow) {
  const MovedScene& scene = GetParam();
  const fs::path file = scenes_folder / (scene.name + ".lua");
  std::vector<std::string> settings = scene.settings;
  settings.push_back("view.trails=off");
  const PictureFile start = headless(file, settings), end = headless(file, settings, scene.steps);
  const std::string steps = std::to_string(scene.steps);
  expect_same(end,
              window(file, settings, "step " + steps + "\nsettle\nexpect step " + steps + "\n"));
  // The motion is seen: start and end differ by five times the limit above.
  const Difference moved = difference(start, end, height);
  EXPECT_GT(moved.far, 5e-3);
}

INSTANTIATE_TEST_SUITE_P(Scenes, PictureOfMotion,
                         testing::Values(MovedScene{"cloth", {"across=13", "turning=20"}, 300},
                                         MovedScene{"double_pendulum", {}, 500},
                                         MovedScene{"hourglass", {"n=100"}, 2000},
                                         MovedScene{"jelly", {"balls=1", "across=5"}, 400},
                                         MovedScene{"rotating_drum", {"wide=0.02", "rate=30"}, 300},
                                         MovedScene{"water_drop", {"across=12"}, 150},
                                         MovedScene{"water_wheel",
                                                    {"spacing=0.04", "axles.1.angular_velocity=-3"},
                                                    500}),
                         [](const auto& scene) { return scene.param.name; });

class GalleryPicture : public testing::TestWithParam<std::string> {};

TEST_P(GalleryPicture, ShowsItsSubjectLargeEnough) {
  const PictureFile picture =
      read_picture(fs::path(test::source_dir()) / "docs/images/gallery" / (GetParam() + ".png"));
  ASSERT_TRUE(picture.bytes);
  const Subject subject = subject_of(picture);
  EXPECT_GT(subject.larger(), smallest_subject)
      << "move the camera nearer, or choose another view.portrait";
  EXPECT_LT(subject.lit, 0.95);
}

INSTANTIATE_TEST_SUITE_P(Scenes, GalleryPicture, testing::ValuesIn(scenes()),
                         [](const auto& scene) { return scene.param; });
INSTANTIATE_TEST_SUITE_P(Scenes, PictureOfAShippedScene, testing::ValuesIn(scenes()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace mote::test
