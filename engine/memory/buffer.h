#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/check.h"
#include "engine/memory/device_memory.h"
#include "engine/types.h"

namespace mote::engine {

/// An owned array of trivially copyable values in one memory space; movable, not copyable.
template <class T, class Space>
class Buffer;

/// Host arrays are aligned to cache lines and padded with zeros to a multiple of 16 elements (the
/// widest SIMD batch) and of a cache line, so that SIMD loops may access full batches at the end.
template <class T>
class Buffer<T, Host> {
  static_assert(std::is_trivially_copyable_v<T>, "buffers hold plain values");

 public:
  /// 64 bytes: a cache line and the widest SIMD register.
  static constexpr std::size_t alignment = 64;

  static_assert(alignof(T) <= alignment, "alignment is at most a cache line");

  Buffer() = default;
  explicit Buffer(Index size) : size_(size) {
    MOTE_EXPECT(size >= 0);
    if (size == 0) return;
    if (static_cast<std::size_t>(size) > largest_bytes / sizeof(T)) throw std::bad_alloc();
    // Not aligned_alloc, which would have to be cleared by this thread: pages of large arrays are
    // cleared as they are first used, by whichever thread uses them.
    std::size_t room = padded_bytes(size) + alignment;
    void* aligned = std::calloc(room, 1);
    if (!aligned) throw std::bad_alloc();
    const Free free{aligned};
    std::align(alignment, padded_bytes(size), aligned, room);
    data_ = std::unique_ptr<T[], Free>(static_cast<T*>(aligned), free);
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return size_; }
  Index padded_size() const {
    return size_ == 0 ? 0 : static_cast<Index>(padded_bytes(size_) / sizeof(T));
  }
  T& operator[](Index i) {
    MOTE_EXPECT(i >= 0 && i < size_);
    return data_.get()[i];
  }
  const T& operator[](Index i) const {
    MOTE_EXPECT(i >= 0 && i < size_);
    return data_.get()[i];
  }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::span<T> span() { return {data(), static_cast<std::size_t>(size_)}; }
  std::span<const T> span() const { return {data(), static_cast<std::size_t>(size_)}; }

  /// Size of the array in bytes, with padding.
  static constexpr std::size_t padded_bytes(Index size) {
    constexpr std::size_t step = std::lcm(16 * sizeof(T), alignment);
    return (static_cast<std::size_t>(size) * sizeof(T) + step - 1) / step * step;
  }

 private:
  /// Larger than any address space; below it, padding cannot overflow.
  static constexpr std::size_t largest_bytes = std::numeric_limits<std::ptrdiff_t>::max() / 2;

  struct Free {
    void* block = nullptr;
    void operator()(T*) const { std::free(block); }
  };
  std::unique_ptr<T[], Free> data_;
  Index size_ = 0;
};

/// Device and pinned arrays: uninitialised, not padded. Throw SystemError if the device is out of
/// memory; a simulation estimates its memory before it allocates.
template <class T, class Space>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "buffers hold plain values");

 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(Index size)
      : data_(size == 0 ? nullptr
                        : static_cast<T*>(
                              Memory<Space>::allocate(static_cast<std::size_t>(size) * sizeof(T)))),
        size_(size) {
    MOTE_EXPECT(size >= 0);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  Index size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

 private:
  struct Free {
    void operator()(T* p) const { Memory<Space>::free(p); }
  };
  std::unique_ptr<T[], Free> data_;
  Index size_ = 0;
};

template <class T>
class Buffer<T, Device> : public DeviceBuffer<T, Device> {
  using DeviceBuffer<T, Device>::DeviceBuffer;
};
template <class T>
class Buffer<T, Pinned> : public DeviceBuffer<T, Pinned> {
  using DeviceBuffer<T, Pinned>::DeviceBuffer;
};

}  // namespace mote::engine
