#pragma once

#include <algorithm>

#include "engine/algo/histogram.h"
#include "engine/algo/warp.cuh"
#include "engine/exec/cluster.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"

/// Counting into bins on a device. Three kernels, by where the counters fit: in the shared memory
/// of each block, spread over the shared memories of a cluster of blocks, or in global memory. All
/// add integers, so that no order matters.
namespace mote::engine {

inline constexpr unsigned count_threads = 512;
/// Every device with clusters can do 8 blocks.
inline constexpr unsigned count_cluster = 8;
/// Counters in each block up to this many bytes: four blocks to a multiprocessor, which fill it.
/// More would leave it half empty, and every block adds all of its counters to the result, so that
/// a cluster with one copy is better.
inline constexpr std::size_t count_shared_bytes = std::size_t{48} << 10;

/// Counters in the block, in several copies where these are few, each for some of the warps. Lanes
/// that meet in one counter are left to the hardware, which adds the constant 1 in shared memory
/// for all of them at once. A counter of a block or cluster would overflow at 2^32 values, which is
/// more than the ids of bodies can tell apart.
template <class Value>
__global__ void __launch_bounds__(count_threads)
    count_in_shared(Value value, Index n, Bins bins, int copies, unsigned long long* total) {
  auto* const counts = shared_memory<unsigned>();
  const int slots = bins.slots(), thread = static_cast<int>(threadIdx.x);
  for (int k = thread; k < copies * slots; k += count_threads) counts[k] = 0;
  __syncthreads();
  unsigned* const own = counts + thread / 32 % copies * slots;
  const Index stride = static_cast<Index>(gridDim.x) * count_threads;
  for (Index i = static_cast<Index>(blockIdx.x) * count_threads + thread; i < n; i += stride)
    atomicAdd(own + bins.slot(value(i)), 1u);
  __syncthreads();
  for (int k = thread; k < slots; k += count_threads) {
    unsigned sum = 0;
    for (int copy = 0; copy < copies; ++copy) sum += counts[copy * slots + k];
    if (sum != 0) atomicAdd(total + k, static_cast<unsigned long long>(sum));
  }
}

/// Calls add(slot, how many) for what the block's threads count, once for the lanes of a warp that
/// have the same slot.
template <class Value, class Add>
__device__ void count_by_warps(const Value& value, Index n, const Bins& bins, Add&& add) {
  const Index stride = static_cast<Index>(gridDim.x) * count_threads;
  // The whole block goes round together: all lanes must come to the vote.
  for (Index first = static_cast<Index>(blockIdx.x) * count_threads; first < n; first += stride) {
    const Index i = first + threadIdx.x;
    const int slot = i < n ? bins.slot(value(i)) : -1;
    const Alike alike = lanes_alike(slot);
    if (slot >= 0 && alike.leads()) add(slot, static_cast<unsigned>(alike.count));
  }
}

/// Counter k is in block k % 8 of the cluster, so that neighbouring bins, which fill together, are
/// in different blocks.
template <class Value>
__global__ void __launch_bounds__(count_threads)
    count_in_cluster(Value value, Index n, Bins bins, unsigned long long* total) {
  const Cluster cluster;
  auto* const counts = shared_memory<unsigned>();
  const int slots = bins.slots(), rank = cluster.rank();
  constexpr int blocks = static_cast<int>(count_cluster);
  const int held = (slots + blocks - 1 - rank) / blocks;
  for (int k = static_cast<int>(threadIdx.x); k < held; k += count_threads) counts[k] = 0;
  cluster.sync();
  count_by_warps(value, n, bins, [&](int slot, unsigned many) {
    atomicAdd(cluster.at(counts + slot / blocks, slot % blocks), many);
  });
  cluster.sync();
  for (int k = static_cast<int>(threadIdx.x); k < held; k += count_threads)
    if (counts[k] != 0)
      atomicAdd(total + k * blocks + rank, static_cast<unsigned long long>(counts[k]));
}

template <class Value>
__global__ void __launch_bounds__(count_threads)
    count_in_global(Value value, Index n, Bins bins, unsigned long long* total) {
  count_by_warps(value, n, bins, [&](int slot, unsigned many) {
    atomicAdd(total + slot, static_cast<unsigned long long>(many));
  });
}

/// What of a device decides how it counts.
class DeviceCounting {
 public:
  explicit DeviceCounting(const Cuda& exec)
      : shared_(static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin))),
        multiprocessors_(attribute(exec, cudaDevAttrMultiProcessorCount)),
        clusters_(attribute(exec, cudaDevAttrComputeCapabilityMajor) >= 9) {}

  static std::uint64_t bytes(Index bins) {
    return static_cast<std::uint64_t>(bins + 3) * sizeof(std::uint64_t);
  }

  /// Whether a kernel can hold the counters.
  bool can(CountingKernel kernel, const Bins& bins) const {
    if (kernel == CountingKernel::shared) return own_bytes(bins) <= shared_;
    if (kernel == CountingKernel::cluster) return clusters_ && slice_bytes(bins) <= shared_;
    return true;
  }

  CountingKernel choose(const Bins& bins) const {
    if (own_bytes(bins) <= count_shared_bytes) return CountingKernel::shared;
    return can(CountingKernel::cluster, bins) ? CountingKernel::cluster : CountingKernel::global;
  }

  /// Counts of all slots over value(i), i in [0, n), `value` copied to the device. Waits for the
  /// result. A kernel that is not `automatic` must be one that can; where the device has no room
  /// for a cluster, counters are in its memory.
  template <class Value>
  std::vector<std::uint64_t> run(const Cuda& exec, const Value& value, Index n, const Bins& bins,
                                 CountingKernel kernel) const {
    const Index slots = bins.slots();
    if (kernel == CountingKernel::automatic) kernel = choose(bins);
    MOTE_EXPECT(can(kernel, bins));
    Buffer<unsigned long long, Device> total(slots);
    fill_bytes(total.data(), 0, total.bytes(), exec.stream);
    if (n > 0) start(exec, value, n, bins, kernel, total.data());
    Buffer<unsigned long long, Pinned> result(slots);
    copy_to_host(result.data(), total.data(), slots, exec.stream);
    wait(exec);
    return {result.data(), result.data() + slots};
  }

 private:
  static int attribute(const Cuda& exec, cudaDeviceAttr what) {
    int value = 0;
    cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
    return value;
  }
  static std::size_t own_bytes(const Bins& bins) {
    return static_cast<std::size_t>(bins.slots()) * sizeof(unsigned);
  }
  static std::size_t slice_bytes(const Bins& bins) {
    return (own_bytes(bins) + count_cluster * sizeof(unsigned) - 1) /
           (count_cluster * sizeof(unsigned)) * sizeof(unsigned);
  }

  /// Groups of blocks with one copy of the counters: what fills the device, but each with work for
  /// its threads and at least as many values as counters, which it adds to the result in the end.
  unsigned groups(Index n, const Bins& bins, unsigned blocks_of_group, int resident) const {
    const Index most = std::max(1, multiprocessors_ * resident / static_cast<int>(blocks_of_group));
    const Index share = std::max<Index>(Index{4} * count_threads * blocks_of_group, bins.slots());
    return static_cast<unsigned>(std::min(most, (n + share - 1) / share));
  }

  template <class Value>
  void start(const Cuda& exec, const Value& value, Index n, const Bins& bins, CountingKernel kernel,
             unsigned long long* total) const {
    if (kernel == CountingKernel::cluster) {
      const std::size_t shared = slice_bytes(bins);
      allow_shared(count_in_cluster<Value>, shared);
      const LaunchShape one{count_cluster, count_threads, shared, count_cluster};
      if (resident_clusters(exec, one, count_in_cluster<Value>) == 0)
        kernel = CountingKernel::global;
    }
    if (kernel == CountingKernel::shared) {
      constexpr std::size_t warps = count_threads / 32;
      const std::size_t copies =
          std::clamp<std::size_t>(count_shared_bytes / own_bytes(bins), 1, warps);
      const std::size_t shared = copies * own_bytes(bins);
      allow_shared(count_in_shared<Value>, shared);
      const int resident = resident_blocks(count_in_shared<Value>, count_threads, shared);
      launch(exec, {groups(n, bins, 1, resident), count_threads, shared}, count_in_shared<Value>,
             value, n, bins, static_cast<int>(copies), total);
    } else if (kernel == CountingKernel::cluster) {
      const std::size_t shared = slice_bytes(bins);
      const int resident = resident_blocks(count_in_cluster<Value>, count_threads, shared);
      const unsigned clusters = groups(n, bins, count_cluster, resident);
      launch(exec, {clusters * count_cluster, count_threads, shared, count_cluster},
             count_in_cluster<Value>, value, n, bins, total);
    } else {
      const int resident = resident_blocks(count_in_global<Value>, count_threads, 0);
      const Index blocks = std::min<Index>(Index{multiprocessors_} * resident,
                                           (n + count_threads - 1) / count_threads);
      launch(exec, {static_cast<unsigned>(blocks), count_threads}, count_in_global<Value>, value, n,
             bins, total);
    }
  }

  std::size_t shared_;
  int multiprocessors_;
  bool clusters_;
};

}  // namespace mote::engine
