// A scene is drawn alike with and without a window.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/picture_files.h"
#include "tests/app/program.h"
#include "tests/app/scenes.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class PictureOfAShippedScene : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; View.* and Render.* draw scenes");
    const Drawing drawing = drawing_here(folder_.path());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  const fs::path& here() const { return folder_.path(); }

  /// The command for the initial state of the scene: small, on the same backend, and without what
  /// only windows draw (axes, bounding box and orbits; there are no trails yet).
  Result draw(std::vector<std::string> command) const {
    const fs::path scene = scenes_folder / (GetParam() + ".lua");
    command.insert(command.begin() + 1, scene);
    for (const char* word : {"--backend", "cpu", "--size", "320x180", "--set", "view.axes=false",
                             "--set", "view.box=false", "--set", "view.orbits=false"})
      command.push_back(word);
    if (small()) command.insert(command.end(), {"--set", "n=128"});
    return mote(here(), command);
  }

 private:
  bool small() const {
    return mote(here(), {"check", scenes_folder / (GetParam() + ".lua"), "--set", "n=128"}).code ==
           0;
  }

  TemporaryFolder folder_;
};

// So small a window has no space beside its panels, so that the camera is the same as without them.
TEST_P(PictureOfAShippedScene, IsThatOfTheWindow) {
  const Result ran =
      draw({"run", "--steps", "0", "--out", "run", "--quiet", "--picture", "run.png"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  write(here() / "script", "settle\npanels off\nframes 2\nscreenshot window.png scene\nframes 1\n");
  const Result seen = draw({"view", "--offscreen", "--paused", "--drive", "script"});
  ASSERT_EQ(seen.code, 0) << seen.err;
  const PictureFile headless = read_picture(here() / "run.png"),
                    window = read_picture(here() / "window.png");
  ASSERT_TRUE(headless.bytes && window.bytes);
  ASSERT_EQ(headless.width, window.width);
  ASSERT_EQ(headless.height, window.height);
  const Difference d = difference(headless, window, headless.height);
  // Both use the same passes and driver. Positions are floats, relative to the origin here and to
  // the camera's target there: the difference, 1e-7 of the scene, moves an edge across a sample
  // centre at one pixel in a thousand. Another radius or camera position exceeds both limits a
  // hundred times.
  EXPECT_LT(d.mean, 0.05);
  EXPECT_LT(d.far, 1e-3);
  int seen_pixels = 0, dark_pixels = 0;
  for (int i = 0; i < headless.width * headless.height; ++i) {
    const stbi_uc* const p = headless.bytes.get() + 3 * i;
    (p[0] + p[1] + p[2] > 60 ? seen_pixels : dark_pixels)++;
  }
  EXPECT_GT(seen_pixels, 5) << "something is seen";
  EXPECT_GT(dark_pixels, 5) << "and the sky beside it";
}

INSTANTIATE_TEST_SUITE_P(Scenes, PictureOfAShippedScene, testing::ValuesIn(scenes()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace mote::test
