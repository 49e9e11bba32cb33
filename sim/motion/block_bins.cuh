#pragma once

#include <algorithm>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/motion/block_bins.h"

namespace mote::sim {

inline constexpr int bin_threads = 256;

/// Counts bodies by bin: whole numbers, whose sum has one value in any order.
__global__ static void __launch_bounds__(bin_threads)
    count_bins(const double* bins, engine::Index n, std::uint32_t* counts) {
  auto* const own = engine::shared_memory<std::uint32_t>();
  for (int k = static_cast<int>(threadIdx.x); k < counted_bins; k += bin_threads) own[k] = 0;
  __syncthreads();
  for (engine::Index i = static_cast<engine::Index>(blockIdx.x) * bin_threads + threadIdx.x; i < n;
       i += static_cast<engine::Index>(gridDim.x) * bin_threads)
    atomicAdd(&own[static_cast<int>(bins[i])], 1u);
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < counted_bins; k += bin_threads)
    if (own[k] > 0) atomicAdd(&counts[k], own[k]);
}

inline constexpr int bin_warps = bin_threads / 32;
inline constexpr std::size_t bin_shared = (bin_warps + 1) * sizeof(std::uint32_t);

/// Writes into shared memory how many threads of each warp of the block have chosen a body, and
/// returns the place of this one's among those of its block.
__device__ inline std::uint32_t place_in_block(bool chosen, std::uint32_t* of_warps) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const unsigned votes = __ballot_sync(engine::all_lanes, chosen);
  if (lane == 0) of_warps[warp] = static_cast<std::uint32_t>(__popc(votes));
  __syncthreads();
  auto place = static_cast<std::uint32_t>(__popc(votes & ((1u << lane) - 1)));
  for (int w = 0; w < warp; ++w) place += of_warps[w];
  return place;
}

/// Bodies of each block in bin `first` or a later one.
__global__ static void __launch_bounds__(bin_threads)
    count_from(const double* bins, engine::Index n, int first, std::uint32_t* of_blocks) {
  auto* const of_warps = engine::shared_memory<std::uint32_t>();
  const engine::Index i = static_cast<engine::Index>(blockIdx.x) * bin_threads + threadIdx.x;
  place_in_block(i < n && bins[i] >= first, of_warps);
  if (threadIdx.x > 0) return;
  std::uint32_t sum = 0;
  for (int w = 0; w < bin_warps; ++w) sum += of_warps[w];
  of_blocks[blockIdx.x] = sum;
}

/// Writes their slots in order: after those of the blocks before.
__global__ static void __launch_bounds__(bin_threads)
    write_from(const double* bins, engine::Index n, int first, const std::uint32_t* of_blocks,
               std::uint32_t* slots) {
  auto* const of_warps = engine::shared_memory<std::uint32_t>();
  std::uint32_t* const before = of_warps + bin_warps;
  if (threadIdx.x == 0) *before = 0;
  const engine::Index i = static_cast<engine::Index>(blockIdx.x) * bin_threads + threadIdx.x;
  const bool chosen = i < n && bins[i] >= first;
  const std::uint32_t place = place_in_block(chosen, of_warps);
  std::uint32_t sum = 0;
  for (unsigned block = threadIdx.x; block < blockIdx.x; block += bin_threads)
    sum += of_blocks[block];
  if (sum > 0) atomicAdd(before, sum);
  __syncthreads();
  if (chosen) slots[*before + place] = static_cast<std::uint32_t>(i);
}

template <>
class BlockBins<engine::Cuda> {
 public:
  BinCounts count(const engine::Cuda& exec, const double* bins, engine::Index n) {
    if (counts_.size() == 0) {
      counts_ = engine::Buffer<std::uint32_t, engine::Device>(counted_bins);
      here_ = engine::Buffer<std::uint32_t, engine::Pinned>(counted_bins);
    }
    engine::fill_bytes(counts_.data(), 0, counts_.bytes(), exec.stream);
    constexpr unsigned most_blocks = 256;
    engine::launch(exec,
                   {std::min(engine::blocks_for(n, bin_threads), most_blocks), bin_threads,
                    sizeof(std::uint32_t) * counted_bins},
                   count_bins, bins, n, counts_.data());
    engine::copy_to_host(here_.data(), counts_.data(), counted_bins, exec.stream);
    engine::wait(exec);
    BinCounts counts;
    std::copy_n(here_.data(), counts.size(), counts.begin());
    return counts;
  }
  const std::uint32_t* from(const engine::Cuda& exec, const double* bins, engine::Index n,
                            int first) {
    const unsigned blocks = engine::blocks_for(n, bin_threads);
    if (slots_.size() < n) {
      slots_ = engine::Buffer<std::uint32_t, engine::Device>(n);
      of_blocks_ = engine::Buffer<std::uint32_t, engine::Device>(blocks);
    }
    engine::launch(exec, {blocks, bin_threads, bin_shared}, count_from, bins, n, first,
                   of_blocks_.data());
    engine::launch(exec, {blocks, bin_threads, bin_shared}, write_from, bins, n, first,
                   static_cast<const std::uint32_t*>(of_blocks_.data()), slots_.data());
    return slots_.data();
  }

 private:
  engine::Buffer<std::uint32_t, engine::Device> counts_, slots_, of_blocks_;
  engine::Buffer<std::uint32_t, engine::Pinned> here_;
};

}  // namespace mote::sim
