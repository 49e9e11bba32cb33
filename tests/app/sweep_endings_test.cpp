// Sweeps that end before their jobs do, and results of resumed jobs.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "engine/json.h"
#include "tests/app/sweep_support.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class SweepEndings : public testing::Test {
 protected:
  void SetUp() override { write(here() / "scene.lua", sweep_scene); }
  const fs::path& here() const { return folder_.path(); }

  Call sweep(const std::string& plan, const std::string& out) const {
    write(here() / "plan.lua", "return { scene = 'scene.lua', " + plan + " }");
    return {.arguments = {"sweep", "plan.lua", "--out", out, "--backend", "cpu", "--jobs", "2"},
            .folder = here()};
  }
  std::vector<CsvRow> rows(const std::string& out) const {
    return csv_rows(text_of(here() / out / "results.csv"));
  }
  std::vector<pid_t> workers() const { return processes_in(here(), "sweep-worker"); }

 private:
  TemporaryFolder folder_;
};

const char* const endless = "list = { { steps = 1e15 }, { steps = 1e15 } }";

TEST_F(SweepEndings, LeaveRowsOfJobsThatWentOnAsIfThereHadBeenNone) {
  const std::string plan =
      "grid = { distance = { 1, 1.5 } }, set = { steps = 600000 }, run = { series_steps = 1000 }";
  {
    Running running(sweep(plan, "s"));
    for (const char* job : {"0001", "0002"})
      ASSERT_TRUE(appears(here() / "s/runs" / job / "run.json", running));
    running.signal(SIGINT);
    ASSERT_EQ(running.wait().code, 130);
  }
  for (const CsvRow& row : rows("s")) EXPECT_EQ(row.at("status"), "interrupted");
  ASSERT_EQ(run(sweep(plan, "s")).code, 0);
  ASSERT_EQ(run(sweep(plan, "whole")).code, 0);
  std::vector<CsvRow> again = rows("s"), whole = rows("whole");
  ASSERT_EQ(again.size(), 2u);
  for (const CsvRow& row : again) {
    const engine::Json record = json_of(here() / "s" / row.at("folder") / "run.json");
    EXPECT_EQ(record.at("resumed_at_steps").size(), 1u) << "went on from its checkpoint";
  }
  for (const CsvRow& row : csv_rows(text_of(here() / "s/machines.csv"))) {
    EXPECT_GT(std::stod(row.at("seconds")), 0);
    EXPECT_GT(std::stod(row.at("steps_per_second")), 0);
  }
  EXPECT_EQ(again, whole);
}

// A stopped worker reacts only to SIGKILL.
TEST_F(SweepEndings, ComeAtOnceWithASecondInterrupt) {
  Running running(sweep(endless, "s"));
  ASSERT_TRUE(appears(here() / "s/runs/0002/run.json", running));
  for (const pid_t worker : workers()) ::kill(worker, SIGSTOP);
  running.signal(SIGINT);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_FALSE(running.ended()) << "the first one waits for the runs";
  running.signal(SIGINT);
  EXPECT_TRUE(comes_true([&] { return running.ended(); }));
  EXPECT_EQ(running.wait().code, -SIGINT);
  EXPECT_TRUE(comes_true([&] { return workers().empty(); }));
}

TEST_F(SweepEndings, ByAKillEndTheWorkers) {
  Running running(sweep(endless, "s"));
  ASSERT_TRUE(appears(here() / "s/runs/0002/run.json", running));
  ASSERT_EQ(workers().size(), 2u);
  running.signal(SIGKILL);
  EXPECT_EQ(running.wait().code, -SIGKILL);
  EXPECT_TRUE(comes_true([&] { return workers().empty(); }));
}

}  // namespace
}  // namespace mote::test
