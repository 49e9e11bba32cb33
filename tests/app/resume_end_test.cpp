// Checkpoints of the end of a run, and folders of older versions.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "sim/output/checkpoint.h"
#include "sim/run/plan.h"
#include "tests/app/resume_fixture.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class ResumeEnd : public Resume {};

TEST_F(ResumeEnd, OfARunThatIsDoneNeedsNoOptionOfThatRun) {
  run_whole();
  run_in("a", {"--steps", "500"});
  EXPECT_EQ(files_below(here() / "a/checkpoints"),
            (std::vector<std::string>{"checkpoint_000000000500.h5"}));
  const Result verified = mote(here(), {"verify", "a"});
  EXPECT_EQ(verified.code, 0) << verified.err;
  EXPECT_NE(verified.out.find("verified: 500 steps in 1 segment, all identical"), std::string::npos)
      << verified.out;
  const Result further = go_on({"a", "--steps", "900"});
  ASSERT_EQ(further.code, 0) << further.err;
  expect_same_as_whole("a");
}

TEST_F(ResumeEnd, ToAnEndThatIsOverSaysSo) {
  run_in("a", {"--steps", "500", "--checkpoint-steps", "250"});
  const engine::Json record = json_of(here() / "a/run.json");
  const std::string at = "step 500, t = 1.78125";
  const Result same = go_on({"a", "--steps", "500"});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(same.out, "a: the run has that end already: " + at + "\n");
  for (const auto& [option, value] : {std::pair{"--steps", "499"}, {"--until", "1"}}) {
    const Result past = go_on({"a", option, value});
    EXPECT_EQ(past.code, 2);
    EXPECT_EQ(past.err, std::string(option) + " " + value +
                            ": is over already: the checkpoint is of " + at +
                            "; choose a later end with --until TIME or --steps N, or an earlier "
                            "checkpoint with --from STEP\n");
  }
  EXPECT_EQ(json_of(here() / "a/run.json"), record) << "nothing was changed";
  EXPECT_EQ(go_on({"a", "--steps", "499", "--from", "499"}).code, 0);
  EXPECT_EQ(json_of(here() / "a/run.json").at("steps"), 499);
}

TEST_F(ResumeEnd, HasNoCheckpointOfTheEndWhereNoneIsWanted) {
  run_in("a", {"--steps", "100", "--checkpoint-final", "never"});
  EXPECT_FALSE(has_checkpoint("a"));
  run_in("b", {"--steps", "100", "--checkpoint-steps", "60", "--checkpoint-final", "never"});
  EXPECT_EQ(files_below(here() / "b/checkpoints"),
            (std::vector<std::string>{"checkpoint_000000000000.h5", "checkpoint_000000000060.h5"}));
  std::string text = busy_scene;
  const std::string head = "title = \"Busy\",";
  text.replace(text.find(head), head.size(), "checkpoints = { final = 'never' },");
  write(here() / "busy.lua", text);
  run_in("c", {"--steps", "100"});
  EXPECT_FALSE(has_checkpoint("c"));
  run_in("d", {"--steps", "100", "--checkpoint-final", "always"});
  EXPECT_TRUE(has_checkpoint("d"));
}

// An older program wrote the folder in tests/run_folders, before backends had one text of a
// simulation, and printed the hash at the end of the undisturbed run. Scalar loops in double
// precision have the same bits on all processors that have the same C library.
TEST_F(ResumeEnd, OfAFolderThatAnOlderProgramWroteIsThatOfItsRun) {
  const std::vector<std::string> same_bits{"--precision", "double",    "--simd",
                                           "scalar",      "--threads", "1"};
  run_whole(same_bits);
  fs::copy(fs::path(source_dir()) / "tests/run_folders/busy", here() / "old",
           fs::copy_options::recursive);
  const Result further = go_on({"old", "--steps", "900"});
  ASSERT_EQ(further.code, 0) << further.err;
  expect_same_as_whole("old");
  EXPECT_EQ(json_of(here() / "old/run.json").at("state_hash"), "f293d825596459f3");
}

// Versions before this one wrote the units into the header of series.csv.
TEST_F(ResumeEnd, OfAnOlderFolderKeepsItsHeader) {
  std::string text = busy_scene;
  text.replace(text.find("title"), 5, "units = \"galactic\", title");
  write(here() / "busy.lua", text);
  run_whole();
  run_in("a", {"--steps", "500"});
  const fs::path series = here() / "a/series.csv",
                 file = here() / "a/checkpoints/checkpoint_000000000500.h5";
  const std::string table = text_of(series), plain = table.substr(0, table.find('\n'));
  std::string header = plain;
  const engine::Json units = json_of(here() / "a/series.units.json");
  EXPECT_EQ(units, json_of(here() / "a/run.json").at("series_units"));
  EXPECT_EQ(units.at("energy"), "1e10 Msun (km/s)^2");
  for (const auto& [name, unit] : units.items()) {
    const std::size_t at = ("," + header + ",").find("," + name + ",");
    ASSERT_LT(at, header.size()) << name;
    header.insert(at + name.size(), " [" + unit.get<std::string>() + "]");
  }
  write(series, header + table.substr(plain.size()));
  fs::remove(here() / "a/series.units.json");
  sim::Checkpoint checkpoint = sim::read_checkpoint(file);
  engine::Json& bytes = (*checkpoint.run)["positions"]["series"];
  bytes = bytes.get<std::size_t>() + header.size() - plain.size();
  const sim::SceneDescription scene = sim::scene_of(checkpoint);
  const sim::Plan plan = sim::make_plan(scene, sim::options_of(checkpoint, {}));
  const auto simulation = sim::open_checkpoint(checkpoint, scene, plan);
  sim::write_checkpoint(file, *simulation, scene, plan, checkpoint.edits, checkpoint.hook_data,
                        checkpoint.run);
  const Result further = go_on({"a", "--steps", "900"});
  ASSERT_EQ(further.code, 0) << further.err;
  const std::string whole = text_of(here() / "whole/series.csv");
  EXPECT_EQ(text_of(series), header + whole.substr(plain.size()));
  EXPECT_EQ(mote(here(), {"diff", "a", "whole"}).code, 0);
  EXPECT_EQ(mote(here(), {"verify", "a"}).code, 0);
  fs::remove(here() / "a/run.json");
  EXPECT_EQ(engine::parse_json(mote(here(), {"info", "a", "--json"}).out).at("steps"), 900);
}

// The last row may show what the run could not know before.
TEST_F(ResumeEnd, BeginsBeforeAnEndThatItsLastRowFindsUnhealthy) {
  std::string text = busy_scene;
  const std::string head = "title = \"Busy\",";
  text.replace(text.find(head), head.size(), "health = { energy_error = 1e-15 },");
  write(here() / "busy.lua", text);
  const Result result = mote(here(), {"run", "busy.lua", "--backend", "cpu", "--out", "a",
                                      "--steps", "30", "--series-steps", "1000"});
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_EQ(files_below(here() / "a/checkpoints"),
            (std::vector<std::string>{"checkpoint_000000000000.h5"}));
}

// Killed after the checkpoint of its end, before its record.
TEST_F(ResumeEnd, WritesNoSnapshotTwiceThatWasDueAtTheEnd) {
  write(
      here() / "due.lua",
      "return { gravity = { softening = 0.1 }, integrator = { dt = 1/64 }, bodies = plummer { n = "
      "30 },\n  stop = { steps = 60 }, snapshots = { steps = 20 } }\n");
  ASSERT_EQ(mote(here(), {"run", "due.lua", "--out", "k", "--quiet"}).code, 0);
  const std::vector<std::string> files = files_below(here() / "k/snapshots");
  ASSERT_EQ(files.size(), 4u);
  engine::Json record = json_of(here() / "k/run.json");
  const std::string hash = record.at("state_hash");
  record["status"] = "running";
  write(here() / "k/run.json", engine::json_text(record, 2));
  ASSERT_EQ(mote(here(), {"resume", "k", "--quiet"}).code, 0);
  EXPECT_EQ(json_of(here() / "k/run.json").at("status"), "done");
  EXPECT_EQ(hash_of(here() / "k"), hash);
  EXPECT_EQ(files_below(here() / "k/snapshots"), files);
}

}  // namespace
}  // namespace mote::test
