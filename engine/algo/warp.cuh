#pragma once

#include <cuda_runtime.h>

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

}  // namespace mote::engine
