#pragma once

#include <cuda_runtime.h>

#include <cstdint>

/// Shared by the files that implement the runtime API.
namespace emulator {

inline constexpr std::size_t default_shared_bytes = 48 << 10;
inline constexpr std::size_t max_shared_bytes = 227 << 10;
/// The byte that memory is filled with until it is written.
inline constexpr int uninitialised = 0xcd;
inline constexpr int max_threads_per_block = 1024;
inline constexpr int max_threads_per_multiprocessor = 2048;
inline constexpr int max_blocks_per_multiprocessor = 32;

/// Stores an error for cudaGetLastError and returns it.
cudaError_t report(cudaError_t error);

/// Success, or why no call works: no device, or a driver that is too old.
cudaError_t device_state();

int current_device();
/// The same for calls that need the context of the current device: creates it, and applies injected
/// faults.
cudaError_t context_state();
void make_context(int device);

int multiprocessor_count();
std::size_t device_capacity();

/// Success, or the error of a call that CUDA forbids while a stream is being captured.
cudaError_t check_no_capture();

/// Success, or the error of a call that waits for a device, which invalidates all captures on it,
/// of any thread and mode.
cudaError_t invalidate_captures(int device);

/// Success, or the error for a handle that is not a live stream.
cudaError_t check_stream(cudaStream_t stream);
/// The same for a launch, which needs a stream of the current device.
cudaError_t check_launch(cudaStream_t stream);

/// A point in a stream. The emulator runs work at once, so nothing is ever out of order; marks
/// track what would be ordered on a device. All streams are ordered after {}.
struct Mark {
  std::uint64_t stream = 0, number = 0;
};
Mark mark(cudaStream_t stream);
/// True if work enqueued in the stream now is ordered after the mark.
bool is_after(cudaStream_t stream, const Mark& mark);
/// True if, for every other stream that is ordered after the mark, it is ordered after an event
/// that follows the mark there, or the host has waited for that stream.
bool is_after_all_users(cudaStream_t stream, const Mark& mark);

/// Memory that the device did not allocate but may use for a while, after a mark; filled with
/// garbage; null if out of memory.
void* lend_to_device(std::size_t bytes, const Mark& from);
void reclaim_from_device(void* memory);

void count_host_wait();

void reset_order();
void reset_memory();
void reset_faults();
void reset_launches();

}  // namespace emulator
