#pragma once

#include <cuda_pipeline.h>

#include "engine/platform.h"

/// Asynchronous copies from global to shared memory (cp.async). Prefetching into registers instead
/// stalls as soon as the compiler moves a loaded value between registers, which it does at the end
/// of most loops.
///
/// A thread waits for its own copies, and only that thread may read them. CUDA C++ Programming
/// Guide, pipeline primitives.
namespace mote::engine {

/// Copies 16 bytes at a time, bypassing the L1 cache: for data that is used once.
template <class T>
__device__ __forceinline__ void async_copy(T* to_shared, const T* from) {
  static_assert(sizeof(T) % 16 == 0 && alignof(T) >= 16);
#pragma unroll
  for (unsigned k = 0; k < sizeof(T); k += 16)
    __pipeline_memcpy_async(reinterpret_cast<char*>(to_shared) + k,
                            reinterpret_cast<const char*>(from) + k, 16);
}

/// Waits for all copies that this thread started.
__device__ __forceinline__ void await_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
#if MOTE_ON_GPU
  asm volatile("" ::: "memory");  // the intrinsic does not declare that memory has changed
#endif
}

}  // namespace mote::engine
