// Jobs that run in turns and do some work jointly.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/exec/lockstep.h"
#include "engine/files.h"
#include "engine/log.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

struct NamedPart final : engine::Lockstep::Part {
  char name = 0;
};

/// The log of jobs, one letter each, that call rendezvous() as often as their number says.
std::string log_of(const std::vector<int>& meetings) {
  engine::Lockstep lockstep;
  std::string log;
  std::atomic<int> running = 0;
  std::vector<std::function<void()>> jobs;
  for (std::size_t k = 0; k < meetings.size(); ++k)
    jobs.push_back([&, k] {
      NamedPart part;
      part.name = static_cast<char>('A' + k);
      for (int i = 0; i < meetings[k]; ++i) {
        EXPECT_EQ(running.fetch_add(1), 0) << "one at a time";
        log += static_cast<char>('a' + k);
        running.fetch_sub(1);
        lockstep.rendezvous(part, [&](std::span<engine::Lockstep::Part* const> all) {
          log += '(';
          for (const engine::Lockstep::Part* p : all) log += static_cast<const NamedPart*>(p)->name;
          log += ')';
        });
      }
      log += '.';
    });
  lockstep.run(jobs);
  return log;
}

TEST(Lockstep, DoesJointWorkOnceForAllWaitingJobs) {
  EXPECT_EQ(log_of({2, 2, 2}), "abc(ABC)abc(ABC)...");
}
TEST(Lockstep, ContinuesWithTheRemainingJobs) {
  EXPECT_EQ(log_of({3, 1, 2}), "abc(ABC)a.c(AC)a.(A).");
}
TEST(Lockstep, RunsJobsThatNeverMeetOneAfterAnother) {
  EXPECT_EQ(log_of({0, 0}), "..");
  EXPECT_EQ(log_of({}), "");
  EXPECT_EQ(log_of({1}), "a(A).");
}

TEST(Lockstep, RethrowsAnExceptionInEveryJob) {
  engine::Lockstep lockstep;
  int caught = 0, after = 0;
  const auto job = [&] {
    engine::Lockstep::Part part;
    try {
      lockstep.rendezvous(part, [](auto) { throw std::runtime_error("no device"); });
    } catch (const std::runtime_error& e) {
      caught += std::string(e.what()) == "no device" ? 1 : 0;
    }
    lockstep.rendezvous(part, [&](auto all) { after += static_cast<int>(all.size()); });
  };
  lockstep.run({job, job, job});
  EXPECT_EQ(caught, 3);
  EXPECT_EQ(after, 3);
}

TEST(Lockstep, KeepsTheLogsOfJobsApart) {
  const TemporaryFolder folder;
  const auto file = [&](int k) { return (folder.path() / ("log" + std::to_string(k))).string(); };
  engine::Lockstep lockstep;
  std::vector<std::function<void()>> jobs;
  for (int k = 0; k < 2; ++k)
    jobs.push_back([&, k] {
      const engine::LogFile log(file(k));
      engine::Lockstep::Part part;
      engine::log().info("before of {}", k);
      lockstep.rendezvous(part, [](auto) {});
      engine::log().info("after of {}", k);
    });
  lockstep.run(jobs);
  for (int k = 0; k < 2; ++k) {
    const std::string text = engine::read_file(file(k));
    EXPECT_NE(text.find("before of " + std::to_string(k)), text.npos) << text;
    EXPECT_NE(text.find("after of " + std::to_string(k)), text.npos) << text;
    EXPECT_EQ(text.find("of " + std::to_string(1 - k)), text.npos) << text;
  }
}

}  // namespace
}  // namespace mote::test
