#pragma once

#include <cstddef>

#include "engine/types.h"

struct CUstream_st;

namespace mote::engine {

/// Device memory and pinned host memory, for the current stream of the calling thread
/// (engine/exec/stream.h) and on its device. Any thread may free it, which waits for that stream.
/// Defined in builds with CUDA only. Allocation throws SystemError if the runtime fails.
template <class Space>
struct Memory;

template <>
struct Memory<Device> {
  static void* allocate(std::size_t bytes);
  static void free(void* p) noexcept;
};

template <>
struct Memory<Pinned> {
  static void* allocate(std::size_t bytes);
  static void free(void* p) noexcept;
};

/// Copies bytes in stream order; asynchronous if the host side is pinned.
void copy_bytes_to_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream);
void copy_bytes_to_host(void* to, const void* from, std::size_t bytes, CUstream_st* stream);
void copy_bytes_on_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream);
/// Sets every byte to `value`, in stream order.
void fill_bytes(void* to, int value, std::size_t bytes, CUstream_st* stream);

template <class T>
void copy_to_device(T* to, const T* from, Index count, CUstream_st* stream) {
  copy_bytes_to_device(to, from, static_cast<std::size_t>(count) * sizeof(T), stream);
}
template <class T>
void copy_to_host(T* to, const T* from, Index count, CUstream_st* stream) {
  copy_bytes_to_host(to, from, static_cast<std::size_t>(count) * sizeof(T), stream);
}

}  // namespace mote::engine
