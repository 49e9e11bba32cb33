#pragma once

#include <cuda_runtime.h>

#include <cstdint>

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

int current_device();
/// The same for calls that need the context of the current device: makes it, and fails where a test
/// asked for that.
cudaError_t context_state();
void make_context(int device);

int multiprocessor_count();
std::size_t memory_of_device();

/// Success, or the error of a call that CUDA forbids while a stream is being captured.
cudaError_t allowed_beside_capture();

/// Success, or the error of a call that waits for all of a device: captures on it are spoilt, of
/// whatever thread and mode.
cudaError_t spoil_captures(int device);

/// Success, or the error for a handle of no living stream.
cudaError_t check_stream(cudaStream_t stream);
/// The same for a launch, which needs a stream of the current device.
cudaError_t check_launch(cudaStream_t stream);

/// A place in a stream. Work is done at once, so that nothing ever is out of order here; marks say
/// what would have been in order on a device. {} is known to all.
struct Mark {
  std::uint64_t stream = 0, number = 0;
};
Mark mark(cudaStream_t stream);
/// Whether work that the stream gets now comes behind the mark.
bool is_behind(cudaStream_t stream, const Mark& mark);
/// Whether it comes behind some work of every other stream that has come behind the mark, or the
/// host has waited.
bool comes_behind_all_users(cudaStream_t stream, const Mark& mark);

/// Memory that the device did not allocate but may use for a while, behind a mark; filled with
/// garbage; null when there is none.
void* lend_to_device(std::size_t bytes, const Mark& from);
void take_from_device(void* memory);

void count_host_wait();

void reset_order();
void reset_memory();
void reset_faults();
void reset_launches();

}  // namespace emulator
