// Scripts that play the window: what they refuse, and that what they show is the same on every machine.
#include <fmt/format.h>

#include "tests/app/view_fixture.h"

namespace mote::test {
namespace {

using ViewScript = View;

TEST_F(ViewScript, SaysEveryLineOfAScriptThatIsWrong) {
  const Result result = drive("settel\nframes many\nkey Hyper+Q\nclick 3\ncolor sweet\n");
  EXPECT_EQ(result.code, 2);
  for (const char* words :
       {"script:1: settel: no such command; did you mean 'settle'?", "script:2: frames: \"many\"",
        "script:3: key: \"Hyper+Q\"", "script:4: click: takes 2", "script:5: color: there is no"})
    EXPECT_NE(result.err.find(words), std::string::npos) << words << "\n" << result.err;
}

TEST_F(ViewScript, RecordsAMovieOfWhatIsSeen) {
  const std::string doctor = mote(here(), {"doctor"}).out;
  if (doctor.find("\nffmpeg       found") == std::string::npos) GTEST_SKIP() << "no ffmpeg";
  expect_good(
      drive("settle\nrun\nrecord film.mp4\nframes 20\nrecord stop\nframes 1\nkey F9\nframes 5\nkey "
            "F9\nframes 2\n"));
  EXPECT_GT(fs::file_size(here() / "film.mp4"), 1000u);
  EXPECT_GT(fs::file_size(here() / "movie.mp4"), 500u);
}

TEST_F(ViewScript, KeepsTheMovieOfAWindowWhoseSizeChanges) {
  const std::string doctor = mote(here(), {"doctor"}).out;
  if (doctor.find("\nffmpeg       found") == std::string::npos) GTEST_SKIP() << "no ffmpeg";
  expect_good(drive("settle\nrecord film.mp4\nframes 10\nsize 640 360\nframes 10\n"));
  EXPECT_GT(fs::file_size(here() / "film.mp4"), 500u);
}

// At 0.6 time units a second a sixtieth of a second is one step of 0.01.
TEST_F(ViewScript, TakesTheStepsThatBelongToItsPicturesWhateverTheClockSays) {
  expect_good(drive(R"(
    settle
    rate 0.6
    run
    frames 50
    expect step 50
    expect mode running
    rate 3
    frames 100
    expect step 550
    rate 0.06
    frames 25
    expect step 552
    pause
    frames 10
    expect step 552
    step -500
    run
    rate 0.6
    frames 8
    expect step 60
  )"));
}

TEST_F(ViewScript, WaitsForStepsThatTakeLongerThanThePicturesTheyBelongTo) {
  write(here() / "script", "settle\nrate 3\nrun\nframes 6\nexpect step 30\n");
  expect_good(mote(here(), {"view", "plummer", "--set", "n=3000", "--set", "integrator.dt=0.01", "--threads",
                            "1", "--offscreen", "--size", "64x36", "--paused", "--drive", "script"}));
}

TEST_F(ViewScript, ShowsTheSamePicturesEveryTime) {
  const char* const script = R"(
    settle
    panels off
    set view.color id
    key T
    key K
    settle
    rate 1.3
    run
    frames 37
    screenshot early.png
    frames 60
    screenshot late.png
    frames 1
  )";
  expect_good(drive(script));
  const std::string early = text_of(here() / "early.png"), late = text_of(here() / "late.png");
  EXPECT_NE(early, late);
  expect_good(drive(script, {"--threads", "1"}));
  EXPECT_EQ(text_of(here() / "early.png"), early);
  EXPECT_EQ(text_of(here() / "late.png"), late);
}

TEST_F(ViewScript, StopsAtTheEndOfTheSceneAndRunsOn) {
  expect_good(
      drive("settle\nrate 0.6\nrun\nframes 30\nexpect step 20\nexpect mode paused\nrun\nframes 5\n"
            "expect step 25\n",
            {"--steps", "20"}));
}

}  // namespace
}  // namespace mote::test
