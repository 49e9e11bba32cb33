// Runs of scenes with hooks, functions called between steps.
#include <gtest/gtest.h>

#include "engine/files.h"
#include "engine/json.h"
#include "sim/io/snapshot.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using engine::Json;

/// A binary in steps of 0.01 with these hooks.
std::string with_hooks(const std::string& hooks) {
  return "local distance = param('distance', 1, { min = 0.1 })\nreturn { gravity = {}, integrator "
         "= { dt = "
         "0.01 }, "
         "stop = { time = 1 },\nbodies = { { mass = 1, position = { -distance / 2, 0, 0 }, "
         "velocity = { 0, "
         "-0.7, 0 } "
         "},\n{ mass = 1, position = { distance / 2, 0, 0 }, velocity = { 0, 0.7, 0 } } },\n" +
         hooks + "}";
}

class HookedRuns : public testing::Test {
 protected:
  Result run(const std::string& hooks, std::vector<std::string> words = {}) {
    write(here() / "pair.lua", with_hooks(hooks));
    words.insert(words.begin(), {"run", "pair.lua", "--backend", "cpu", "--threads", "1", "--force",
                                 "--out", "o"});
    return mote(here(), words);
  }
  const fs::path& here() const { return folder_.path(); }
  Json record(const char* folder = "o") const { return json_of(here() / folder / "run.json"); }
  std::string rows(const char* name, const char* folder = "o") const {
    return text_of(here() / folder / "rows" / (std::string(name) + ".csv"));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(HookedRuns, WriteRowsSnapshotsAndWhatTheyKeep) {
  const Result result = run(R"(
    on_start = function(sim) sim.data.most = 0 sim:log("here we go") end,
    on_step = { every = 25, run = function(sim)
      sim.data.most = math.max(sim.data.most, sim.step)
      sim:row("quarters", { b = sim.step * 2, a = "x,y" })
      if sim.step == 50 then sim:snapshot() end
    end },
    on_end = function(sim) sim:row("end", { t = sim.time }) end,)");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(rows("quarters"),
            "time,step,a,b\n0.25,25,\"x,y\",50\n0.5,50,\"x,y\",100\n0.75,75,\"x,y\",150\n1,100,\"x,"
            "y\",200\n");
  EXPECT_EQ(rows("end"), "time,step,t\n1,100,1\n");
  EXPECT_TRUE(fs::exists(here() / "o/snapshots/snapshot_0001.h5"));
  EXPECT_FALSE(fs::exists(here() / "o/snapshots/snapshot_0002.h5"));
  EXPECT_EQ(record().at("data"), (Json{{"most", 100}}));
  EXPECT_EQ(record().at("hooks").size(), 3u);
  EXPECT_FALSE(record().contains("stop_reason"));
  EXPECT_NE(text_of(here() / "o/log.txt").find("step 0: here we go"), std::string::npos);
  EXPECT_EQ(first_partial_file(here() / "o"), "");
  ASSERT_EQ(run("").code, 0);
  EXPECT_FALSE(fs::exists(here() / "o/rows")) << "rows of the run before, which --force overwrote";
  EXPECT_FALSE(record().contains("hooks"));
}

TEST_F(HookedRuns, LogNumbersToo) {
  ASSERT_EQ(run("on_start = function(sim) sim:log(3) sim:log(2.5) end,").code, 0);
  const std::string log = text_of(here() / "o/log.txt");
  EXPECT_NE(log.find("step 0: 3\n"), std::string::npos) << log;
  EXPECT_NE(log.find("step 0: 2.5\n"), std::string::npos) << log;
}

// 3 MB per call, at 100 steps.
TEST_F(HookedRuns, LogNoMoreThanTheirShare) {
  const std::string hooks =
      "on_step = { every = 1, run = function(sim) sim:log(('x'):rep(3000000)) end },";
  ASSERT_EQ(run(hooks).code, 0);
  EXPECT_LT(fs::file_size(here() / "o/log.txt"), 17u << 20);
  const std::string log = text_of(here() / "o/log.txt");
  EXPECT_NE(
      log.find(
          "step 6: sim:log has written 16.0 MiB; its further output is dropped (--trust lifts the "
          "limit)"),
      std::string::npos);
  EXPECT_EQ(log.find("step 7: x"), std::string::npos);
}

TEST_F(HookedRuns, NameWhatWasMisspelt) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"sim:bodys()", "sim has no \"bodys\"; did you mean 'body'?"},
      {"sim.enegry()", "sim has no \"enegry\"; did you mean 'energy'?"},
      {"sim:log(math.flor(2.5))", "math has no \"flor\"; did you mean 'floor'?"},
      {"plumer {}", "there is no function 'plumer'; did you mean 'plummer'?"},
      {"print('x')", "there is no function 'print'; hooks write to the log with sim:log"}};
  for (const auto& [code, message] : mistakes) {
    const Result result = run(std::string("on_start = function(sim)\n") + code + " end,");
    EXPECT_EQ(result.code, 3) << code;
    EXPECT_NE(result.err.find(std::string("pair.lua:6: on_start: ") + message), std::string::npos)
        << result.err;
  }
}

TEST_F(HookedRuns, StopWellAndSayWhy) {
  const std::string hooks =
      "on_time = { at = 0.333, run = function(sim) sim:stop('far enough') end },"
      "on_end = function(sim) sim:row('end', { x = 1 }) end, on_unhealthy = function(sim) "
      "sim:row('bad', { x "
      "= 1 }) end,";
  const Result result = run(hooks);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("done: 2 bodies, 34 steps"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("  stopped by the scene: far enough\n"), std::string::npos)
      << result.out;
  EXPECT_EQ(record().at("status"), "done");
  EXPECT_EQ(record().at("stop_reason"), "far enough");
  EXPECT_EQ(record().at("steps"), 34);
  EXPECT_TRUE(fs::exists(here() / "o/rows/end.csv"));
  EXPECT_FALSE(fs::exists(here() / "o/rows/bad.csv"));
  const auto lines = lines_of(run(hooks, {"--json"}).out);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(engine::parse_json(lines.back()).at("stop_reason"), "far enough");
}

TEST_F(HookedRuns, FailWithOneLineAndKeepWhatWasWritten) {
  for (const auto& [body, said] : std::vector<std::pair<std::string, std::string>>{
           {"sim:fail('it broke')", "it broke"},
           {"while true do end",
            "pair.lua:5: on_step: the script ran for too long; is there an endless loop?"},
           {"local s = 'x' while true do s = s .. s end",
            "pair.lua: on_step: the script takes more than 256.0 MiB with all that its scene "
            "holds, or makes "
            "a "
            "text of more than 8.0 MiB; hold less at once, and write tables to files with "
            "sim:row"},
           {"\n\nlocal x = sim.energi",
            "pair.lua:7: on_step: sim has no \"energi\"; did you mean 'energy'?"},
           {"sim:row('../a', { x = 1 })",
            "pair.lua:5: on_step: \"../a\" is not a valid file name; use 1 to 64 letters, digits, "
            "- and _"}}) {
    const Result result =
        run("on_step = { every = 10, run = function(sim) sim:row('a', { x = 1 }) if sim.step > 20 "
            "then " +
            body + " end end }, on_end = function(sim) sim:row('end', { x = 1 }) end,");
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.err, "mote: unhealthy: " + said + "\n");
    EXPECT_EQ(record().at("status"), "unhealthy");
    EXPECT_EQ(record().at("failure"), said);
    EXPECT_EQ(rows("a"), "time,step,x\n0.1,10,1\n0.2,20,1\n0.3,30,1\n");
    EXPECT_FALSE(fs::exists(here() / "o/rows/end.csv"));
    EXPECT_TRUE(fs::exists(here() / "o/snapshots/snapshot_0000.h5"));
  }
}

TEST_F(HookedRuns, HearOfBodiesThatAreNoLongerFinite) {
  const Result result =
      run("on_step = { every = 3, run = function(sim) sim:set('integrator.dt', 1e300) end }, "
          "on_unhealthy = function(sim) sim:row('bad', { s = sim.step }) end,",
          {"--steps", "10"});
  EXPECT_EQ(result.code, 3) << result.out;
  EXPECT_NE(result.err.find("is no longer finite"), std::string::npos) << result.err;
  EXPECT_EQ(lines_of(rows("bad")).size(), 2u);
}

// dt is halved at t = 0.5, so that the same end time takes 150 steps.
const char* const halving =
    "on_step = { every = 50, run = function(sim) if sim.step == 50 then sim:set('integrator.dt', "
    "sim.dt / 2) "
    "end "
    "sim:row('dt', { dt = sim.dt }) end },";

TEST_F(HookedRuns, ReachTheSameTimeInOtherSteps) {
  ASSERT_EQ(run(halving).code, 0);
  EXPECT_EQ(record().at("steps"), 150);
  EXPECT_EQ(record().at("time"), 1.0);
  EXPECT_EQ(record().at("edits"),
            (Json::array({Json{{"step", 50}, {"path", "integrator.dt"}, {"value", 0.005}}})));
}

TEST_F(HookedRuns, ReplayWithoutTheirHooksAndWithThem) {
  ASSERT_EQ(run(halving).code, 0);
  for (const std::vector<std::string>& scene : {std::vector<std::string>{}, {"pair.lua"}}) {
    std::vector<std::string> words{"run", "--replay", "o/run.json", "--out", "again", "--force"};
    words.insert(words.begin() + 1, scene.begin(), scene.end());
    const Result again = mote(here(), words);
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(hash_of(here() / "again"), hash_of(here() / "o"));
    EXPECT_EQ(record("again").at("edits"), record().at("edits"));
    EXPECT_EQ(text_of(here() / "again/series.csv"), text_of(here() / "o/series.csv"));
    EXPECT_EQ(fs::exists(here() / "again/rows/dt.csv"), !scene.empty());
  }
  EXPECT_EQ(rows("dt", "again"), rows("dt"));
}

// Ids 0 and 1 are in the scene; 2 is added at step 20, 3 and 4 at step 50, when 0 is removed.
const char* const coming_and_going = R"(
    on_step = { { every = 20, run = function(sim)
      if sim.step == 20 then
        sim:add { mass = 0.1, position = { 3, 0, 0 }, name = "third" }
        sim:snapshot()
        sim:set("integrator.dt", 0.02)
      end
      sim:row("count", { n = sim.count, m = sim.mass })
    end }, { every = 50, run = function(sim)
      if sim.step > 50 then return end
      sim:add { { mass = 0, position = { 5, 0, 0 } }, { mass = 0.2, position = { 0, 5, 0 } } }
      sim:remove(0)
    end } },)";

TEST_F(HookedRuns, WriteDownWhichBodiesThereAre) {
  const Result result = run(coming_and_going, {"--histogram", "id:5:0:5"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.out.find("done: 4 bodies (3 added, 1 removed), 60 steps"), std::string::npos)
      << result.out;
  EXPECT_EQ(rows("count"),
            "time,step,m,n\n0.2,20,2.1,3\n0.6000000000000001,40,2.1,3\n1,60,1.3,4\n");
  const auto ids = [&](const char* file) {
    return sim::read_mote_fields(here() / "o/snapshots" / file, {}).ids;
  };
  EXPECT_EQ(ids("snapshot_0000.h5"), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(ids("snapshot_0001.h5"), (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(record().at("bodies"), 2);
  EXPECT_EQ(record().at("bodies_at_end"), 4);
  EXPECT_EQ(record().at("bodies_added"), 3);
  EXPECT_EQ(record().at("bodies_removed"), 1);
  EXPECT_EQ(record().at("edits").size(), 1u) << "of parameters";
  EXPECT_EQ(lines_of(text_of(here() / "o/histogram_id.csv")).size(), 6u);
  EXPECT_NE(text_of(here() / "o/log.txt").find("step 50: bodies: 2 added, 1 removed, 4 now"),
            std::string::npos);
  ASSERT_EQ(run("").code, 0);
  EXPECT_FALSE(record().contains("bodies_at_end")) << "of a run whose bodies stay";
}

TEST_F(HookedRuns, WithOtherBodiesAreDoneAgainFromTheirSceneOnly) {
  ASSERT_EQ(run(coming_and_going).code, 0);
  const Result refused = mote(here(), {"run", "--replay", "o/run.json", "--out", "again"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "--replay o/run.json: hooks of this run may have added or removed bodies, and run.json "
            "does not store these; name the scene, too: mote run SCENE.lua --replay o/run.json\n");
  EXPECT_FALSE(fs::exists(here() / "again"));
  const Result again =
      mote(here(), {"run", "pair.lua", "--replay", "o/run.json", "--out", "again"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(hash_of(here() / "again"), hash_of(here() / "o"));
  EXPECT_EQ(text_of(here() / "again/series.csv"), text_of(here() / "o/series.csv"));
}

TEST_F(HookedRuns, AreChecked) {
  write(here() / "pair.lua", with_hooks(halving));
  const Result result = mote(here(), {"check", "--json", "pair.lua"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(engine::parse_json(result.out).at("hooks"),
            (Json::array({Json{{"hook", "on_step"}, {"every", 50}}})));
  write(here() / "pair.json", result.out);
  const Result plain = mote(here(), {"run", "pair.json", "--out", "o", "--backend", "cpu"});
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.err.find("running without them"), std::string::npos) << plain.err;
}

}  // namespace
}  // namespace mote::test
