// Sweeps that run as job arrays of Slurm, on a cluster of two nodes that the test starts.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "engine/json.h"
#include "tests/app/program.h"
#include "tests/app/sweep_support.h"
#include "tests/support/places.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Slurm : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("PATH=$PATH:/usr/sbin command -v slurmctld slurmd munged sbatch > /dev/null") !=
        0)
      GTEST_SKIP() << "there is no Slurm (slurm-wlm)";
    if (std::system("test $(id -u) = 0") != 0) GTEST_SKIP() << "only root can start its daemons";
    started_ = true;  // or partly, and is to be stopped then too
    ASSERT_EQ(cluster("start"), 0) << text_of(here() / "cluster.log");
    write(here() / "scene.lua", R"(
local distance = param("distance", 1.0, { min = 0.5, max = 4, unit = "length" })
return {
  gravity = { softening = 0 }, integrator = { "leapfrog", dt = 1 / 128 },
  bodies = {
    { mass = 0.5, position = { -distance / 2, 0, 0 }, velocity = { 0, -0.5, 0 } },
    { mass = 0.5, position = { distance / 2, 0, 0 }, velocity = { 0, 0.5, 0 } },
  },
  stop = { steps = 100 },
}
)");
  }
  void TearDown() override {
    if (started_) cluster("stop");
  }
  const fs::path& here() const { return folder_.path(); }
  int cluster(const std::string& what) const {
    return std::system((source_dir() + "/tests/app/slurm_cluster " + what + " '" + here().string() +
                        "' > '" + (here() / "cluster.log").string() + "' 2>&1")
                           .c_str());
  }
  void plan(const std::string& body) const {
    write(here() / "plan.lua", "return { scene = 'scene.lua', " + body + " }");
  }
  Result sweep(const std::string& out, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"sweep", "plan.lua", "--backend", "cpu", "--out", out});
    return run({.arguments = std::move(more),
                .folder = here(),
                .environment = {{"SLURM_CONF", here() / "slurm.conf"}}});
  }
  /// Runs a shell command against the cluster.
  int shell(const std::string& command) const {
    return std::system(
        ("SLURM_CONF='" + (here() / "slurm.conf").string() + "' " + command).c_str());
  }
  /// Waits until no job is queued or runs; false after a minute. Slurm would wait two minutes
  /// before it starts a task again.
  bool is_idle_in_time() const {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (shell("squeue --noheader | grep -q .") == 0) {
      if (std::chrono::steady_clock::now() > end) return false;
      shell(
          "sh -c 'for job in $(squeue --noheader --states=pending --format=%A | sort -u); do "
          "scontrol update JobId=$job StartTime=now 2> /dev/null; done'");
      std::this_thread::sleep_for(200ms);
    }
    return true;
  }

 private:
  TemporaryFolder folder_;
  bool started_ = false;
};

TEST_F(Slurm, GivesTheTableOfALocalSweepToTheByte) {
  plan("grid = { distance = { min = 1, max = 2, count = 40 } }, slurm = { tasks = 4 }");
  ASSERT_EQ(sweep("local", {"--jobs", "2"}).code, 0);
  const Result submitted = sweep("cluster", {"--on", "slurm"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_NE(submitted.out.find("40 jobs in 4 tasks"), std::string::npos) << submitted.out;
  ASSERT_TRUE(is_idle_in_time());
  EXPECT_EQ(text_of(here() / "cluster/results.csv"), text_of(here() / "local/results.csv"));
  const auto machines = csv_rows(text_of(here() / "cluster/machines.csv"));
  ASSERT_EQ(machines.size(), 40u);
  for (const CsvRow& row : machines) EXPECT_FALSE(row.at("host").empty());
  const Result info = run({.arguments = {"info", "cluster"}, .folder = here()});
  EXPECT_NE(info.out.find("jobs: 40 done"), std::string::npos) << info.out;
  // Nothing is left: the same command collects.
  EXPECT_NE(sweep("cluster", {"--on", "slurm"}).out.find("collected: 40 jobs, 40 done"),
            std::string::npos);
}

TEST_F(Slurm, GoesOnWithWhatIsMissing) {
  plan("grid = { distance = { min = 1, max = 2, count = 12 } }, slurm = { tasks = 3 }");
  ASSERT_EQ(sweep("local", {"--jobs", "2"}).code, 0);
  ASSERT_EQ(sweep("cluster", {"--job", "2-4,9"}).code, 0);
  EXPECT_FALSE(fs::exists(here() / "cluster/results.csv"));
  const Result submitted = sweep("cluster", {"--on", "slurm"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_NE(submitted.out.find("8 jobs in 3 tasks"), std::string::npos) << submitted.out;
  ASSERT_TRUE(is_idle_in_time());
  EXPECT_EQ(text_of(here() / "cluster/results.csv"), text_of(here() / "local/results.csv"));
}

// Slurm takes a node without its daemon for dead, and starts its tasks again.
TEST_F(Slurm, SurvivesTheDeathOfANode) {
  plan(
      "grid = { distance = { min = 1, max = 2, count = 4 } }, "
      "run = { steps = 8000000, series_steps = 100000 }, slurm = { tasks = 2 }");
  ASSERT_EQ(sweep("local", {"--jobs", "2"}).code, 0);
  ASSERT_EQ(sweep("cluster", {"--on", "slurm"}).code, 0);
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (shell("squeue --noheader --states=running --nodelist=2 | grep -q .") != 0) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "no task runs on node 2";
    std::this_thread::sleep_for(50ms);
  }
  const Result twice = sweep("cluster", {"--on", "slurm"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_NE(twice.err.find("still in the queue"), std::string::npos) << twice.err;
  ASSERT_EQ(shell("pkill -KILL --pidfile '" + (here() / "slurmd2.pid").string() + "'"), 0);
  shell("scontrol update nodename=2 state=down reason=killed");
  ASSERT_FALSE(fs::exists(here() / "cluster/results.csv"));
  ASSERT_TRUE(is_idle_in_time());
  EXPECT_EQ(text_of(here() / "cluster/results.csv"), text_of(here() / "local/results.csv"));
}

TEST_F(Slurm, IsToldWhatTheSweepNeeds) {
  plan(
      "grid = { distance = { 1, 2 } }, slurm = { partition = 'none', time = '10:00', memory = "
      "'1G', "
      "at_once = 1 }");
  const Result dry = sweep("s", {"--on", "slurm", "--dry-run"});
  ASSERT_EQ(dry.code, 0) << dry.err;
  for (const char* line :
       {"#SBATCH --partition=none\n", "#SBATCH --time=10:00\n", "#SBATCH --mem=1G\n",
        "#SBATCH --array=1-2%1\n", "#SBATCH --cpus-per-task=1\n"})
    EXPECT_NE(dry.out.find(line), std::string::npos) << line << dry.out;
  EXPECT_FALSE(fs::exists(here() / "s"));
  const Result refused = sweep("s", {"--on", "slurm"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("partition"), std::string::npos) << refused.err;
  EXPECT_EQ(sweep("s", {"--on", "slurm", "--sbatch", "--partition=all --mem=0"}).code, 0);
  plan("grid = { distance = { 1, 2 } }, slurm = { partition = 'all --output=/tmp/x' }");
  const Result injected = sweep("t", {"--on", "slurm"});
  EXPECT_EQ(injected.code, 2);
  EXPECT_NE(injected.err.find("slurm.partition"), std::string::npos) << injected.err;
  plan("grid = { distance = { 1, 2 } }, run = { backend = 'cuda' }, slurm = { gpus = 2 }");
  const Result on_gpus =
      run({.arguments = {"sweep", "plan.lua", "--on", "slurm", "--dry-run"}, .folder = here()});
  EXPECT_EQ(on_gpus.code, 0) << "this machine needs no GPU for it: " << on_gpus.err;
  EXPECT_NE(on_gpus.out.find("#SBATCH --gpus-per-node=2\n"), std::string::npos) << on_gpus.out;
  EXPECT_EQ(on_gpus.out.find("--jobs"), std::string::npos) << on_gpus.out;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--jobs", "3"}, {"--job", "1"}, {"--collect"}}) {
    std::vector<std::string> all{"--on", "slurm"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_EQ(sweep("v", all).code, 2) << words.front();
  }
  EXPECT_EQ(sweep("v", {"--job", ""}).code, 2);
  EXPECT_FALSE(fs::exists(here() / "v"));
}

// A signal reaches all processes of a task, and its sweep passes it on.
TEST_F(Slurm, LeavesCheckpointsWhereTasksAreCancelled) {
  plan(
      "grid = { distance = { 1, 2 } }, run = { steps = 1000000000, series_steps = 1000000 }, "
      "slurm = { tasks = 1 }");
  ASSERT_EQ(sweep("a b", {"--on", "slurm"}).code, 0) << "also in a folder with a space";
  const Result queued = run({.arguments = {"info", "a b"}, .folder = here()});
  EXPECT_NE(queued.out.find("jobs: 0 done"), std::string::npos) << queued.out << queued.err;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (!fs::exists(here() / "a b/runs/0001/run.json")) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "no run begins";
    std::this_thread::sleep_for(50ms);
  }
  std::this_thread::sleep_for(500ms);
  ASSERT_EQ(shell("scancel 1"), 0);
  ASSERT_TRUE(is_idle_in_time());
  EXPECT_EQ(json_of(here() / "a b/runs/0001/run.json").at("status"), "interrupted");
  EXPECT_FALSE(files_below(here() / "a b/runs/0001/checkpoints").empty());
  EXPECT_FALSE(fs::exists(here() / "a b/runs/0002"));
}

// A scheduler needs seconds for each task. Before any has ended, a job is taken for 10 s.
TEST_F(Slurm, GetsTasksOfTimesThatSuitIt) {
  const auto tasks = [&](const std::string& jobs, const std::string& slurm) {
    plan("grid = { distance = { min = 1, max = 2, count = " + jobs + " } }, slurm = { " + slurm +
         " }");
    const std::string text = sweep("s", {"--on", "slurm", "--dry-run"}).out, mark = "--array=1-";
    const auto at = text.find(mark);
    return at == text.npos ? 0 : std::stoi(text.substr(at + mark.size()));
  };
  EXPECT_EQ(tasks("2000", ""), 64);
  EXPECT_EQ(tasks("2000", "tasks = 7"), 7);
  EXPECT_EQ(tasks("20", ""), 20) << "10 s each";
  EXPECT_EQ(tasks("20", "cpus = 4"), 5);
  EXPECT_EQ(tasks("20", "cpus = 4, time = '1'"), 5);
  EXPECT_EQ(tasks("2000", "time = '1:00'"), 667) << "half a minute each";
  EXPECT_EQ(tasks("200000", ""), 1000) << "as many as arrays may have";
}

}  // namespace
}  // namespace mote::test
