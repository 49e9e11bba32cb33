#pragma once

#include <emulated/execution.h>

#include <concepts>
#include <cstring>

/// Collective functions of the lanes of a warp.
namespace emulator {

template <class T, class... Ts>
concept OneOf = (std::same_as<T, Ts> || ...);
template <class T>
concept Shuffled =
    OneOf<T, int, unsigned, long, unsigned long, long long, unsigned long long, float, double>;

template <class T>
std::uint64_t to_word(T value) {
  std::uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
T shuffle_from(Operation operation, unsigned mask, T value, unsigned source) {
  const std::uint64_t word = shuffle(operation, mask, to_word(value), source);
  T result;
  std::memcpy(&result, &word, sizeof result);
  return result;
}

}  // namespace emulator

inline void __syncwarp(unsigned mask = 0xffffffff) {
  emulator::sync_warp(mask);
}
inline unsigned __activemask() {
  return emulator::active_lanes();
}

// The warp is divided into segments of `width` lanes; a lane whose source is outside its segment
// keeps its own value.
template <emulator::Shuffled T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  const unsigned inside = static_cast<unsigned>(width) - 1;
  const unsigned lane = emulator::current->lane;
  return emulator::shuffle_from(emulator::Operation::shuffle, mask, value,
                                (lane & ~inside) | (static_cast<unsigned>(source) & inside));
}
template <emulator::Shuffled T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned lane = emulator::current->lane;
  const bool outside = (lane & (static_cast<unsigned>(width) - 1)) < delta;
  return emulator::shuffle_from(emulator::Operation::shuffle_up, mask, value,
                                outside ? lane : lane - delta);
}
template <emulator::Shuffled T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const unsigned lane = emulator::current->lane, size = static_cast<unsigned>(width);
  const bool outside = delta >= size || (lane & (size - 1)) + delta >= size;
  return emulator::shuffle_from(emulator::Operation::shuffle_down, mask, value,
                                outside ? lane : lane + delta);
}
template <emulator::Shuffled T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  const unsigned lane = emulator::current->lane, last = lane | (static_cast<unsigned>(width) - 1);
  const unsigned source = lane ^ static_cast<unsigned>(lane_mask);
  return emulator::shuffle_from(emulator::Operation::shuffle_xor, mask, value,
                                source > last ? lane : source);
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return emulator::vote(emulator::Operation::ballot, mask, predicate != 0);
}
inline int __any_sync(unsigned mask, int predicate) {
  return emulator::vote(emulator::Operation::any, mask, predicate != 0) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
  return emulator::vote(emulator::Operation::all, mask, predicate == 0) == 0;
}
template <emulator::Shuffled T>
unsigned __match_any_sync(unsigned mask, T value) {
  return emulator::match_any(mask, emulator::to_word(value));
}

inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return emulator::reduce(emulator::Operation::reduce_add, mask, value);
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return emulator::reduce(emulator::Operation::reduce_min, mask, value);
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return emulator::reduce(emulator::Operation::reduce_max, mask, value);
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return emulator::reduce(emulator::Operation::reduce_and, mask, value);
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return emulator::reduce(emulator::Operation::reduce_or, mask, value);
}
inline unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return emulator::reduce(emulator::Operation::reduce_xor, mask, value);
}
