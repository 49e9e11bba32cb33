#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/ranks.h"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"
#include "sim/measure/shells.h"

/// The search of shells.h on a device.
namespace mote::sim {

inline constexpr unsigned shell_threads = 512;
/// Bodies per thread, at least, and blocks, at most: every block clears its histograms and adds
/// them to the result.
inline constexpr engine::Index least_per_thread = 4, most_shell_blocks = 512;
/// Bins of the histograms of all fractions: 48 KiB, what a block may use without asking for more.
inline constexpr int all_shell_bins = shell_fractions * shell_bins;

/// Adds to a bin in shared memory whose halves are stored apart. GPUs add 32 bits there in one
/// instruction, but 64 bits in a loop that repeats while other threads change the bin. In the first
/// pass nearly all bodies are in a few bins, and it would take 4.6 times as long (1e8 bodies on an
/// H100). The thread whose addition overflows the low half carries.
__device__ inline void add_in_halves(unsigned* low, unsigned* high, ShellWeight weight) {
  const auto added = static_cast<unsigned>(weight);
  const unsigned sum = atomicAdd(low, added) + added;
  const unsigned carry = sum < added ? 1 : 0;
  atomicAdd(high, static_cast<unsigned>(weight >> 32) + carry);
}

/// Adds all bodies to the histograms of a digit, which are in `bins`, one after the other.
template <class Real>
__global__ void __launch_bounds__(shell_threads)
    add_shells(ShellBodies<Real> bodies, int digit, ShellSearch* search, ShellWeight* bins) {
  auto* const low = engine::shared_memory<unsigned>();
  unsigned* const high = low + all_shell_bins;
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int threads = static_cast<int>(shell_threads);
  for (int bin = thread; bin < all_shell_bins; bin += threads) low[bin] = high[bin] = 0;
  __syncthreads();
  const ShellPrefixes prefixes = search->prefixes;
  const engine::Index stride = static_cast<engine::Index>(gridDim.x) * threads;
  for (engine::Index i = static_cast<engine::Index>(blockIdx.x) * threads + thread;
       i < bodies.state.count; i += stride) {
    const std::uint64_t key = bodies.key(i);
    if (digit == 0 && !is_finite_key(key)) atomicOr(&search->not_finite, 1u);
    const int k = prefixes.first_with(key >> shell_shift(digit - 1));
    if (k < 0) continue;
    const int bin = k * shell_bins + shell_bin(key, digit);
    add_in_halves(low + bin, high + bin, bodies.weight(i));
  }
  __syncthreads();
  for (int bin = thread; bin < all_shell_bins; bin += threads) {
    const ShellWeight sum = static_cast<ShellWeight>(high[bin]) << 32 | low[bin];
    if (sum != 0) atomicAdd(bins + bin, sum);
  }
}

/// Fractions as a kernel argument.
struct ShellFractions {
  double of[shell_fractions];
};

/// Warp k of the only block appends a digit for fraction k. A lane sums consecutive bins; the one
/// whose bins contain the limit finds the digit in them.
__global__ void __launch_bounds__(32 * shell_fractions)
    choose_shells(const ShellWeight* bins, int digit, ShellFractions fractions, engine::Index count,
                  ShellSearch* search) {
  constexpr int bins_per_lane = shell_bins / 32;
  const int k = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const ShellPrefixes prefixes = search->prefixes;
  const ShellWeight* const own =
      bins + prefixes.first_with(prefixes.of[k]) * shell_bins + lane * bins_per_lane;
  ShellWeight sum = 0;
  for (int bin = 0; bin < bins_per_lane; ++bin) sum += own[bin];
  ShellWeight up_to = sum;  // the sum of this lane and those before it
  for (int distance = 1; distance < 32; distance *= 2) {
    const ShellWeight before = __shfl_up_sync(engine::all_lanes, up_to, distance);
    if (lane >= distance) up_to += before;
  }
  const ShellWeight total = __shfl_sync(engine::all_lanes, up_to, 31);
  const ShellWeight limit =
      digit == 0 ? shell_limit(fractions.of[k], total, count) : search->limit[k];
  const ShellWeight end = search->inside[k] + up_to, begin = end - sum;
  __syncthreads();  // all warps have read what one lane of each changes
  if (begin >= limit || end < limit) return;
  ShellBin found = find_shell(own, bins_per_lane, begin, limit);
  found.bin += lane * bins_per_lane;
  search->append(k, digit, found);
  search->limit[k] = limit;
}

/// The search on one device, with its memory.
class DeviceShells {
 public:
  DeviceShells() : bins_(all_shell_bins), search_(1), result_(1) {}

  static constexpr std::uint64_t bytes() {
    return all_shell_bins * sizeof(ShellWeight) + sizeof(ShellSearch);
  }

  /// Works as on the host (shells.h), with the same result for the same bodies. Waits for it.
  template <class Real>
  std::array<double, shell_fractions> run(const engine::Cuda& exec, const ShellBodies<Real>& bodies,
                                          const std::array<double, shell_fractions>& fractions) {
    constexpr engine::Index per_block = least_per_thread * shell_threads;
    constexpr std::size_t shared = all_shell_bins * sizeof(ShellWeight);
    const engine::Index count = bodies.state.count, all = engine::count_over(exec.ranks, count);
    const auto blocks = static_cast<unsigned>(
        std::min<engine::Index>((count + per_block - 1) / per_block, most_shell_blocks));
    ShellFractions wanted{};
    std::copy(fractions.begin(), fractions.end(), wanted.of);
    engine::fill_bytes(search_.data(), 0, search_.bytes(), exec.stream);
    for (int digit = 0; digit < shell_digits; ++digit) {
      engine::fill_bytes(bins_.data(), 0, bins_.bytes(), exec.stream);
      engine::launch(exec, {blocks, shell_threads, shared}, add_shells<Real>, bodies, digit,
                     search_.data(), bins_.data());
      if (exec.ranks) add_others(exec);
      engine::launch(exec, {1, 32 * shell_fractions}, choose_shells, bins_.data(), digit, wanted,
                     all, search_.data());
    }
    engine::copy_to_host(result_.data(), search_.data(), 1, exec.stream);
    engine::wait(exec);
    if (engine::any_of(exec.ranks, result_.data()->not_finite != 0)) return {};
    return result_.data()->radii();
  }

 private:
  /// The histograms of all ranks.
  void add_others(const engine::Cuda& exec) {
    std::vector<std::uint64_t> bins(all_shell_bins);
    engine::copy_bytes_to_host(bins.data(), bins_.data(), bins_.bytes(), exec.stream);
    engine::wait(exec);
    bins = engine::sum_over(exec.ranks, std::move(bins));
    engine::copy_bytes_to_device(bins_.data(), bins.data(), bins_.bytes(), exec.stream);
    engine::wait(exec);
  }

  engine::Buffer<ShellWeight, engine::Device> bins_;
  engine::Buffer<ShellSearch, engine::Device> search_;
  engine::Buffer<ShellSearch, engine::Pinned> result_;
};

}  // namespace mote::sim
