#pragma once

/// Replaces CUDA's header where .cu files are compiled by a host compiler for the emulated device.
/// There is no <<<>>>: kernels are launched with cudaLaunchKernelEx. There is no static shared
/// memory: __shared__ is not defined, so that its use does not compile.

#include <cuda_runtime_api.h>
#include <emulated/atomics.h>
#include <emulated/execution.h>
#include <emulated/functions.h>
#include <emulated/warp.h>

#include <functional>
#include <type_traits>
#include <utility>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
// Empty, because libstdc++ writes __attribute__((__noinline__)).
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))

namespace emulator {

/// Implementation of cudaLaunchKernelEx; `body` is the kernel with its arguments bound.
cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel,
                   std::function<void()> body);

/// Runs the work now, or records it if the stream is being captured.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);

}  // namespace emulator

template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Expected...),
                               Actual&&... arguments) {
  static_assert(sizeof...(Expected) == sizeof...(Actual),
                "the kernel takes another number of arguments");
  static_assert((!std::is_reference_v<Expected> && ...), "a kernel takes its arguments by value");
  return [&](Expected... values) {
    return emulator::launch(*config, reinterpret_cast<const void*>(kernel),
                            [=] { kernel(values...); });
  }(std::forward<Actual>(arguments)...);
}

template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), block_size, dynamic_shared_bytes);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, T* kernel,
                                           const cudaLaunchConfig_t* config) {
  return cudaOccupancyMaxActiveClusters(clusters, reinterpret_cast<const void*>(kernel), config);
}
