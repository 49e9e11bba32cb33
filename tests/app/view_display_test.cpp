// The window on a display: a virtual one if there is none (CMakeLists.txt).
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

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

// A window that a user opened, not a script, has the places that the user gave the panels.
TEST_F(ViewOnADisplay, ReadsThePlacesOfPanels) {
  fs::create_directories(here() / "config" / "mote");
  write(here() / "config" / "mote" / "window.json", "no places");
  Running window({.arguments = {"view", "kepler", "--size", "640x360", "--paused"},
                  .folder = here(),
                  .environment = {{"XDG_CONFIG_HOME", (here() / "config").string()}},
                  .display = true});
  std::this_thread::sleep_for(std::chrono::seconds(4));
  window.signal(SIGINT);
  const Result result = window.wait();
  EXPECT_NE(result.err.find("mote/window.json"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mote::test
