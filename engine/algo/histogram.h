#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/platform.h"

namespace mote::engine {

inline constexpr Index most_bins = 1'000'000;

/// Bins of one width over [low, high], and three more counters behind them: slots `count`, `count`
/// + 1 and `count` + 2 are for values below the range, above it, and not finite. Made by
/// `bins_over`.
struct Bins {
  double low, high;
  double width;      ///< of one bin
  double per_width;  ///< bins in one unit of the value
  int count;

  MOTE_FORMULA int slots() const { return count + 3; }

  /// Lower edge of bin i; edge(count) is `high`.
  MOTE_FORMULA double edge(int i) const {
    const double at = low + static_cast<double>(i) * width;
    return i == count || at > high ? high : at;
  }

  /// Which counter a value belongs to. Bin i holds edge(i) <= value < edge(i + 1), exactly as the
  /// edges round; the last one holds `high` too.
  MOTE_FORMULA int slot(double value) const {
    if (!(value - value == 0)) return count + 2;  // infinite or NaN
    if (value < low) return count;
    if (value > high) return count + 1;
    // Less than one bin off: bins_over sees to it that a bin is wide against the rounding of its
    // edges.
    const double place = (value - low) * per_width;
    int i = place < static_cast<double>(count) ? static_cast<int>(place) : count - 1;
    if (value < edge(i) && i > 0) --i;
    if (i + 1 < count && value >= edge(i + 1)) ++i;
    return i;
  }
};

/// Whether `count` bins of one width over [low, high] have edges that double precision tells apart
/// well: four units of the last place or more to a bin.
bool can_bin(double low, double high, int count);

/// Bins over a range that can_bin accepts; 1 <= count <= most_bins.
Bins bins_over(double low, double high, int count);

/// Bins over the values from `smallest` to `largest`, which are finite. A range that is too narrow
/// (all values alike) grows by half of its size to either side (by 0.5 around 0); one too wide for
/// a double is cut to half of the largest double. Without values (smallest > largest) the range is
/// [0, 1].
Bins bins_of_values(double smallest, double largest, int count);

/// Which of the kernels counts on a device; never changes a count.
enum class CountingKernel { automatic, shared, cluster, global };

/// Counts of all slots over value(i), i in [0, n), `value` giving a double. Integers: no order
/// matters.
template <class Value>
std::vector<std::uint64_t> count_slots(int threads, Index n, const Bins& bins, Value&& value) {
  const auto slots = static_cast<std::size_t>(bins.slots());
  // Every task has counters of its own, so that it must have at least as many values as these are
  // to add up.
  const Index tasks = std::clamp<Index>(n / std::max<Index>(loop_chunk, bins.slots()), 1, threads);
  std::vector<std::vector<std::uint64_t>> counts(static_cast<std::size_t>(tasks));
  for (auto& own : counts) own.resize(slots);
  parallel_tasks(threads, tasks, [&](Index task) {
    std::uint64_t* const own = counts[static_cast<std::size_t>(task)].data();
    for (Index i = n / tasks * task, end = task + 1 == tasks ? n : n / tasks * (task + 1); i < end;
         ++i)
      ++own[bins.slot(value(i))];
  });
  for (std::size_t task = 1; task < counts.size(); ++task)
    for (std::size_t k = 0; k < slots; ++k) counts[0][k] += counts[task][k];
  return std::move(counts[0]);
}

}  // namespace mote::engine
