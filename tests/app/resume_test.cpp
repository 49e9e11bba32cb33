// Runs that go on: after a kill, an interruption, a full disk, a bad step; and that are taken further.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "sim/io/snapshot.h"
#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

/// Everything that goes on in a run: hooks that keep data, write rows, change the step and bring bodies.
const char* const busy_scene = R"(return {
  title = "Busy",
  gravity = { softening = 0.05 },
  integrator = { "leapfrog", dt = 1 / 256 },
  species = { old = {}, new = {} },
  bodies = plummer { n = 24, species = "old" },
  stop = { steps = 900 },
  series = { steps = 7 },
  snapshots = { time = 0.3 },
  on_step = { every = 40, run = function(sim)
    sim.data.calls = (sim.data.calls or 0) + 1
    sim:row("calls", { calls = sim.data.calls, chance = math.random() })
    if sim.data.calls == 5 then sim:set("integrator.dt", 1 / 300) end
    if sim.data.calls % 6 == 0 then
      sim:add { mass = 0.01, position = { math.random(), 1, 0 }, species = "new" }
      if sim.data.calls == 12 then sim:remove(3) end
    end
  end },
})";

class Resume : public testing::Test {
 protected:
  void SetUp() override { write(here() / "busy.lua", busy_scene); }
  const fs::path& here() const { return folder_.path(); }

  /// A run in a folder of this name.
  void run_in(const std::string& name, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"run", "busy.lua", "--backend", "cpu", "--out", name, "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const Result result = mote(here(), words);
    ASSERT_EQ(result.code, 0) << result.err;
  }

  /// The undisturbed run, in the folder "whole".
  void run_whole(const std::vector<std::string>& more = {}) const { run_in("whole", more); }

  void expect_same_as_whole(const std::string& run) const {
    EXPECT_EQ(hash_of(here() / run), hash_of(here() / "whole"));
    EXPECT_EQ(text_of(here() / run / "series.csv"), text_of(here() / "whole/series.csv"));
    EXPECT_EQ(text_of(here() / run / "rows/calls.csv"), text_of(here() / "whole/rows/calls.csv"));
    const auto snapshots = files_below(here() / "whole/snapshots");
    EXPECT_EQ(files_below(here() / run / "snapshots"), snapshots);
    for (const std::string& file : snapshots)
      EXPECT_EQ(text_of(here() / run / "snapshots" / file), text_of(here() / "whole/snapshots" / file))
          << file;
    EXPECT_EQ(first_partial_file(here() / run), "");
    const engine::Json a = json_of(here() / run / "run.json"), b = json_of(here() / "whole/run.json");
    for (const char* key : {"status", "steps", "time", "bodies", "bodies_at_end", "edits", "first", "last",
                            "data", "parameters", "scene"})
      EXPECT_EQ(a.contains(key), b.contains(key)) << key;
    for (const char* key : {"status", "steps", "time", "bodies", "edits", "first", "last", "data"}) {
      if (a.contains(key) && b.contains(key)) {
        EXPECT_EQ(a.at(key), b.at(key)) << key;
      }
    }
  }

  bool has_checkpoint(const std::string& run) const {
    const auto files = files_below(here() / run / "checkpoints");
    return std::any_of(files.begin(), files.end(), [](const std::string& f) { return f.ends_with(".h5"); });
  }

  Result go_on(const std::vector<std::string>& words) const {
    std::vector<std::string> all{"resume"};
    all.insert(all.end(), words.begin(), words.end());
    return mote(here(), all);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Resume, AfterKillsAtAnyMomentEndsAsIfThereHadBeenNone) {
  run_whole();
  const std::vector<std::string> words{"run",    "busy.lua", "--backend",          "cpu", "--out",
                                       "killed", "--quiet",  "--checkpoint-steps", "31"};
  int killed = 0;
  std::vector<std::string> next = words;
  for (int pause = 20; pause < 4000 && killed < 8; pause += 5) {
    Running running({.arguments = next, .folder = here()});
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    running.signal(SIGKILL);
    if (running.wait().code == 0) break;
    ++killed;
    next = {"resume", "killed", "--quiet"};
    if (has_checkpoint("killed")) continue;
    next = words;  // killed before the first checkpoint
    if (fs::exists(here() / "killed/log.txt"))
      next.emplace_back("--force");
    else
      fs::remove_all(here() / "killed");
  }
  ASSERT_GT(killed, 0) << "none was killed: the run is too short for this test";
  const Result last = mote(here(), next);
  ASSERT_EQ(last.code, 0) << last.err;
  expect_same_as_whole("killed");
}

TEST_F(Resume, AfterCtrlCEndsAsIfThereHadBeenNone) {
  write(here() / "busy.lua", std::string(busy_scene));
  const std::vector<std::string> end{"--steps", "20000"};
  run_whole(end);
  Running running(
      {.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "stopped", "--steps", "20000"},
       .folder = here()});
  ASSERT_TRUE(appears(here() / "stopped/snapshots/snapshot_0002.h5", running));
  running.signal(SIGINT);
  const Result stopped = running.wait();
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  EXPECT_NE(stopped.out.find("go on with: mote resume stopped"), std::string::npos) << stopped.out;
  const Result result = go_on({"stopped"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same_as_whole("stopped");
}

TEST_F(Resume, OfARunThatIsDoneTakesItFurther) {
  run_whole();
  run_in("a", {"--steps", "500", "--checkpoint-steps", "200"});
  const Result done = go_on({"a"});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(done.out, "a: the run is done; --until TIME or --steps N takes it further\n");
  const Result further = go_on({"a", "--steps", "900"});
  ASSERT_EQ(further.code, 0) << further.err;
  expect_same_as_whole("a");
  EXPECT_EQ(json_of(here() / "a/run.json").at("resumed_at_steps"), engine::Json::array({500}));
}

TEST_F(Resume, PassesOverADamagedCheckpointAndKeepsIt) {
  run_whole();
  run_in("a", {"--steps", "500", "--checkpoint-steps", "200"});
  const fs::path newest = here() / "a/checkpoints/checkpoint_000000000500.h5";
  std::string bytes = text_of(newest);
  const std::size_t place = bytes.find("first_energy") + 18;  // a digit in the middle of a number
  ASSERT_LT(place, bytes.size());
  bytes[place] = static_cast<char>(bytes[place] ^ 1);
  write(newest, bytes);
  fs::resize_file(here() / "a/checkpoints/checkpoint_000000000400.h5", 5000);
  const Result result = go_on({"a", "--steps", "900"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("instead the one before is used: a/checkpoints/checkpoint_000000000200.h5"),
            std::string::npos)
      << result.err;
  expect_same_as_whole("a");
  EXPECT_TRUE(fs::exists(here() / "a/checkpoints/checkpoint_000000000500.h5.damaged"));
  EXPECT_TRUE(fs::exists(here() / "a/checkpoints/checkpoint_000000000400.h5.damaged"));
}

TEST_F(Resume, NeedsNoFileThatTheSceneHadRead) {
  write(here() / "busy.lua", R"(local often = include("parts/often.lua")
    return {
      gravity = { softening = 0.05 },
      integrator = { "leapfrog", dt = 1 / 256 },
      bodies = { csv { file = "start.csv" }, plummer { n = 8 } },
      stop = { steps = 400 },
      on_step = { every = often.every, run = function(sim)
        sim:row("calls", { bodies = sim.bodies })
        sim:add(csv { file = "more.csv" })
      end },
    })");
  write(here() / "parts/often.lua", "return { every = include('parts/every.lua').n }");
  write(here() / "parts/every.lua", "return { n = 60 }");
  write(here() / "start.csv", "x,y,z,vx,vy,vz,mass\n1,0,0,0,1,0,0.1\n");
  write(here() / "more.csv", "x,y,z,vx,vy,vz,mass\n2,0,0,0,0.5,0,0.01\n3,0,0,0,0.5,0,0.01\n");
  run_whole();
  run_in("a", {"--steps", "200", "--checkpoint-steps", "100"});
  write(here() / "parts/every.lua", "return { n = 7 }");
  write(here() / "more.csv", "x,y,z,vx,vy,vz,mass\n2,0,0,0,0.5,0,7\n");
  fs::remove(here() / "start.csv");
  fs::remove(here() / "parts/often.lua");
  fs::remove(here() / "busy.lua");
  const Result result = go_on({"a", "--steps", "400", "--checkpoint-steps", "100"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same_as_whole("a");
  fs::remove(here() / "more.csv");
  const Result verified = mote(here(), {"verify", "a"});
  EXPECT_EQ(verified.code, 0) << verified.err << verified.out;
}

TEST_F(Resume, GoesOnFromAnEarlierStepWithAnotherTimeStep) {
  run_in("a", {"--checkpoint-steps", "200"});
  const Result result = go_on({"a", "--from", "700", "--set", "integrator.dt=0.001", "--steps", "900"});
  ASSERT_EQ(result.code, 0) << result.err;
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("edits").back(),
            (engine::Json{{"step", 600}, {"path", "integrator.dt"}, {"value", 0.001}}));
  EXPECT_EQ(record.at("steps"), 900);
  for (const auto& [setting, problem] : std::map<std::string, std::string>{
           {"integrator.dt=soon", "--set integrator.dt=soon: is not a number\n"},
           {"integrator.dt=-1",
            "--set integrator.dt=-1: is out of range; what may change on the way: gravity.softening"},
           {"bodies=3", "--set bodies=3: "}}) {
    const Result wrong = go_on({"a", "--set", setting, "--steps", "1000"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.err.substr(0, problem.size()), problem) << wrong.err;
  }
  EXPECT_EQ(json_of(here() / "a/run.json"), record) << "what cannot be changes nothing";
}

TEST_F(Resume, SaysWhatIsMissing) {
  const auto problem = [&](const std::vector<std::string>& words) {
    const Result result = go_on(words);
    EXPECT_EQ(result.code, 2);
    return result.err;
  };
  EXPECT_EQ(problem({"nowhere"}),
            "nowhere: is no folder of a run; name the folder, as in: mote resume out\n");
  fs::create_directories(here() / "empty");
  EXPECT_EQ(problem({"empty"}), "empty: holds no run; `mote run SCENE --out empty` begins one\n");
  run_in("a", {"--steps", "10"});
  EXPECT_EQ(
      problem({"a", "--steps", "20"}),
      "a: has no checkpoint to go on from; begin it again with --force; --checkpoint-wall SECONDS leaves one "
      "every so often\n");
  run_in("b", {"--steps", "100", "--checkpoint-steps", "50"});
  const std::string rows = text_of(here() / "b/series.csv");
  write(here() / "b/series.csv", rows.substr(0, 300));
  EXPECT_EQ(problem({"b", "--steps", "200"}).substr(0, 37), "b/series.csv: has 300 bytes, and had ");
  EXPECT_EQ(json_of(here() / "b/run.json").at("status"), "done") << "nothing was changed";
}

TEST_F(Resume, IsForOneProcessAtATime) {
  Running running({.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "a", "--steps", "100000000",
                                 "--checkpoint-steps", "1000"},
                   .folder = here()});
  ASSERT_TRUE(appears(here() / "a/checkpoints/checkpoint_000000000000.h5", running));
  const std::string busy = "a: another mote is writing this run; wait until it has ended, or end it\n";
  const Result second = go_on({"a"});
  EXPECT_EQ(second.code, 2);
  EXPECT_EQ(second.err, busy);
  const Result forced = mote(here(), {"run", "busy.lua", "--backend", "cpu", "--out", "a", "--force"});
  EXPECT_EQ(forced.code, 2);
  EXPECT_EQ(forced.err, busy);
  running.signal(SIGTERM);
  EXPECT_EQ(running.wait().code, 130);
}

TEST_F(Resume, FollowsAFullDiskWithoutAGap) {
  run_whole({"--series-steps", "1"});
  ASSERT_GT(fs::file_size(here() / "whole/series.csv"), 200'000u);
  // Room for checkpoints and snapshots, then for no more rows: the series outgrows the limit.
  const Result full = run({.arguments = {"run", "busy.lua", "--backend", "cpu", "--out", "a",
                                         "--series-steps", "1", "--checkpoint-steps", "100"},
                           .folder = here(),
                           .largest_file = 150'000});
  EXPECT_EQ(full.code, 1);
  EXPECT_NE(full.err.find("File too large"), std::string::npos) << full.err;
  EXPECT_NE(full.err.find("go on from step"), std::string::npos) << full.err;
  EXPECT_EQ(json_of(here() / "a/run.json").at("status"), "failed");
  EXPECT_NE(json_of(here() / "a/run.json").at("reason").get<std::string>().find("File too large"),
            std::string::npos);
  const Result result = go_on({"a"});
  ASSERT_EQ(result.code, 0) << result.err;
  expect_same_as_whole("a");
}

TEST_F(Resume, HasItsEndBeforeAWallClockLimit) {
  const auto start = std::chrono::steady_clock::now();
  const Result limited = mote(
      here(), {"run", "busy.lua", "--backend", "cpu", "--out", "a", "--steps", "1000000000", "--wall", "3"});
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(limited.code, 130);
  EXPECT_GT(took, 1);
  const engine::Json record = json_of(here() / "a/run.json");
  EXPECT_EQ(record.at("status"), "interrupted");
  EXPECT_EQ(record.at("reason"), "the wall-clock limit");
  EXPECT_TRUE(fs::exists(here() / "a" / record.at("checkpoint").get<std::string>()));
}

TEST_F(Resume, KeepsAsManyCheckpointsAsAskedFor) {
  run_in("a", {"--steps", "100", "--checkpoint-steps", "10", "--checkpoint-keep", "2"});
  EXPECT_EQ(files_below(here() / "a/checkpoints"),
            (std::vector<std::string>{"checkpoint_000000000090.h5", "checkpoint_000000000100.h5"}));
}

class Verify : public Resume {
 protected:
  /// The undisturbed run, with checkpoints every 300 steps; that of this step is of a run with another seed.
  void mix_with_another(int step) const {
    const std::vector<std::string> checkpoints{"--checkpoint-steps", "300", "--checkpoint-keep", "9"};
    run_whole(checkpoints);
    std::vector<std::string> other = checkpoints;
    other.insert(other.end(), {"--seed", "5"});
    run_in("other", other);
    const std::string file = fmt::format("checkpoints/checkpoint_{:012}.h5", step);
    fs::copy_file(here() / "other" / file, here() / "whole" / file, fs::copy_options::overwrite_existing);
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
                                      "verified: 900 steps in 3 segments, all as they were"}));
}

// Of a run without a checkpoint of its start, the scene itself is the beginning.
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
  EXPECT_NE(lines[1].find("steps 300 to 600 (checkpoint_000000000600.h5): DIFFERENT"), std::string::npos);
  EXPECT_NE(lines[1].find("no row of the series differs before; this mote repeats itself"), std::string::npos)
      << lines[1];
}

TEST_F(Verify, NamesTheFirstRowThatDiffers) {
  mix_with_another(0);
  const Result result = mote(here(), {"verify", "whole", "--json"});
  EXPECT_EQ(result.code, 1);
  const engine::Json line = engine::parse_json(result.out);
  EXPECT_EQ(line.at("same"), false);
  EXPECT_NE(
      line.at("why").get<std::string>().find("the first row of the series that differs is that of step 7;"),
      std::string::npos)
      << result.out;
}

TEST_F(Verify, NeedsCheckpoints) {
  run_whole();
  const Result result = mote(here(), {"verify", "whole"});
  EXPECT_EQ(result.code, 2);
  EXPECT_EQ(result.err,
            "whole: has no checkpoints to compare with; `mote run --checkpoint-steps N` leaves some\n");
}

}  // namespace
}  // namespace mote::test
