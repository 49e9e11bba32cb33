#pragma once

#include <algorithm>

#include "engine/algo/histogram.h"
#include "engine/algo/warp.cuh"
#include "engine/exec/cluster.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/memory/buffer.h"

/// Histograms on a device. Three kernels, by where the counters fit: in the shared memory of each
/// block, distributed over the shared memories of a cluster, or in global memory. All add integers,
/// so the result does not depend on the order.
namespace mote::engine {

inline constexpr unsigned count_threads = 512;
/// Blocks per cluster: the portable maximum.
inline constexpr unsigned count_cluster = 8;
/// Largest per-block histogram [bytes]: four blocks still fill a multiprocessor. With more,
/// occupancy would halve, and every block adds all its counters to the result; one copy per cluster
/// is faster.
inline constexpr std::size_t count_shared_bytes = std::size_t{48} << 10;

/// Per-block counters; small histograms get several copies, each used by some of the warps. Lanes
/// that hit the same counter are left to the hardware, which combines adds of the constant 1 in
/// shared memory. The counter of a block or cluster would overflow at 2^32 values, more than there
/// are body ids.
template <class Value>
__global__ void __launch_bounds__(count_threads)
    count_in_shared(Value value, Index n, Bins bins, int copies, unsigned long long* total) {
  auto* const counts = shared_memory<unsigned>();
  const int counters = bins.counters(), thread = static_cast<int>(threadIdx.x);
  for (int k = thread; k < copies * counters; k += count_threads) counts[k] = 0;
  __syncthreads();
  unsigned* const own = counts + thread / 32 % copies * counters;
  const Index stride = static_cast<Index>(gridDim.x) * count_threads;
  for (Index i = static_cast<Index>(blockIdx.x) * count_threads + thread; i < n; i += stride)
    atomicAdd(own + bins.counter(value(i)), 1u);
  __syncthreads();
  for (int k = thread; k < counters; k += count_threads) {
    unsigned sum = 0;
    for (int copy = 0; copy < copies; ++copy) sum += counts[copy * counters + k];
    if (sum != 0) atomicAdd(total + k, static_cast<unsigned long long>(sum));
  }
}

/// Warp-aggregated counting: calls add(counter, lanes) once for the lanes of a warp whose values
/// fall into the same counter.
template <class Value, class Add>
__device__ void count_by_warps(const Value& value, Index n, const Bins& bins, Add&& add) {
  const Index stride = static_cast<Index>(gridDim.x) * count_threads;
  // The loop bound is uniform over the block, so all lanes take part in the match.
  for (Index first = static_cast<Index>(blockIdx.x) * count_threads; first < n; first += stride) {
    const Index i = first + threadIdx.x;
    const int counter = i < n ? bins.counter(value(i)) : -1;
    const MatchingLanes matching = match_lanes(counter);
    if (counter >= 0 && matching.is_leader()) add(counter, static_cast<unsigned>(matching.count));
  }
}

/// Counter k is in block k % 8 of the cluster: neighbouring bins, which tend to fill together, are
/// in different blocks.
template <class Value>
__global__ void __launch_bounds__(count_threads)
    count_in_cluster(Value value, Index n, Bins bins, unsigned long long* total) {
  const Cluster cluster;
  auto* const counts = shared_memory<unsigned>();
  const int counters = bins.counters(), rank = cluster.rank();
  constexpr int blocks = static_cast<int>(count_cluster);
  const int own = (counters + blocks - 1 - rank) / blocks;
  for (int k = static_cast<int>(threadIdx.x); k < own; k += count_threads) counts[k] = 0;
  cluster.sync();
  count_by_warps(value, n, bins, [&](int counter, unsigned lanes) {
    atomicAdd(cluster.at(counts + counter / blocks, counter % blocks), lanes);
  });
  cluster.sync();
  for (int k = static_cast<int>(threadIdx.x); k < own; k += count_threads)
    if (counts[k] != 0)
      atomicAdd(total + k * blocks + rank, static_cast<unsigned long long>(counts[k]));
}

template <class Value>
__global__ void __launch_bounds__(count_threads)
    count_in_global(Value value, Index n, Bins bins, unsigned long long* total) {
  count_by_warps(value, n, bins, [&](int counter, unsigned lanes) {
    atomicAdd(total + counter, static_cast<unsigned long long>(lanes));
  });
}

/// Chooses a counting kernel from the properties of a device, and runs it.
class DeviceCounting {
 public:
  explicit DeviceCounting(const Cuda& exec)
      : shared_(static_cast<std::size_t>(attribute(exec, cudaDevAttrMaxSharedMemoryPerBlockOptin))),
        multiprocessors_(attribute(exec, cudaDevAttrMultiProcessorCount)),
        clusters_(attribute(exec, cudaDevAttrComputeCapabilityMajor) >= 9) {}

  static std::uint64_t bytes(Index bins) {
    return static_cast<std::uint64_t>(bins + 3) * sizeof(std::uint64_t);
  }

  /// True if the counters fit the memory that a kernel keeps them in.
  bool supports(CountingKernel kernel, const Bins& bins) const {
    if (kernel == CountingKernel::shared) return own_bytes(bins) <= shared_;
    if (kernel == CountingKernel::cluster) return clusters_ && slice_bytes(bins) <= shared_;
    return true;
  }

  CountingKernel choose(const Bins& bins) const {
    if (own_bytes(bins) <= count_shared_bytes) return CountingKernel::shared;
    return supports(CountingKernel::cluster, bins) ? CountingKernel::cluster
                                                   : CountingKernel::global;
  }

  /// All counters over value(i), i in [0, n), with `value` copied to the device. Waits for the
  /// result. A kernel other than `automatic` must be supported; where no cluster fits the device,
  /// the counters are in global memory.
  template <class Value>
  std::vector<std::uint64_t> run(const Cuda& exec, const Value& value, Index n, const Bins& bins,
                                 CountingKernel kernel) const {
    const Index counters = bins.counters();
    if (kernel == CountingKernel::automatic) kernel = choose(bins);
    MOTE_EXPECT(supports(kernel, bins));
    Buffer<unsigned long long, Device> total(counters);
    fill_bytes(total.data(), 0, total.bytes(), exec.stream);
    if (n > 0) start(exec, value, n, bins, kernel, total.data());
    Buffer<unsigned long long, Pinned> result(counters);
    copy_to_host(result.data(), total.data(), counters, exec.stream);
    wait(exec);
    return {result.data(), result.data() + counters};
  }

 private:
  static int attribute(const Cuda& exec, cudaDeviceAttr what) {
    int value = 0;
    cuda_check(cudaDeviceGetAttribute(&value, what, exec.device), "cudaDeviceGetAttribute");
    return value;
  }
  static std::size_t own_bytes(const Bins& bins) {
    return static_cast<std::size_t>(bins.counters()) * sizeof(unsigned);
  }
  static std::size_t slice_bytes(const Bins& bins) {
    return (own_bytes(bins) + count_cluster * sizeof(unsigned) - 1) /
           (count_cluster * sizeof(unsigned)) * sizeof(unsigned);
  }

  /// Number of groups of blocks (a group shares one copy of the counters): as many as fill the
  /// device, but each group must get at least four values per thread and as many values as it has
  /// counters to add to the result.
  unsigned groups(Index n, const Bins& bins, unsigned blocks_of_group, int resident) const {
    const Index most = std::max(1, multiprocessors_ * resident / static_cast<int>(blocks_of_group));
    const Index values =
        std::max<Index>(Index{4} * count_threads * blocks_of_group, bins.counters());
    return static_cast<unsigned>(std::min(most, (n + values - 1) / values));
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
