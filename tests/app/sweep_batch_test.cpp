// Sweeps of small systems on a GPU, which are stepped in batches.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/app/sweep_support.h"
#include "tests/support/on_device.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class SweepBatch : public testing::Test {
 protected:
  void SetUp() override {
    if (!no_gpu().empty()) GTEST_SKIP() << no_gpu();
    write(here() / "scene.lua", sweep_scene);
  }
  const fs::path& here() const { return folder_.path(); }
  void plan(const std::string& body) const {
    write(here() / "plan.lua", "return { scene = 'scene.lua', " + body + " }");
  }
  static std::vector<std::string> words(const std::string& out,
                                        std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"sweep", "plan.lua", "--out", out, "--backend", "cuda", "--jobs", "1"});
    return more;
  }
  std::vector<CsvRow> rows(const std::string& out) const {
    return csv_rows(text_of(here() / out / "results.csv"));
  }
  std::string file_of(const std::string& out, int job, const std::string& name) const {
    return text_of(here() / out / "runs" / ("000" + std::to_string(job)) / name);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SweepBatch, LeavesForEachJobWhatItLeavesAlone) {
  plan("grid = { steps = { 7, 35, 60 }, distance = { 1, 1.5, 2 } }, run = { snapshot_steps = 30 }");
  ASSERT_EQ(mote(here(), words("together")).code, 0);
  ASSERT_EQ(mote(here(), words("alone", {"--batch", "1"})).code, 0);
  EXPECT_EQ(rows("together"), rows("alone"));
  ASSERT_EQ(rows("together").size(), 9u);
  for (const int job : {1, 5, 9})
    EXPECT_EQ(file_of("together", job, "series.csv"), file_of("alone", job, "series.csv"));
  EXPECT_EQ(files_below(here() / "together/runs/0009"), files_below(here() / "alone/runs/0009"));
  // Each log is that of the run alone, plus a line about the batch.
  const std::string log = file_of("together", 9, "log.txt");
  EXPECT_EQ(log.find("stepped in batches with other small systems"),
            log.rfind("stepped in batches with other small systems"))
      << log;
  EXPECT_NE(log.find("stepped in batches with other small systems"), log.npos) << log;
  EXPECT_EQ(file_of("alone", 9, "log.txt").find("stepped in batches with other small systems"),
            log.npos);
}

TEST_F(SweepBatch, KeepsReasonsOfJobsThatFailAmongOthers) {
  plan("grid = { number = { min = 1, max = 40, count = 40, whole = true }, limit = { 1e-12, 1 } }");
  const Result result = mote(here(), words("s"));
  EXPECT_EQ(result.code, 1) << result.err;
  const auto all = rows("s");
  ASSERT_EQ(all.size(), 80u);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string expected = k % 40 == 16 ? "failed" : k < 40 ? "unhealthy" : "done";
    const std::string reason = k % 40 == 16 ? "not seventeen"
                               : k < 40     ? "passed the scene's limit"
                                            : "";
    EXPECT_EQ(all[k].at("status"), expected) << k;
    EXPECT_NE(all[k].at("reason").find(reason), std::string::npos) << all[k].at("reason");
  }
}

TEST_F(SweepBatch, GoesOnWhereItWasInterrupted) {
  plan(
      "grid = { distance = { 1, 1.5, 2 } }, set = { steps = 2000 }, run = { snapshot_steps = 200 "
      "}");
  ASSERT_EQ(mote(here(), words("whole")).code, 0);
  Running running({.arguments = words("cut"), .folder = here()});
  ASSERT_TRUE(comes_true([&] {
    return running.ended() || fs::exists(here() / "cut/runs/0003/snapshots/snapshot_0000.h5");
  }));
  running.signal(SIGTERM);
  const Result result = running.wait();
  ASSERT_EQ(result.code, 130) << result.err;
  for (const CsvRow& row : rows("cut")) EXPECT_EQ(row.at("status"), "interrupted");
  ASSERT_EQ(mote(here(), words("cut")).code, 0);
  EXPECT_EQ(rows("cut"), rows("whole"));
  for (const int job : {1, 2, 3})
    EXPECT_EQ(file_of("cut", job, "series.csv"), file_of("whole", job, "series.csv"));
}

TEST_F(SweepBatch, RunsJobsAloneWhoseProcessWasKilled) {
  plan("grid = { distance = { 1, 1.5, 2 } }, set = { steps = 3000 }");
  Running running({.arguments = words("s"), .folder = here()});
  ASSERT_TRUE(
      comes_true([&] { return running.ended() || fs::exists(here() / "s/runs/0003/log.txt"); }));
  const auto workers = processes_in(here(), "sweep-worker");
  ASSERT_EQ(workers.size(), 1u);
  ::kill(workers.front(), SIGKILL);
  const Result result = running.wait();
  EXPECT_EQ(result.code, 0) << result.err;
  const auto all = rows("s");
  ASSERT_EQ(all.size(), 3u);
  for (const CsvRow& row : all) EXPECT_EQ(row.at("status"), "done") << row.at("reason");
  EXPECT_EQ(file_of("s", 1, "log.txt").find("stepped in batches with other small systems"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
