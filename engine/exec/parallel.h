#pragma once

#include <memory>
#include <type_traits>

#include "engine/types.h"

namespace mote::engine {

/// Calls `body(context, task)` once for each task in [0, tasks), spread over `threads` threads.
/// Which thread runs which is not defined, so a task must write only what is its own. Exceptions
/// must not leave the body.
void run_tasks(int threads, Index tasks, void (*body)(void* context, Index task), void* context);

/// The same for a callable.
template <class Body>
void parallel_tasks(int threads, Index tasks, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  run_tasks(
      threads, tasks, [](void* context, Index task) { (*static_cast<Callable*>(context))(task); },
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

/// Particles that one task of an O(N) loop covers. Fixed, so that sums over tasks do not depend on
/// the threads.
inline constexpr Index loop_chunk = 4096;

/// Calls `body(begin, end)` for consecutive chunks of [0, n).
template <class Body>
void parallel_chunks(int threads, Index n, Body&& body) {
  parallel_tasks(threads, (n + loop_chunk - 1) / loop_chunk, [&](Index chunk) {
    const Index begin = chunk * loop_chunk;
    body(begin, begin + loop_chunk < n ? begin + loop_chunk : n);
  });
}

/// To be called first thing in `main`, with its arguments: starts the program anew, once, with an
/// OpenMP runtime whose waiting threads soon sleep. Left alone they spin for milliseconds; when
/// another program uses one of the cores, a spinning thread keeps the one it waits for from
/// running, and small systems step fifty times slower. The runtime reads this from the environment
/// when it is loaded, before any code of ours; what the user has set there is kept.
void restart_with_short_waits(char** arguments);

/// Threads that the machine offers to this process (respects affinity and OMP_NUM_THREADS).
int available_threads();

}  // namespace mote::engine
