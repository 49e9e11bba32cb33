#include "engine/exec/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "engine/exec/cancel.h"

namespace mote::engine {
namespace {

constexpr int max_threads = 8;

TEST(Parallel, EveryTaskRunsExactlyOnce) {
  for (int threads = 1; threads <= max_threads; ++threads) {
    for (Index tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(tasks) + 1);
      parallel_tasks(threads, tasks,
                     [&](Index task) { ++runs.at(static_cast<std::size_t>(task)); });
      for (Index task = 0; task < tasks; ++task)
        ASSERT_EQ(runs[static_cast<std::size_t>(task)], 1)
            << "task " << task << " of " << tasks << ", " << threads;
    }
  }
}

TEST(Parallel, NoMoreThreadsRunThanWereAskedFor) {
  for (int threads = 1; threads <= max_threads; ++threads) {
    std::mutex mutex;
    std::set<std::thread::id> seen;
    parallel_tasks(threads, 1000, [&](Index) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    EXPECT_LE(seen.size(), static_cast<std::size_t>(threads));
  }
}

// Each task waits for the other one, which only another thread can run.
TEST(Parallel, TwoThreadsRunTwoTasksAtTheSameTime) {
  std::atomic<int> arrived{0}, met{0};
  parallel_tasks(2, 2, [&](Index) {
    ++arrived;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (arrived < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    met += arrived == 2;
  });
  EXPECT_EQ(met, 2);
}

TEST(Parallel, LoopsInsideOfTasksRunInTheThreadOfTheirTask) {
  std::atomic<int> runs{0}, elsewhere{0};
  parallel_tasks(3, 20, [&](Index) {
    const auto own = std::this_thread::get_id();
    parallel_tasks(3, 20, [&](Index) { ++runs, elsewhere += std::this_thread::get_id() != own; });
  });
  EXPECT_EQ(runs, 400);
  EXPECT_EQ(elsewhere, 0);
}

TEST(Parallel, ThreadsStartLoopsAtTheSameTime) {
  std::vector<Index> sums(4);
  std::vector<std::thread> hosts;
  for (std::size_t k = 0; k < sums.size(); ++k)
    hosts.emplace_back([&sum = sums[k]] {
      for (int repeat = 0; repeat < 200; ++repeat) {
        std::atomic<Index> all{0};
        parallel_tasks(1 + repeat % 4, 50, [&](Index task) { all += task; });
        sum += all;
      }
    });
  for (std::thread& host : hosts) host.join();
  EXPECT_EQ(sums, std::vector<Index>(4, 200 * 1225));
}

// The helpers of the parent do not exist in the child, which starts new ones.
TEST(Parallel, AForkedChildHasThreadsOfItsOwn) {
  const auto run_concurrently = [] {
    std::atomic<int> arrived{0}, met{0};
    parallel_tasks(2, 2, [&](Index) {
      ++arrived;
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (arrived < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      met += arrived == 2;
    });
    return met == 2;
  };
  ASSERT_TRUE(run_concurrently());
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(run_concurrently() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(run_concurrently());
}

TEST(Parallel, WritesOfTasksAreVisibleAfterTheLoop) {
  std::vector<Index> squares(1000);
  for (int repeat = 0; repeat < 20; ++repeat) {
    parallel_tasks(4, 1000, [&](Index task) {
      squares[static_cast<std::size_t>(task)] = task * task + repeat;
    });
    for (Index task = 0; task < 1000; ++task)
      ASSERT_EQ(squares[static_cast<std::size_t>(task)], task * task + repeat);
  }
}

TEST(Parallel, TasksRunWithoutAnyThreadToSpare) {
  for (int threads : {-1, 0}) {
    int runs = 0;
    parallel_tasks(threads, 3, [&](Index) { ++runs; });
    EXPECT_EQ(runs, 3);
  }
}

// Also if the loop has one thread.
TEST(Parallel, CancelledWorkEndsAfterTheTasksThatRun) {
  for (int threads : {1, 4}) {
    std::atomic<bool> flag{false};
    std::atomic<int> runs{0};
    const Cancellation cancellation(flag);
    const auto work = [&] {
      parallel_tasks(threads, 1000, [&](Index) {
        if (++runs == 10) flag = true;
      });
    };
    EXPECT_THROW(work(), Cancelled);
    EXPECT_LT(runs, 10 + threads);
    EXPECT_THROW(work(), Cancelled) << "no task starts";
    EXPECT_THROW(throw_if_cancelled(), Cancelled);
  }
}

TEST(Parallel, CancellationIsOfOneThreadWhileItLives) {
  std::atomic<bool> flag{true};
  int runs = 0;
  {
    const Cancellation cancellation(flag);
    std::thread([&] { parallel_tasks(1, 3, [&](Index) { ++runs; }); }).join();
    EXPECT_EQ(runs, 3);
  }
  parallel_tasks(1, 3, [&](Index) { ++runs; });
  EXPECT_EQ(runs, 6);
}

TEST(Parallel, BodyIsUsedInPlaceAndMayBeConstant) {
  struct Body {
    std::atomic<int>& runs;
    Body(std::atomic<int>& counted) : runs(counted) {}
    Body(const Body&) = delete;
    void operator()(Index) const { ++runs; }
  };
  std::atomic<int> runs{0};
  const Body body(runs);
  parallel_tasks(2, 10, body);
  EXPECT_EQ(runs, 10);
}

TEST(Parallel, ChunksCoverTheRangeExactly) {
  for (int threads : {1, 3}) {
    for (Index n :
         {Index{0}, Index{1}, loop_chunk - 1, loop_chunk, loop_chunk + 1, 5 * loop_chunk + 17}) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(n) + loop_chunk);
      std::atomic<int> chunks{0};
      parallel_chunks(threads, n, [&](Index begin, Index end) {
        ++chunks;
        EXPECT_EQ(begin % loop_chunk, 0);
        EXPECT_LT(begin, end);
        for (Index i = begin; i < end; ++i) ++visits.at(static_cast<std::size_t>(i));
      });
      EXPECT_EQ(chunks, (n + loop_chunk - 1) / loop_chunk);
      for (Index i = 0; i < static_cast<Index>(visits.size()); ++i)
        ASSERT_EQ(visits[static_cast<std::size_t>(i)], i < n ? 1 : 0)
            << "item " << i << " of " << n;
    }
  }
}

TEST(Parallel, MachineOffersAtLeastOneThreadAndNoMoreThanItHas) {
  EXPECT_GE(available_threads(), 1);
  EXPECT_LE(available_threads(),
            static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

}  // namespace
}  // namespace mote::engine
