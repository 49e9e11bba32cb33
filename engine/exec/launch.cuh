#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <mutex>
#include <type_traits>

#include "engine/exec/cuda_check.h"
#include "engine/exec/policy.h"

namespace mote::engine {

/// Launch configuration of a kernel.
struct LaunchShape {
  unsigned blocks;
  unsigned threads;          ///< per block, a multiple of 32
  std::size_t shared = 0;    ///< dynamic shared memory per block [bytes]
  unsigned cluster = 1;      ///< blocks per cluster
  bool cooperative = false;  ///< all blocks are resident at once, and may synchronise
  unsigned blocks_y = 1;     ///< grid size in y
};

/// The number of blocks for `count` tasks, of which a block does `per_block`.
constexpr unsigned blocks_for(Index count, Index per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

/// A LaunchShape as a configuration of the CUDA runtime.
class LaunchConfig {
 public:
  LaunchConfig(const Cuda& exec, const LaunchShape& shape) {
    if (shape.cooperative) {
      attributes_[config_.numAttrs].id = cudaLaunchAttributeCooperative;
      attributes_[config_.numAttrs++].val.cooperative = 1;
    }
    if (shape.cluster > 1) {
      attributes_[config_.numAttrs].id = cudaLaunchAttributeClusterDimension;
      attributes_[config_.numAttrs].val.clusterDim.x = shape.cluster;
      attributes_[config_.numAttrs].val.clusterDim.y = 1;
      attributes_[config_.numAttrs++].val.clusterDim.z = 1;
    }
    config_.gridDim = dim3(shape.blocks, shape.blocks_y);
    config_.blockDim = dim3(shape.threads);
    config_.dynamicSmemBytes = shape.shared;
    config_.stream = exec.stream;
    config_.attrs = attributes_;
  }
  LaunchConfig(const LaunchConfig&) = delete;
  LaunchConfig& operator=(const LaunchConfig&) = delete;
  const cudaLaunchConfig_t* get() const { return &config_; }

 private:
  cudaLaunchAttribute attributes_[2]{};
  cudaLaunchConfig_t config_{};
};

/// Launches a kernel on the policy's stream; throws SystemError if the launch fails. Errors during
/// execution are reported by the next wait. No blocks: does nothing.
template <class... Expected, class... Actual>
void launch(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Expected...),
            Actual&&... arguments) {
  if (shape.blocks == 0) return;
  const LaunchConfig config(exec, shape);
  cuda_check(cudaLaunchKernelEx(config.get(), kernel, static_cast<Expected>(arguments)...),
             "start a kernel");
}

/// Launches with a shape that may not fit the device; returns whether the kernel was launched.
template <class... Expected, class... Actual>
bool try_launch(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Expected...),
                Actual&&... arguments) {
  const LaunchConfig config(exec, shape);
  return fits_device(cudaLaunchKernelEx(config.get(), kernel, static_cast<Expected>(arguments)...),
                     "start a kernel");
}

/// Launches a cooperative kernel that works with any number of blocks. Halves the number while they
/// do not fit, which can be although the device's attributes promise it. Returns the number of
/// blocks.
template <class... Expected, class... Actual>
unsigned launch_cooperative(const Cuda& exec, LaunchShape shape, void (*kernel)(Expected...),
                            const Actual&... arguments) {
  shape.cooperative = true;
  while (shape.blocks > 1 && !try_launch(exec, shape, kernel, arguments...)) shape.blocks /= 2;
  if (shape.blocks <= 1) launch(exec, shape, kernel, arguments...);
  return shape.blocks;
}

/// Allows a kernel more dynamic shared memory than the default of 48 KiB. Never less than before:
/// another thread may be about to launch it with that.
template <class... Arguments>
void allow_shared(void (*kernel)(Arguments...), std::size_t bytes) {
  static std::mutex one_at_a_time;
  const auto* const function = reinterpret_cast<const void*>(kernel);
  const std::lock_guard lock(one_at_a_time);
  cudaFuncAttributes now{};
  cuda_check(cudaFuncGetAttributes(&now, function), "cudaFuncGetAttributes");
  if (static_cast<std::size_t>(now.maxDynamicSharedSizeBytes) >= bytes) return;
  cuda_check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(bytes)),
             "cudaFuncSetAttribute");
}

/// Resident blocks of a kernel per multiprocessor.
template <class... Arguments>
int resident_blocks(void (*kernel)(Arguments...), unsigned threads, std::size_t shared) {
  int blocks = 0;
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel,
                                                           static_cast<int>(threads), shared),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

/// Resident clusters of a kernel on the device; 0 where the process may use too small a part of it.
template <class... Arguments>
int resident_clusters(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Arguments...)) {
  int clusters = 0;
  const LaunchConfig config(exec, shape);
  const bool fits = fits_device(cudaOccupancyMaxActiveClusters(&clusters, kernel, config.get()),
                                "cudaOccupancyMaxActiveClusters");
  return fits ? clusters : 0;
}

/// The dynamic shared memory of the block, aligned to 128 bytes. mote uses no static shared memory.
template <class T>
__device__ inline T* shared_memory() {
#if defined(MOTE_CUDA_EMULATED)
  return static_cast<T*>(emulator::shared_memory());
#else
  extern __shared__ __align__(128) unsigned char mote_shared_memory[];
  return reinterpret_cast<T*>(mote_shared_memory);
#endif
}

/// Shared memory with its address kept in a register: nvcc would recompute it at each use from a
/// special register, which is slow to read.
template <class T>
__device__ inline T* shared_memory_in_register() {
#if defined(MOTE_CUDA_EMULATED)
  return shared_memory<T>();
#else
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(shared_memory<T>()));
  unsigned kept;
  asm volatile("mov.u32 %0, %1;" : "=r"(kept) : "r"(address));
  return static_cast<T*>(__cvta_shared_to_generic(kept));
#endif
}

}  // namespace mote::engine
