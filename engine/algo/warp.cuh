#pragma once

#include <cuda_runtime.h>

#include "engine/math/vec.h"

namespace mote::engine {

inline constexpr unsigned all_lanes = 0xffffffffu;

/// Sum over the lanes of a warp, the same bits in every lane: a butterfly in fixed order.
template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

/// Sum over each group of `lanes` lanes, a power of two.
template <int lanes, class T>
__device__ __forceinline__ T sum_of_lanes(T value) {
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(all_lanes, value, distance);
  return value;
}
template <int lanes, class T>
__device__ __forceinline__ Vec3<T> sum_of_lanes(Vec3<T> value) {
  return {sum_of_lanes<lanes>(value.x), sum_of_lanes<lanes>(value.y), sum_of_lanes<lanes>(value.z)};
}

/// The lanes of a warp that have the same number as this one.
struct MatchingLanes {
  unsigned lanes;  ///< mask, including this lane
  int first;
  int count;

  /// Index of this lane among them.
  __device__ __forceinline__ int rank() const {
    return __popc(lanes & ((1u << threadIdx.x % 32) - 1));
  }
  __device__ __forceinline__ bool is_leader() const {
    return static_cast<int>(threadIdx.x % 32) == first;
  }
};
/// All lanes of a warp call this together.
__device__ __forceinline__ MatchingLanes match_lanes(int number) {
  const unsigned lanes = __match_any_sync(all_lanes, number);
  return {lanes, __ffs(static_cast<int>(lanes)) - 1, __popc(lanes)};
}

}  // namespace mote::engine
