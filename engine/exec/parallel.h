#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <type_traits>

#include "engine/types.h"

namespace mote::engine {

/// Calls `body(context, task)` once for each task in [0, tasks), using up to `threads` threads: the
/// calling one and helpers that it keeps for its next loop. Which thread runs which task is
/// undefined, so tasks must write disjoint data. Nested loops run in the thread of their task.
/// Exceptions must not leave the body.
void run_tasks(int threads, Index tasks, void (*body)(void* context, Index task), void* context);

/// Runs tasks by a callable.
template <class Body>
void parallel_tasks(int threads, Index tasks, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  run_tasks(
      threads, tasks, [](void* context, Index task) { (*static_cast<Callable*>(context))(task); },
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

/// Runs tasks by a callable that may throw: one of the exceptions leaves the loop after its end.
template <class Body>
void throwing_tasks(int threads, Index tasks, Body&& body) {
  std::exception_ptr thrown;
  std::mutex mutex;
  parallel_tasks(threads, tasks, [&](Index task) {
    try {
      body(task);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  });
  if (thrown) std::rethrow_exception(thrown);
}

/// Particles per task of an O(N) loop. Fixed, so that sums over tasks do not depend on the number
/// of threads.
inline constexpr Index loop_chunk = 4096;

/// Calls `body(begin, end)` for consecutive chunks of [0, n).
template <class Body>
void parallel_chunks(int threads, Index n, Body&& body) {
  parallel_tasks(threads, (n + loop_chunk - 1) / loop_chunk, [&](Index chunk) {
    const Index begin = chunk * loop_chunk;
    body(begin, begin + loop_chunk < n ? begin + loop_chunk : n);
  });
}

/// Threads that this process may use: the cores of its affinity mask, at most OMP_NUM_THREADS if
/// set. 1 in a forked child, which is rarely the only one.
int available_threads();

}  // namespace mote::engine
