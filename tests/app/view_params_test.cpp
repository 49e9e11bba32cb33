// Parameters changed in the window, and how they are saved.
#include "engine/json.h"
#include "tests/app/view_fixture.h"

namespace mote::test {
namespace {

using ViewParams = View;

TEST_F(ViewParams, ChangesLiveParametersAndBranches) {
  expect_good(drive(R"(
    settle
    step 50
    settle
    hash untouched
    set gravity.softening 0.5
    settle
    expect gravity.softening 0.5
    step 50
    settle
    hash changed
    seek 50
    settle
    expect gravity.softening 0.5
    seek 49
    settle
    expect gravity.softening 0.1
    seek 100
    hash changed
    seek 20
    settle
    set integrator.dt 0.02
    settle
    expect branch 1
    expect integrator.dt 0.02
  )"));
}

TEST_F(ViewParams, SetsParametersOfTheSceneLiveIfPossibleAndElseAtTheNextStart) {
  expect_good(drive(R"(
    settle
    step 5
    set softening 0.25
    settle
    expect gravity.softening 0.25
    expect bodies 2
    set count 5
    settle
    expect bodies 2
    key R
    settle
    expect bodies 5
    expect step 0
    expect gravity.softening 0.25
  )"));
}

TEST_F(ViewParams, ReadsTheSceneAgainForAParameterWithWhichItComputes) {
  std::string computed = two_bodies;
  computed.replace(computed.find("live(\"softening\""), 16, "0.5 * param(\"softening\"");
  write(here() / "scene.lua", computed);
  expect_good(drive(R"(
    settle
    expect gravity.softening 0.05
    set softening 0.5
    settle
    expect gravity.softening 0.25
    expect param.softening 0.5
    key R
    settle
    expect gravity.softening 0.25
  )"));
}

TEST_F(ViewParams, ChangesAllKeysOfALiveValueAtOnce) {
  std::string twice = two_bodies;
  twice.insert(twice.find("gravity = {"),
               "fields = { point_mass { mass = 0.01, softening = softening } }, ");
  write(here() / "scene.lua", twice);
  expect_good(drive(R"(
    settle
    expect fields.1.softening 0.1
    set softening 0.3
    settle
    expect gravity.softening 0.3
    expect fields.1.softening 0.3
    step 5
    settle
    set fields.1.mass 0.02
    settle
    expect fields.1.mass 0.02
    step 5
    settle
    hash changed
    seek 4
    settle
    expect fields.1.mass 0.01
    expect fields.1.softening 0.3
    seek 10
    settle
    hash changed
    key Ctrl+S
    frames 2
    key R
    settle
    expect fields.1.mass 0.02
    expect fields.1.softening 0.3
  )"));
  const engine::Json saved = json_of(here() / "scene_tuned.json");
  EXPECT_EQ(saved.at("fields").at(0).at("mass"), 0.02);
  EXPECT_EQ(saved.at("fields").at(0).at("softening"), 0.3);
}

TEST_F(ViewParams, KeepsTextsAndSwitchesWhenTheSceneOpensAgain) {
  std::string scene = two_bodies;
  scene.insert(0,
               "local tint = live('tint', 'speed', { choices = { 'speed', 'radius' } })\n"
               "local glow = live('glow', true)\nlocal light = live('light', 1)\n"
               "local many = param('many', 'no', { choices = { 'no', 'yes' } })\n");
  scene.insert(scene.find("local bodies"), "if many == 'yes' then count = 7 end\n");
  scene.replace(scene.find("view = {"), 8, "view = { color = tint, glow = glow, exposure = light,");
  write(here() / "scene.lua", scene);
  expect_good(drive(R"(
    settle
    set tint radius
    set glow false
    set light 0.5
    set many yes
    settle
    expect param.tint "radius"
    expect param.light 0.5
    key R
    settle
    expect bodies 7
    expect param.tint "radius"
    expect param.glow false
    expect param.light 0.5
    expect param.many "yes"
    key Ctrl+S
    frames 2
  )"));
  const engine::Json view = json_of(here() / "scene_tuned.json").at("view");
  EXPECT_EQ(view.at("color"), "radius");
  EXPECT_EQ(view.at("glow"), false);
  EXPECT_EQ(view.at("exposure"), 0.5);
}

TEST_F(ViewParams, ShowsOneValueForAParameterThatHasTwoNames) {
  expect_good(drive(R"(
    settle
    expect param.softening 0.1
    set gravity.softening 0.3
    settle
    expect gravity.softening 0.3
    expect param.softening 0.3
    set softening 0.2
    settle
    expect gravity.softening 0.2
    expect param.softening 0.2
    set gravity.softening 0.3
    step 5
    settle
    set gravity.softening 0.4
    settle
    expect param.softening 0.4
    seek 0
    settle
    expect param.softening 0.3
    set gravity.softening 2
    settle
    expect param.softening 2
    set gravity.softening 0.3
    set count 3
    key R
    settle
    expect bodies 3
    expect gravity.softening 0.3
    expect param.softening 0.3
  )",
                    {"--out", "ran"}));
  EXPECT_EQ(json_of(here() / "ran-2/run.json").at("parameters").at("softening"), 0.3);
}

TEST_F(ViewParams, ReportsSettingsThatHideAChangeOfTheFile) {
  Running running(call(R"(
    settle
    set gravity.softening 0.3
    settle
    screenshot open.png
    await bodies 3
    settle
    expect gravity.softening 0.3
    expect param.softening 0.3
  )"));
  ASSERT_TRUE(appears(here() / "open.png", running));
  std::string changed = two_bodies;
  changed.replace(changed.find("\"count\", 2"), 10, "\"count\", 3");
  changed.replace(changed.find("\"softening\", 0.1"), 16, "\"softening\", 0.2");
  write(here() / "scene.lua", changed);
  const Result result = running.wait();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("softening stays 0.3, as set by the user; the file now has 0.2"),
            std::string::npos)
      << result.err;
}

TEST_F(ViewParams, AppliesChangesOfTheFileToTheViewAndKeepsTheRest) {
  Running running(call(R"(
    settle
    key B
    set view.glow false
    settle
    screenshot open.png
    await bodies 3
    settle
    key Ctrl+S
    frames 2
    settle
    screenshot once.png
    await bodies 4
    settle
    camera 7 10 20
    settle
    screenshot twice.png
    await bodies 5
    settle
    key Ctrl+S
    frames 2
  )"));
  ASSERT_TRUE(appears(here() / "open.png", running));
  std::string changed = two_bodies;
  const auto change = [&](const std::string& from, const std::string& to) {
    changed.replace(changed.find(from), from.size(), to);
    write(here() / "scene.lua", changed);
  };
  changed.replace(changed.find("view = {"), 8, "view = { axes = true,");
  changed.replace(changed.find("azimuth = -90"), 13, "azimuth = -45");
  change("\"count\", 2", "\"count\", 3");
  ASSERT_TRUE(appears(here() / "once.png", running));
  const engine::Json once = json_of(here() / "scene_tuned.json").at("view");
  EXPECT_EQ(once.at("axes"), true) << "the file's";
  EXPECT_EQ(once.at("box"), true) << "the user's";
  EXPECT_EQ(once.at("glow"), false) << "the user's";
  EXPECT_NEAR(once.at("camera").at("azimuth").get<double>(), -45, 1e-3);
  // The user's camera stays if that of the file has not changed.
  fs::remove(here() / "scene_tuned.json");
  change("\"count\", 3", "\"count\", 4");
  ASSERT_TRUE(appears(here() / "twice.png", running));
  change("\"count\", 4", "\"count\", 5");
  const Result result = running.wait();
  EXPECT_EQ(result.code, 0) << result.err;
  const engine::Json camera = json_of(here() / "scene_tuned.json").at("view").at("camera");
  EXPECT_NEAR(camera.at("azimuth").get<double>(), 10, 1e-3);
  EXPECT_NEAR(camera.at("elevation").get<double>(), 20, 1e-3);
}

TEST_F(ViewParams, RejectsValuesOutOfRange) {
  const Result result = drive("settle\nset softening 7\n");
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("script:2: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("softening"), std::string::npos) << result.err;
}

TEST_F(ViewParams, DefersAnEditToTheEndOfASeekAndKeepsItOnReset) {
  expect_good(drive(R"(
    settle
    step 400
    settle
    seek 100
    set integrator.dt 0.003
    settle
    expect step 100
    expect integrator.dt 0.003
    expect branch 1
    key R
    settle
    expect step 0
    expect integrator.dt 0.003
  )"));
}

TEST_F(ViewParams, SavesASceneWithItsCurrentParameters) {
  expect_good(
      drive("settle\nset softening 0.4\nset integrator.dt 0.02\nsettle\nkey Ctrl+S\nframes 2\n"));
  const engine::Json saved = json_of(here() / "scene_tuned.json");
  EXPECT_EQ(saved.at("gravity").at("softening"), 0.4);
  EXPECT_EQ(saved.at("integrator").at("dt"), 0.02);
  EXPECT_EQ(mote(here(), {"check", "scene_tuned.json", "--steps", "1"}).code, 0);
  // The camera survives opening and saving again.
  const double distance = saved.at("view").at("camera").at("distance");
  EXPECT_NEAR(distance, 5, 1e-6);
  write(here() / "again", "settle\nkey Ctrl+S\nframes 2\n");
  expect_good(run({.arguments = {"view", "scene_tuned.json", "--offscreen", "--size", "640x480",
                                 "--paused", "--drive", "again"},
                   .folder = here(),
                   .environment = call("").environment}));
  const engine::Json twice = json_of(here() / "scene_tuned_tuned.json");
  EXPECT_NEAR(twice.at("view").at("camera").at("distance").get<double>(), distance, 1e-6);
}

TEST_F(ViewParams, SavesASceneWithItsCurrentView) {
  expect_good(
      drive("settle\nkey P\nkey X\nkey B\nkey O\nkey T\nset view.glow false\nsettle\nkey "
            "Ctrl+S\nframes 2\n"));
  const engine::Json view = json_of(here() / "scene_tuned.json").at("view");
  EXPECT_EQ(view.at("bodies"), "spheres");
  EXPECT_EQ(view.at("trails"), "off");
  for (const char* shown : {"axes", "box", "orbits"}) EXPECT_EQ(view.at(shown), true) << shown;
  EXPECT_EQ(view.at("glow"), false);
  // All of it survives opening and saving again.
  write(here() / "again", "settle\nkey Ctrl+S\nframes 2\n");
  expect_good(mote(here(), {"view", "scene_tuned.json", "--offscreen", "--size", "480x270",
                            "--paused", "--drive", "again"}));
  engine::Json twice = json_of(here() / "scene_tuned_tuned.json").at("view");
  engine::Json once = view;
  once.erase("camera");
  twice.erase("camera");
  EXPECT_EQ(twice, once);
}

}  // namespace
}  // namespace mote::test
