#pragma once

/// Differences between compilers. Other files use these macros instead of __host__, __CUDACC__ and
/// __CUDA_ARCH__, and __device__ only in .cu and .cuh files (script/check_layers).

#if defined(__CUDACC__)
#define MOTE_HOST_DEVICE __host__ __device__
#else
#define MOTE_HOST_DEVICE
#endif

/// 1 in device code, where approximate roots and fused operations have other names than on the
/// host.
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

/// A formula for host and device. Always inlined, also into loops compiled for another instruction
/// set: the linker could otherwise pick an out-of-line copy with unsupported instructions.
#if defined(__CUDACC__)
#define MOTE_FORMULA __host__ __device__ __forceinline__
#else
#define MOTE_FORMULA inline __attribute__((always_inline))
#endif
