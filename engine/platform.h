#pragma once

/// Differences between compilers, in one place. No other file spells __host__, __device__ or
/// __CUDA_ARCH__.

#if defined(__CUDACC__)
#define MOTE_HOST_DEVICE __host__ __device__
#else
#define MOTE_HOST_DEVICE
#endif

/// 1 in code that a GPU runs, where approximate roots and fused operations have other names than on
/// the host.
#if defined(__CUDA_ARCH__)
#define MOTE_ON_GPU 1
#else
#define MOTE_ON_GPU 0
#endif

/// 1 where thread-block clusters exist: on the host, for declarations, and on GPUs of compute
/// capability 9.0 and up.
#if defined(__CUDA_ARCH__)
#define MOTE_HAS_CLUSTERS (__CUDA_ARCH__ >= 900)
#else
#define MOTE_HAS_CLUSTERS 1
#endif

/// A formula: host and device, and inlined even into a loop that is compiled for another
/// instruction set, so that no out-of-line copy with foreign instructions can be picked by the
/// linker.
#if defined(__CUDACC__)
#define MOTE_FORMULA __host__ __device__ __forceinline__
#else
#define MOTE_FORMULA inline __attribute__((always_inline))
#endif
