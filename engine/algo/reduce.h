#pragma once

#include <vector>

#include "engine/exec/parallel.h"

namespace mote::engine {

/// Sums `part(begin, end)` over fixed chunks of [0, n) and adds the parts in order, starting from
/// `zero`. The result has the same bits for every number of threads. `T` needs `operator+=`.
template <class T, class Part>
T ordered_sum(int threads, Index n, T zero, Part&& part) {
  std::vector<T> parts(static_cast<std::size_t>((n + loop_chunk - 1) / loop_chunk), zero);
  parallel_chunks(threads, n, [&](Index begin, Index end) {
    parts[static_cast<std::size_t>(begin / loop_chunk)] = part(begin, end);
  });
  T total = zero;
  for (const T& p : parts) total += p;
  return total;
}

}  // namespace mote::engine
