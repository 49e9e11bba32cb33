// mote verify: repeats runs and compares.
#include <fmt/format.h>

#include "engine/json.h"
#include "sim/output/checkpoint.h"
#include "sim/run/plan.h"
#include "tests/app/resume_fixture.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Verify : public Resume {
 protected:
  /// The undisturbed run, with checkpoints every 300 steps; the checkpoint of this step is replaced
  /// by that of a run with another seed.
  void mix_with_another(int step) const {
    const std::vector<std::string> checkpoints{"--checkpoint-steps", "300", "--checkpoint-keep",
                                               "9"};
    run_whole(checkpoints);
    std::vector<std::string> other = checkpoints;
    other.insert(other.end(), {"--seed", "5"});
    run_in("other", other);
    const std::string file = fmt::format("checkpoints/checkpoint_{:012}.h5", step);
    fs::copy_file(here() / "other" / file, here() / "whole" / file,
                  fs::copy_options::overwrite_existing);
  }
};

TEST_F(Verify, FindsARunAsItWas) {
  run_whole({"--checkpoint-steps", "300", "--checkpoint-keep", "9"});
  const Result result = mote(here(), {"verify", "whole", "--threads", "1"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(lines_of(result.out),
            (std::vector<std::string>{"steps 0 to 300 (checkpoint_000000000300.h5): same",
                                      "steps 300 to 600 (checkpoint_000000000600.h5): same",
                                      "steps 600 to 900 (checkpoint_000000000900.h5): same",
                                      "verified: 900 steps in 3 segments, all identical"}));
}

// A run without a checkpoint of its start begins with the scene itself.
TEST_F(Verify, BeginsWithTheSceneWhereTheFirstCheckpointIsGone) {
  run_whole({"--checkpoint-steps", "300", "--checkpoint-keep", "2"});
  const Result result = mote(here(), {"verify", "whole"});
  EXPECT_EQ(result.code, 0) << result.err << result.out;
  EXPECT_EQ(lines_of(result.out).front(), "steps 0 to 600 (checkpoint_000000000600.h5): same");
}

TEST_F(Verify, NamesWhereAnotherRunHasTakenAnotherWay) {
  mix_with_another(600);
  const Result result = mote(here(), {"verify", "whole"});
  EXPECT_EQ(result.code, 1);
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "steps 0 to 300 (checkpoint_000000000300.h5): same");
  EXPECT_NE(lines[1].find("steps 300 to 600 (checkpoint_000000000600.h5): DIFFERENT"),
            std::string::npos);
  EXPECT_NE(lines[1].find(
                "no earlier row of the series differs: the first step that differs is between "),
            std::string::npos)
      << lines[1];
  EXPECT_NE(lines[1].find("; in the state of that step differ: position by up to "),
            std::string::npos)
      << lines[1];
  EXPECT_NE(
      lines[1].find("this mote is repeatable, and the run is from the same version and device: "),
      std::string::npos)
      << lines[1];
}

TEST_F(Verify, NamesTheFirstRowThatDiffers) {
  mix_with_another(0);
  const Result result = mote(here(), {"verify", "whole", "--json"});
  EXPECT_EQ(result.code, 1);
  const engine::Json line = engine::parse_json(result.out);
  EXPECT_EQ(line.at("same"), false);
  EXPECT_NE(line.at("why").get<std::string>().find("the first row of the series that differs is "
                                                   "step 7, in kinetic, potential, energy, "),
            std::string::npos)
      << result.out;
  EXPECT_NE(
      line.at("why").get<std::string>().find(": the first step that differs is between 1 and 7; "),
      std::string::npos)
      << result.out;
  EXPECT_EQ(line.at("first_step"), engine::Json::array({1, 7}));
}

// A hardware error flips the last bit of one number between two checkpoints: every later row
// differs. Emulated by changing a softening by its last bit at step 33.
TEST_F(Verify, NamesTheFirstStepThatDiffersWhereEveryStepHasARow) {
  write(here() / "busy.lua", R"(return {
    gravity = { softening = 0.05 },
    integrator = { "leapfrog", dt = 1 / 256 },
    bodies = plummer { n = 12 },
    stop = { steps = 60 },
    series = { steps = 1 },
    checkpoints = { steps = 20, keep = 9 },
  })");
  run_whole();
  run_in("a", {"--steps", "32", "--checkpoint-steps", "32"});
  ASSERT_EQ(go_on({"a", "--steps", "60", "--set", "gravity.softening=0.0500000000001",
                   "--checkpoint-steps", "20", "--checkpoint-keep", "9"})
                .code,
            0);
  // All files of the disturbed run, but without the record of the disturbance.
  fs::copy_file(here() / "a/series.csv", here() / "whole/series.csv",
                fs::copy_options::overwrite_existing);
  for (const char* file :
       {"checkpoints/checkpoint_000000000040.h5", "checkpoints/checkpoint_000000000060.h5"}) {
    const sim::Checkpoint disturbed = sim::read_checkpoint(here() / "a" / file);
    const sim::SceneDescription scene = sim::scene_of(disturbed);
    const sim::Plan plan = sim::make_plan(scene, sim::options_of(disturbed, {}));
    const auto simulation = sim::open_checkpoint(disturbed, scene, plan);
    sim::write_checkpoint(here() / "whole" / file, *simulation, scene, plan, {},
                          disturbed.hook_data, disturbed.run);
  }
  const Result result = mote(here(), {"verify", "whole"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("steps 20 to 40 (checkpoint_000000000040.h5): DIFFERENT"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find(": the first step that differs is step 33; "), std::string::npos)
      << result.out;
}

TEST_F(Verify, NeedsCheckpoints) {
  run_whole({"--checkpoint-final", "never"});
  const Result result = mote(here(), {"verify", "whole"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(
      result.err,
      "whole: has no checkpoints to compare with; `mote run --checkpoint-steps N` writes some\n");
}

/// A scene with gravity only, without hooks.
const char* const plain_scene = R"(return {
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 256 },
  bodies = plummer { n = 12 },
  stop = { steps = 60 },
  series = { steps = 5 },
  checkpoints = { steps = 20, keep = 9 },
})";

TEST_F(Verify, NamesColumnsAndWhatWritesThemOfAStateThatDiffers) {
  write(here() / "busy.lua", plain_scene);
  run_whole();
  // A checkpoint of a run whose softening was changed at step 12, as its edits say: later rows
  // differ.
  run_in("a", {"--steps", "12", "--checkpoint-steps", "12"});
  ASSERT_EQ(go_on({"a", "--steps", "60", "--set", "gravity.softening=0.0500001",
                   "--checkpoint-steps", "20", "--checkpoint-keep", "9"})
                .code,
            0);
  const std::string second = "checkpoints/checkpoint_000000000020.h5";
  fs::copy_file(here() / "a" / second, here() / "whole" / second,
                fs::copy_options::overwrite_existing);
  const Result result = mote(here(), {"verify", "whole"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.out.find("the first row of the series that differs is step 25, in "),
            std::string::npos)
      << result.out;
  EXPECT_NE(
      result.out.find("; the same: mass; they are computed by kicks and drifts of leapfrog, from "
                      "accelerations of gravity"),
      std::string::npos)
      << result.out;
}

}  // namespace
}  // namespace mote::test
