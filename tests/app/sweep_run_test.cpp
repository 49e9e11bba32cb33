// Running sweeps: results, failures, interruptions, resuming.
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <set>

#include "engine/json.h"
#include "engine/machine.h"
#include "tests/app/sweep_support.h"
#include "tests/support/on_device.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Sweep : public testing::Test {
 protected:
  void SetUp() override {
    write(here() / "scene.lua", sweep_scene);
    plan("grid = { steps = { 10, 20 }, distance = { 1, 1.5 } }");
  }
  const fs::path& here() const { return folder_.path(); }
  fs::path out() const { return here() / "s"; }

  void plan(const std::string& body) const {
    write(here() / "plan.lua", "return { scene = 'scene.lua', " + body + " }");
  }
  static std::vector<std::string> words(std::vector<std::string> more) {
    more.insert(more.begin(), {"sweep", "plan.lua", "--out", "s", "--backend", "cpu"});
    return more;
  }
  Result sweep(std::vector<std::string> more = {}) const {
    return mote(here(), words(std::move(more)));
  }
  std::vector<CsvRow> rows() const { return csv_rows(text_of(out() / "results.csv")); }

  std::vector<pid_t> workers() const { return processes_in(here(), "sweep-worker"); }
  static std::map<std::string, int> statuses(const std::vector<CsvRow>& rows) {
    std::map<std::string, int> count;
    for (const CsvRow& row : rows) ++count[row.at("status")];
    return count;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Sweep, GivesARowForEveryJobWithWhatItsRunMeasured) {
  const Result result = sweep({"--jobs", "2"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 20), "done: 4 jobs, 4 done") << result.out;
  const auto machines = csv_rows(text_of(out() / "machines.csv"));
  ASSERT_EQ(machines.size(), 4u);
  for (const CsvRow& row : machines) {
    EXPECT_GT(std::stod(row.at("seconds")), 0);
    EXPECT_EQ(row.at("backend"), "cpu");
    EXPECT_FALSE(row.at("simd").empty());
    EXPECT_FALSE(row.at("host").empty());
  }
  const auto all = rows();
  ASSERT_EQ(all.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const CsvRow& row = all[static_cast<std::size_t>(i)];
    const fs::path folder = out() / row.at("folder");
    const engine::Json record = json_of(folder / "run.json");
    EXPECT_EQ(row.at("job"), std::to_string(i + 1));
    EXPECT_EQ(row.at("status"), "done");
    EXPECT_EQ(row.at("folder"), "runs/000" + std::to_string(i + 1));
    EXPECT_EQ(row.at("seed"), record.at("seed").dump());
    EXPECT_EQ(row.at("distance"), i < 2 ? "1" : "1.5");
    EXPECT_EQ(row.at("steps"), i % 2 == 0 ? "10" : "20");
    EXPECT_EQ(row.at("step"), row.at("steps"));
    EXPECT_EQ(row.at("energy"), record.at("last").at("energy").dump());
    EXPECT_EQ(row.at("radius_90"), record.at("last").at("lagrangian_radii").at(2).dump());
    EXPECT_EQ(row.at("state_hash"), record.at("state_hash"));
    EXPECT_EQ(row.at("bodies"), "3");
  }
  const auto files = files_below(out() / "runs/0001");
  EXPECT_EQ(files, (std::vector<std::string>{"log.txt", "run.json", "scene.lua", "series.csv",
                                             "series.units.json", "snapshots/snapshot_0000.h5"}))
      << "without a checkpoint: runs of a sweep are not taken further";
}

TEST_F(Sweep, KeepsCheckpointsOfTheEndsIfAsked) {
  plan("grid = { steps = { 10, 20 } }, run = { checkpoint_final = 'always' }");
  ASSERT_EQ(sweep().code, 0);
  EXPECT_TRUE(fs::exists(out() / "runs/0002/checkpoints/checkpoint_000000000020.h5"));
}

TEST_F(Sweep, MakesTheRunThatTheRecordedCommandMakes) {
  ASSERT_EQ(sweep().code, 0);
  std::vector<std::string> command = json_of(out() / "runs/0003/run.json").at("command_line");
  EXPECT_EQ(command[0], "mote");
  ASSERT_EQ(command[command.size() - 2], "--out");
  command.back() = "alone";
  ASSERT_EQ(mote(here(), {command.begin() + 1, command.end()}).code, 0);
  EXPECT_EQ(hash_of(here() / "alone"), hash_of(out() / "runs/0003"));
  EXPECT_NE(hash_of(here() / "alone"), hash_of(out() / "runs/0001"));
}

TEST_F(Sweep, DoesNothingTwice) {
  ASSERT_EQ(sweep().code, 0);
  const std::string before = text_of(out() / "results.csv");
  const Result again = sweep();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out.substr(0, 20), "done: 4 jobs, 4 done");
  EXPECT_EQ(text_of(out() / "results.csv"), before) << "times too";
}

TEST_F(Sweep, RefusesTheFolderOfAnotherPlanOrSceneOrOfSomethingElse) {
  ASSERT_EQ(sweep().code, 0);
  plan("grid = { steps = { 10, 21 }, distance = { 1, 1.5 } }");
  EXPECT_EQ(
      sweep().err,
      "--out s: holds the sweep of another plan: job 2 is different; choose another folder\n");
  plan("grid = { steps = { 10, 20 }, distance = { 1, 1.5 } }, run = { time = 3 }");
  EXPECT_EQ(
      sweep().err,
      "--out s: holds the sweep of another plan: the options of its runs are different; choose "
      "another "
      "folder\n");
  plan(
      "grid = { steps = { 10, 20 }, distance = { 1, 1.5 } }, max_failures = 3  --[[ what does not "
      "count ]]");
  EXPECT_EQ(sweep().code, 0);
  write(here() / "scene.lua", sweep_scene + std::string("-- changed\n"));
  const Result changed = sweep();
  EXPECT_EQ(changed.code, 2);
  EXPECT_EQ(changed.err,
            "--out s: holds the sweep of another plan: the text of the scene has changed; choose "
            "another folder\n");
  write(here() / "mine/results.csv", "precious");
  EXPECT_EQ(
      mote(here(), {"sweep", "plan.lua", "--out", "mine"}).err,
      "--out mine: has files that a sweep would overwrite: results.csv; choose another folder\n");
  EXPECT_EQ(text_of(here() / "mine/results.csv"), "precious");
}

TEST_F(Sweep, KeepsReasonsOfUnhealthyRuns) {
  plan("grid = { limit = { 1e-12, 1 } }, set = { steps = 40 }");
  const Result result = sweep();
  EXPECT_EQ(result.code, 3) << result.err;
  const auto all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at("status"), "unhealthy");
  EXPECT_NE(all[0].at("reason").find("passed the scene's limit 1e-12"), std::string::npos)
      << all[0].at("reason");
  EXPECT_EQ(all[1].at("status"), "done");
  EXPECT_NE(result.out.find("job 1 unhealthy: the relative energy error"), std::string::npos)
      << result.out;
  const std::string before = text_of(out() / "results.csv");
  EXPECT_EQ(sweep().code, 3);
  EXPECT_EQ(text_of(out() / "results.csv"), before)
      << "an unhealthy run is a result, and not repeated";
}

// The seventeenth of forty values is not among those checked before anything runs.
TEST_F(Sweep, KeepsReasonsOfFailedJobsAndGoesOn) {
  plan(
      "grid = { number = { min = 1, max = 40, count = 40, whole = true } }, set = { steps = 1 }, "
      "run = { "
      "keep = 'summary' }");
  const Result result = sweep();
  EXPECT_EQ(result.code, 1) << result.err;
  const auto all = rows();
  ASSERT_EQ(all.size(), 40u);
  EXPECT_EQ(all[16].at("status"), "failed");
  EXPECT_NE(all[16].at("reason").find("not seventeen"), std::string::npos) << all[16].at("reason");
  EXPECT_EQ(all[16].at("energy"), "");
  EXPECT_EQ(statuses(all), (std::map<std::string, int>{{"done", 39}, {"failed", 1}}));
  EXPECT_NE(text_of(out() / "failures/0017.txt").find("not seventeen"), std::string::npos);
  EXPECT_EQ(files_below(out() / "runs/0001"), (std::vector<std::string>{"run.json", "series.csv"}));
  EXPECT_EQ(sweep({"--collect"}).code, 1);
  EXPECT_EQ(rows(), all);
}

TEST_F(Sweep, StartsNoMoreJobsAfterTooManyFailures) {
  plan(
      "grid = { limit = { min = 1e-14, max = 1e-13, count = 20 } }, set = { steps = 40 }, "
      "max_failures = 2");
  const Result result = sweep({"--jobs", "1"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(rows().size(), 3u);
  EXPECT_NE(
      result.out.find(
          "stopped after too many failures: 20 jobs, 0 done, 3 unhealthy, 17 without a result"),
      std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("without a result: 4-20"), std::string::npos) << result.out;
}

TEST_F(Sweep, LosesOneJobWithAWorkerThatIsKilled) {
  plan("list = { { steps = 1e15 }, { steps = 1 }, { steps = 2 }, { steps = 3 } }");
  Running running({.arguments = words({"--jobs", "1"}), .folder = here()});
  ASSERT_TRUE(appears(out() / "runs/0001/run.json", running));
  ASSERT_EQ(workers().size(), 1u);
  ::kill(workers().front(), SIGKILL);
  const Result result = running.wait();
  EXPECT_EQ(result.code, 1) << result.err;
  const auto all = rows();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].at("status"), "failed");
  EXPECT_EQ(all[0].at("reason"),
            "the process was killed by signal 9 (Killed), possibly for lack of memory");
  EXPECT_EQ(statuses(all)["done"], 3);
}

TEST_F(Sweep, GoesOnAfterItWasKilledAndRepeatsNoRun) {
  const std::string grid =
      "grid = { distance = { min = 1, max = 2, count = 12 } }, set = { steps = 20000 }";
  plan(grid);
  {
    Running running({.arguments = words({"--jobs", "2"}), .folder = here()});
    ASSERT_TRUE(appears(out() / "runs/0004/run.json", running));
    running.signal(SIGKILL);
    EXPECT_EQ(running.wait().code, -SIGKILL);
  }
  ASSERT_TRUE(comes_true([&] { return workers().empty(); })) << "workers end with their sweep";
  std::map<std::string, fs::file_time_type> finished;
  for (const auto& entry : fs::directory_iterator(out() / "runs"))
    if (fs::exists(entry.path() / "run.json") &&
        json_of(entry.path() / "run.json").at("status") == "done")
      finished[entry.path() / "run.json"] = fs::last_write_time(entry.path() / "run.json");
  EXPECT_GE(finished.size(), 2u);
  EXPECT_LT(finished.size(), 12u);
  ASSERT_EQ(sweep().code, 0);
  for (const auto& [file, time] : finished)
    EXPECT_EQ(fs::last_write_time(file), time) << file << " was run twice";
  const auto after = rows();
  fs::rename(out(), here() / "interrupted");
  ASSERT_EQ(sweep().code, 0);
  EXPECT_EQ(after, rows());
}

TEST_F(Sweep, EndsItsRunsWhenInterruptedAndSharesItsFolderWithNoOther) {
  plan("list = { { steps = 1 }, { steps = 1e15 }, { steps = 1e15 } }, run = { keep = 'summary' }");
  Running running({.arguments = words({"--jobs", "2"}), .folder = here()});
  ASSERT_TRUE(appears(out() / "runs/0003/run.json", running));
  const Result second = sweep();
  EXPECT_EQ(second.code, 2);
  EXPECT_EQ(second.err, "--out s: another `mote sweep` is running there; wait for it to end\n");
  running.signal(SIGTERM);
  const Result result = running.wait();
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_TRUE(workers().empty());
  const auto all = rows();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(statuses(all), (std::map<std::string, int>{{"done", 1}, {"interrupted", 2}}));
  EXPECT_EQ(first_partial_file(out()), "");
}

TEST_F(Sweep, PrintsCommandsThatAShellRunsToTheSameResults) {
  const std::string body =
      "grid = { distance = { 1, 1.5 }, ['bodies.1.name'] = { \"it's $HOME\", 'b' } }, run = { "
      "steps = 15, "
      "precision = 'double' }";
  plan(body);
  const Result printed = sweep({"--print-jobs"});
  ASSERT_EQ(printed.code, 0) << printed.err;
  ASSERT_EQ(lines_of(printed.out).size(), 4u);
  fs::create_directories(here() / "bin");
  fs::create_symlink(test::program_path(), here() / "bin/mote");
  const auto lines = lines_of(printed.out);
  std::string script = "cd '" + here().string() + "' && PATH=\"$PWD/bin:$PATH\"\n";
  for (std::size_t i = 0; i < 3; ++i) script += lines[i] + " --quiet || exit 1\n";
  write(here() / "lines.sh", script);
  ASSERT_EQ(std::system(("sh '" + (here() / "lines.sh").string() + "'").c_str()), 0);
  const Result partial = sweep({"--collect"});
  EXPECT_EQ(partial.code, 1);
  EXPECT_NE(partial.out.find("without a result: 4"), std::string::npos) << partial.out;
  EXPECT_EQ(rows()[3].at("status"), "missing");
  ASSERT_EQ(sweep({"--job", "4"}).code, 0);
  ASSERT_EQ(sweep({"--collect"}).code, 0);
  const auto collected = rows();
  EXPECT_EQ(collected[0].at("bodies.1.name"), "it's $HOME");
  fs::rename(out(), here() / "by_shell");
  ASSERT_EQ(sweep().code, 0);
  EXPECT_EQ(collected, rows());
}

TEST_F(Sweep, OneJobSaysWhenItIsDoneAlreadyAndWhenThereIsNone) {
  EXPECT_EQ(sweep({"--job", "5"}).err,
            "--job 5: there is no such job; this plan has jobs 1 to 4; as in 7, 3-40 or 3-40,57\n");
  ASSERT_EQ(sweep({"--job", "2"}).code, 0);
  const Result again = sweep({"--job", "2"});
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, "job 2 is already done\n");
  EXPECT_FALSE(fs::exists(out() / "runs/0001"));
}

TEST_F(Sweep, TellsItsProgressAsJson) {
  const Result result = sweep({"--json"});
  ASSERT_EQ(result.code, 0);
  std::set<int> jobs;
  for (const std::string& line : lines_of(result.out)) {
    const engine::Json event = engine::parse_json(line);
    if (event.at("event") == "job") jobs.insert(event.at("job").get<int>());
  }
  EXPECT_EQ(jobs, (std::set<int>{1, 2, 3, 4}));
  EXPECT_EQ(engine::parse_json(lines_of(result.out).back()).at("done"), 4);
}

TEST_F(Sweep, HasColumnsForWhatHooksKeep) {
  std::string scene = sweep_scene;
  scene.insert(
      scene.find("series ="),
      "on_end = function(sim) sim.data.far = distance > 1.2; sim.data.list = { 1 } end,\n");
  write(here() / "scene.lua", scene);
  ASSERT_EQ(sweep().code, 0);
  const auto all = rows();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].at("data.far"), "false");
  EXPECT_EQ(all[3].at("data.far"), "true");
  EXPECT_FALSE(all[3].contains("data.list"));
}

TEST_F(Sweep, RunsOnAGpuLikeOneRun) {
  plan("grid = { distance = { 1, 1.5, 2 } }, run = { steps = 3, backend = 'cuda' }");
  const Result result =
      mote(here(), {"sweep", "plan.lua", "--out", "s", "--jobs", "2", "--devices", "0"});
  if (result.code == 2) GTEST_SKIP() << result.err;
  ASSERT_EQ(result.code, 0) << result.err;
  std::vector<std::string> command = json_of(out() / "runs/0002/run.json").at("command_line");
  command.back() = "alone";
  ASSERT_EQ(mote(here(), {command.begin() + 1, command.end()}).code, 0);
  EXPECT_EQ(json_of(here() / "alone/run.json").at("backend"), "cuda");
  EXPECT_EQ(hash_of(here() / "alone"), hash_of(out() / "runs/0002"));
  EXPECT_EQ(mote(here(), {"sweep", "plan.lua", "--out", "t", "--devices", "99"}).code, 2);
}

// Each run is on one of them.
TEST_F(Sweep, SpreadsRunsOverGpus) {
  if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
  if (!gpu_is_emulated() && engine::cuda_info().devices.size() < 2)
    GTEST_SKIP() << "there is one GPU";
  plan("grid = { distance = { 1, 1.2, 1.4, 1.6, 2 } }, run = { steps = 3, backend = 'cuda' }");
  const auto spread = [&](const std::string& devices) {
    const Result result = run(
        {.arguments = {"sweep", "plan.lua", "--out", devices, "--batch", "1", "--devices", devices},
         .folder = here(),
         .environment = {{"MOTE_EMULATOR_DEVICES", "2"}}});
    EXPECT_EQ(result.code, 0) << result.err;
    std::vector<std::string> hashes;
    for (int job = 1; job <= 5; ++job)
      hashes.push_back(hash_of(here() / devices / "runs" / ("000" + std::to_string(job))));
    return std::pair{hashes, text_of(here() / devices / "results.csv")};
  };
  const auto one = spread("0");
  EXPECT_EQ(spread("0,1"), one);
  EXPECT_EQ(spread("all"), one);
}

}  // namespace
}  // namespace mote::test
