// Processes that use one folder at the same time, or are killed while they change it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "tests/app/program.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

class Meeting : public testing::Test {
 protected:
  void SetUp() override { write(here() / "binary.lua", binary_scene); }
  const fs::path& here() const { return folder_.path(); }

  /// Starts processes together and returns their results.
  std::vector<Result> together(int count, const std::vector<std::string>& words) const {
    std::vector<std::unique_ptr<Running>> all;
    for (int i = 0; i < count; ++i)
      all.push_back(std::make_unique<Running>(Call{.arguments = words, .folder = here()}));
    std::vector<Result> results;
    for (const auto& one : all) results.push_back(one->wait());
    return results;
  }

  /// Checks the folder of a finished run, or of one of a sweep, which has no checkpoint; returns
  /// what is wrong with it, or "".
  std::string fault_of(const fs::path& run, bool of_sweep = false) const {
    auto files = files_below(run);
    if (of_sweep) files.insert(files.begin(), "checkpoints/checkpoint_000000000100.h5");
    const std::vector<std::string> whole{"checkpoints/checkpoint_000000000100.h5",
                                         "log.txt",
                                         "run.json",
                                         "scene.lua",
                                         "series.csv",
                                         "series.units.json",
                                         "snapshots/snapshot_0000.h5"};
    if (files != whole) return "has " + testing::PrintToString(files);
    if (text_of(run / "scene.lua") != binary_scene) return "another scene";
    if (json_of(run / "run.json").at("status") != "done") return "not done";
    if (lines_of(text_of(run / "series.csv")).size() != 102) return "other rows";
    return mote(here(), {"info", (run / "snapshots/snapshot_0000.h5").string()}).err;
  }

 private:
  TemporaryFolder folder_;
};

// Either one process holds the folder and the others report it, or they hold it in turn; none
// removes the files of another. A dozen rounds: a fault in one of three rounds is missed by all of
// them once in a hundred times.
TEST_F(Meeting, OfRunsThatOverwriteTheSameFolderLeavesOneWhole) {
  for (int round = 0; round < 12; ++round) {
    const auto results = together(3, {"run", "binary.lua", "--out", "o", "--force", "--quiet"});
    int done = 0;
    for (const Result& result : results) {
      if (result.code == 0)
        ++done;
      else
        EXPECT_EQ(result.err,
                  "o: another mote process is writing this run; wait until it has ended, or stop "
                  "it\n");
    }
    EXPECT_GE(done, 1);
    ASSERT_EQ(fault_of(here() / "o"), "") << "in round " << round;
  }
}

TEST_F(Meeting, OfRunsWithANewFolderLeavesOneWholeAndOneAlone) {
  for (int round = 0; round < 12; ++round) {
    fs::remove_all(here() / "o");
    const auto results = together(3, {"run", "binary.lua", "--out", "o", "--quiet"});
    EXPECT_EQ(
        std::count_if(results.begin(), results.end(), [](const Result& r) { return r.code == 0; }),
        1);
    EXPECT_EQ(
        std::count_if(results.begin(), results.end(), [](const Result& r) { return r.code == 2; }),
        2);
    ASSERT_EQ(fault_of(here() / "o"), "") << "in round " << round;
  }
}

TEST_F(Meeting, OfRunsWithoutAFolderGivesEachItsOwn) {
  for (const Result& result : together(4, {"run", "binary.lua", "--quiet"}))
    EXPECT_EQ(result.code, 0) << result.err;
  for (const char* name : {"out", "out-2", "out-3", "out-4"})
    EXPECT_EQ(fault_of(here() / name), "") << name;
}

// The folder is claimed while the scene opens, and released on failure.
TEST_F(Meeting, ARunThatCannotBeginLeavesNothing) {
  write(here() / "mine/notes.txt", "mine");
  const auto without_driver = [&](const std::string& out) {
    return run({.arguments = {"run", "binary.lua", "--out", out, "--picture", "p.png"},
                .folder = here(),
                .environment = {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/no/driver"}}})
        .code;
  };
  if (without_driver("elsewhere") == 0) GTEST_SKIP() << "nothing fails while a scene opens here";
  EXPECT_NE(without_driver("mine"), 0);
  EXPECT_EQ(files_below(here() / "mine"), std::vector<std::string>{"notes.txt"});
  EXPECT_FALSE(fs::exists(here() / "elsewhere"));
}

// So many files that the process is killed while it removes them.
TEST_F(Meeting, AKillWhileAnEarlierRunIsRemovedLeavesAFolderThatARunTakes) {
  const std::vector<std::string> words{"run", "binary.lua", "--out", "o", "--force", "--quiet"};
  ASSERT_EQ(mote(here(), words).code, 0);
  for (int i = 0; i < 20'000; ++i)
    write(here() / "o/snapshots" / ("snapshot_" + std::to_string(10'000 + i) + ".h5"), "");
  {
    Running running({.arguments = words, .folder = here()});
    while (fs::exists(here() / "o/run.json") && !running.ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    running.signal(SIGKILL);
    ASSERT_EQ(running.wait().code, -SIGKILL) << "it was too fast for this test";
  }
  ASSERT_GT(files_below(here() / "o/snapshots").size(), 1u);
  EXPECT_EQ(mote(here(), {"resume", "o"}).code, 2) << "it is not done";
  const Result again = mote(here(), words);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(fault_of(here() / "o"), "");
}

// A scheduler may restart a job before its first process has ended.
TEST_F(Meeting, AJobThatIsStartedTwiceIsRunOnce) {
  write(here() / "plan.lua", "return { scene = 'binary.lua', grid = { distance = { 1, 2 } } }");
  for (int round = 0; round < 12; ++round) {
    fs::remove_all(here() / "s");
    for (const Result& result :
         together(2, {"sweep", "plan.lua", "--out", "s", "--job", "2", "--quiet"}))
      EXPECT_EQ(result.code, 0) << result.err;
    ASSERT_EQ(fault_of(here() / "s/runs/0002", true), "") << "in round " << round;
    EXPECT_FALSE(fs::exists(here() / "s/failures"));
  }
}

}  // namespace
}  // namespace mote::test
