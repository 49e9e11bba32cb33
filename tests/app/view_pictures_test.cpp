// What the window shows, compared with pictures that were looked at.
#include <gtest/gtest.h>
#include <stb_image.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

struct Picture {
  int width = 0, height = 0;
  std::unique_ptr<stbi_uc, void (*)(void*)> bytes{nullptr, stbi_image_free};
};

Picture read(const fs::path& file) {
  Picture picture;
  int channels = 0;
  picture.bytes.reset(stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 3));
  return picture;
}

/// How two pictures of one size differ, in levels of 255.
struct Difference {
  double mean = 0;
  double far = 0;  ///< part of all channels that differ by more than 40
};

Difference difference(const Picture& a, const Picture& b, int rows) {
  Difference d;
  const int count = a.width * rows * 3;
  for (int i = 0; i < count; ++i) {
    const int by = std::abs(a.bytes.get()[i] - b.bytes.get()[i]);
    d.mean += by;
    d.far += by > 40;
  }
  return {d.mean / count, d.far / count};
}

class ViewPictures : public testing::Test {
 protected:
  void SetUp() override {
    const std::string doctor = mote(here(), {"doctor"}).out;
    for (const std::string& line : lines_of(doctor))
      if (line.starts_with("OpenGL       none")) GTEST_SKIP() << line;
  }
  const fs::path& here() const { return folder_.path(); }

  /// Drivers round lines, edges of letters and soft sprites differently: a level or so in the mean, more at few edges. A
  /// panel that is missing, another colour map or a camera that stands elsewhere is ten times beyond both limits.
  void expect_like(const std::string& name, const std::vector<std::string>& scene, const std::string& script,
                   double rows = 1) {
    write(here() / "script", "settle\n" + script + "frames 40\nscreenshot " + name + ".png\nframes 1\n");
    std::vector<std::string> words{"view"};
    words.insert(words.end(), scene.begin(), scene.end());
    for (const char* word : {"--offscreen", "--paused", "--backend", "cpu", "--size", "640x360", "--ui-scale",
                             "0.7", "--drive", "script"})
      words.push_back(word);
    const Result result = mote(here(), words);
    ASSERT_EQ(result.code, 0) << result.err;
    const fs::path stored = fs::path(MOTE_SOURCE_DIR) / "tests/app/pictures" / (name + ".png");
    if (std::getenv("MOTE_WRITE_PICTURES"))
      fs::copy_file(here() / (name + ".png"), stored, fs::copy_options::overwrite_existing);
    const Picture drawn = read(here() / (name + ".png")), wanted = read(stored);
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

// The lowest part shows speeds of the machine. Trails would hide the orbits.
TEST_F(ViewPictures, OfPanelsPlotsAndPlanetsOnTheirOrbits) {
  expect_like("planets", {"outer_solar_system"},
              "key T\nstep 300\nsettle\nset view.color id\nkey O\nkey X\nkey P\npick 2\nframes 300\nsettle\n",
              0.7);
}

TEST_F(ViewPictures, OfTheHelp) {
  expect_like("help", {"kepler"}, "key F1\n", 0.7);
}

}  // namespace
}  // namespace mote::test
