// A scene is drawn alike with and without a window, and large enough to be seen.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/json.h"
#include "tests/app/picture_files.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// The larger extent of what a picture shows, as a fraction of the picture, is at least this.
constexpr double smallest_subject = 0.2;

class PictureOfAShippedScene : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; View.* and Render.* draw scenes");
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
    small_ = mote(here(), {"check", scene_, "--set", "n=128"}).code == 0;
  }
  const fs::path& here() const { return folder_.path(); }

  /// The command for the scene: small, on the same backend, and without what only windows draw
  /// (axes, bounding box and orbits; at the start there are no trails).
  void draw(std::vector<std::string> command) const {
    command.insert(command.begin() + 1, scene_);
    for (const char* word : {"--backend", "cpu", "--size", "320x180", "--set", "view.axes=false",
                             "--set", "view.box=false", "--set", "view.orbits=false"})
      command.push_back(word);
    if (small_) command.insert(command.end(), {"--set", "n=128"});
    const Result drawn = mote(here(), command);
    ASSERT_EQ(drawn.code, 0) << drawn.err;
  }

  /// The window without panels at the end of a script.
  PictureFile window(const std::string& script, const std::vector<std::string>& more = {}) const {
    write(here() / "script",
          "settle\npanels off\n" + script + "frames 2\nscreenshot window.png scene\nframes 1\n");
    std::vector<std::string> words{"view", "--offscreen", "--paused", "--drive", "script"};
    words.insert(words.end(), more.begin(), more.end());
    draw(words);
    return read_picture(here() / "window.png");
  }

  /// The end of the scene in the window, with the paths of the bodies.
  PictureFile paths() const {
    const engine::Json expanded = engine::parse_json(mote(here(), {"check", "--json", scene_}).out);
    // All of it in a second, which has 60 frames.
    const std::string rate = expanded.at("stop").at("time").dump();
    return window("rate " + rate + "\nrun\nframes 62\npause\nsettle\n",
                  {"--set", "view.trails=on"});
  }

 private:
  TemporaryFolder folder_;
  fs::path scene_ = scenes_folder / (GetParam() + ".lua");
  bool small_ = false;
};

// So small a window has no space beside its panels, so that the camera is the same as without them.
TEST_P(PictureOfAShippedScene, IsThatOfTheWindow) {
  draw({"run", "--steps", "0", "--out", "run", "--quiet", "--picture", "run.png"});
  const PictureFile headless = read_picture(here() / "run.png"), seen = window("");
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
  const Subject start = subject_of(headless);
  EXPECT_LT(start.lit, 0.95) << "there is a background";
  EXPECT_GT(start.lit, 0) << "something is seen";
  // Some begin in one place. What they are about is where the bodies go.
  if (start.larger() < smallest_subject) {
    EXPECT_GT(subject_of(paths()).larger(), smallest_subject);
  }
}

class GalleryPicture : public testing::TestWithParam<std::string> {};

TEST_P(GalleryPicture, ShowsItsSubjectLargeEnough) {
  const PictureFile picture =
      read_picture(fs::path(MOTE_SOURCE_DIR) / "docs/images/gallery" / (GetParam() + ".png"));
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
