#include "engine/math/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include "engine/math/random.h"

namespace mote::engine {
namespace {

/// Inverts x ^ (x >> shift).
std::uint64_t unshift(std::uint64_t x, int shift) {
  std::uint64_t y = x;
  for (int known = shift; known < 64; known += shift) y = x ^ (y >> shift);
  return y;
}

/// Inverse of an odd number modulo 2^64: Newton's iteration doubles the number of correct bits,
/// starting from 3.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t y = odd;
  for (int bits = 3; bits < 64; bits *= 2) y *= 2 - odd * y;
  return y;
}

std::uint64_t unmixed(std::uint64_t x) {
  x = unshift(x, 31) * inverse(0x94D049BB133111EBull);
  x = unshift(x, 27) * inverse(0xBF58476D1CE4E5B9ull);
  return unshift(x, 30) - 0x9E3779B97F4A7C15ull;
}

// The first outputs of SplitMix64 from state 0: the state advances by the golden ratio's fraction.
TEST(Hash, MixGivesTheKnownAnswersOfSplitMix64) {
  EXPECT_EQ(mix_bits(0), 0xE220A8397B1DCDAFull);
  EXPECT_EQ(mix_bits(0x9E3779B97F4A7C15ull), 0x6E789E6AA1B965F4ull);
  EXPECT_EQ(mix_bits(2 * 0x9E3779B97F4A7C15ull), 0x06C45D188009454Full);
}

TEST(Hash, MixIsABijection) {
  for (std::uint64_t i = 0; i < 100000; ++i) {
    for (std::uint64_t x : {i, ~i, i << 40, i * std::uint64_t{0xD1342543DE82EF95}})
      ASSERT_EQ(unmixed(mix_bits(x)), x);
  }
}

// Each flip is a fair coin: its frequency over n inputs has standard deviation 1/(2 sqrt(n)). Six
// standard deviations, for 4,096 pairs of bits.
TEST(Hash, FlippingOneBitFlipsEveryBitHalfOfTheTime) {
  constexpr int inputs = 4096;
  for (int in = 0; in < 64; ++in) {
    std::array<int, 64> flips{};
    int total = 0;
    Random random(1, 2, static_cast<std::uint64_t>(in));
    for (int i = 0; i < inputs; ++i) {
      const std::uint64_t high = random.next_word(), x = high << 32 | random.next_word();
      const std::uint64_t change = mix_bits(x) ^ mix_bits(x ^ 1ull << in);
      total += std::popcount(change);
      for (std::size_t out = 0; out < 64; ++out) flips[out] += static_cast<int>(change >> out & 1);
    }
    EXPECT_NEAR(total / (64.0 * inputs), 0.5, 6 * 0.5 / std::sqrt(64.0 * inputs))
        << "input bit " << in;
    for (int out = 0; out < 64; ++out)
      EXPECT_NEAR(flips[static_cast<std::size_t>(out)] / double{inputs}, 0.5,
                  6 * 0.5 / std::sqrt(double{inputs}))
          << "bit " << in << " to bit " << out;
  }
}

TEST(Hash, ChainDependsOnTheOrderOfItsWords) {
  const std::uint64_t ab = hash_word(hash_word(0, 1), 2), ba = hash_word(hash_word(0, 2), 1);
  EXPECT_NE(ab, ba);
  EXPECT_NE(hash_word(0, 0), 0u);
  EXPECT_NE(hash_word(hash_word(0, 0), 0), hash_word(0, 0));
  EXPECT_NE(hash_word(1, 2), hash_word(2, 1));
}

TEST(Hash, BitsOfANumberAreItsPattern) {
  EXPECT_EQ(bits_of(1.0), 0x3FF0000000000000ull);
  EXPECT_EQ(bits_of(-2.0f), 0xC0000000ull);
  EXPECT_NE(bits_of(0.0), bits_of(-0.0));
  EXPECT_EQ(bits_of(std::nextafter(1.0, 2.0)), bits_of(1.0) + 1);
}

}  // namespace
}  // namespace mote::engine
