// Jobs that take turns and do some work together.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/files.h"
#include "engine/log.h"
#include "sim/run/lockstep.h"
#include "tests/support/temporary_folder.h"

namespace mote::test {
namespace {

struct NamedPart final : sim::Lockstep::Part {
  char name = 0;
};

/// Each letter of `jobs` is a job that meets as often as its number says; what they do is written
/// down.
std::string story_of(const std::vector<int>& meetings) {
  sim::Lockstep lockstep;
  std::string story;
  std::atomic<int> awake = 0;
  std::vector<std::function<void()>> jobs;
  for (std::size_t k = 0; k < meetings.size(); ++k)
    jobs.push_back([&, k] {
      NamedPart part;
      part.name = static_cast<char>('A' + k);
      for (int i = 0; i < meetings[k]; ++i) {
        EXPECT_EQ(awake.fetch_add(1), 0) << "one at a time";
        story += static_cast<char>('a' + k);
        awake.fetch_sub(1);
        lockstep.meet(part, [&](std::span<sim::Lockstep::Part* const> all) {
          story += '(';
          for (const sim::Lockstep::Part* p : all) story += static_cast<const NamedPart*>(p)->name;
          story += ')';
        });
      }
      story += '.';
    });
  lockstep.run(jobs);
  return story;
}

TEST(Lockstep, ActsOnceForAllWhoWait) {
  EXPECT_EQ(story_of({2, 2, 2}), "abc(ABC)abc(ABC)...");
}
TEST(Lockstep, GoesOnWithThoseWhoAreLeft) {
  EXPECT_EQ(story_of({3, 1, 2}), "abc(ABC)a.c(AC)a.(A).");
}
TEST(Lockstep, RunsJobsThatNeverMeetOneAfterAnother) {
  EXPECT_EQ(story_of({0, 0}), "..");
  EXPECT_EQ(story_of({}), "");
  EXPECT_EQ(story_of({1}), "a(A).");
}

TEST(Lockstep, TellsEveryoneWhatWentWrong) {
  sim::Lockstep lockstep;
  int told = 0, after = 0;
  const auto job = [&] {
    sim::Lockstep::Part part;
    try {
      lockstep.meet(part, [](auto) { throw std::runtime_error("no device"); });
    } catch (const std::runtime_error& e) {
      told += std::string(e.what()) == "no device" ? 1 : 0;
    }
    lockstep.meet(part, [&](auto all) { after += static_cast<int>(all.size()); });
  };
  lockstep.run({job, job, job});
  EXPECT_EQ(told, 3);
  EXPECT_EQ(after, 3);
}

TEST(Lockstep, KeepsTheLogsOfJobsApart) {
  const TemporaryFolder folder;
  const auto file = [&](int k) { return (folder.path() / ("log" + std::to_string(k))).string(); };
  sim::Lockstep lockstep;
  std::vector<std::function<void()>> jobs;
  for (int k = 0; k < 2; ++k)
    jobs.push_back([&, k] {
      const engine::LogFile log(file(k));
      sim::Lockstep::Part part;
      engine::log().info("before of {}", k);
      lockstep.meet(part, [](auto) {});
      engine::log().info("behind of {}", k);
    });
  lockstep.run(jobs);
  for (int k = 0; k < 2; ++k) {
    const std::string text = engine::read_whole(file(k));
    EXPECT_NE(text.find("before of " + std::to_string(k)), text.npos) << text;
    EXPECT_NE(text.find("behind of " + std::to_string(k)), text.npos) << text;
    EXPECT_EQ(text.find("of " + std::to_string(1 - k)), text.npos) << text;
  }
}

}  // namespace
}  // namespace mote::test
