// Runs with parameter changes, and replays of runs from run.json.
#include <gtest/gtest.h>

#include "engine/json.h"
#include "sim/history/history.h"
#include "sim/output/run_folder.h"
#include "sim/scene/read_scene.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using engine::Json;

constexpr const char* scene_text = R"(local n = param("n", 50, { min = 2, max = 1000 })
return {
  title = "A cluster",
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 0.01 },
  bodies = { plummer { n = n } },
  seed = 4,
}
)";

const std::vector<sim::Edit> three_edits{
    {40, "gravity.softening", 0.1}, {97, "integrator.dt", 0.007}, {97, "gravity.softening", 0.2}};

class Replays : public testing::Test {
 protected:
  void SetUp() override { write(here() / "cluster.lua", scene_text); }
  const fs::path& here() const { return folder_.path(); }

  Result run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"run", "--backend", "cpu", "--threads", "1"});
    return mote(here(), words);
  }

  /// The run.json of a run without edits, with these edits added by hand.
  fs::path record_with(const Json& edits) const {
    EXPECT_EQ(run({"cluster.lua", "--steps", "200", "--out", "plain"}).code, 0);
    Json record = json_of(here() / "plain/run.json");
    EXPECT_FALSE(record.contains("edits"));
    record["edits"] = edits;
    return write(here() / "with_edits.json", engine::json_text(record, 2));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Replays, GiveWhatTheHistoryOfAWindowGives) {
  record_with(sim::edits_json(three_edits));
  const Result result =
      run({"cluster.lua", "--replay", "with_edits.json", "--steps", "200", "--out", "a"});
  ASSERT_EQ(result.code, 0) << result.err;
  const Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("edits"), sim::edits_json(three_edits));
  EXPECT_NE(record.at("state_hash"), json_of(here() / "plain/run.json").at("state_hash"));

  const sim::SceneDescription scene = sim::read_scene(here() / "cluster.lua");
  auto simulation = sim::open_simulation(
      scene, sim::make_plan(scene, {.backend = engine::Backend::cpu, .threads = 1}));
  sim::History history(*simulation, 0);
  for (const sim::Edit& e : three_edits) {
    history.advance(e.step - simulation->step(), 0, {}, {});
    history.edit(e.path, e.value);
  }
  history.advance(200 - simulation->step(), 0, {}, {});
  EXPECT_EQ(record.at("state_hash"), sim::hash_text(simulation->hash()));
  EXPECT_EQ(record.at("time").get<double>(), simulation->time());
  EXPECT_EQ(record.at("last").at("energy_error").get<double>(), simulation->measure().energy_error);
}

TEST_F(Replays, OfASceneWithoutAnEndEndWhereTheirRecordDoes) {
  record_with(sim::edits_json(three_edits));
  const Result result = run({"cluster.lua", "--replay", "with_edits.json", "--out", "a"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("steps"), 200);
}

// From run.json alone, which has scene, parameters, precision, edits and length.
TEST_F(Replays, RepeatARunFromItsRecordAlone) {
  record_with(sim::edits_json(three_edits));
  ASSERT_EQ(run({"cluster.lua", "--set", "n=31", "--seed", "9", "--precision", "mixed", "--simd",
                 "scalar", "--steps", "150", "--replay", "with_edits.json", "--out", "a"})
                .code,
            0);
  fs::remove(here() / "cluster.lua");
  const Result again = mote(here(), {"run", "--replay", "a/run.json", "--out", "b"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(hash_of(here() / "b"), hash_of(here() / "a"));
  EXPECT_EQ(text_of(here() / "b/series.csv"), text_of(here() / "a/series.csv"));
  const Json a = json_of(here() / "a/run.json"), b = json_of(here() / "b/run.json");
  for (const char* key :
       {"steps", "time", "seed", "edits", "scene", "precision", "simd", "last", "bodies"})
    EXPECT_EQ(a.at(key), b.at(key)) << key;
  // And a replay of the replay.
  ASSERT_EQ(mote(here(), {"run", "--replay", "b/run.json", "--out", "c", "--threads", "2"}).code,
            0);
  EXPECT_EQ(hash_of(here() / "c"), hash_of(here() / "a"));
}

// 97 steps of 0.01, then of 0.007: t = 1.25 is 40 of the latter later. Snapshots every 0.1 time
// units.
TEST_F(Replays, KeepTimesWhereTheStepWasChanged) {
  record_with(sim::edits_json(three_edits));
  ASSERT_EQ(run({"cluster.lua", "--replay", "with_edits.json", "--until", "1.25", "--snapshot-time",
                 "0.1", "--out", "a"})
                .code,
            0);
  const Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("steps"), 97 + 40);
  EXPECT_DOUBLE_EQ(record.at("time").get<double>(), 0.97 + 40 * 0.007);
  // At the start, nine up to 0.9, then after 102, 116 and 130 steps, and at the end. Steps of 0.01
  // would give one more.
  EXPECT_TRUE(fs::exists(here() / "a/snapshots/snapshot_0013.h5"));
  EXPECT_FALSE(fs::exists(here() / "a/snapshots/snapshot_0014.h5"));
  const auto lines = lines_of(text_of(here() / "a/series.csv"));
  ASSERT_EQ(lines.size(), 97u + 40u + 2u);
  EXPECT_NEAR(std::stod(lines[1 + 98]), 0.977, 1e-15);
}

TEST_F(Replays, LeaveOutWhatComesBehindTheEnd) {
  record_with(sim::edits_json(three_edits));
  ASSERT_EQ(run({"cluster.lua", "--replay", "with_edits.json", "--steps", "50", "--out", "a"}).code,
            0);
  EXPECT_EQ(json_of(here() / "a/run.json").at("edits").size(), 1u);
}

TEST_F(Replays, AreRefusedWithAllThatIsWrongBeforeAnythingIsWritten) {
  record_with(engine::parse_json(R"([
    {"step": 50, "path": "gravity.softening", "value": 0.2},
    {"step": 40, "path": "gravity.softening", "value": 0.2},
    {"step": 60, "path": "gravity.softness", "value": 0.2},
    {"step": 70, "path": "integrator.dt", "value": 0}
  ])"));
  const Result result =
      run({"cluster.lua", "--replay", "with_edits.json", "--steps", "90", "--out", "a"});
  EXPECT_EQ(result.code, 2);
  const auto lines = lines_of(result.err);
  ASSERT_EQ(lines.size(), 3u) << result.err;
  EXPECT_EQ(lines[0],
            "with_edits.json: edits.2.step: 40 is before step 50 of an earlier edit; sort the "
            "edits by step");
  EXPECT_EQ(lines[1],
            "with_edits.json: edits.3: gravity.softness: cannot change while the simulation runs; "
            "these can: "
            "gravity.softening, hand.body, hand.x, hand.y, hand.z, hand.stiffness, hand.damping, "
            "integrator.dt");
  EXPECT_TRUE(lines[2].starts_with("with_edits.json: edits.4: integrator.dt: 0 is out of range; "))
      << lines[2];
  EXPECT_FALSE(fs::exists(here() / "a"));
}

// run.json does not store functions: both the terminal and the new run.json say that hooks are
// missing.
TEST_F(Replays, SayThatTheyRunWithoutHooks) {
  write(here() / "hooked.lua", std::string(scene_text)
                                   .insert(std::string(scene_text).rfind("seed"),
                                           "on_end = function(sim) sim:log('the end') end,\n  "));
  ASSERT_EQ(run({"hooked.lua", "--steps", "5", "--out", "a"}).code, 0);
  const std::string words = "replayed without hooks";
  const Result alone = run({"--replay", "a/run.json", "--out", "b"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_NE(alone.err.find(words), std::string::npos) << alone.err;
  EXPECT_NE(engine::json_text(json_of(here() / "b/run.json").at("choices")).find(words),
            std::string::npos);
  EXPECT_NE(text_of(here() / "b/log.txt").find(words), std::string::npos);
  const Result with_scene =
      run({"hooked.lua", "--replay", "a/run.json", "--steps", "5", "--out", "c"});
  EXPECT_EQ(with_scene.err.find(words), std::string::npos);
  EXPECT_NE(text_of(here() / "c/log.txt").find("the end"), std::string::npos);
  ASSERT_EQ(run({"cluster.lua", "--steps", "5", "--out", "d"}).code, 0);
  EXPECT_EQ(run({"--replay", "d/run.json", "--out", "e"}).err.find(words), std::string::npos);
}

TEST_F(Replays, NeedTheRecordOfARun) {
  write(here() / "other.json", "{ \"a\": 1 }");
  write(here() / "broken.json", "{ \"scene\": ");
  EXPECT_EQ(run({"--replay", "none.json"}).err,
            "--replay none.json: no such file; name the run.json of a run\n");
  for (const std::string name : {"other.json", "broken.json"}) {
    const Result result = run({"cluster.lua", "--replay", name, "--steps", "1", "--out", "a"});
    EXPECT_EQ(result.code, 2);
    EXPECT_EQ(result.err,
              "--replay " + name +
                  ": is not the run.json of a run; every run writes one to its folder\n");
  }
  EXPECT_FALSE(fs::exists(here() / "a"));
}

TEST_F(Replays, RefuseRecordsOfMoreLevelsThanOneWouldWrite) {
  const std::string many(100'000, '[');
  write(here() / "deep.json",
        R"({"state_hash": "0", "scene": )" + many + std::string(many.size(), ']') + "}");
  const Result result = run({"--replay", "deep.json"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(
      result.err,
      "--replay deep.json: is not the run.json of a run; every run writes one to its folder\n");
}

}  // namespace
}  // namespace mote::test
