#include "engine/exec/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "engine/exec/cancel.h"
#include "engine/exec/forked.h"

namespace mote::engine {
namespace {

thread_local const std::atomic<bool>* cancelled = nullptr;
thread_local bool in_loop = false;  ///< loops inside of tasks run in the thread of the task

bool is_set(const std::atomic<bool>* flag) {
  return flag && flag->load(std::memory_order_relaxed);
}

struct Loop {
  std::atomic<Index> next{0};
  Index tasks;
  void (*body)(void*, Index);
  void* context;
  const std::atomic<bool>* cancelled;  ///< flag of the thread that started the loop
};

void work_on(Loop& loop) {
  for (Index task; !is_set(loop.cancelled) &&
                   (task = loop.next.fetch_add(1, std::memory_order_relaxed)) < loop.tasks;)
    loop.body(loop.context, task);
}

void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits until `value` is no longer `old`. Polls for about as long as it takes to wake a sleeping
/// thread, then sleeps: on a machine with other load, a thread that kept polling would take the
/// core from the thread it waits for, and small systems would step fifty times slower.
void await_change(const std::atomic<int>& value, int old) {
  for (int polls = 10'000; polls > 0; --polls) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_core();
  }
  value.wait(old, std::memory_order_acquire);
}

/// The helper threads of one thread's loops, kept from one loop to the next.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    for (const auto& helper : helpers_) helper->start(nullptr);
    for (const auto& helper : helpers_) helper->thread.join();
  }

  /// Runs the loop in the calling thread and up to `count` helpers, fewer if the system has no more
  /// threads.
  void run(Loop& loop, int count) {
    const std::size_t used = add_helpers(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < used; ++k) helpers_[k]->start(&loop);
    work_on(loop);
    for (std::size_t k = 0; k < used; ++k) helpers_[k]->await_end();
  }

 private:
  /// One thread and its mailbox, on cache lines that no other thread polls.
  struct alignas(128) Helper {
    std::thread thread;
    Loop* loop = nullptr;                   ///< null ends the thread
    std::atomic<int> started{0}, ended{0};  ///< numbers of loops

    void start(Loop* next) {
      loop = next;
      started.fetch_add(1, std::memory_order_release);
      started.notify_one();
    }
    void await_end() {
      const int last = started.load(std::memory_order_relaxed);
      for (int now; (now = ended.load(std::memory_order_acquire)) != last;)
        await_change(ended, now);
    }
    void serve() {
      in_loop = true;
      for (int loops = 0;; ++loops) {
        await_change(started, loops);
        if (!loop) return;
        work_on(*loop);
        ended.fetch_add(1, std::memory_order_release);
        ended.notify_one();
      }
    }
  };

  /// Starts helpers until there are `count`, if possible; returns how many of them can be used.
  std::size_t add_helpers(std::size_t count) {
    // Helpers block all signals: these must interrupt calls of the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    if (helpers_.size() < count) pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool blocked = helpers_.size() < count;
    try {
      while (helpers_.size() < count) {
        auto helper = std::make_unique<Helper>();
        helper->thread = std::thread([&mailbox = *helper] { mailbox.serve(); });
        helpers_.push_back(std::move(helper));
      }
    } catch (const std::exception&) {
      // Out of threads or memory: fewer threads give the same bits.
    }
    if (blocked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return std::min(count, helpers_.size());
  }

  std::vector<std::unique_ptr<Helper>> helpers_;
};

/// The team of the calling thread.
class OwnTeam {
 public:
  ~OwnTeam() { drop(); }
  Team& get() {
    if (generation_ != fork_generation()) drop();
    if (!team_) team_ = std::make_unique<Team>(), generation_ = fork_generation();
    return *team_;
  }

 private:
  void drop() {
    // After a fork the threads exist only in the parent: nothing to end or to join.
    if (generation_ != fork_generation()) static_cast<void>(team_.release());
    team_.reset();
  }
  std::unique_ptr<Team> team_;
  int generation_ = fork_generation();
};

thread_local OwnTeam own_team;

}  // namespace

void run_tasks(int threads, Index tasks, void (*body)(void* context, Index task), void* context) {
  const int used = in_loop ? 1 : static_cast<int>(std::min<Index>(threads, tasks));
  if (used <= 1) {
    for (Index task = 0; task < tasks; ++task) {
      throw_if_cancelled();
      body(context, task);
    }
    return;
  }
  Loop loop{.tasks = tasks, .body = body, .context = context, .cancelled = cancelled};
  in_loop = true;
  own_team.get().run(loop, used - 1);
  in_loop = false;
  throw_if_cancelled();
}

Cancellation::Cancellation(const std::atomic<bool>& flag) : before_(cancelled) {
  cancelled = &flag;
}

Cancellation::~Cancellation() {
  cancelled = before_;
}

void throw_if_cancelled() {
  if (is_set(cancelled)) throw Cancelled();
}

int available_threads() {
  if (fork_generation() > 0) return 1;
  int count = static_cast<int>(std::thread::hardware_concurrency());
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) count = CPU_COUNT(&cores);
  if (const char* limit = std::getenv("OMP_NUM_THREADS"))
    if (const int most = std::atoi(limit); most > 0) count = std::min(count, most);
  return std::max(1, count);
}

}  // namespace mote::engine
