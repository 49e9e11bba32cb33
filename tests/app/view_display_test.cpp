// The window on a display: a virtual one if there is none (CMakeLists.txt).
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class ViewOnADisplay : public testing::Test {
 protected:
  void SetUp() override {
    const char* display = std::getenv("DISPLAY");
    if (!display || !*display) GTEST_SKIP() << "no display";
  }
  const fs::path& here() const { return folder_.path(); }

  static void expect_good(const Result& result) {
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
  }
  Result view(const std::vector<std::string>& more) const {
    std::vector<std::string> words{"view", "kepler", "--size", "640x360"};
    words.insert(words.end(), more.begin(), more.end());
    return run({.arguments = words, .folder = here(), .display = true});
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ViewOnADisplay, RunsInAWindow) {
  expect_good(view({"--frames", "200"}));
}

TEST_F(ViewOnADisplay, TakesKeysClicksAndSizes) {
  write(here() / "script", R"(
    settle
    key F2
    key V
    frames 3
    size 500 300
    frames 5
    size 640 360
    frames 3
    double 320 180
    frames 2
    key F11
    frames 3
    key F11
    frames 3
    screenshot window.png
    frames 1
    quit
  )");
  expect_good(view({"--paused", "--drive", "script"}));
  EXPECT_TRUE(fs::exists(here() / "window.png"));
}

}  // namespace
}  // namespace mote::test
