#pragma once

/// Differences between compilers, in one place. No other file spells __host__, __device__ or __CUDA_ARCH__.

#if defined(__CUDACC__)
#define MOTE_HOST_DEVICE __host__ __device__
#else
#define MOTE_HOST_DEVICE
#endif

/// A formula: host and device, and inlined even into a loop that is compiled for another instruction set,
/// so that no out-of-line copy with foreign instructions can be picked by the linker.
#if defined(__CUDACC__)
#define MOTE_FORMULA __host__ __device__ __forceinline__
#else
#define MOTE_FORMULA inline __attribute__((always_inline))
#endif
