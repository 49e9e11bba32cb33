// What the window reads while it runs, and what it leaves: scenes, movies, checkpoints, records.
#include <csignal>

#include "tests/app/view_test.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(View, ReadsAChangedSceneAgainAndGoesOnWithTheOldOneWhereItIsBroken) {
  Running running(call(R"(
    settle
    expect bodies 2
    screenshot open.png
    await bodies 3
    settle
    screenshot changed.png
    await error sofening
    expect bodies 3
    step 3
    settle
    expect step 3
    screenshot broken.png
    await error none
    settle
    expect bodies 4
  )"));
  ASSERT_TRUE(appears(here() / "open.png", running));
  std::string text = two_bodies;
  const auto with_count = [&](const char* count) {
    std::string changed = text;
    changed.replace(changed.find("\"count\", 2"), 10, std::string("\"count\", ") + count);
    return changed;
  };
  write(here() / "scene.lua", with_count("3"));
  ASSERT_TRUE(appears(here() / "changed.png", running));
  std::string broken = with_count("3");
  broken.replace(broken.find("softening = softening"), 9, "sofening");
  write(here() / "scene.lua", broken);
  ASSERT_TRUE(appears(here() / "broken.png", running));
  write(here() / "scene.lua", with_count("4"));
  const Result result = running.wait();
  EXPECT_EQ(result.code, 0) << result.err;
  // The message went to the log too, with place and remedy; nothing else did.
  EXPECT_NE(result.err.find("scene.lua:8: gravity.sofening: unknown key; did you mean 'softening'?"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("OpenGL"), std::string::npos) << result.err;
}

TEST_F(View, RecordsAMovieOfWhatIsSeen) {
  const std::string doctor = mote(here(), {"doctor"}).out;
  if (doctor.find("\nffmpeg       found") == std::string::npos) GTEST_SKIP() << "no ffmpeg";
  expect_good(
      drive("settle\nrun\nrecord film.mp4\nframes 20\nrecord stop\nframes 1\nkey F9\nframes 5\nkey "
            "F9\nframes 2\n"));
  EXPECT_GT(fs::file_size(here() / "film.mp4"), 1000u);
  EXPECT_GT(fs::file_size(here() / "movie.mp4"), 500u);
}

TEST_F(View, KeepsTheMovieOfAWindowWhoseSizeChanges) {
  const std::string doctor = mote(here(), {"doctor"}).out;
  if (doctor.find("\nffmpeg       found") == std::string::npos) GTEST_SKIP() << "no ffmpeg";
  expect_good(drive("settle\nrecord film.mp4\nframes 10\nsize 640 360\nframes 10\n"));
  EXPECT_GT(fs::file_size(here() / "film.mp4"), 500u);
}

TEST_F(View, ARecordClosedWhileThePastIsShownIsThatOfTheWholeRun) {
  expect_good(drive("settle\nstep 60\nsettle\nseek 20\nsettle\n", {"--out", "seen"}));
  EXPECT_EQ(json_of(here() / "seen/run.json").at("steps"), 60);
}

TEST_F(View, StaysOpenWhenItsFileIsDeleted) {
  Running running(
      call("settle\nscreenshot open.png\nframes 60\nset softening 0.3\nstep 5\nsettle\nexpect step 5\n"));
  ASSERT_TRUE(appears(here() / "open.png", running));
  fs::remove(here() / "scene.lua");
  const Result result = running.wait();
  // A parameter of the scene cannot be set without its file; all else can.
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_NE(result.err.find("script:4: "), std::string::npos) << result.err;
}

TEST_F(View, OfACheckpointGoesOn) {
  expect_good(drive("settle\nset softening 0.3\nstep 40\nsettle\nkey Ctrl+Shift+S\nframes 3\nsettle\n"));
  ASSERT_TRUE(fs::exists(here() / "scene_step40.h5"));
  write(here() / "more",
        "settle\nexpect step 40\nexpect gravity.softening 0.3\nstep 10\nsettle\nexpect step 50\nseek "
        "41\nsettle\nexpect step 41\n");
  expect_good(mote(here(), {"view", "scene_step40.h5", "--offscreen", "--size", "320x180", "--paused",
                            "--drive", "more"}));
}

TEST_F(View, ASavedSceneHasTheParametersAsTheyWere) {
  expect_good(drive("settle\nset softening 0.4\nset integrator.dt 0.02\nsettle\nkey Ctrl+S\nframes 2\n"));
  const engine::Json saved = json_of(here() / "scene_tuned.json");
  EXPECT_EQ(saved.at("gravity").at("softening"), 0.4);
  EXPECT_EQ(saved.at("integrator").at("dt"), 0.02);
  EXPECT_EQ(mote(here(), {"check", "scene_tuned.json"}).code, 0);
  // Opened and saved again, it is looked at from where it was.
  const double distance = saved.at("view").at("camera").at("distance");
  EXPECT_NEAR(distance, 5, 1e-6);
  write(here() / "again", "settle\nkey Ctrl+S\nframes 2\n");
  expect_good(mote(here(), {"view", "scene_tuned.json", "--offscreen", "--size", "640x480", "--paused",
                            "--drive", "again"}));
  const engine::Json twice = json_of(here() / "scene_tuned_tuned.json");
  EXPECT_NEAR(twice.at("view").at("camera").at("distance").get<double>(), distance, 1e-6);
}

TEST_F(View, ARecordedRunIsWholeAndCanBeReplayed) {
  expect_good(drive(R"(
    settle
    step 30
    settle
    set gravity.softening 0.3
    step 30
    settle
    seek 40
    settle
    set integrator.dt 0.005
    step 20
    settle
  )",
                    {"--out", "seen"}));
  const engine::Json record = json_of(here() / "seen/run.json");
  EXPECT_EQ(record.at("steps"), 60);
  EXPECT_EQ(record.at("edits").size(), 2u);
  EXPECT_EQ(first_partial_file(here() / "seen"), "");
  EXPECT_TRUE(fs::exists(here() / "seen/checkpoints/final.h5"));
  const Result replay = mote(here(), {"run", "scene.lua", "--steps", "60", "--replay", "seen/run.json",
                                      "--out", "again", "--series-steps", "1", "--quiet"});
  ASSERT_EQ(replay.code, 0) << replay.err;
  EXPECT_EQ(hash_of(here() / "again"), hash_of(here() / "seen"));
  EXPECT_EQ(text_of(here() / "again/series.csv"), text_of(here() / "seen/series.csv"));
}

TEST_F(View, ARunInAWindowIsWholeWhenTheProgramIsToldToEnd) {
  Running running(call("settle\nrun\nreach 5\nscreenshot open.png\nreach 1000000000\n", {"--out", "seen"}));
  ASSERT_TRUE(appears(here() / "open.png", running));
  running.signal(SIGTERM);
  const Result result = running.wait();
  EXPECT_EQ(result.err, "");
  EXPECT_GE(json_of(here() / "seen/run.json").at("steps"), 5);
  EXPECT_TRUE(fs::exists(here() / "seen/checkpoints/final.h5"));
}

}  // namespace
}  // namespace mote::test
