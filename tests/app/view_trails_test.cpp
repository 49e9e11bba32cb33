// Trails in the window: they follow the paths of bodies, independently of the frame rate.
#include <stb_image.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/app/view_fixture.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

/// A light body on a circle of radius 1 about a heavy one, 400 steps per turn, seen from above.
const char* const circle = R"(
return {
  gravity = { softening = 0 },
  integrator = { "leapfrog", dt = 2 * math.pi / 400 },
  bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1e-12, position = { 1, 0, 0 }, velocity = { 0, 1, 0 } } },
  view = { color = "id", map = "grey", camera = { target = { 0, 0, 0 }, distance = 5, azimuth = -90, elevation = 89.9 } },
})";

class ViewTrails : public View {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; View.* draw trails too");
    View::SetUp();
    if (!IsSkipped()) write(here() / "scene.lua", circle);
  }
  /// Distance from the centre of the picture [pixels] to the brightest pixel, for each of 72
  /// directions; 0 where all is dark.
  std::vector<double> brightest(const std::string& name) const {
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> bytes(
        stbi_load((here() / name).c_str(), &width, &height, &channels, 1), stbi_image_free);
    std::vector<double> distances;
    for (int direction = 0; bytes && direction < 72; ++direction) {
      const double angle = direction * 3.14159265358979 / 36;
      int most = 20;
      double found = 0;
      for (double r = 25; r < 0.5 * height; r += 0.5) {
        const auto x = static_cast<int>(0.5 * width + r * std::cos(angle));
        const auto y = static_cast<int>(0.5 * height - r * std::sin(angle));
        if (const int here = bytes.get()[y * width + x]; here > most) {
          most = here;
          found = r;
        }
      }
      distances.push_back(found);
    }
    return distances;
  }
  /// The same for a picture taken after `script` and before `then`; something must be drawn.
  std::vector<double> brightest_after(const std::string& script,
                                      const std::string& then = "") const {
    expect_good(drive("settle\npanels off\nkey L\nframes 1\n" + script +
                      "screenshot end.png scene\nframes 1\n" + then));
    const std::vector<double> r = brightest("end.png");
    EXPECT_FALSE(r.empty() || largest(r) == 0) << "nothing is drawn";
    return r;
  }
  static double largest(const std::vector<double>& v) {
    return *std::max_element(v.begin(), v.end());
  }
  static double smallest(const std::vector<double>& v) {
    return *std::min_element(v.begin(), v.end());
  }
};

// Two frames are a quarter of a turn apart: chords would approach the centre to 0.71 of the radius.
TEST_F(ViewTrails, AreRoundHoweverFarFramesAreApart) {
  const std::vector<double> r =
      brightest_after("rate 94.2477797\nrun\nframes 9\n", "expect step 1100\n");
  ASSERT_FALSE(r.empty());
  EXPECT_GT(smallest(r), 0.95 * largest(r));
}

TEST_F(ViewTrails, EndAtTheStepThatTimeWentBackTo) {
  // Half a turn, then back to its start: no trail is left at larger angles.
  const std::vector<double> r =
      brightest_after("rate 3\nrun\nframes 64\npause\nsettle\nstep -150\nsettle\nframes 3\n");
  ASSERT_FALSE(r.empty());
  EXPECT_GT(r[4], 0) << "20 degrees";
  EXPECT_EQ(r[20], 0) << "100 degrees";
}

TEST_F(ViewTrails, DoNotJoinPositionsAcrossASeek) {
  // A trail of 7 degrees, then a seek by a quarter of a turn: a chord would pass at 45 degrees.
  const std::vector<double> r = brightest_after(
      "rate 3\nkey T\nstep 100\nsettle\nseek 0\nsettle\nkey T\nsettle\nstep 8\nsettle\nseek "
      "100\nsettle\nframes 3\n");
  ASSERT_FALSE(r.empty());
  EXPECT_EQ(r[1], 0) << "5 degrees: the trail before the seek";
  EXPECT_EQ(r[9], 0) << "45 degrees: a chord";
  EXPECT_GT(r[18], 0) << "90 degrees: the body";
}

// A body at rest in the centre is removed after a quarter of a turn of the other, which changes the
// index of the latter. Its trail continues.
TEST_F(ViewTrails, ContinueWhenAnotherBodyIsRemoved) {
  std::string text = circle;
  text.replace(text.find("1e-12"), 5, "0");  // the bodies in the centre stay there
  text.replace(text.find("softening = 0"), 13, "softening = 1e-9");  // they are at one position
  text.replace(text.find("bodies = { "), 11, "bodies = { { mass = 0, position = { 0, 0, 0 } }, ");
  text.insert(text.find("  view"),
              "  on_step = { every = 100, run = function(sim) if sim.step == 100 then "
              "sim:remove(0) end end },\n");
  write(here() / "scene.lua", text);
  const std::vector<double> r =
      brightest_after("rate 3\nrun\nframes 48\npause\nsettle\nframes 3\n");
  ASSERT_FALSE(r.empty());
  EXPECT_GT(smallest({r[9], r[12], r[15], r[17], r[20]}), 0.9 * largest(r)) << "45 to 100 degrees";
  const std::vector<double> back =
      brightest_after("rate 3\nrun\nframes 48\npause\nsettle\nseek 30\nsettle\nframes 3\n");
  ASSERT_FALSE(back.empty());
  EXPECT_GT(back[3], 0) << "15 degrees: before the change";
  EXPECT_EQ(back[20], 0) << "100 degrees: ahead";
}

}  // namespace
}  // namespace mote::test
