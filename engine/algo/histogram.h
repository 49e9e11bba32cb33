#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/platform.h"

namespace mote::engine {

inline constexpr Index max_bins = 1'000'000;

/// Equal-width bins over [low, high], followed by three more counters: `count`, `count` + 1 and
/// `count` + 2 are for values below the range, above it, and not finite. Made by `bins_over`.
struct Bins {
  double low, high;
  double width;      ///< width of one bin
  double per_width;  ///< bins in one unit of the value
  int count;

  MOTE_FORMULA int counters() const { return count + 3; }

  /// Lower edge of bin i; edge(count) is `high`.
  MOTE_FORMULA double edge(int i) const {
    const double at = low + static_cast<double>(i) * width;
    return i == count || at > high ? high : at;
  }

  /// Index of the counter of a value. Bin i holds edge(i) <= value < edge(i + 1) for the edges as
  /// rounded; the last bin includes `high`.
  MOTE_FORMULA int counter(double value) const {
    if (!(value - value == 0)) return count + 2;  // infinite or NaN
    if (value < low) return count;
    if (value > high) return count + 1;
    // At most one bin off: can_bin ensures that bins are wide compared with the rounding of edges.
    const double bin = (value - low) * per_width;
    int i = bin < static_cast<double>(count) ? static_cast<int>(bin) : count - 1;
    if (value < edge(i) && i > 0) --i;
    if (i + 1 < count && value >= edge(i + 1)) ++i;
    return i;
  }
};

/// True if double precision resolves the edges of `count` equal bins over [low, high]: a bin is at
/// least four ULPs wide.
bool can_bin(double low, double high, int count);

/// Bins over a range that can_bin accepts; 1 <= count <= max_bins.
Bins bins_over(double low, double high, int count);

/// Bins over the values from `smallest` to `largest`, which are finite. A range too narrow to bin
/// (all values equal) is extended to either side by half the size of the values (by 0.5 around 0).
/// A range that overflows is cut at half the largest double. Without values (smallest > largest)
/// the range is [0, 1].
Bins bins_of_values(double smallest, double largest, int count);

/// Kernel that counts on a device; the counts do not depend on it.
enum class CountingKernel { automatic, shared, cluster, global };

/// All counters over value(i), i in [0, n), where `value` returns a double. Integer sums: the order
/// does not matter.
template <class Value>
std::vector<std::uint64_t> count_in_bins(int threads, Index n, const Bins& bins, Value&& value) {
  const auto counters = static_cast<std::size_t>(bins.counters());
  // Every task has private counters, so it should count at least as many values as it has counters.
  const Index tasks =
      std::clamp<Index>(n / std::max<Index>(loop_chunk, bins.counters()), 1, threads);
  std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(tasks));
  for (auto& own : counts) own.resize(counters);
  parallel_tasks(threads, tasks, [&](Index task) {
    std::uint64_t* const own = counts[static_cast<std::size_t>(task)].data();
    for (Index i = n / tasks * task, end = task + 1 == tasks ? n : n / tasks * (task + 1); i < end;
         ++i)
      ++own[bins.counter(value(i))];
  });
  for (std::size_t task = 1; task < counts.size(); ++task)
    for (std::size_t k = 0; k < counters; ++k) counts[0][k] += counts[task][k];
  return std::move(counts[0]);
}

}  // namespace mote::engine
