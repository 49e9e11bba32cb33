// Checkpoints that are continued in a run folder of their own.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "sim/output/checkpoint.h"
#include "sim/run/plan.h"
#include "sim/scene/read_scene.h"
#include "tests/app/resume_fixture.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Continue : public Resume {
 protected:
  /// The lines of a table from the row of a step on.
  static std::vector<std::string> rows_from(const fs::path& table, std::uint64_t step) {
    std::vector<std::string> rows;
    for (const std::string& line : lines_of(text_of(table))) {
      const auto comma = line.find(',');
      if (std::strtoull(line.c_str() + comma + 1, nullptr, 10) >= step && line[0] != 't')
        rows.push_back(line);
    }
    return rows;
  }

  /// The run in the folder goes on from step 203 to the end of the undisturbed run as that does.
  void expect_rest_of_whole(const std::string& run) const {
    EXPECT_EQ(hash_of(here() / run), hash_of(here() / "whole"));
    for (const char* table : {"series.csv", "rows/calls.csv"}) {
      const auto rows = rows_from(here() / run / table, 0);
      ASSERT_FALSE(rows.empty()) << table;
      EXPECT_EQ(rows, rows_from(here() / "whole" / table, 203)) << table;
    }
    const engine::Json a = json_of(here() / run / "run.json"),
                       b = json_of(here() / "whole/run.json");
    for (const char* key : {"status", "steps", "time", "bodies", "bodies_at_end", "edits", "last",
                            "data", "parameters", "scene"})
      EXPECT_EQ(a.at(key), b.at(key)) << key;
    EXPECT_EQ(a.at("continued_from").at("step"), 203);
    EXPECT_EQ(a.at("first").at("step"), 203) << "the first row of this run";
    EXPECT_LT(a.at("first").at("energy"), 0);
    // Its own steps over its own time.
    const double steps = a.at("steps").get<double>() - 203;
    EXPECT_NEAR(a.at("timings").at("steps_per_second").get<double>() *
                    a.at("timings").at("stepping_seconds").get<double>(),
                steps, 1e-6 * steps);
  }

  /// A simulation of the scene without hooks at step 60, as a program writes it.
  void write_as_a_program(const std::string& file) const {
    std::string text = busy_scene;
    text.erase(text.find("on_step"), text.rfind('}') - text.find("on_step"));
    write(here() / "calm.lua", text);
    const sim::SceneDescription scene = sim::read_scene(here() / "calm.lua");
    const sim::Plan plan = sim::make_plan(scene, {.backend = engine::Backend::cpu});
    const auto simulation = sim::open_simulation(scene, plan);
    simulation->advance(60, [] { return false; });
    sim::write_checkpoint(here() / file, *simulation, scene, plan, {});
  }
};

TEST_F(Continue, OfACheckpointIsTheRestOfItsRun) {
  run_whole({"--series-steps", "7"});
  run_in("a", {"--checkpoint-steps", "203", "--checkpoint-keep", "9"});
  const std::string file = "a/checkpoints/checkpoint_000000000203.h5";
  for (const auto& [command, out] : {std::pair{"run", "b"}, {"resume", "c"}}) {
    const Result result = mote(here(), {command, file, "--out", out, "--quiet"});
    ASSERT_EQ(result.code, 0) << result.err;
    expect_rest_of_whole(out);
  }
  const Result verified = mote(here(), {"verify", "b"});
  EXPECT_EQ(verified.code, 0) << verified.err << verified.out;
  EXPECT_EQ(lines_of(verified.out).front(), "steps 203 to 900 (checkpoint_000000000900.h5): same");
}

TEST_F(Continue, CannotBeReplayedSinceItsBodiesAreInTheCheckpointAlone) {
  write_as_a_program("p.h5");
  ASSERT_EQ(mote(here(), {"run", "p.h5", "--steps", "80", "--out", "b", "--quiet"}).code, 0);
  const Result replayed = mote(here(), {"run", "--replay", "b/run.json", "--out", "c"});
  EXPECT_EQ(replayed.code, 2);
  EXPECT_NE(replayed.err.find("mote verify b"), std::string::npos) << replayed.err;
  EXPECT_FALSE(fs::exists(here() / "c"));
}

TEST_F(Continue, CanBeResumed) {
  run_whole();
  run_in("a", {"--checkpoint-steps", "203", "--checkpoint-keep", "9"});
  const Result result = mote(here(), {"run", "a/checkpoints/checkpoint_000000000203.h5", "--out",
                                      "b", "--quiet", "--steps", "500"});
  ASSERT_EQ(result.code, 0) << result.err;
  const Result further = go_on({"b", "--steps", "900", "--quiet"});
  ASSERT_EQ(further.code, 0) << further.err;
  expect_rest_of_whole("b");
  EXPECT_EQ(json_of(here() / "b/run.json").at("resumed_at_steps"), engine::Json::array({500}));
  EXPECT_EQ(mote(here(), {"verify", "b"}).code, 0);
}

TEST_F(Continue, TakesACheckpointOfAProgram) {
  write_as_a_program("p.h5");
  ASSERT_EQ(mote(here(), {"run", "calm.lua", "--backend", "cpu", "--out", "whole"}).code, 0);
  const Result result = mote(here(), {"resume", "p.h5"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(hash_of(here() / "out"), hash_of(here() / "whole"));
  EXPECT_EQ(text_of(here() / "out/scene.lua"), text_of(here() / "calm.lua"));
  const Result edited = mote(here(), {"run", "p.h5", "--set", "integrator.dt=0.001", "--steps",
                                      "70", "--out", "edited", "--quiet"});
  ASSERT_EQ(edited.code, 0) << edited.err;
  const engine::Json edits = json_of(here() / "edited/run.json").at("edits");
  ASSERT_EQ(edits.size(), 1u);
  EXPECT_EQ(edits.at(0).at("step"), 60);
}

// What pictures show is no part of the simulation.
TEST_F(Continue, MayShowItsBodiesInAnotherWay) {
  write_as_a_program("p.h5");
  const auto shown = [&](const std::string& out, const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "p.h5", "--steps", "70", "--quiet", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 0) << result.err;
    return json_of(here() / out / "run.json");
  };
  const engine::Json as_ever = shown("a", {}),
                     light = shown("b", {"--set", "view.background=light", "--set",
                                         "view.camera.azimuth=30", "--overlay", "all"});
  EXPECT_EQ(as_ever.at("scene").at("view").value("background", "dark"), "dark");
  EXPECT_EQ(light.at("scene").at("view").at("background"), "light");
  EXPECT_EQ(light.at("scene").at("view").at("overlay"), "all");
  EXPECT_EQ(light.at("scene").at("view").at("camera").at("azimuth"), 30.0);
  EXPECT_EQ(light.at("state_hash"), as_ever.at("state_hash"));
  EXPECT_FALSE(light.contains("edits"));
  const Result wrong = mote(here(), {"run", "p.h5", "--steps", "70", "--set", "view.background=red",
                                     "--set", "view.colour=mass", "--out", "c"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_EQ(wrong.err,
            "--set view.background: text \"red\" is not one of the choices; allowed: one of: "
            "dark, light, default \"dark\"\n"
            "--set view.colour: unknown key; did you mean 'color'?\n");
  EXPECT_FALSE(fs::exists(here() / "c"));
  const Result resumed =
      mote(here(), {"resume", "a", "--steps", "80", "--set", "view.background=light", "--quiet"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("scene").at("view").at("background"), "light");
}

TEST_F(Continue, SaysWhatIsWrongAndWritesNothing) {
  write_as_a_program("p.h5");
  ASSERT_EQ(mote(here(), {"run", "calm.lua", "--steps", "9", "--out", "a", "--quiet"}).code, 0);
  const auto before = files_below(here());
  const auto problem = [&](const std::vector<std::string>& words) {
    const Result result = mote(here(), words);
    EXPECT_EQ(result.code, 2) << result.out;
    return result.err;
  };
  const std::string snapshot = "a/snapshots/snapshot_0000.h5";
  for (const char* command : {"run", "resume"})
    EXPECT_EQ(problem({command, snapshot, "--until", "3"}),
              snapshot +
                  ": is a snapshot, not a checkpoint: a run cannot go on from it bit for bit; "
                  "resume its run with `mote resume a --until TIME`, or begin a new run with its "
                  "bodies: bodies = { gadget { file = \"snapshot_0000.h5\" } }\n");
  EXPECT_EQ(
      problem({"run", "p.h5", "--steps", "59"}),
      "--steps 59: is over already: the checkpoint is of step 60, t = 0.234375; choose a "
      "later end with --until TIME or --steps N, or an earlier checkpoint with --from STEP\n");
  EXPECT_EQ(problem({"run", "p.h5", "--seed", "4"}).find("--set seed=4: "), 0u);
  EXPECT_EQ(problem({"run", "p.h5", "--replay", "a/run.json"}),
            "--replay: is for scenes; a checkpoint has its own parameter changes; remove it\n");
  EXPECT_EQ(problem({"resume", "p.h5", "--from", "3"}),
            "--from: chooses a checkpoint in the folder of a run; remove it, as a file is named\n");
  EXPECT_EQ(files_below(here()), before);
}

}  // namespace
}  // namespace mote::test
