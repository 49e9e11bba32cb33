#pragma once

#include "engine/algo/warp.cuh"

namespace mote::engine {

/// Bit patterns of non-negative numbers are in the order of the numbers.
__device__ __forceinline__ double number_of_bits(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}
__device__ __forceinline__ unsigned long long bits_of_number(double number) {
  return static_cast<unsigned long long>(__double_as_longlong(number));
}

/// Atomic maximum of `largest`, the bits of a non-negative number, with the values of a warp. Reads
/// first: most warps have no new maximum and need no atomic. All lanes call this together.
__device__ __forceinline__ void warp_atomic_max(double value, unsigned long long* largest) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const double other = __shfl_xor_sync(all_lanes, value, distance);
    value = other > value ? other : value;
  }
  if (threadIdx.x % 32 != 0) return;
  const unsigned long long bits = bits_of_number(value);
  if (bits > *const_cast<volatile unsigned long long*>(largest)) atomicMax(largest, bits);
}

}  // namespace mote::engine
