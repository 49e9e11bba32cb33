// Lists of the runs and sweeps in a folder.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <csignal>

#include "tests/app/runs_fixture.h"

namespace mote::test {
namespace {

namespace fs = std::filesystem;

TEST_F(Runs, AreListedWithHowTheyEnded) {
  run_in("first");
  run_in("below/second", {"--steps", "7"});
  const std::string text = good({"runs"});
  const std::vector<std::string> lines = lines_of(text);
  ASSERT_EQ(lines.size(), 3u) << text;
  expect_all(lines[0], {"name", "status", "steps", "time", "written", "hash", "title"});
  expect_all(lines[1], {"below/second  done    7 ", hash_of(here() / "below/second"), "Binary"});
  expect_all(lines[2], {"first         done    100 ", " 0.78125 ", hash_of(here() / "first")});
  EXPECT_EQ(good({"runs", "below"}).find("first"), std::string::npos);
}

TEST_F(Runs, AreOneJsonObjectPerLine) {
  run_in("first");
  const engine::Json row = rows().at("first");
  EXPECT_EQ(row.at("kind"), "run");
  EXPECT_EQ(row.at("title"), "Binary");
  EXPECT_EQ(row.at("status"), "done");
  EXPECT_EQ(row.at("steps"), 100);
  EXPECT_EQ(row.at("time"), 0.78125);
  EXPECT_EQ(row.at("state_hash"), hash_of(here() / "first"));
  EXPECT_EQ(row.at("written").get<std::string>().size(),
            std::string("2026-01-31T12:00:00Z").size());
  EXPECT_EQ(rows({"first"}).at(".").at("state_hash"), hash_of(here() / "first"));
}

TEST_F(Runs, ShowTheProgressOfOneThatGoesOnAndThatOneWasKilled) {
  Running running({.arguments = {"run", "binary.lua", "--steps", "1e12", "--series-steps", "1e4",
                                 "--out", "long", "--quiet"},
                   .folder = here()});
  ASSERT_TRUE(appears(here() / "long/run.json", running));
  EXPECT_TRUE(comes_true([&] { return rows().at("long").value("progress", 0.0) > 0; }));
  const engine::Json row = rows().at("long");
  EXPECT_EQ(row.at("status"), "running");
  EXPECT_LT(row.at("progress"), 0.01);
  EXPECT_NE(good({"runs"}).find("running 0 %"), std::string::npos);
  running.signal(SIGKILL);
  running.wait();
  EXPECT_EQ(rows().at("long").at("status"), "killed");
}

TEST_F(Runs, OfOtherMachinesMayGoOnThere) {
  write(here() / "far/run.json", R"({"status": "running", "host": "a-host-elsewhere"})");
  write(here() / "near/run.json", R"({"status": "running"})");
  const auto all = rows();
  EXPECT_EQ(all.at("far").at("status"), "killed, or running on a-host-elsewhere");
  EXPECT_EQ(all.at("near").at("status"), "killed");
}

TEST_F(Runs, ThatWereStoppedOrFailedSayWhy) {
  run_in("stopped");
  engine::Json record = json_of(here() / "stopped/run.json");
  record["status"] = "unhealthy";
  record["reason"] = "too fast";
  write(here() / "stopped/run.json", engine::json_text(record));
  expect_all(good({"runs"}), {"unhealthy", "Binary; too fast"});
}

TEST_F(Runs, HaveOneRowEachWhateverTheirTitles) {
  run_in("first");
  engine::Json record = json_of(here() / "first/run.json");
  record["title"] = "Two\nlines";
  write(here() / "first/run.json", engine::json_text(record));
  const std::string text = good({"runs"});
  EXPECT_EQ(lines_of(text).size(), 2u) << text;
  expect_all(text, {"Two lines"});
}

TEST_F(Runs, ThatCannotBeReadAreRowsWithTheReason) {
  run_in("good");
  write(here() / "broken/run.json", "{ nonsense");
  write(here() / "strange/run.json",
        R"({"status": {"a": 1}, "title": 3, "stop": [], "steps": "x"})");
  write(here() / "null/run.json", R"({"steps": null, "time": null, "state_hash": null})");
  write(here() / "huge/run.json", R"({"steps": 1e300})");
  write(here() / "no_sweep/jobs.json", "[1]");
  const auto all = rows();
  EXPECT_EQ(all.at("good").at("status"), "done");
  EXPECT_EQ(all.at("broken").at("status"), "unreadable");
  EXPECT_EQ(all.at("broken").at("reason"), "its run.json is not that of a run");
  EXPECT_EQ(all.at("no_sweep").at("reason"), "its jobs.json is not that of a sweep");
  for (const char* name : {"strange", "null", "huge"}) {
    EXPECT_EQ(all.at(name).at("status"), "unknown") << name;
    EXPECT_FALSE(all.at(name).contains("steps")) << name;
    EXPECT_FALSE(all.at(name).contains("reason")) << name;
  }
  EXPECT_FALSE(all.at("null").contains("state_hash"));
  expect_all(good({"runs"}), {"unreadable", "its run.json is not that of a run"});
  EXPECT_EQ(wrong({"runs", "nowhere"}),
            "nowhere: is not a folder; name the folder in which runs and sweeps are\n");
}

TEST_F(Runs, OfASweepWhoseFolderCannotBeEnteredHideNoOthers) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may enter every folder";
  run_in("good");
  write(here() / "closed/jobs.json", R"({"jobs": []})");
  fs::permissions(here() / "closed", fs::perms::owner_read);
  const auto all = rows();
  fs::permissions(here() / "closed", fs::perms::owner_all);
  EXPECT_EQ(all.at("closed").at("status"), "unreadable");
  EXPECT_EQ(all.at("good").at("status"), "done");
}

TEST_F(Runs, OfASweepGoOnWhileAProcessSharesItsLock) {
  write(here() / "s/jobs.json", R"({"jobs": [1, 2]})");
  const int folder = ::open((here() / "s").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(folder, LOCK_SH), 0);
  EXPECT_EQ(rows().at("s").at("status"), "running");
  ::close(folder);
  EXPECT_EQ(rows().at("s").at("status"), "unfinished");
}

TEST_F(Runs, OfASweepAreCountedInItsRow) {
  sweep_in("s");
  const auto all = rows();
  ASSERT_EQ(all.size(), 1u);
  const engine::Json& sweep = all.at("s");
  EXPECT_EQ(sweep.at("kind"), "sweep");
  EXPECT_EQ(sweep.at("status"), "done");
  EXPECT_EQ(sweep.at("jobs"), 40);
  EXPECT_EQ(sweep.at("statuses"), engine::parse_json(R"({"done": 39, "failed": 1})"));
  expect_all(good({"runs"}), {"sweep of 40 jobs; 39 done, 1 failed"});
  fs::remove(here() / "s/results.csv");
  EXPECT_EQ(rows().at("s").at("status"), "unfinished");
  EXPECT_EQ(rows({"s/runs"}).at("0001").at("status"), "done");
}

TEST_F(Runs, AreSearchedForThreeLevelsDownAndNotBehindLinks) {
  run_in("a/b/c");
  run_in("a/b/d/e");
  run_in(".hidden");
  fs::create_directory_symlink(here() / "a/b/c", here() / "link");
  const std::string text = good({"runs"});
  expect_all(text, {"a/b/c ", "1 folder not searched: more than 3 levels down; name one of them\n",
                    "1 symbolic link not followed\n"});
  EXPECT_EQ(lines_of(text).size(), 4u) << text;
  EXPECT_EQ(good({"runs", ".hidden/snapshots"}), ".hidden/snapshots: has no runs and no sweeps\n");
}

TEST_F(Runs, AreListedUpToAThousand) {
  for (int i = 0; i < 1003; ++i)
    write(here() / fmt::format("{:04}/run.json", i),
          R"({"status": "done", "title": "One of many"})");
  const std::string text = good({"runs"});
  EXPECT_EQ(lines_of(text).size(), 1u + 1000 + 1);
  EXPECT_NE(text.find("3 folders not searched: the list ends after 1000 runs\n"),
            std::string::npos);
}

}  // namespace
}  // namespace mote::test
