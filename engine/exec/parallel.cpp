#include "engine/exec/parallel.h"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "engine/exec/cancel.h"
#include "engine/exec/forked.h"

// The thread sanitizer does not see the fork and join inside the OpenMP runtime. They are told to
// it here, in the one function that opens a parallel region, so that everything above is checked
// without suppressions.
#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#define MOTE_TSAN_ACQUIRE(address) __tsan_acquire(address)
#define MOTE_TSAN_RELEASE(address) __tsan_release(address)
#else
#define MOTE_TSAN_ACQUIRE(address)
#define MOTE_TSAN_RELEASE(address)
#endif

namespace mote::engine {
namespace {

thread_local const std::atomic<bool>* cancelled = nullptr;

bool is_set(const std::atomic<bool>* asked) {
  return asked && asked->load(std::memory_order_relaxed);
}

struct Team {
  std::atomic<Index> next{0};
  Index tasks;
  void (*body)(void*, Index);
  void* context;
  const std::atomic<bool>* cancelled;  ///< of the thread that started it
};

__attribute__((noinline)) void work(Team& team) {
  MOTE_TSAN_ACQUIRE(&team);
  for (Index task; !is_set(team.cancelled) &&
                   (task = team.next.fetch_add(1, std::memory_order_relaxed)) < team.tasks;)
    team.body(team.context, task);
  MOTE_TSAN_RELEASE(&team);
}

__attribute__((no_sanitize("thread"))) void fork_and_join(int threads, Team& team) {
#pragma omp parallel num_threads(threads)
  work(team);
}

}  // namespace

void run_tasks(int threads, Index tasks, void (*body)(void* context, Index task), void* context) {
  // The OpenMP runtime of GCC waits for ever for the threads that it had before a fork; bits do not
  // depend on threads.
  const int used = fork_generation() > 0 ? 1 : static_cast<int>(std::min<Index>(threads, tasks));
  if (used <= 1) {
    for (Index task = 0; task < tasks; ++task) {
      throw_if_cancelled();
      body(context, task);
    }
    return;
  }
  Team team{.tasks = tasks, .body = body, .context = context, .cancelled = cancelled};
  MOTE_TSAN_RELEASE(&team);
  fork_and_join(used, team);
  MOTE_TSAN_ACQUIRE(&team);
  throw_if_cancelled();
}

Cancellation::Cancellation(const std::atomic<bool>& asked) : before_(cancelled) {
  cancelled = &asked;
}

Cancellation::~Cancellation() {
  cancelled = before_;
}

void throw_if_cancelled() {
  if (is_set(cancelled)) throw Cancelled();
}

void restart_with_short_waits(char** arguments) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  // Some microseconds: as long as waking a sleeping thread takes.
  setenv("GOMP_SPINCOUNT", "10000", 1);
  // By its real path: through the link the process would be called "exe".
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return;
  program[length] = '\0';
  execv(program, arguments);
  // Not possible here: go on with long waits.
}

int available_threads() {
  if (fork_generation() > 0) return 1;
  return std::max(1, std::min(omp_get_num_procs(), omp_get_max_threads()));
}

}  // namespace mote::engine
