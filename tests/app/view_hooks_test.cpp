// Hooks of a scene in a window.
#include "engine/json.h"
#include "tests/app/view_fixture.h"

namespace mote::test {
namespace {

using engine::Json;

const char* const hooked_bodies = R"(
return {
  gravity = { softening = 0.1 },
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { { mass = 1, position = { 0, 0, 0 } }, { mass = 0.5, position = { 1, 0, 0 }, velocity = { 0, 1, 0 } } },
  on_start = function(sim) sim.data.n = 0 end,
  on_step = { { every = 4, run = function(sim)
    sim.data.n = sim.data.n + 1
    sim:row("four", { n = sim.data.n, x = sim:body(1).position[1], e = sim.energy_error, r = math.random() })
    if sim.step == 12 then sim:set("gravity.softening", 0.2) end
  end }, { every = 90, run = function(sim) sim:stop("far enough") end } },
  on_time = { every = 0.25, run = function(sim) sim:row("quarter", { n = sim.data.n }) end },
  on_end = function(sim) sim.data.n = -1 sim:row("end", { s = sim.step }) end,
})";

class ViewHooks : public View {
 protected:
  void SetUp() override {
    View::SetUp();
    write(here() / "scene.lua", hooked_bodies);
  }
  std::string rows(const std::string& folder, const char* name) const {
    return text_of(here() / folder / "rows" / (std::string(name) + ".csv"));
  }
  /// Repeats a recorded run without a window, with its edits.
  void replay(const std::string& record) const {
    const Result result =
        mote(here(), {"run", "scene.lua", "--replay", record + "/run.json", "--steps",
                      json_of(here() / record / "run.json").at("steps").dump(), "--out", "again",
                      "--quiet", "--backend", "cpu"});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(hash_of(here() / "again"), hash_of(here() / record));
    EXPECT_EQ(json_of(here() / "again/run.json").at("edits"),
              json_of(here() / record / "run.json").at("edits"));
    for (const char* name : {"four", "quarter", "end"})
      EXPECT_EQ(rows("again", name), rows(record, name)) << name;
  }
};

TEST_F(ViewHooks, PauseItAndActAsInARunWithoutAWindow) {
  const Result result = drive(
      "settle\nstep 100\nsettle\nexpect step 90\nexpect mode paused\n"
      "expect halt stopped by the scene: far enough\n"
      "step 5\nsettle\nexpect step 95\nexpect halt none\nstep -5\nsettle\nexpect step 90\nexpect "
      "mode "
      "history\n",
      {"--out", "seen"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("stopped by the scene: far enough"), std::string::npos) << result.err;
  EXPECT_EQ(lines_of(rows("seen", "four")).size(), 1u + 95 / 4);
  EXPECT_FALSE(json_of(here() / "seen/run.json").contains("stop_reason")) << "the run continued";
  EXPECT_EQ(drive("settle\nstep 100\nsettle\n", {"--out", "stopped"}).code, 0);
  EXPECT_EQ(json_of(here() / "stopped/run.json").at("stop_reason"), "far enough");
  EXPECT_EQ(json_of(here() / "stopped/run.json").at("data"), (Json{{"n", -1}}));
  replay("stopped");
}

// Goes back across edits of hooks, forward again, and branches: `sim.data` is restored.
TEST_F(ViewHooks, AreCalledOnceForEachStepOfABranch) {
  expect_good(
      drive("settle\nstep 41\nsettle\nseek 30\nsettle\nstep 4\nsettle\nstep 20\nsettle\nexpect "
            "step 41\nstep "
            "13\nsettle\n"
            "expect step 54\nexpect branch 0\n"
            "seek 18\nsettle\nset gravity.softening 0.05\nsettle\nexpect branch 1\nstep "
            "30\nsettle\nexpect "
            "step 48\n"
            "seek 6\nsettle\nrate 0.6\nrun\nframes 54\npause\nsettle\nexpect branch 2\nexpect "
            "gravity.softening 0.2\n",
            {"--out", "seen"}));
  EXPECT_EQ(json_of(here() / "seen/run.json").at("edits").size(), 1u);
  replay("seen");
}

TEST_F(ViewHooks, ResumeFromACheckpoint) {
  expect_good(drive("settle\nstep 42\nsettle\n", {"--out", "first"}));
  write(here() / "script", "settle\nstep 43\nsettle\n");
  expect_good(mote(here(), {"view", "first/checkpoints/final.h5", "--offscreen", "--size",
                            "480x270", "--paused", "--drive", "script", "--out", "second"}));
  expect_good(drive("settle\nstep 85\nsettle\n", {"--out", "whole"}));
  EXPECT_EQ(hash_of(here() / "second"), hash_of(here() / "whole"));
  for (const char* name : {"four", "quarter"}) {
    const std::string later = rows("second", name);
    EXPECT_EQ(rows("first", name) + later.substr(later.find('\n') + 1), rows("whole", name))
        << name;
  }
  const Result headless = mote(
      here(), {"run", "first/checkpoints/final.h5", "--steps", "85", "--out", "third", "--quiet"});
  ASSERT_EQ(headless.code, 0) << headless.err;
  EXPECT_EQ(hash_of(here() / "third"), hash_of(here() / "whole"));
  for (const char* name : {"four", "quarter"}) EXPECT_EQ(rows("third", name), rows("second", name));
}

TEST_F(ViewHooks, DrawPicturesInARunWithoutAWindow) {
  write(here() / "scene.lua",
        "return { integrator = { dt = 0.1 }, bodies = { { mass = 1, position = { 0, 0, 0 } } },\n"
        "on_step = { every = 3, run = function(sim) sim:picture('at_' .. sim.step) end } }");
  expect_good(mote(
      here(), {"run", "scene.lua", "--steps", "7", "--size", "64x48", "--out", "o", "--quiet"}));
  EXPECT_EQ(files_below(here() / "o/pictures"), (std::vector<std::string>{"at_3.png", "at_6.png"}));
  EXPECT_TRUE(text_of(here() / "o/pictures/at_6.png").starts_with("\x89PNG"));
}

TEST_F(ViewHooks, PauseItOnAnErrorWithItsLineAndNoLongerRun) {
  write(here() / "scene.lua",
        "return { integrator = { dt = 0.1 }, bodies = { { mass = 1, position = { 0, 0, 0 } } },\n"
        "on_step = { every = 3, run = function(sim)\nlocal x = sim.data.y.z end } }");
  const Result result = drive(
      "settle\nstep 10\nsettle\nexpect step 3\nexpect mode paused\nstep 10\nsettle\nexpect step "
      "13\n",
      {"--out", "seen"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("scene.lua:3: on_step: attempt to index a nil value (field 'y')"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(json_of(here() / "seen/run.json").at("status"), "unhealthy");
}

}  // namespace
}  // namespace mote::test
