// The window, driven by scripts: keys, mouse, and what it says. In memory everywhere, on a display in view_display_test.cpp.
#include "tests/app/view_test.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(View, EndsAfterSoManyFrames) {
  expect_good(mote(here(), {"view", "scene.lua", "--offscreen", "--size", "320x180", "--frames", "200"}));
}

TEST_F(View, TakesEveryKeyAndShowsEveryPanel) {
  std::string script = "settle\n";
  for (const char* key : {"Space",       "Space",      "Right",
                          ".",           "Left",       ",",
                          "Shift+Right", "Shift+Left", "Home",
                          "End",         "[",          "]",
                          "\\",          "M",          "F",
                          "C",           "C",          "1",
                          "2",           "3",          "4",
                          "5",           "6",          "7",
                          "8",           "9",          "-",
                          "=",           "N",          "P",
                          "P",           "T",          "T",
                          "O",           "X",          "B",
                          "L",           "L",          "V",
                          "F1",          "F1",         "F2",
                          "F3",          "Tab",        "Tab",
                          "F11",         "Escape",     "Shift+F12",
                          "F12",         "Ctrl+S",     "Ctrl+Shift+S",
                          "R",           "Ctrl+R"})
    script += std::string("key ") + key + "\nframes 2\n";
  script += "settle\nexpect error none\nkey Ctrl+Q\nframes 9\nscreenshot never.png\n";
  expect_good(drive(script));
  EXPECT_TRUE(fs::exists(here() / "screenshot.png"));
  EXPECT_TRUE(fs::exists(here() / "screenshot-2.png"));
  EXPECT_TRUE(fs::exists(here() / "scene_tuned.json"));
  EXPECT_FALSE(fs::exists(here() / "never.png"));
}

TEST_F(View, RunsStepsAndStops) {
  expect_good(drive(R"(
    settle
    expect step 0
    expect mode paused
    key Right
    settle
    expect step 1
    step 9
    settle
    expect step 10
    key Left
    settle
    expect step 9
    rate 1
    key Space
    reach 12
    expect mode running
    key Space
    settle
    expect mode paused
  )"));
}

TEST_F(View, PicksTheBodyUnderTheMouseAndFollowsIt) {
  expect_good(drive(R"(
    settle
    panels off
    double 240 135
    settle
    expect body 0
    step 30
    settle
    screenshot followed.png
    key Escape
    frames 1
    expect body none
    double 20 20
    frames 1
    expect body none
  )"));
}

TEST_F(View, TurnsZoomsMovesAndFlies) {
  expect_good(drive(R"(
    settle
    panels off
    drag 200 100 300 150
    drag 200 100 300 150 middle
    wheel 240 135 3
    settle
    key C
    hold W 10
    drag 200 100 230 110 right
    key C
    key F
    settle
    double 240 135
  )"));
}

TEST_F(View, SaysWhatIsWrongWithASceneThatItShouldOpen) {
  write(here() / "scene.lua", "return { gravity = 3 }");
  const Result result =
      mote(here(), {"view", "scene.lua", "--offscreen", "--frames", "400", "--size", "320x180"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_NE(result.err.find("gravity"), std::string::npos) << result.err;
}

TEST_F(View, SaysEveryLineOfAScriptThatIsWrong) {
  const Result result = drive("settel\nframes many\nkey Hyper+Q\nclick 3\ncolor sweet\n");
  EXPECT_EQ(result.code, 2);
  for (const char* words :
       {"script:1: settel: no such command; did you mean 'settle'?", "script:2: frames: \"many\"",
        "script:3: key: \"Hyper+Q\"", "script:4: click: takes 2", "script:5: color: there is no"})
    EXPECT_NE(result.err.find(words), std::string::npos) << words << "\n" << result.err;
}

TEST_F(View, NeedsADisplayOrSaysHowToDoWithout) {
  const Result result = run({
      .arguments = {"view", "scene.lua", "--frames", "3"},
      .folder = here(),
  });
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("--offscreen"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace mote::test
