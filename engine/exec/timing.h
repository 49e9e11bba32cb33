#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/exec/stream.h"

namespace mote::engine {

/// Duration of one run [s], from several timings of `runs` runs each.
struct Timing {
  double median = 0, fastest = 0, slowest = 0;
  std::uint64_t runs = 0;  ///< per timing
};

/// Wall time on the host [s]. `work` must wait for what it starts.
template <class Work>
double host_seconds(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Device time of what `work` enqueues [s]. Builds with CUDA only.
template <class Work>
double device_seconds(const Cuda& exec, Work&& work) {
  Event start, end;
  start.record(exec.stream);
  work();
  end.record(exec.stream);
  end.wait();
  return end.seconds_since(start);
}

/// Times `batch(runs)`, which does the work `runs` times and returns the seconds that took. Warms
/// up until one timing takes `shortest` seconds and the processor has been busy for several of
/// them, so that its clock frequency has risen.
template <class Batch>
Timing time_batches(int repeats, double shortest, Batch&& batch) {
  constexpr std::uint64_t max_runs = std::uint64_t{1} << 24;
  constexpr double warm_timings = 8;
  std::uint64_t runs = 1;
  double warm = 0;
  do {
    const double seconds = batch(runs);
    warm += seconds;
    if (seconds >= shortest || runs == max_runs) continue;
    const double per_run = std::max(seconds / static_cast<double>(runs), 1e-9);
    const auto needed = static_cast<std::uint64_t>(std::ceil(1.1 * shortest / per_run));
    runs = std::min({std::max(needed, runs + 1), 32 * runs, max_runs});
  } while (warm < warm_timings * shortest && runs < max_runs);
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) seconds.push_back(batch(runs) / static_cast<double>(runs));
  std::sort(seconds.begin(), seconds.end());
  const std::size_t n = seconds.size();
  if (n == 0) return {};
  return {0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]), seconds.front(), seconds.back(), runs};
}

}  // namespace mote::engine
