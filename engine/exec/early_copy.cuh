#pragma once

#include <cuda_pipeline.h>

#include "engine/platform.h"

/// Copies from global to shared memory that are on their way while their thread goes on. What is
/// fetched into registers ahead of time is waited for as soon as the compiler moves it from one
/// register to another, which it does at the end of most loops.
///
/// A thread waits for its own copies, and only it may read what they brought. CUDA C++ Programming
/// Guide, pipeline primitives.
namespace mote::engine {

/// Sixteen bytes at a time, which are not kept in the cache of the multiprocessor: for what is used
/// once.
template <class T>
__device__ __forceinline__ void copy_early(T* to_shared, const T* from) {
  static_assert(sizeof(T) % 16 == 0 && alignof(T) >= 16);
#pragma unroll
  for (unsigned k = 0; k < sizeof(T); k += 16)
    __pipeline_memcpy_async(reinterpret_cast<char*>(to_shared) + k,
                            reinterpret_cast<const char*>(from) + k, 16);
}

/// Until all that this thread began have come.
__device__ __forceinline__ void await_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
#if MOTE_ON_GPU
  asm volatile("" ::: "memory");  // the wait does not say that memory has changed
#endif
}

}  // namespace mote::engine
