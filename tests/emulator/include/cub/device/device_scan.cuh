#pragma once

#include <cuda_runtime.h>

#include <type_traits>

/// The part of CUB that our code uses: sums of the numbers before each, in place or not. Like CUB,
/// it takes a pending error of an earlier call for an error of its own device query.
namespace cub {

struct DeviceScan {
  template <class Number, class Count>
  static cudaError_t ExclusiveSum(void* scratch, std::size_t& scratch_bytes, const Number* in,
                                  Number* out, Count count, cudaStream_t stream = nullptr) {
    static_assert(std::is_integral_v<Number>);
    constexpr std::size_t needed = 256;
    if (cudaGetLastError() != cudaSuccess) return cudaErrorInvalidDevice;
    if (scratch == nullptr) {
      scratch_bytes = needed;
      return cudaSuccess;
    }
    if (scratch_bytes < needed || count < 0) return cudaErrorInvalidValue;
    return emulator::enqueue(stream, [=] {
      Number sum = 0;
      for (Count i = 0; i < count; ++i) {
        const Number own = in[i];
        out[i] = sum;
        sum += own;
      }
    });
  }
};

}  // namespace cub
