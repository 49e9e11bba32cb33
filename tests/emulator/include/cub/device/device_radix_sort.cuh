#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

/// The part of CUB that our code uses: stable, ascending, by a range of the key's bits. Like CUB,
/// it takes a pending error of an earlier call for an error of its own device query.
namespace cub {

/// Two buffers of which one has the contents.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;

  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

struct DeviceRadixSort {
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* scratch, std::size_t& scratch_bytes, DoubleBuffer<Key>& keys,
                               DoubleBuffer<Value>& values, Count count, int begin_bit = 0,
                               int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {
    const cudaError_t error =
        SortPairs(scratch, scratch_bytes, static_cast<const Key*>(keys.Current()), keys.Alternate(),
                  static_cast<const Value*>(values.Current()), values.Alternate(), count, begin_bit,
                  end_bit, stream);
    if (error != cudaSuccess || scratch == nullptr) return error;
    // As CUB does where there are more pairs than a block sorts: a pass for every 8 bits, each of
    // which goes from one buffer to the other.
    if (count > 256 && (end_bit - begin_bit + 7) / 8 % 2 == 0) {
      Key *const key = keys.Current(), *const sorted_key = keys.Alternate();
      Value *const value = values.Current(), *const sorted_value = values.Alternate();
      return emulator::enqueue(stream, [=] {
        std::copy_n(sorted_key, count, key);
        std::copy_n(sorted_value, count, value);
      });
    }
    keys.selector ^= 1, values.selector ^= 1;
    return cudaSuccess;
  }
  template <class Key, class Value, class Count>
  static cudaError_t SortPairs(void* scratch, std::size_t& scratch_bytes, const Key* keys_in,
                               Key* keys_out, const Value* values_in, Value* values_out,
                               Count count, int begin_bit = 0, int end_bit = sizeof(Key) * 8,
                               cudaStream_t stream = nullptr) {
    constexpr std::size_t needed = 256;
    if (cudaGetLastError() != cudaSuccess) return cudaErrorInvalidDevice;
    if (scratch == nullptr) {
      scratch_bytes = needed;
      return cudaSuccess;
    }
    if (scratch_bytes < needed || count < 0) return cudaErrorInvalidValue;
    const auto size = static_cast<std::size_t>(count);
    return emulator::enqueue(stream, [=] {
      std::vector<std::size_t> order(size);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return digits(keys_in[a], begin_bit, end_bit) < digits(keys_in[b], begin_bit, end_bit);
      });
      for (std::size_t i = 0; i < size; ++i) {
        keys_out[i] = keys_in[order[i]];
        values_out[i] = values_in[order[i]];
      }
    });
  }

 private:
  /// Bits that are ordered as the keys are; both zeros of a floating-point type are one.
  template <class Key>
  static std::uint64_t digits(Key key, int begin_bit, int end_bit) {
    static_assert(std::is_arithmetic_v<Key> && (sizeof(Key) == 4 || sizeof(Key) == 8));
    using Bits = std::conditional_t<sizeof(Key) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits sign = Bits{1} << (sizeof(Key) * 8 - 1);
    if constexpr (std::is_floating_point_v<Key>) key = key == 0 ? Key{0} : key;
    Bits bits = std::bit_cast<Bits>(key);
    if constexpr (std::is_floating_point_v<Key>) {
      bits ^= (bits & sign) != 0 ? ~Bits{0} : sign;
    } else if constexpr (std::is_signed_v<Key>) {
      bits ^= sign;
    }
    const std::uint64_t kept =
        end_bit >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end_bit) - 1;
    return (bits & kept) >> begin_bit;
  }
};

}  // namespace cub
