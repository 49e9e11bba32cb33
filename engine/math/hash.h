#pragma once

#include <bit>
#include <cstdint>

#include "engine/platform.h"

namespace mote::engine {

/// A bijective mixing of 64 bits: the finaliser of SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
MOTE_HOST_DEVICE constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// Chains a word into a hash. The order matters within one item; hashes of items are added modulo
/// 2^64, so the result does not depend on the order of items or the number of threads.
MOTE_HOST_DEVICE constexpr std::uint64_t hash_word(std::uint64_t hash, std::uint64_t word) {
  return mix_bits(hash ^ mix_bits(word));
}

/// The bit pattern of a number, as a word.
constexpr std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}
constexpr std::uint64_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

}  // namespace mote::engine
