// The window, driven by scripts that draw into memory.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "tests/app/view_fixture.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

TEST_F(View, EndsAfterSoManyFrames) {
  MOTE_SKIP_IF_SANITIZED("long; other View.* draw frames");
  expect_good(
      mote(here(), {"view", "scene.lua", "--offscreen", "--size", "320x180", "--frames", "200"}));
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

// 60 bodies are one leaf and one sample: 300 steps between samples (steps_between_error_samples).
TEST_F(View, SamplesErrorsOfExpansionsWhileStatisticsAreOpenWithoutChangingTheRun) {
  write(here() / "scene.lua",
        "return { gravity = { solver = 'multipole', softening = live('softening', 0.02) },"
        " integrator = { dt = 1 / 64 }, bodies = plummer { n = 60 } }");
  expect_good(drive(R"(
    settle
    expect force-errors none
    step 400
    settle
    hash end
    expect force-errors none
    seek 0
    settle
    show statistics on
    await force-errors 0
    step 100
    settle
    frames 2
    expect force-errors 0
    step 300
    await force-errors 400
    hash end
    show statistics off
    frames 2
    await force-errors none
  )"));
}

TEST_F(View, GoesBackToWhatWasBitForBit) {
  expect_good(drive(R"(
    settle
    hash start
    step 150
    hash end
    seek 70
    settle
    expect step 70
    hash middle
    seek 0
    hash start
    seek 150
    hash end
    seek 70
    hash middle
    key Home
    hash start
    key End
    hash end
    expect branch 0
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

// Speeds are averages with exponential weights, which decay but never become 0.
TEST_F(View, ReportsNoSpeedWhilePaused) {
  const Result result = drive("settle\nstep 500\nsettle\nexpect mode paused\nreport\n");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find(" step 500 "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" steps/s 0 interactions/s 0 "), std::string::npos) << result.out;
}

TEST_F(View, ReadsAChangedSceneAgainAndKeepsTheOldOneIfItIsInvalid) {
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
  // The message was also logged, with location and remedy; nothing else was.
  EXPECT_NE(
      result.err.find("scene.lua:8: gravity.sofening: unknown key; did you mean 'softening'?"),
      std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("OpenGL"), std::string::npos) << result.err;
}

TEST_F(View, ReportsErrorsOfASceneItCannotOpen) {
  write(here() / "scene.lua", "return { gravity = 3 }");
  const Result result =
      mote(here(), {"view", "scene.lua", "--offscreen", "--frames", "400", "--size", "320x180"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_NE(result.err.find("gravity"), std::string::npos) << result.err;
}

TEST_F(View, ReportsANonFiniteBodyGoesBackAndWritesNoCheckpointOfIt) {
  // A bullet hits a target: at step 3 they are 1e-110 apart, without softening.
  write(here() / "scene.lua", R"(
    return { gravity = { softening = 0, constant = 1e-300 }, integrator = { "leapfrog", dt = 1 },
             bodies = { { mass = 1, position = { 0, 0, 0 } },
                        { mass = 1, position = { 3, 1e-110, 0 }, velocity = { -1, 0, 0 } } } })");
  const Result result = drive(R"(
    settle
    step 50
    await mode unhealthy
    frames 300
    expect halt is no longer finite
    key Ctrl+Shift+S
    frames 4
    key Home
    settle
    expect step 0
    expect mode paused
  )");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("is no longer finite at step"), std::string::npos) << result.err;
  for (const std::string& file : files_below(here()))
    EXPECT_NE(fs::path(file).extension(), ".h5") << file;
}

TEST_F(View, ShowsWhyItStoppedUntilItContinues) {
  MOTE_SKIP_IF_SANITIZED("long; other View.* stop and continue");
  std::string strict = two_bodies;
  strict.insert(strict.rfind('}'), "  health = { energy_error = 1e-12 },\n");
  write(here() / "scene.lua", strict);
  const Result result = drive(R"(
    settle
    expect halt none
    run
    await mode paused
    frames 600
    expect halt passed the scene's limit 1e-12
    expect halt a smaller dt or a larger softening may help
    run
    await halt none
    await mode running
  )");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("a smaller dt or a larger softening may help"), std::string::npos)
      << result.err;
}

TEST_F(View, WarnsOfAnEnergyErrorAndStopsWhenItExplodes) {
  write(here() / "scene.lua",
        R"(return { gravity = { softening = 0 }, integrator = { dt = 0.1 }, bodies = {
    { mass = 1, position = { 0, 0, 0 } }, { mass = 1e-9, position = { 1.9, 0, 0 }, velocity = { 0, 0.2294, 0 } } } })");
  const Result comet = drive("settle\nstep 150\nsettle\nexpect halt none\n", {"--out", "comet"});
  EXPECT_EQ(comet.code, 0) << comet.err;
  EXPECT_NE(comet.err.find("the energy is off by "), std::string::npos) << comet.err;
  EXPECT_EQ(json_of(here() / "comet/run.json").at("status"), "done");
  EXPECT_EQ(json_of(here() / "comet/run.json")
                .at("warning")
                .get<std::string>()
                .find("the energy is off by "),
            0u);

  write(here() / "scene.lua",
        R"(return { gravity = { softening = 0 }, integrator = { dt = 0.01 }, bodies = {
    { mass = 1, position = { 0, 0, 0 } }, { mass = 1, position = { 1, 0, 0 } } } })");
  const Result crash =
      drive("settle\nrun\nawait mode paused\nframes 60\nexpect halt the energy is off by\n",
            {"--out", "crash"});
  EXPECT_EQ(crash.code, 0) << crash.err;
  EXPECT_EQ(json_of(here() / "crash/run.json").at("status"), "unhealthy");
  EXPECT_EQ(json_of(here() / "crash/run.json")
                .at("reason")
                .get<std::string>()
                .find("the energy is off by "),
            0u);
  // Before the collision all is well: a run that ends there does not report what came later.
  const Result before = drive(
      "settle\nrun\nawait mode paused\nseek 20\nsettle\nset integrator.dt 0.001\nstep 5\nsettle\n",
      {"--out", "before"});
  EXPECT_EQ(before.code, 0) << before.err;
  EXPECT_EQ(json_of(here() / "before/run.json").at("status"), "done");
}

TEST_F(View, RecordsTheFullRunIfClosedWhileThePastIsShown) {
  expect_good(drive("settle\nstep 60\nsettle\nseek 20\nsettle\n", {"--out", "seen"}));
  EXPECT_EQ(json_of(here() / "seen/run.json").at("steps"), 60);
}

TEST_F(View, StaysOpenWhenItsFileIsDeleted) {
  Running running(
      call("settle\nscreenshot open.png\nframes 60\nset softening 0.3\nstep 5\nsettle\nexpect step "
           "5\nexpect gravity.softening 0.3\nset count 3\n"));
  ASSERT_TRUE(appears(here() / "open.png", running));
  fs::remove(here() / "scene.lua");
  const Result result = running.wait();
  // Only a parameter with which the scene computes needs its file.
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_NE(result.err.find("script:9: "), std::string::npos) << result.err;
}

TEST_F(View, ResumesACheckpoint) {
  expect_good(
      drive("settle\nset softening 0.3\nstep 40\nsettle\nkey Ctrl+Shift+S\nframes 3\nsettle\n"));
  ASSERT_TRUE(fs::exists(here() / "scene_step40.h5"));
  write(
      here() / "more",
      "settle\nexpect step 40\nexpect gravity.softening 0.3\nstep 10\nsettle\nexpect step 50\nseek "
      "41\nsettle\nexpect step 41\n");
  expect_good(mote(here(), {"view", "scene_step40.h5", "--offscreen", "--size", "320x180",
                            "--paused", "--drive", "more"}));
}

TEST_F(View, RecordsACompleteRunThatCanBeReplayed) {
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
  const Result replay =
      mote(here(), {"run", "scene.lua", "--steps", "60", "--replay", "seen/run.json", "--out",
                    "again", "--series-steps", "1", "--quiet"});
  ASSERT_EQ(replay.code, 0) << replay.err;
  EXPECT_EQ(hash_of(here() / "again"), hash_of(here() / "seen"));
  EXPECT_EQ(text_of(here() / "again/series.csv"), text_of(here() / "seen/series.csv"));
}

TEST_F(View, CompletesARecordedRunOnSigterm) {
  Running running(
      call("settle\nrun\nreach 5\nscreenshot open.png\nreach 1000000000\n", {"--out", "seen"}));
  ASSERT_TRUE(appears(here() / "open.png", running));
  running.signal(SIGTERM);
  const Result result = running.wait();
  EXPECT_EQ(result.err, "");
  EXPECT_GE(json_of(here() / "seen/run.json").at("steps"), 5);
  EXPECT_TRUE(fs::exists(here() / "seen/checkpoints/final.h5"));
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
