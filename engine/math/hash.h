#pragma once

#include <bit>
#include <cstdint>

#include "engine/platform.h"

namespace mote::engine {

/// A bijective scrambling of 64 bits (the finaliser of SplitMix64: Steele, Lea & Flood 2014,
/// OOPSLA).
MOTE_HOST_DEVICE constexpr std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// Chains one more word into a hash. Order matters within one item; items are then added modulo
/// 2^64, which any number of threads may do in any order with the same result.
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
