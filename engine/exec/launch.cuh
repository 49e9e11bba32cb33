#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "engine/exec/cuda_check.h"
#include "engine/exec/policy.h"

namespace mote::engine {

/// How a kernel is started.
struct LaunchShape {
  unsigned blocks;
  unsigned threads;          ///< of a block, a multiple of 32
  std::size_t shared = 0;    ///< bytes of dynamic shared memory of a block
  unsigned cluster = 1;      ///< blocks of a cluster
  bool cooperative = false;  ///< all blocks are resident at once, and may synchronise
  unsigned rows = 1;         ///< blocks in y
};

/// A shape in the runtime's words.
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
    config_.gridDim = dim3(shape.blocks, shape.rows);
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

/// Starts a kernel on the policy's stream; throws SystemError when it is refused. What goes wrong
/// while it runs is reported by the next wait. Nothing to do (no blocks) starts nothing.
template <class... Expected, class... Actual>
void launch(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Expected...),
            Actual&&... arguments) {
  if (shape.blocks == 0) return;
  const LaunchConfig config(exec, shape);
  cuda_check(cudaLaunchKernelEx(config.get(), kernel, static_cast<Expected>(arguments)...),
             "start a kernel");
}

/// The same for a shape that the device may have no room for: whether it was started.
template <class... Expected, class... Actual>
bool try_launch(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Expected...),
                Actual&&... arguments) {
  const LaunchConfig config(exec, shape);
  return had_room(cudaLaunchKernelEx(config.get(), kernel, static_cast<Expected>(arguments)...),
                  "start a kernel");
}

/// Starts a cooperative kernel that does its work with any number of blocks: with fewer where the
/// device has no room for so many, though its attributes promise it. Returns how many.
template <class... Expected, class... Actual>
unsigned launch_together(const Cuda& exec, LaunchShape shape, void (*kernel)(Expected...),
                         const Actual&... arguments) {
  shape.cooperative = true;
  while (shape.blocks > 1 && !try_launch(exec, shape, kernel, arguments...)) shape.blocks /= 2;
  if (shape.blocks <= 1) launch(exec, shape, kernel, arguments...);
  return shape.blocks;
}

/// Allows a kernel more dynamic shared memory than the 48 KiB that every kernel may have.
template <class... Arguments>
void allow_shared(void (*kernel)(Arguments...), std::size_t bytes) {
  cuda_check(
      cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                           cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
      "cudaFuncSetAttribute");
}

/// Blocks of a kernel that fit one multiprocessor at a time.
template <class... Arguments>
int resident_blocks(void (*kernel)(Arguments...), unsigned threads, std::size_t shared) {
  int blocks = 0;
  cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel,
                                                           static_cast<int>(threads), shared),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

/// Clusters of a kernel that fit the device at a time: none where the process has too small a part
/// of it.
template <class... Arguments>
int resident_clusters(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Arguments...)) {
  int clusters = 0;
  const LaunchConfig config(exec, shape);
  const bool room = had_room(cudaOccupancyMaxActiveClusters(&clusters, kernel, config.get()),
                             "cudaOccupancyMaxActiveClusters");
  return room ? clusters : 0;
}

/// The dynamic shared memory of the block, on a boundary of 128 bytes. All shared memory of mote is
/// dynamic.
template <class T>
__device__ inline T* shared_memory() {
#if defined(MOTE_CUDA_EMULATED)
  return static_cast<T*>(emulator::shared_memory());
#else
  extern __shared__ __align__(128) unsigned char mote_shared_memory[];
  return reinterpret_cast<T*>(mote_shared_memory);
#endif
}

/// The same, for an address that is used in many places: it stays in a register, where nvcc would
/// work it out each time from a special one that takes long to read.
template <class T>
__device__ inline T* shared_memory_kept() {
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
