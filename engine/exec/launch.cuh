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

/// Starts a kernel on the policy's stream; throws SystemError when it is refused. What goes wrong while it runs
/// is reported by the next wait. Nothing to do (no blocks) starts nothing.
template <class... Expected, class... Actual>
void launch(const Cuda& exec, const LaunchShape& shape, void (*kernel)(Expected...), Actual&&... arguments) {
  if (shape.blocks == 0) return;
  cudaLaunchAttribute attributes[2]{};
  unsigned count = 0;
  if (shape.cooperative) {
    attributes[count].id = cudaLaunchAttributeCooperative;
    attributes[count++].val.cooperative = 1;
  }
  if (shape.cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = shape.cluster;
    attributes[count].val.clusterDim.y = 1;
    attributes[count++].val.clusterDim.z = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks, shape.rows);
  config.blockDim = dim3(shape.threads);
  config.dynamicSmemBytes = shape.shared;
  config.stream = exec.stream;
  config.attrs = attributes;
  config.numAttrs = count;
  cuda_check(cudaLaunchKernelEx(&config, kernel, static_cast<Expected>(arguments)...), "start a kernel");
}

/// Allows a kernel more dynamic shared memory than the 48 KiB that every kernel may have.
template <class... Arguments>
void allow_shared(void (*kernel)(Arguments...), std::size_t bytes) {
  cuda_check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
             "cudaFuncSetAttribute");
}

/// Blocks of a kernel that fit one multiprocessor at a time.
template <class... Arguments>
int resident_blocks(void (*kernel)(Arguments...), unsigned threads, std::size_t shared) {
  int blocks = 0;
  cuda_check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads), shared),
      "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

/// The dynamic shared memory of the block, on a boundary of 128 bytes. All shared memory of mote is dynamic.
template <class T>
__device__ inline T* shared_memory() {
#if defined(MOTE_CUDA_EMULATED)
  return static_cast<T*>(emulator::shared_memory());
#else
  extern __shared__ __align__(128) unsigned char mote_shared_memory[];
  return reinterpret_cast<T*>(mote_shared_memory);
#endif
}

/// The same, for an address that is used in many places: it stays in a register, where nvcc would work it out each time
/// from a special one that takes long to read.
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
