#pragma once

#include <cuda_runtime.h>

#include "engine/math/vec.h"

namespace mote::engine {

inline constexpr unsigned whole_warp = 0xffffffffu;

/// The sum over the lanes of a warp, the same bits in every lane: a butterfly, whose order never
/// changes.
template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}

/// The same over groups of `lanes` lanes, a power of two.
template <int lanes, class T>
__device__ __forceinline__ T sum_of_lanes(T value) {
  for (int distance = lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(whole_warp, value, distance);
  return value;
}
template <int lanes, class T>
__device__ __forceinline__ Vec3<T> sum_of_lanes(Vec3<T> value) {
  return {sum_of_lanes<lanes>(value.x), sum_of_lanes<lanes>(value.y), sum_of_lanes<lanes>(value.z)};
}

/// Lanes of a warp that bring the same number. All lanes call this together.
struct Alike {
  unsigned lanes;  ///< a bit each, the own one too
  int first;
  int count;

  /// How many of them are before this lane.
  __device__ __forceinline__ int before() const {
    return __popc(lanes & ((1u << threadIdx.x % 32) - 1));
  }
  __device__ __forceinline__ bool leads() const {
    return static_cast<int>(threadIdx.x % 32) == first;
  }
};
__device__ __forceinline__ Alike lanes_alike(int number) {
  const unsigned lanes = __match_any_sync(whole_warp, number);
  return {lanes, __ffs(static_cast<int>(lanes)) - 1, __popc(lanes)};
}

}  // namespace mote::engine
