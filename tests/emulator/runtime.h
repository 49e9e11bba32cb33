#pragma once

#include <cuda_runtime.h>

/// What the files of the runtime API share.
namespace emulator {

inline constexpr std::size_t shared_bytes_by_default = 48 << 10;
inline constexpr std::size_t most_shared_bytes = 227 << 10;
inline constexpr int most_threads_per_block = 1024;
inline constexpr int most_threads_per_multiprocessor = 2048;
inline constexpr int most_blocks_per_multiprocessor = 32;

/// Remembers an error for cudaGetLastError and returns it.
cudaError_t report(cudaError_t error);

/// Success, or why no call works: no device, or a driver that is too old.
cudaError_t device_state();

int multiprocessor_count();

/// Success, or the error of a call that CUDA forbids while a stream is being captured.
cudaError_t allowed_beside_capture();

/// Success, or the error for a handle of no living stream.
cudaError_t check_stream(cudaStream_t stream);

void reset_order();
void reset_memory();

}  // namespace emulator
