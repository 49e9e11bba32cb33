#pragma once

#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace mote::test {

namespace fs = std::filesystem;

const char* const two_bodies = R"(
local softening = live("softening", 0.1, { min = 0, max = 1 })
local count = param("count", 2, { min = 1, max = 10 })
local bodies = {}
for i = 1, count do bodies[i] = { mass = 1 / i, position = { i - 1, 0, 0 }, velocity = { 0, 0.3 * (i - 1), 0 } } end
return {
  title = "Some bodies",
  gravity = { softening = softening },
  integrator = { "leapfrog", dt = 0.01 },
  bodies = bodies,
  view = { camera = { target = { 0, 0, 0 }, distance = 5, azimuth = -90, elevation = 60 } },
})";

class View : public testing::Test {
 protected:
  void SetUp() override {
    const std::string doctor = mote(here(), {"doctor"}).out;
    for (const std::string& line : lines_of(doctor))
      if (line.starts_with("OpenGL       none")) GTEST_SKIP() << line;
    write(here() / "scene.lua", two_bodies);
  }
  const fs::path& here() const { return folder_.path(); }

  Call call(const std::string& script, std::vector<std::string> more = {}) const {
    write(here() / "script", script);
    std::vector<std::string> words{"view",    "scene.lua", "--offscreen", "--size",
                                   "480x270", "--paused",  "--drive",     "script"};
    words.insert(words.end(), more.begin(), more.end());
    // GCC 12's leak detector may crash while the driver's threads end ("Tracer caught signal 11").
    return {
        .arguments = words, .folder = here(), .environment = {{"ASAN_OPTIONS", "detect_leaks=0"}}};
  }
  Result drive(const std::string& script, const std::vector<std::string>& more = {}) const {
    return run(call(script, more));
  }
  /// The script ran to its end without output: no failed expectation, no error of the driver.
  static void expect_good(const Result& result) {
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, "");
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace mote::test
