#pragma once

#include "engine/algo/warp.cuh"

namespace mote::engine {

/// Numbers that are not negative are ordered as their bits are.
__device__ __forceinline__ double number_of_bits(unsigned long long bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}
__device__ __forceinline__ unsigned long long bits_of_number(double number) {
  return static_cast<unsigned long long>(__double_as_longlong(number));
}

/// The largest of a warp's numbers goes to `largest`, as its bits, unless a larger one stands
/// there. Most warps see that it is no new one. All lanes of a warp call this together.
__device__ __forceinline__ void note_largest(double value, unsigned long long* largest) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const double other = __shfl_xor_sync(whole_warp, value, distance);
    value = other > value ? other : value;
  }
  if (threadIdx.x % 32 != 0) return;
  const unsigned long long bits = bits_of_number(value);
  if (bits > *const_cast<volatile unsigned long long*>(largest)) atomicMax(largest, bits);
}

}  // namespace mote::engine
