// Pictures of the window, compared with stored pictures that were inspected.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>

#include "tests/app/picture_files.h"
#include "tests/app/program.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class ViewPictures : public testing::Test {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; View.* draw the same");
    const Drawing drawing = drawing_here(here());
    if (!drawing.missing.empty()) GTEST_SKIP() << drawing.missing;
  }
  const fs::path& here() const { return folder_.path(); }

  /// Drivers differ in lines, edges of glyphs and soft sprites: by about a level in the mean, and
  /// by more at few edges. A missing panel, another colour map or another camera exceeds both
  /// limits ten times.
  void expect_like(const std::string& name, const std::vector<std::string>& scene,
                   const std::string& script, double rows = 1) {
    write(here() / "script",
          "settle\n" + script + "frames 40\nscreenshot " + name + ".png\nframes 1\n");
    std::vector<std::string> words{"view"};
    words.insert(words.end(), scene.begin(), scene.end());
    for (const char* word : {"--offscreen", "--paused", "--backend", "cpu", "--size", "800x450",
                             "--ui-scale", "0.7", "--drive", "script"})
      words.push_back(word);
    const Result result = mote(here(), words);
    ASSERT_EQ(result.code, 0) << result.err;
    const fs::path stored = fs::path(test::source_dir()) / "tests/app/pictures" / (name + ".png");
    if (std::getenv("MOTE_WRITE_PICTURES"))
      fs::copy_file(here() / (name + ".png"), stored, fs::copy_options::overwrite_existing);
    const PictureFile drawn = read_picture(here() / (name + ".png")), wanted = read_picture(stored);
    ASSERT_TRUE(drawn.bytes && wanted.bytes);
    ASSERT_EQ(drawn.width, wanted.width);
    ASSERT_EQ(drawn.height, wanted.height);
    const Difference d = difference(drawn, wanted, static_cast<int>(rows * drawn.height));
    const bool alike = d.mean < 1.5 && d.far < 0.005;
    const fs::path kept = fs::path(testing::TempDir()) / ("mote-drawn-" + name + ".png");
    if (!alike) fs::copy_file(here() / (name + ".png"), kept, fs::copy_options::overwrite_existing);
    EXPECT_TRUE(alike) << "mean " << d.mean << ", far " << d.far << ": compare " << kept << " with "
                       << stored;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ViewPictures, OfGalaxiesThatDrawOutTails) {
  expect_like("galaxies", {"galaxies", "--set", "n=2048"}, "step 500\npanels off\nkey L\nsettle\n");
}

// The lowest part shows timings of the machine. Trails would hide the orbits.
TEST_F(ViewPictures, OfPanelsPlotsAndPlanetsOnTheirOrbits) {
  expect_like("planets", {"outer_solar_system"},
              "key T\nstep 300\nsettle\nset view.color id\nkey O\nkey X\nkey P\npick 2\nframes "
              "300\nsettle\n",
              0.7);
}

TEST_F(ViewPictures, OfTheHelp) {
  expect_like("help", {"kepler"}, "key F1\n", 0.7);
}

/// Number of pixels with one channel well above the two others: red, green, blue.
std::array<int, 3> pure_pixels(const PictureFile& picture) {
  std::array<int, 3> count{};
  for (int i = 0; i < picture.width * picture.height; ++i) {
    const stbi_uc* const p = picture.bytes.get() + 3 * i;
    for (int c = 0; c < 3; ++c)
      if (p[c] > 80 && p[c] > 2 * p[(c + 1) % 3] && p[c] > 2 * p[(c + 2) % 3])
        ++count[static_cast<std::size_t>(c)];
  }
  return count;
}

// Separate groups of red, green and blue bodies; the red ones are added by a hook.
const char* const kinds = R"(
local function some(n, kind, x) return translate({ plummer { n = n, mass = 0.01, species = kind } }, { x, 0, 0 }) end
return {
  gravity = { softening = 0.1 }, integrator = { dt = 0.001 }, seed = 3,
  species = { hot = { color = "#ff0000" }, warm = { color = "#00FF00" }, cold = { color = "#0000ff" } },
  bodies = { some(40, "warm", 0), some(60, "cold", 4), { mass = 0, position = { 2, 2, 0 } } },
  on_step = { every = 2, run = function(sim) if sim.step == 2 then sim:add(some(50, "hot", -4)) end end },
  view = { color = "species", trails = "off", camera = { target = { 0, 0, 0 }, distance = 14, azimuth = -90, elevation = 60 } },
  stop = { steps = 4 },
})";

TEST_F(ViewPictures, OfSpeciesShowTheirColoursWithAndWithoutAWindow) {
  write(here() / "kinds.lua", kinds);
  const Result ran =
      mote(here(), {"run", "kinds.lua", "--out", "a", "--picture", "--quiet", "--backend", "cpu"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::array<int, 3> end = pure_pixels(read_picture(here() / "a/picture.png"));
  for (const int count : end) EXPECT_GT(count, 300);
  write(here() / "script", R"(settle
screenshot first.png scene
frames 1
key P
screenshot spheres.png scene
frames 1
key P
step 4
settle
screenshot last.png
frames 1
color speed
settle
frames 2
screenshot speed.png scene
frames 1
color species
settle
frames 2
screenshot again.png scene
frames 1
)");
  const Result seen = mote(here(), {"view", "kinds.lua", "--offscreen", "--paused", "--size",
                                    "1280x720", "--drive", "script", "--backend", "cpu"});
  ASSERT_EQ(seen.code, 0) << seen.err;
  for (const char* file : {"first.png", "spheres.png"}) {
    const std::array<int, 3> pixels = pure_pixels(read_picture(here() / file));
    EXPECT_EQ(pixels[0], 0) << file;
    EXPECT_GT(pixels[1], 300) << file;
    EXPECT_GT(pixels[2], 300) << file;
  }
  for (const char* file : {"last.png", "again.png"})
    for (const int count : pure_pixels(read_picture(here() / file))) EXPECT_GT(count, 300) << file;
  EXPECT_EQ(pure_pixels(read_picture(here() / "speed.png"))[1], 0) << "inferno has no green";
}

// One body falls, one is at rest: the colour range is constant at first and covers the speeds after
// the steps.
TEST_F(ViewPictures, AfterStepsFromRestHaveColoursOfTheCurrentSpeeds) {
  write(here() / "fall.lua", R"(return {
    integrator = { dt = 0.001 },
    fields = { field { acceleration = { "0", "0", "-x" } } },
    bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } },
    view = { color = "speed", map = "turbo", bodies = "spheres", trails = "off", camera = { target = { 0, 0, 0 }, distance = 4 } },
  })");
  // Turbo runs from dark blue over green to dark red.
  const auto pixels = [&](const std::string& script) {
    write(here() / "script",
          "settle\npanels off\nkey L\n" + script + "settle\nscreenshot end.png scene\nframes 1\n");
    const Result seen = mote(here(), {"view", "fall.lua", "--offscreen", "--paused", "--size",
                                      "640x360", "--drive", "script", "--backend", "cpu"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return pure_pixels(read_picture(here() / "end.png"));
  };
  for (const char* way : {"step 1\n", "step 100\n"}) {
    const std::array<int, 3> now = pixels(way);
    EXPECT_GT(now[0], 30) << way << ": the falling body is at the end of the map";
    EXPECT_EQ(now[1], 0) << way << ": no speed is in the middle of the map";
  }
  EXPECT_EQ(pixels("step 100\nsettle\nseek 3\n")[0], 0) << "a colour keeps its meaning in the past";
  // Speeds that grow over single steps.
  EXPECT_GT(pixels("step 1\nsettle\nstep 1\nsettle\nstep 300\n")[0], 30);
}

// The name of one visitor among a thousand stars must be shown.
TEST_F(ViewPictures, ShowTheNamesOfNamedBodiesHoweverManyHaveNone) {
  const auto picture = [&](const std::string& named, const std::string& script) {
    write(here() / "named.lua",
          "return { gravity = { softening = 0.1 }, integrator = { dt = 0.001 },"
          " bodies = { plummer { n = 1000, mass = 0.01 }, " +
              named +
              " },"
              " view = { camera = { target = { 0, 0, 0 }, distance = 6 } } }");
    write(here() / "script",
          "settle\npanels off\nframes 2\n" + script + "screenshot names.png\nframes 1\n");
    const Result seen = mote(here(), {"view", "named.lua", "--offscreen", "--paused", "--size",
                                      "640x360", "--drive", "script", "--backend", "cpu"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return text_of(here() / "names.png");
  };
  const std::string visitor = "{ mass = 1, position = { 1, 0, 0 }, name = 'visitor' }",
                    nameless = "{ mass = 1, position = { 1, 0, 0 } }";
  const std::string with = picture(visitor, "");
  EXPECT_TRUE(with != picture(nameless, ""));
  EXPECT_TRUE(picture(visitor, "key K\nframes 1\n") == picture(nameless, "key K\nframes 1\n"));
  EXPECT_TRUE(with == picture(visitor, "key K\nframes 1\nkey K\nframes 1\n"));
}

TEST_F(ViewPictures, ShowNoNamesOfHiddenBodies) {
  const auto picture = [&](const std::string& body) {
    write(
        here() / "hidden.lua",
        "return { species = { dark = { visible = false } }, integrator = { dt = 0.001 }, bodies = "
        "{ { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 }" +
            body + " } }, view = { camera = { target = { 0, 0, 0 }, distance = 6 } } }");
    write(here() / "script", "settle\npanels off\nframes 2\nscreenshot hidden.png\nframes 1\n");
    const Result seen = mote(here(), {"view", "hidden.lua", "--offscreen", "--paused", "--size",
                                      "320x180", "--drive", "script", "--backend", "cpu"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return text_of(here() / "hidden.png");
  };
  EXPECT_TRUE(picture(", species = 'dark', name = 'x'") == picture(", species = 'dark'"));
  EXPECT_FALSE(picture(", name = 'x'") == picture(""));
  EXPECT_FALSE(picture(", color = '#00ff00'") == picture("")) << "a colour of its own";
}

TEST_F(ViewPictures, ByAnExpressionAreThoseOfTheSameScalar) {
  const auto picture = [&](const std::string& color) {
    write(here() / "script", "settle\ncolor " + color +
                                 "\nstep 3\nsettle\npanels off\nframes 3\nscreenshot color.png "
                                 "scene\nframes 1\n");
    const Result seen = mote(here(), {"view", "plummer", "--offscreen", "--paused", "--set",
                                      "n=200", "--drive", "script", "--backend", "cpu"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return text_of(here() / "color.png");
  };
  EXPECT_TRUE(picture("sqrt(vx^2 + vy^2 + vz^2)") == picture("speed"));
  EXPECT_FALSE(picture("vx") == picture("speed"));
  write(here() / "script", "settle\ncolor speeed\n");
  EXPECT_EQ(mote(here(), {"view", "plummer", "--offscreen", "--paused", "--drive", "script"}).err,
            "script:2: bodies have no scalar \"speeed\"; did you mean 'speed'?\n");
}

TEST_F(ViewPictures, ShowWhatAnExpressionAndAPlaneLeave) {
  const auto picture = [&](const std::string& change) {
    write(here() / "script",
          "settle\n" + change + "settle\npanels off\nframes 2\nscreenshot shown.png\nframes 1\n");
    const Result seen = mote(here(), {"view", "two.lua", "--offscreen", "--paused", "--size",
                                      "320x180", "--drive", "script", "--backend", "cpu"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    return text_of(here() / "shown.png");
  };
  const auto scene = [&](const char* look) {
    write(here() / "two.lua",
          std::string("return { species = { dark = { visible = ") + look +
              " } }, integrator = { dt = 0.001 }, bodies = { { mass = 1, position = { 0, 0, 0 }, "
              "name = 'x' }, { mass = 1, position = { 1, 0, 0 }, species = 'dark', name = 'y' } }, "
              "view = { bodies = 'spheres', radius = 0.2, clip = { normal = { -1, 0, 0 }, offset = "
              "-5 }, camera = { target = { 0, 0, 0 }, "
              "distance = 6 } } }");
  };
  scene("false");
  const std::string one = picture("");
  scene("true");
  const std::string both = picture("");
  EXPECT_FALSE(one == both);
  EXPECT_TRUE(picture("set view.show 0.5 - x\n") == one);
  EXPECT_TRUE(picture("set view.show x < 0.5\n") == one);
  EXPECT_TRUE(picture("set view.show x < 0.5\nsettle\nset view.show r < 5\n") == both);
  EXPECT_TRUE(picture("set view.show x < 0.5\nsettle\nset view.show \"\"\n") == both);
  EXPECT_TRUE(picture("set view.show 1\n") == both) << "a number is an expression";
  EXPECT_TRUE(picture("set view.clip.offset -0.5\n") == one);
  EXPECT_TRUE(picture("set view.clip.normal { -2, 0, 0 }\nset view.clip.offset -0.5\n") == one);
  EXPECT_TRUE(picture("set view.clip.offset -0.5\nset view.clip.normal 1 0 0\n") == both);
  EXPECT_TRUE(picture("set species.dark.visible false\n") == one);
  EXPECT_TRUE(picture("set species.dark.visible false\nset species.dark.visible true\n") == both);
  write(here() / "script", "settle\nset view.show x > q\nframes 2\n");
  const Result bad =
      mote(here(), {"view", "two.lua", "--offscreen", "--paused", "--drive", "script"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_NE(bad.err.find("view.show: unknown name 'q', at character 5"), std::string::npos)
      << bad.err;
}

TEST_F(ViewPictures, OfSpeciesAreRejectedWithoutSpecies) {
  write(here() / "script", "settle\ncolor species\nframes 2\n");
  const Result none =
      mote(here(), {"view", "kepler", "--offscreen", "--paused", "--drive", "script"});
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err,
            "script:2: the scene has no species; name them, as in species = { star = { color = "
            "\"#ffcc88\" } }, "
            "or choose something else\n");
  write(here() / "script", "settle\nset view.color species\nframes 2\n");
  const Result set =
      mote(here(), {"view", "kepler", "--offscreen", "--paused", "--drive", "script"});
  EXPECT_EQ(set.code, 2);
  EXPECT_NE(set.err.find("view.color: the scene has no species"), std::string::npos) << set.err;
}

}  // namespace
}  // namespace mote::test
