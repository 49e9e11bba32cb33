// Scripts: their errors, and reproducible pictures on every machine.
#include <fmt/format.h>

#include "tests/app/view_fixture.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

class ViewScript : public View {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; View.* run scripts too");
    View::SetUp();
  }
};

TEST_F(ViewScript, ReportsAllInvalidLinesBeforeAnythingRuns) {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {"settel", "settel: no such command; did you mean 'settle'?"},
      {"frames many", "frames: \"many\" is not a whole number >= 0; write: frames COUNT"},
      {"frames 1.5", "frames: \"1.5\" is not a whole number >= 0"},
      {"key Hyper+Q", "key: \"Hyper+Q\" is not a key"},
      {"click 3", "click: takes 2 or 3 arguments, not 1; write: click X Y [BUTTON]"},
      {"click 3 4 thumb", "click: \"thumb\" is not left, right or middle"},
      {"rate fast", "rate: \"fast\" is not a number >= 0"},
      {"rate -1", "rate: \"-1\" is not a number >= 0; write: rate TIME"},
      {"show statistic on",
       "show: \"statistic\" is not one of scene, measurements, time, statistics, log, help"},
      {"show log maybe", "show: \"maybe\" is not one of on, off"},
      {"expect steps 5",
       "expect: unknown quantity \"steps\"; use one of axles.N.brake, axles.N.torque, bodies, "
       "body, branch"},
      {"expect step many", "expect: step cannot be \"many\"; it is a whole number >= 0"},
      {"await mode idle", "await: mode cannot be \"idle\"; it is one of paused, history, running"},
      {"expect gravity.softening soft",
       "expect: gravity.softening cannot be \"soft\"; it is a number"},
      {"camera 0 0 0", "camera: \"0\" is not a number > 0"},
      {"screenshot a.png all", "screenshot: \"all\" is not one of scene"},
      {"size 0 10", "size: \"0\" is not a whole number from 1 to 16384"}};
  std::string script = "screenshot never.png\n";
  for (const auto& [line, words] : wrong) script += std::string(line) + "\n";
  const Result result = drive(script);
  EXPECT_EQ(result.code, 2);
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const std::string words = fmt::format("script:{}: {}", i + 2, wrong[i].second);
    EXPECT_NE(result.err.find(words), std::string::npos) << words << "\n" << result.err;
  }
  EXPECT_FALSE(fs::exists(here() / "never.png"));
}

TEST_F(ViewScript, AcceptsIntegersForRealParameters) {
  expect_good(
      drive("settle\nset view.exposure -3\nset gravity.softening 1\nsettle\nexpect "
            "gravity.softening 1\n"));
}

TEST_F(ViewScript, DistinguishesThePastFromThePresent) {
  expect_good(
      drive("settle\nstep 5\nsettle\nexpect mode paused\nstep -2\nsettle\nexpect mode history\n"
            "expect mode paused\n"));
  const Result result = drive("settle\nexpect mode history\n");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("script:2: mode is paused, not history"), std::string::npos)
      << result.err;
}

TEST_F(ViewScript, RecordsAMovieOfWhatIsSeen) {
  if (!drawing_here(here()).movies) GTEST_SKIP() << "no ffmpeg";
  expect_good(
      drive("settle\nrun\nrecord film.mp4\nframes 20\nrecord stop\nframes 1\nkey F9\nframes 5\nkey "
            "F9\nframes 2\n"));
  EXPECT_GT(fs::file_size(here() / "film.mp4"), 1000u);
  EXPECT_GT(fs::file_size(here() / "movie.mp4"), 500u);
}

// Notices are for the user: pictures show the scene.
TEST_F(ViewScript, LeavesMessagesAndTheFrameCountOutOfPictures) {
  expect_good(drive(R"(
    settle
    panels off
    frames 2
    screenshot plain.png
    screenshot notified.png
    record movie.mp4
    frames 3
    screenshot recording.png
    frames 1
  )"));
  EXPECT_TRUE(text_of(here() / "notified.png") == text_of(here() / "plain.png"));
  EXPECT_TRUE(text_of(here() / "recording.png") == text_of(here() / "plain.png"));
}

TEST_F(ViewScript, KeepsTheMovieWhenTheWindowIsResized) {
  const std::string doctor = mote(here(), {"doctor"}).out;
  if (doctor.find("\nffmpeg       found") == std::string::npos) GTEST_SKIP() << "no ffmpeg";
  expect_good(drive("settle\nrecord film.mp4\nframes 10\nsize 640 360\nframes 10\n"));
  EXPECT_GT(fs::file_size(here() / "film.mp4"), 500u);
}

// At a rate of 0.6 a frame of 1/60 s is one step of 0.01.
TEST_F(ViewScript, RunsTheStepsOfEachFrameWhateverTheClock) {
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

TEST_F(ViewScript, WaitsForStepsThatTakeLongerThanAFrame) {
  write(here() / "script", "settle\nrate 3\nrun\nframes 6\nexpect step 30\n");
  expect_good(mote(
      here(), {"view", "plummer", "--set", "n=3000", "--set", "integrator.dt=0.01", "--threads",
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

// A message fades after four seconds, and exposure adapts for some tenths of a second. Neither may
// depend on the number of frames spent waiting.
TEST_F(ViewScript, ShowsTheSamePicturesHoweverLongItWaits) {
  const auto picture = [&](int settles) {
    std::string script = "settle\npanels off\nkey K\ncamera 2 30 10\n";
    for (int i = 0; i < settles; ++i) script += "settle\n";
    expect_good(drive(script + "frames 60\nscreenshot waited.png\nframes 1\n"));
    return text_of(here() / "waited.png");
  };
  EXPECT_EQ(picture(1), picture(75));
}

TEST_F(ViewScript, StopsAtTheEndOfTheSceneAndContinues) {
  expect_good(
      drive("settle\nrate 0.6\nrun\nframes 30\nexpect step 20\nexpect mode paused\nrun\nframes 5\n"
            "expect step 25\n",
            {"--steps", "20"}));
}

TEST_F(ViewScript, StopsAtATimeWithAUnit) {
  write(here() / "scene.lua",
        "return { units = 'solar', gravity = {}, integrator = { dt = 0.5 }, bodies = { { mass = 1, "
        "position "
        "= { "
        "0, 0, 0 } } } }");
  expect_good(drive("settle\nrate 30\nrun\nframes 60\nexpect step 8\nexpect mode paused\n",
                    {"--until", "96 hours"}));
  const Result wrong = drive("settle\n", {"--until", "4 kpc"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err, "--until: \"4 kpc\" is a length, but a time is needed\n");
}

}  // namespace
}  // namespace mote::test
