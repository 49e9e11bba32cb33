// The files of a run, and their folder.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "sim/io/loaded_snapshot.h"
#include "sim/io/snapshot.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class RunFolder : public testing::Test {
 protected:
  void SetUp() override { write(here() / "binary.lua", binary_scene); }
  const fs::path& here() const { return folder_.path(); }

  Result run_binary(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"run", "binary.lua"});
    return mote(here(), more);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(RunFolder, HoldsSceneSeriesSnapshotsLogAndRecord) {
  ASSERT_EQ(run_binary({"--snapshot-steps", "50", "--out", "a"}).code, 0);
  const std::vector<std::string> expected{"checkpoints/checkpoint_000000000100.h5",
                                          "log.txt",
                                          "run.json",
                                          "scene.lua",
                                          "series.csv",
                                          "series.units.json",
                                          "snapshots/snapshot_0000.h5",
                                          "snapshots/snapshot_0001.h5",
                                          "snapshots/snapshot_0002.h5"};
  EXPECT_EQ(files_below(here() / "a"), expected);
  EXPECT_EQ(text_of(here() / "a/scene.lua"), binary_scene);
}

std::vector<std::uint64_t> steps_of_snapshots(const fs::path& folder) {
  std::vector<std::uint64_t> steps;
  for (const std::string& file : files_below(folder / "snapshots"))
    steps.push_back(sim::read_snapshot_head(folder / "snapshots" / file).metadata.step);
  return steps;
}

TEST_F(RunFolder, HasSnapshotsFromTheFirstStateToTheLastEachOnce) {
  using Steps = std::vector<std::uint64_t>;
  ASSERT_EQ(run_binary({"--snapshot-steps", "50", "--out", "a"}).code, 0);
  EXPECT_EQ(steps_of_snapshots(here() / "a"), (Steps{0, 50, 100}));
  ASSERT_EQ(run_binary({"--snapshot-steps", "40", "--out", "b"}).code, 0);
  EXPECT_EQ(steps_of_snapshots(here() / "b"), (Steps{0, 40, 80, 100}));
  ASSERT_EQ(run_binary({"--snapshot-time", "0.5", "--steps", "128", "--out", "c"}).code, 0);
  EXPECT_EQ(steps_of_snapshots(here() / "c"), (Steps{0, 64, 128}));
  ASSERT_EQ(run_binary({"--snapshot-steps", "50", "--steps", "0", "--out", "d"}).code, 0);
  EXPECT_EQ(steps_of_snapshots(here() / "d"), (Steps{0}));
  ASSERT_EQ(run_binary({"--out", "e"}).code, 0);
  EXPECT_EQ(steps_of_snapshots(here() / "e"), (Steps{100}));
}

// Snapshots hold the state before hooks and edits of their step.
TEST_F(RunFolder, HasTheLastStateTooIfAHookChangesItAfterItsSnapshot) {
  write(
      here() / "hooked.lua",
      "return { integrator = { dt = 0.01 }, stop = { steps = 10 }, snapshots = { steps = 5 },\n"
      "on_step = { every = 10, run = function(sim) sim:remove(1) end },\n"
      "bodies = { { mass = 1, position = { 1, 0, 0 } }, { mass = 1, position = { 2, 0, 0 } } } }");
  const Result result = mote(here(), {"run", "hooked.lua", "--out", "a"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(steps_of_snapshots(here() / "a"), (std::vector<std::uint64_t>{0, 5, 10, 10}));
  EXPECT_EQ(sim::read_snapshot(here() / "a/snapshots/snapshot_0002.h5").count(), 2);
  EXPECT_EQ(sim::read_snapshot(here() / "a/snapshots/snapshot_0003.h5").count(), 1);
}

TEST_F(RunFolder, KeepsASceneInJsonUnderItsOwnEnding) {
  write(here() / "expanded.json", mote(here(), {"check", "--json", "binary.lua"}).out);
  ASSERT_EQ(mote(here(), {"run", "expanded.json", "--out", "a"}).code, 0);
  EXPECT_EQ(text_of(here() / "a/scene.json"), text_of(here() / "expanded.json"));
}

// The scene with its included files at the same relative paths: enough to run it elsewhere.
TEST_F(RunFolder, KeepsASceneInSeveralFilesSoThatItRunsAlone) {
  write(
      here() / "whole.lua",
      "return { gravity = { softening = 0.1 }, integrator = { dt = 0.01 }, stop = { steps = 5 },\n"
      "bodies = { include('parts/two.lua'), include('./parts/../parts/two.lua'), "
      "include('scene.lua') } }");
  fs::create_directories(here() / "parts");
  const std::string two =
      "return { include('parts/one.lua'), { mass = 1, position = { 0, 5, 0 } } }";
  write(here() / "parts/two.lua", two);
  write(here() / "parts/one.lua", "return { mass = 1, position = { 1, 0, 0 } }");
  write(here() / "scene.lua", "return { mass = 0, position = { 7, 0, 0 } }");
  ASSERT_EQ(mote(here(), {"run", "whole.lua", "--out", "a"}).code, 0);
  const std::vector<std::string> expected{"checkpoints/checkpoint_000000000005.h5",
                                          "log.txt",
                                          "run.json",
                                          "scene/parts/one.lua",
                                          "scene/parts/two.lua",
                                          "scene/scene.lua",
                                          "scene/whole.lua",
                                          "series.csv",
                                          "series.units.json",
                                          "snapshots/snapshot_0000.h5"};
  EXPECT_EQ(files_below(here() / "a"), expected);
  EXPECT_EQ(text_of(here() / "a/scene/parts/two.lua"), two);
  fs::remove_all(here() / "parts");
  const Result again = mote(here() / "a/scene", {"run", "whole.lua", "--out", "../../b"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(hash_of(here() / "b"), hash_of(here() / "a"));
  ASSERT_EQ(run_binary({"--out", "a", "--force"}).code, 0);
  EXPECT_FALSE(fs::exists(here() / "a/scene")) << "of the run before";
}

TEST_F(RunFolder, KeepsNothingOutsideItselfAndSaysSo) {
  fs::create_directories(here() / "scenes");
  write(here() / "sun.lua", "return { mass = 1, position = { 1, 0, 0 } }");
  write(here() / "scenes/whole.lua",
        "return { integrator = { dt = 0.01 }, stop = { steps = 1 }, bodies = { "
        "include('../sun.lua') } }");
  ASSERT_EQ(mote(here(), {"run", "scenes/whole.lua", "--trust", "--out", "a"}).code, 0);
  EXPECT_EQ(files_below(here() / "a").size(), 7u)
      << "checkpoint, log, record, scene, series, units, snapshot";
  EXPECT_TRUE(fs::exists(here() / "a/scene/whole.lua"));
  EXPECT_NE(text_of(here() / "a/log.txt")
                .find("../sun.lua is outside the folder of the scene and was not copied"),
            std::string::npos);
}

TEST_F(RunFolder, ReportSaysThatEnergyIsNotConstant) {
  write(here() / "drag.lua",
        "return { integrator = { dt = 0.01 }, stop = { steps = 5 }, fields = drag { linear = 1 },\n"
        "bodies = { { mass = 1, position = { 1, 0, 0 }, velocity = { 1, 0, 0 } } } }");
  const std::string note = "energy is not constant with fields.1 (drag): drag has no potential";
  const Result result = mote(here(), {"run", "drag.lua", "--out", "dragged"}),
               json = mote(here(), {"run", "drag.lua", "--json"});
  EXPECT_NE(result.out.find("\n  " + note + "\n"), std::string::npos) << result.out;
  EXPECT_EQ(engine::parse_json(lines_of(json.out).back()).at("notes"), engine::Json::array({note}));
  EXPECT_NE(result.out.find("\n  energy lost or gained "), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("virial"), std::string::npos) << "without gravity: " << result.out;
  const std::string info = mote(here(), {"info", "dragged"}).out;
  EXPECT_NE(info.find("\n  energy lost or gained "), std::string::npos) << info;
  EXPECT_NE(info.find(" " + note + "\n"), std::string::npos) << info;
  const std::string binary = run_binary({"--out", "b"}).out;
  EXPECT_EQ(binary.find("not constant"), std::string::npos);
  EXPECT_NE(binary.find("\n  energy error "), std::string::npos) << binary;
  EXPECT_NE(binary.find(", virial ratio "), std::string::npos) << binary;
}

TEST_F(RunFolder, RecordSaysWhatRanAndHow) {
  ASSERT_EQ(run_binary({"--out", "a", "--seed", "7", "--set", "distance=2", "--threads", "1"}).code,
            0);
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("title"), "Binary");
  EXPECT_EQ(record.at("status"), "done");
  EXPECT_EQ(record.at("bodies"), 2);
  EXPECT_EQ(record.at("steps"), 100);
  EXPECT_EQ(record.at("time"), 100 / 128.0);
  EXPECT_EQ(record.at("seed"), 7);
  EXPECT_EQ(record.at("parameters"), (engine::Json{{"distance", 2.0}}));
  EXPECT_EQ(record.at("backend"), "cpu");
  EXPECT_EQ(record.at("precision"), "double");
  EXPECT_EQ(record.at("threads"), 1);
  EXPECT_EQ(record.at("state_hash").get<std::string>().size(), 16u);
  const std::vector<std::string> words{"mote", "run",   "binary.lua", "--out",     "a", "--seed",
                                       "7",    "--set", "distance=2", "--threads", "1"};
  EXPECT_EQ(record.at("command_line"), engine::Json(words));
  for (const char* key :
       {"version", "commit", "compiler", "device", "system", "simd", "timings", "choices"})
    EXPECT_TRUE(record.contains(key)) << key;
  EXPECT_EQ(record.at("last").at("step"), 100);
  EXPECT_LT(std::abs(record.at("last").at("energy_error").get<double>()), 1e-3);
  EXPECT_EQ(record.at("scene").at("bodies").at(1).at("position"),
            engine::parse_json("[1.0, 0.0, 0.0]"));
}

TEST_F(RunFolder, SeriesHasARowForEveryStepOfFewBodies) {
  ASSERT_EQ(run_binary({"--out", "a"}).code, 0);
  const auto lines = lines_of(text_of(here() / "a/series.csv"));
  ASSERT_EQ(lines.size(), 102u);
  EXPECT_EQ(lines[0],
            "time,step,kinetic,potential,energy,energy_error,momentum_x,momentum_y,momentum_z,"
            "angular_momentum_x,"
            "angular_momentum_y,angular_momentum_z,center_x,center_y,center_z,virial_ratio,radius_"
            "10,radius_50,"
            "radius_90");
  EXPECT_EQ(lines[1].substr(0, 20), "0,0,0.125,-0.25,-0.1");
  EXPECT_EQ(lines[101].substr(0, 12), "0.78125,100,");
}

TEST_F(RunFolder, SeriesEndsWithTheLastStepWhateverItsInterval) {
  ASSERT_EQ(run_binary({"--out", "a", "--series-steps", "30", "--steps", "70"}).code, 0);
  const auto lines = lines_of(text_of(here() / "a/series.csv"));
  ASSERT_EQ(lines.size(), 5u);  // the header, steps 0, 30, 60 and 70
  EXPECT_EQ(lines[4].substr(0, 11), "0.546875,70");
}

TEST_F(RunFolder, SnapshotHoldsTheFinalState) {
  ASSERT_EQ(run_binary({"--out", "a", "--steps", "0"}).code, 0);
  const sim::Bodies bodies = sim::read_snapshot(here() / "a/snapshots/snapshot_0000.h5");
  ASSERT_EQ(bodies.count(), 2);
  EXPECT_EQ(bodies.mass[1], 0.5);
  EXPECT_EQ(bodies.position[0].x, -0.5);
  EXPECT_EQ(bodies.velocity[1].y, 0.5);
}

TEST_F(RunFolder, IsNamedOutAndCountedUp) {
  for (const char* name : {"out", "out-2", "out-3"}) {
    const Result result = run_binary();
    ASSERT_EQ(result.code, 0);
    EXPECT_NE(result.out.find("\n  " + std::string(name) +
                              ": run.json, series.csv, snapshots/snapshot_0000.h5"),
              std::string::npos)
        << result.out;
    EXPECT_TRUE(fs::exists(here() / name / "run.json"));
  }
}

TEST_F(RunFolder, OfAnEarlierRunIsRefused) {
  ASSERT_EQ(run_binary({"--out", "a"}).code, 0);
  const std::string before = text_of(here() / "a/run.json");
  const Result result = run_binary({"--out", "a", "--steps", "5"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "--out a: already contains a run; choose another folder, or overwrite it with "
            "--force\n");
  EXPECT_EQ(text_of(here() / "a/run.json"), before);
  // An interrupted one can be resumed.
  ASSERT_EQ(run_binary({"--out", "b", "--steps", "1000000000", "--wall", "1.5"}).code, 130);
  EXPECT_EQ(
      run_binary({"--out", "b"}).err,
      "--out b: already contains a run; continue it with `mote resume b`, choose another folder, "
      "or overwrite it with --force\n");
}

TEST_F(RunFolder, OfAnEarlierRunIsReplacedWithForce) {
  ASSERT_EQ(run_binary({"--out", "a", "--snapshot-steps", "10"}).code, 0);
  ASSERT_EQ(run_binary({"--out", "a", "--steps", "5", "--force"}).code, 0);
  EXPECT_EQ(json_of(here() / "a/run.json").at("steps"), 5);
  EXPECT_EQ(lines_of(text_of(here() / "a/series.csv")).size(), 7u);
  EXPECT_FALSE(fs::exists(here() / "a/snapshots/snapshot_0001.h5"))
      << "left over from the earlier run";
}

TEST_F(RunFolder, BelowAFileCannotBeMade) {
  write(here() / "file", "in the way");
  const Result result = run_binary({"--out", "file/run"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(
      result.err,
      "mote: make the folder file/run: Not a directory; choose another with --out, or check its "
      "permissions\n");
  EXPECT_EQ(files_below(here()), (std::vector<std::string>{"binary.lua", "file"}));
}

TEST_F(RunFolder, OnAFullDiskKeepsTheRowsThatWereWritten) {
  // Enough for the scene and the log, but not for the series: a row takes more than 100 bytes.
  const Result result = run({.arguments = {"run", "binary.lua", "--out", "a", "--steps", "4000"},
                             .folder = here(),
                             .largest_file = 100'000});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.err,
            "mote: write a/series.csv: File too large; check that the folder exists and is "
            "writable and that "
            "the disk "
            "has space\n");
  EXPECT_FALSE(fs::exists(here() / "a/series.csv"));
  EXPECT_GT(lines_of(text_of(here() / "a/series.csv.part")).size(), 400u);
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "failed");
  EXPECT_EQ("mote: " + record.at("reason").get<std::string>() + "\n", result.err);
}

TEST_F(RunFolder, OnAFullDiskKeepsNoHalfSnapshot) {
  write(here() / "many.lua",
        "return { integrator = { \"leapfrog\", dt = 1 }, bodies = { plummer { n = 3000 } } }\n");
  const Result result = run({.arguments = {"run", "many.lua", "--out", "a", "--steps", "1"},
                             .folder = here(),
                             .largest_file = 50'000});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("snapshot_0000.h5"), std::string::npos) << result.err;
  EXPECT_EQ(first_partial_file(here() / "a/snapshots"), "");
  EXPECT_EQ(lines_of(text_of(here() / "a/series.csv.part")).size(), 3u) << "the rows are kept";
  EXPECT_FALSE(fs::exists(here() / "a/snapshots/snapshot_0000.h5"));
}

TEST_F(RunFolder, MayBeNamedLikeAShellCommand) {
  ASSERT_EQ(run_binary({"--out", "a b; 'c' $(d)"}).code, 0);
  EXPECT_TRUE(fs::exists(here() / "a b; 'c' $(d)" / "run.json"));
}

TEST_F(RunFolder, RecordIsReadableWhenThePathIsNotUtf8) {
  ASSERT_EQ(run_binary({"--out", "a\xff"}).code, 0);
  EXPECT_EQ(json_of(here() / "a\xff/run.json").at("status"), "done");
}

TEST_F(RunFolder, ForceRemovesNothingThatNoRunLeft) {
  write(here() / "mine/scene.lua", "return {}");
  const Result result = run_binary({"--out", "mine", "--force"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "--out mine: has files that a run would overwrite: scene.lua; choose another folder\n");
  EXPECT_EQ(files_below(here() / "mine"), std::vector<std::string>{"scene.lua"});
  EXPECT_EQ(text_of(here() / "mine/scene.lua"), "return {}");
}

}  // namespace
}  // namespace mote::test
