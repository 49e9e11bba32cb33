// Hooks that add and remove bodies in a window.
#include "tests/app/view_fixture.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

// Two bodies; every 10 steps one is added, and every 20 steps the one with the lowest id from 1 on
// is removed.
const char* const fountain = R"(
return {
  gravity = { softening = 0.1 },
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { { mass = 1, position = { 0, 0, 0 }, name = "first" },
             { mass = 0.5, position = { 1, 0, 0 }, velocity = { 0, 1, 0 }, name = "second" } },
  on_start = function(sim) sim.data.oldest = 1 end,
  on_step = { { every = 10, run = function(sim)
    local id = sim:add { mass = 0.01, position = { 0, 1 + math.random(), 0 }, velocity = { 1, 0, 0 }, name = "n" .. sim.step }
    if sim.step % 20 == 0 then
      sim:remove(sim.data.oldest)
      sim.data.oldest = sim.data.oldest + 1
    end
    sim:row("ten", { id = id, n = sim.count, e = sim.energy_error })
  end }, { every = 75, run = function(sim) if sim.step == 75 then sim:add(plummer { n = 40, mass = 0.1 }) end end } },
  view = { camera = { target = { 0, 0, 0 }, distance = 5, azimuth = -90, elevation = 60 } },
})";

class ViewBodies : public View {
 protected:
  void SetUp() override {
    MOTE_SKIP_IF_SANITIZED("long; ViewHooks.* and HookBodies.* change bodies too");
    View::SetUp();
    if (!IsSkipped()) write(here() / "scene.lua", fountain);
  }
  std::string rows(const std::string& folder) const {
    return text_of(here() / folder / "rows/ten.csv");
  }
  /// The same number of steps without a window.
  void headless(const char* steps, const char* folder) const {
    const Result result = mote(here(), {"run", "scene.lua", "--steps", steps, "--out", folder,
                                        "--quiet", "--backend", "cpu"});
    ASSERT_EQ(result.code, 0) << result.err;
  }
};

// Step 9: 2 bodies; 10: 3; 20: 4 - 1; 60: 2 + 6 - 3; 75: 45; 90: 2 + 9 - 4 + 40.
TEST_F(ViewBodies, ComeAndGoInBothDirectionsOfTime) {
  expect_good(drive(R"(settle
expect bodies 2
step 9
settle
expect bodies 2
hash 9
step 1
settle
expect bodies 3
hash 10
step 50
settle
expect bodies 5
hash 60
step 30
settle
expect bodies 47
hash 90
seek 60
settle
expect bodies 5
hash 60
seek 9
settle
expect bodies 2
hash 9
step 1
settle
expect bodies 3
hash 10
seek 90
settle
expect bodies 47
hash 90
expect branch 0
seek 0
settle
expect bodies 2
step 60
settle
hash 60
expect branch 0
)",
                    {"--history", "100KiB"}));
}

// On a new branch hooks run again and assign the same ids.
TEST_F(ViewBodies, DifferOnAnotherBranch) {
  expect_good(
      drive("settle\nstep 95\nsettle\nseek 15\nsettle\nset gravity.softening 0.2\nsettle\nexpect "
            "branch 1\n"
            "step 10\nsettle\nexpect step 25\nexpect bodies 3\nrate 0.6\nrun\nframes "
            "100\npause\nsettle\nexpect "
            "step 125\nexpect bodies 48\n",
            {"--out", "seen"}));
  const Result again = mote(here(), {"run", "scene.lua", "--replay", "seen/run.json", "--steps",
                                     "125", "--out", "again", "--quiet", "--backend", "cpu"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(hash_of(here() / "again"), hash_of(here() / "seen"));
  EXPECT_EQ(rows("again"), rows("seen"));
  EXPECT_EQ(json_of(here() / "seen/run.json").at("bodies_at_end"), 48);
}

TEST_F(ViewBodies, AgreeWithARunWithoutAWindowAndWithItsCheckpoint) {
  expect_good(drive("settle\nrate 0.6\nrun\nframes 85\npause\nsettle\nexpect step 85\n",
                    {"--out", "first"}));
  headless("85", "alone");
  EXPECT_EQ(hash_of(here() / "first"), hash_of(here() / "alone"));
  EXPECT_EQ(rows("first"), rows("alone"));
  write(here() / "script",
        "settle\nexpect bodies 46\nstep 25\nsettle\nseek 87\nsettle\nexpect bodies 46\n");
  expect_good(mote(here(), {"view", "first/checkpoints/final.h5", "--offscreen", "--size",
                            "480x270", "--paused", "--drive", "script", "--out", "second"}));
  headless("110", "whole");
  EXPECT_EQ(hash_of(here() / "second"), hash_of(here() / "whole"));
}

// Body 2 keeps its id while indices change, is removed at step 40, and exists again after a seek to
// an earlier step.
TEST_F(ViewBodies, StayPickedById) {
  expect_good(
      drive("settle\npanels on\nstep 15\nsettle\npick 2\nframes 3\nexpect body 2\nstep "
            "10\nsettle\nframes "
            "2\nexpect "
            "body 2\nstep 60\nsettle\nframes 3\nexpect body 2\nseek 15\nsettle\nframes 3\nexpect "
            "body 2\nkey L\n"
            "rate 0.6\nrun\nframes 60\nseek 5\nsettle\nframes 3\n"));
}

// Three bodies without forces. After body 0 is removed, body 2 is followed like the second of two
// bodies in a scene of its own; before that, like the third of three.
TEST_F(ViewBodies, StayFollowedWhenOthersAreRemoved) {
  const std::string zero = "{ mass = 0, position = { 0, 3, 0 }, velocity = { 0, 2, 0 } }, ",
                    others =
                        "{ mass = 0, position = { 4, 0, 0 }, velocity = { 0, -3, 0 } }, { mass = "
                        "0, position = { -4, "
                        "0, 0 }, velocity = { 0, 1, 0 } }";
  const auto scene = [&](const std::string& bodies, const std::string& hooks) {
    write(here() / "scene.lua",
          "return { integrator = { dt = 0.0625 }, bodies = { " + bodies +
              " }, view = { bodies = 'spheres', trails = 'off', camera = { target = { 0, 0, 0 }, "
              "distance = 20, azimuth = -90, elevation = 60 } },\n" +
              hooks + " }");
  };
  const auto look = [](const std::string& name) {
    return "camera 12 20 60\ncolor speed\nsettle\nframes 60\nscreenshot " + name +
           " scene\nframes 2\n";
  };
  const std::string begin = "settle\npanels off\nstep 3\nsettle\n";
  scene(zero + others,
        "on_step = { every = 8, run = function(sim) if sim.step == 8 then sim:remove(0) end end }");
  expect_good(drive(begin + "pick 2\nsettle\nstep 61\nsettle\n" + look("later.png") +
                    "seek 3\nsettle\n" + look("before.png")));
  scene(zero + others, "");
  expect_good(drive(begin + "pick 2\nsettle\n" + look("three.png")));
  scene(others, "");
  expect_good(drive(begin + "pick 1\nsettle\nstep 61\nsettle\n" + look("two.png")));
  EXPECT_TRUE(text_of(here() / "later.png") == text_of(here() / "two.png"));
  EXPECT_TRUE(text_of(here() / "before.png") == text_of(here() / "three.png"));
}

// After the number of bodies has changed, the picture is that of a window opened with the same
// state.
TEST_F(ViewBodies, AreDrawnAsInAWindowThatOpensWithThem) {
  std::string text = fountain;
  text.insert(text.find("view = { ") + 9, "bodies = 'spheres', ");
  write(here() / "scene.lua", text);
  // `color` takes the colour range from the current bodies.
  const std::string look = "panels off\ncolor speed\ncamera 5 20 60\nsettle\nframes 2\nscreenshot ";
  expect_good(drive("settle\nstep 80\nsettle\n" + look + "grown.png scene\nframes 2\n",
                    {"--out", "grown"}));
  write(here() / "script", "settle\n" + look + "opened.png scene\nframes 2\n");
  expect_good(mote(here(), {"view", "grown/checkpoints/final.h5", "--offscreen", "--size",
                            "480x270", "--paused", "--drive", "script"}));
  const std::string picture = text_of(here() / "grown.png");
  EXPECT_FALSE(picture.empty());
  EXPECT_TRUE(picture == text_of(here() / "opened.png"));
}

}  // namespace
}  // namespace mote::test
