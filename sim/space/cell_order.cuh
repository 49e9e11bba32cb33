#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/algo/warp.cuh"
#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/space/cells.h"

/// Device functions of a counting sort by cell, for kernels with blocks of `threads` that
/// synchronise the grid between them. Independent of the module that owns the bodies.
namespace mote::sim::neighbour_build {

using engine::Index;

constexpr unsigned threads = 256;
/// Cells per block of the prefix sum.
constexpr int scan_chunk = 2048;

/// Grid-stride loop of this thread.
struct GridStride {
  Index first, stride;
};

__device__ __forceinline__ double along(const engine::Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Maps doubles to integers of the same order.
__device__ __forceinline__ long long order_key(double value) {
  const long long bits = __double_as_longlong(value);
  return bits >= 0 ? bits : bits ^ 0x7fffffffffffffffll;
}
__device__ __forceinline__ double from_order_key(long long key) {
  return __longlong_as_double(key >= 0 ? key : key ^ 0x7fffffffffffffffll);
}

/// Bounding box of the bodies along open axes, as order keys.
struct Bounds {
  long long low[3], high[3];
};

/// Bounds of no bodies: low is infinity, high minus infinity.
inline Bounds empty_bounds() {
  Bounds bounds;
  constexpr double far = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    std::memcpy(&bounds.low[axis], &far, sizeof far);
    bounds.high[axis] = ~bounds.low[axis];
  }
  return bounds;
}

/// Extends bounds along one axis by a coordinate, if it is finite.
template <class Real>
__device__ __forceinline__ void extend_bounds(double& low, double& high, Real x) {
  if (!isfinite(x)) return;
  low = fmin(low, static_cast<double>(x));
  high = fmax(high, static_cast<double>(x));
}

/// Reduces the bounds of all threads into `all`; called by all lanes of a warp.
__device__ inline void reduce_bounds(Bounds& all, double (&low)[3], double (&high)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int distance = 16; distance > 0; distance /= 2) {
      low[axis] = fmin(low[axis], __shfl_xor_sync(engine::all_lanes, low[axis], distance));
      high[axis] = fmax(high[axis], __shfl_xor_sync(engine::all_lanes, high[axis], distance));
    }
    if (threadIdx.x % 32 != 0) continue;
    atomicMin(&all.low[axis], order_key(low[axis]));
    atomicMax(&all.high[axis], order_key(high[axis]));
  }
}

/// Returns the bounds as doubles and resets them to empty. Called by one thread.
__device__ inline void read_and_reset_bounds(Bounds& all, engine::Vec3d& low, engine::Vec3d& high) {
  low = {from_order_key(all.low[0]), from_order_key(all.low[1]), from_order_key(all.low[2])};
  high = {from_order_key(all.high[0]), from_order_key(all.high[1]), from_order_key(all.high[2])};
  for (int axis = 0; axis < 3; ++axis)
    all.low[axis] = order_key(INFINITY), all.high[axis] = order_key(-INFINITY);
}

/// Adds the excess occupancy of buckets to a sum, a two's complement integer. Called by all lanes
/// of a warp.
__device__ inline void add_excess_occupancy(const std::int32_t* counts, int first, int end,
                                            GridStride loop, unsigned long long& sum) {
  long long own = 0;
  for (Index k = first + loop.first; k < end; k += loop.stride) own += excess_occupancy(counts[k]);
  for (int distance = 16; distance > 0; distance /= 2)
    own += __shfl_xor_sync(engine::all_lanes, own, distance);
  if (threadIdx.x % 32 == 0 && own != 0) atomicAdd(&sum, static_cast<unsigned long long>(own));
}

/// Sum over the block, returned to every thread.
__device__ inline int block_sum(int value, int* warps) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(engine::all_lanes, value, distance);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned w = 0; w < threads / 32; ++w) sum += warps[w];
  return sum;
}

/// Exclusive prefix sum over the threads of the block.
__device__ inline int block_prefix_sum(int value, int* warps) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int through = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(engine::all_lanes, through, distance);
    if (lane >= distance) through += other;
  }
  __syncthreads();
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  int before = through - value;
  for (int w = 0; w < warp; ++w) before += warps[w];
  return before;
}

/// Sums of chunks, one block per chunk.
__device__ inline void sum_chunks(const std::int32_t* numbers, int count, std::int32_t* chunks,
                                  int* warps) {
  for (int c = static_cast<int>(blockIdx.x); c * scan_chunk < count;
       c += static_cast<int>(gridDim.x)) {
    int sum = 0;
    for (int k = c * scan_chunk + static_cast<int>(threadIdx.x);
         k < (c + 1) * scan_chunk && k < count; k += threads)
      sum += numbers[k];
    sum = block_sum(sum, warps);
    if (threadIdx.x == 0) chunks[c] = sum;
  }
}

/// Exclusive prefix sum; element `count` of `prefix` is the total. Each block adds the sums of the
/// chunks before its own. `copy`, unless null, receives the first `count` elements too.
__device__ inline void scan_chunks(const std::int32_t* numbers, int count,
                                   const std::int32_t* chunks, int* warps, std::int32_t* prefix,
                                   std::int32_t* copy) {
  constexpr int own = scan_chunk / static_cast<int>(threads);
  for (int c = static_cast<int>(blockIdx.x); c * scan_chunk < count;
       c += static_cast<int>(gridDim.x)) {
    int before = 0;
    for (int k = static_cast<int>(threadIdx.x); k < c; k += threads) before += chunks[k];
    before = block_sum(before, warps);
    const int first = c * scan_chunk + static_cast<int>(threadIdx.x) * own;
    int sum = 0;
    for (int k = 0; k < own && first + k < count; ++k) sum += numbers[first + k];
    int running = before + block_prefix_sum(sum, warps);
    for (int k = 0; k < own && first + k < count; ++k) {
      prefix[first + k] = running;
      if (copy) copy[first + k] = running;
      running += numbers[first + k];
      if (first + k == count - 1) prefix[count] = running;
    }
  }
}

/// Warp-aggregated atomic increment of the count of each lane's bucket; none if `bucket` < 0.
/// Returns the previous count. Called by all lanes of a warp.
__device__ __forceinline__ std::int32_t count_aggregated(std::int32_t* counts,
                                                         std::int32_t bucket) {
  const engine::MatchingLanes mates = engine::match_lanes(bucket);
  std::int32_t before = 0;
  if (bucket >= 0 && mates.is_leader()) before = atomicAdd(&counts[bucket], mates.count);
  return __shfl_sync(engine::all_lanes, before, mates.first) + mates.rank();
}

/// Grid-stride loop with the same number of iterations for all lanes of a warp: calls
/// use(i, i < count).
template <class Use>
__device__ __forceinline__ void for_each_warp_uniform(Index count, GridStride loop, Use&& use) {
  for (Index i = loop.first; i - static_cast<Index>(threadIdx.x % 32) < count; i += loop.stride)
    use(i, i < count);
}

/// Scatters body indices by cell, in unspecified order within a cell; skips bodies whose cell is
/// negative. `next`: first free slot of each cell, advanced.
__device__ inline void scatter(const std::int32_t* cell, std::int32_t* next,
                               std::int32_t* scattered, Index count, GridStride loop) {
  for_each_warp_uniform(count, loop, [&](Index i, bool inside) {
    const std::int32_t bucket = inside ? cell[i] : -1, slot = count_aggregated(next, bucket);
    if (bucket >= 0) scattered[slot] = static_cast<std::int32_t>(i);
  });
}

/// The slot of body `index` in bucket `cell`, where bodies are ordered by index. Compares with all
/// bodies of the bucket; the neighbour search does so for every adjacent bucket, and costs more.
__device__ __forceinline__ std::int32_t slot_within_cell(const std::int32_t* start,
                                                         const std::int32_t* scattered,
                                                         std::int32_t cell, std::int32_t index) {
  const std::int32_t begin = start[cell], end = start[cell + 1];
  std::int32_t slot = begin;
  for (std::int32_t other = begin; other < end; ++other) slot += scattered[other] < index ? 1 : 0;
  return slot;
}

}  // namespace mote::sim::neighbour_build
