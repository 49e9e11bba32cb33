#pragma once

#include <cuda_runtime.h>

#include "engine/math/vec.h"

namespace mote::engine {

inline constexpr unsigned whole_warp = 0xffffffffu;

/// The sum over the lanes of a warp, the same bits in every lane: a butterfly, whose order never changes.
template <class T>
__device__ __forceinline__ T warp_sum(T value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(whole_warp, value, distance);
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

}  // namespace mote::engine
