#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/algo/warp.cuh"
#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/space/cells.h"

/// Private to what puts bodies in the order of cells: the pieces that need not know whose bodies
/// they are. Kernels of blocks of `threads`, which wait for each other between two pieces.
namespace mote::sim::listing {

using engine::Index;

constexpr unsigned threads = 256;
/// Cells of one block of the scan.
constexpr int scan_chunk = 2048;

/// The part of a loop that is this thread's.
struct Share {
  Index first, stride;
};

__device__ __forceinline__ double along(const engine::Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Whole numbers in the order of doubles.
__device__ __forceinline__ long long ordered(double value) {
  const long long bits = __double_as_longlong(value);
  return bits >= 0 ? bits : bits ^ 0x7fffffffffffffffll;
}
__device__ __forceinline__ double unordered(long long key) {
  return __longlong_as_double(key >= 0 ? key : key ^ 0x7fffffffffffffffll);
}

/// Where bodies are along open axes, as such numbers.
struct Bounds {
  long long low[3], high[3];
};

/// Those of nobody: infinity, and minus infinity.
inline Bounds no_bounds() {
  Bounds bounds;
  constexpr double far = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    std::memcpy(&bounds.low[axis], &far, sizeof far);
    bounds.high[axis] = ~bounds.low[axis];
  }
  return bounds;
}

/// Takes a place along one axis into bounds.
template <class Real>
__device__ __forceinline__ void widen(double& low, double& high, Real place) {
  if (!isfinite(place)) return;
  low = fmin(low, static_cast<double>(place));
  high = fmax(high, static_cast<double>(place));
}

/// Makes the bounds of all those of the threads; all lanes of a warp call this together.
__device__ inline void note_bounds(Bounds& all, double (&low)[3], double (&high)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int distance = 16; distance > 0; distance /= 2) {
      low[axis] = fmin(low[axis], __shfl_xor_sync(engine::whole_warp, low[axis], distance));
      high[axis] = fmax(high[axis], __shfl_xor_sync(engine::whole_warp, high[axis], distance));
    }
    if (threadIdx.x % 32 != 0) continue;
    atomicMin(&all.low[axis], ordered(low[axis]));
    atomicMax(&all.high[axis], ordered(high[axis]));
  }
}

/// The bounds as doubles; leaves those of nobody. One thread's work.
__device__ inline void take_bounds(Bounds& all, engine::Vec3d& low, engine::Vec3d& high) {
  low = {unordered(all.low[0]), unordered(all.low[1]), unordered(all.low[2])};
  high = {unordered(all.high[0]), unordered(all.high[1]), unordered(all.high[2])};
  for (int axis = 0; axis < 3; ++axis)
    all.low[axis] = ordered(INFINITY), all.high[axis] = ordered(-INFINITY);
}

/// Adds the crowding of buckets to a sum of whole numbers, below zero too. All lanes of a warp call
/// this together.
__device__ inline void add_crowding(const std::int32_t* counts, int first, int end, Share share,
                                    unsigned long long& sum) {
  long long own = 0;
  for (Index k = first + share.first; k < end; k += share.stride) own += crowding_of(counts[k]);
  for (int distance = 16; distance > 0; distance /= 2)
    own += __shfl_xor_sync(engine::whole_warp, own, distance);
  if (threadIdx.x % 32 == 0 && own != 0) atomicAdd(&sum, static_cast<unsigned long long>(own));
}

/// The sum over the block, the same in every thread.
__device__ inline int sum_of_block(int value, int* warps) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(engine::whole_warp, value, distance);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned w = 0; w < threads / 32; ++w) sum += warps[w];
  return sum;
}

/// The sum over the block of what threads before have.
__device__ inline int before_in_block(int value, int* warps) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int through = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(engine::whole_warp, through, distance);
    if (lane >= distance) through += other;
  }
  __syncthreads();
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  int before = through - value;
  for (int w = 0; w < warp; ++w) before += warps[w];
  return before;
}

/// Sums of chunks of numbers, a block each.
__device__ inline void sum_chunks(const std::int32_t* numbers, int count, std::int32_t* chunks,
                                  int* warps) {
  for (int c = static_cast<int>(blockIdx.x); c * scan_chunk < count;
       c += static_cast<int>(gridDim.x)) {
    int sum = 0;
    for (int k = c * scan_chunk + static_cast<int>(threadIdx.x);
         k < (c + 1) * scan_chunk && k < count; k += threads)
      sum += numbers[k];
    sum = sum_of_block(sum, warps);
    if (threadIdx.x == 0) chunks[c] = sum;
  }
}

/// From numbers to the sums of those before, and of all behind the last. Each block adds up the
/// chunks before its own. `also`: gets those before, too, unless null.
__device__ inline void scan_chunks(const std::int32_t* numbers, int count,
                                   const std::int32_t* chunks, int* warps, std::int32_t* before,
                                   std::int32_t* also) {
  constexpr int own = scan_chunk / static_cast<int>(threads);
  for (int c = static_cast<int>(blockIdx.x); c * scan_chunk < count;
       c += static_cast<int>(gridDim.x)) {
    int above = 0;
    for (int k = static_cast<int>(threadIdx.x); k < c; k += threads) above += chunks[k];
    above = sum_of_block(above, warps);
    const int first = c * scan_chunk + static_cast<int>(threadIdx.x) * own;
    int sum = 0;
    for (int k = 0; k < own && first + k < count; ++k) sum += numbers[first + k];
    int place = above + before_in_block(sum, warps);
    for (int k = 0; k < own && first + k < count; ++k) {
      before[first + k] = place;
      if (also) also[first + k] = place;
      place += numbers[first + k];
      if (first + k == count - 1) before[count] = place;
    }
  }
}

/// Counts a body of each lane in its bucket, those of a warp that are in one bucket together; who
/// is below 0 is in none. Returns how many were counted there before. All lanes of a warp call this
/// together.
__device__ __forceinline__ std::int32_t count_in(std::int32_t* counts, std::int32_t bucket) {
  const engine::Alike mates = engine::lanes_alike(bucket);
  std::int32_t before = 0;
  if (bucket >= 0 && mates.leads()) before = atomicAdd(&counts[bucket], mates.count);
  return __shfl_sync(engine::whole_warp, before, mates.first) + mates.before();
}

/// Calls use(i, inside) for the columns that are this thread's, until all lanes of its warp are
/// beyond the last one.
template <class Use>
__device__ __forceinline__ void for_each_of_warp(Index count, Share share, Use&& use) {
  for (Index i = share.first; i - static_cast<Index>(threadIdx.x % 32) < count; i += share.stride)
    use(i, i < count);
}

/// Puts columns behind each other by cell, in whatever order within one; those whose cell is below
/// 0 are left out. `next`: the first place of each cell; it moves on.
__device__ inline void scatter(const std::int32_t* cell, std::int32_t* next,
                               std::int32_t* scattered, Index count, Share share) {
  for_each_of_warp(count, share, [&](Index i, bool inside) {
    const std::int32_t bucket = inside ? cell[i] : -1, place = count_in(next, bucket);
    if (bucket >= 0) scattered[place] = static_cast<std::int32_t>(i);
  });
}

/// The place of a column that is in bucket `cell`: within one in the order of the columns. Looks at
/// all that are in the bucket, as the search for neighbours does in each bucket around: a crowd
/// costs less here than there.
__device__ __forceinline__ std::int32_t place_within(const std::int32_t* start,
                                                     const std::int32_t* scattered,
                                                     std::int32_t cell, std::int32_t column) {
  const std::int32_t begin = start[cell], end = start[cell + 1];
  std::int32_t place = begin;
  for (std::int32_t other = begin; other < end; ++other) place += scattered[other] < column ? 1 : 0;
  return place;
}

}  // namespace mote::sim::listing
