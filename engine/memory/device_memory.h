#pragma once

#include <cstddef>

#include "engine/types.h"

struct CUstream_st;

namespace mote::engine {

/// Memory of a device, and pinned host memory, for the stream that the calling thread works for
/// (engine/exec/stream.h), and on its device. Any thread may free it: that waits for the stream.
/// Defined in builds with CUDA only. Allocating throws SystemError when the runtime fails.
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

/// Copies bytes in the order of a stream; returns before they have arrived when the host side is
/// pinned.
void copy_bytes_to_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream);
void copy_bytes_to_host(void* to, const void* from, std::size_t bytes, CUstream_st* stream);
void copy_bytes_on_device(void* to, const void* from, std::size_t bytes, CUstream_st* stream);
/// Fills with one byte, in the order of a stream.
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
