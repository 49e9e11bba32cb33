#include "engine/math/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace mote::engine {
namespace {

constexpr int many = 1 << 20;

/// Bound of a standard normal deviate that is exceeded, on either side, with probability 1e-6.
constexpr double unlikely = 4.892;

std::vector<double> sequence(Random random, int count = many) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& u : numbers) u = random.uniform();
  return numbers;
}

/// The first number of each of many items, as drawn by generators of initial conditions.
std::vector<double> first_of_each_item(std::uint64_t seed, std::uint32_t stream) {
  std::vector<double> numbers(many);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = Random(seed, stream, i).uniform();
  return numbers;
}

/// Both orders in which numbers are drawn.
std::array<std::vector<double>, 2> samples() {
  return {sequence(Random(1, 2, 3)), first_of_each_item(1, 2)};
}

/// Correlation of two samples of the uniform distribution, whose mean 1/2 and variance 1/12 are
/// known.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += (a[i] - 0.5) * (b[i] - 0.5);
  return 12 * sum / static_cast<double>(n);
}

// Known answers of the authors' Random123 library, file kat_vectors, lines "philox4x32 10".
TEST(Random, PhiloxGivesItsPublishedKnownAnswers) {
  const Philox zeros = philox_4x32_10({{0, 0, 0, 0}}, 0, 0);
  const std::uint32_t of_zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const Philox ones = philox_4x32_10({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u);
  const std::uint32_t of_ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  const Philox pi =
      philox_4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0);
  const std::uint32_t of_pi[] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(zeros.word[i], of_zeros[i]);
    EXPECT_EQ(ones.word[i], of_ones[i]);
    EXPECT_EQ(pi.word[i], of_pi[i]);
  }
}

// The words of a sequence are those of consecutive blocks, none skipped or repeated at block ends;
// seed, stream and item are in the words of counter and key that the header documents.
TEST(Random, SequenceCrossesBlocksWithoutSkippingOrRepeatingWords) {
  const std::uint64_t seed = 0x0123456789abcdef, item = 0xfedcba9876543210;
  const std::uint32_t stream = 0x600df00d;
  Random random(seed, stream, item);
  for (std::uint32_t block = 0; block < 5; ++block) {
    const Philox expected =
        philox_4x32_10({{block, stream, 0x76543210, 0xfedcba98}}, 0x89abcdef, 0x01234567);
    for (std::uint32_t word : expected.word)
      EXPECT_EQ(random.next_word(), word) << "in block " << block;
  }
}

TEST(Random, SequenceIsAPureFunctionOfSeedStreamAndItem) {
  Random one(5, 6, 7), other(5, 6, 8);
  const std::vector<double> undisturbed = sequence(Random(5, 6, 7), 101);
  for (double expected : undisturbed) {
    EXPECT_EQ(one.uniform(), expected);
    other.uniform();  // another sequence between two draws changes nothing
  }
}

TEST(Random, CopyContinuesInTheMiddleOfABlock) {
  Random random(1, 2, 3);
  random.next_word();
  Random copy = random;
  for (int i = 0; i < 9; ++i) EXPECT_EQ(copy.next_word(), random.next_word());
}

// Every number is an odd multiple of 2^-53, the midpoint of one of 2^52 equal intervals. It is
// never 0 or 1, for which logarithms and inverse distributions diverge.
TEST(Random, UniformIsTheMiddleOfAnIntervalAndNeverAnEndPoint) {
  for (const std::vector<double>& sample : samples()) {
    for (double u : sample) {
      const double multiple = std::ldexp(u, 53);
      ASSERT_EQ(std::fmod(multiple, 2), 1) << u;
      ASSERT_GT(u, 0);
      ASSERT_LT(u, 1);
    }
  }
}

// Kolmogorov-Smirnov distance: a uniform sample exceeds the bound with probability 1e-6 (Massart
// 1990, Ann. Probab. 18, 1269). The seed is fixed, so the test cannot fail by chance later.
TEST(Random, UniformIsUniformlyDistributed) {
  for (std::vector<double>& sample : samples()) {
    std::sort(sample.begin(), sample.end());
    const auto n = static_cast<double>(sample.size());
    double distance = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      const double steps = static_cast<double>(i);
      distance = std::max({distance, sample[i] - steps / n, (steps + 1) / n - sample[i]});
    }
    EXPECT_LT(distance, std::sqrt(std::log(2 / 1e-6) / (2 * n)));
  }
}

// The variance of the mean is 1/(12 n); that of the mean square about 1/2 is (1/80 - 1/144) / n.
TEST(Random, UniformHasMeanOneHalfAndVarianceOneTwelfth) {
  for (const std::vector<double>& sample : samples()) {
    double sum = 0, squares = 0;
    for (double u : sample) {
      sum += u - 0.5;
      squares += (u - 0.5) * (u - 0.5);
    }
    EXPECT_NEAR(sum / many, 0, unlikely * std::sqrt(1.0 / 12 / many));
    EXPECT_NEAR(squares / many, 1.0 / 12, unlikely * std::sqrt((1.0 / 80 - 1.0 / 144) / many));
  }
}

// Each of the 52 bits of a number is set half of the time. Only this test shows lost or doubled
// bits.
TEST(Random, EveryBitOfUniformIsSetHalfOfTheTime) {
  std::array<int, 52> set{};
  for (double u : sequence(Random(1, 2, 3))) {
    const auto bits = static_cast<std::uint64_t>(std::ldexp(u, 52));
    for (std::size_t b = 0; b < set.size(); ++b) set[b] += static_cast<int>(bits >> b & 1);
  }
  for (std::size_t b = 0; b < set.size(); ++b)
    EXPECT_NEAR(set[b], many / 2, unlikely * 1.2 * std::sqrt(many) / 2) << "bit " << b;
}

TEST(Random, UniformIsMadeOfOneWordAndTheUpperTwentyBitsOfTheNext) {
  Random words(1, 2, 3), numbers(1, 2, 3);
  for (int i = 0; i < 100; ++i) {
    const double high = words.next_word(), low = words.next_word() >> 12;
    EXPECT_EQ(numbers.uniform(), std::ldexp(high, -32) + std::ldexp(low + 0.5, -52));
  }
}

TEST(Random, RangeIsTheUnitIntervalStretchedAndShifted) {
  Random unit(9, 8, 7), stretched(9, 8, 7);
  for (int i = 0; i < 1000; ++i) {
    const double u = unit.uniform();
    EXPECT_EQ(stretched.uniform(-3, 5), -3 + 8 * u);
  }
}

// Neighbouring seeds, streams and items, in the low and high half of each, are uncorrelated. The
// correlation of independent samples is normal with variance 1/n.
TEST(Random, SeedsStreamsAndItemsAreIndependent) {
  const std::uint64_t high = 1ull << 32;
  const std::vector<double> reference = sequence(Random(1, 2, 3));
  const std::pair<const char*, Random> others[] = {
      {"seed + 1", Random(2, 2, 3)},           {"seed + 2^32", Random(1 + high, 2, 3)},
      {"stream + 1", Random(1, 3, 3)},         {"item + 1", Random(1, 2, 4)},
      {"item + 2^32", Random(1, 2, 3 + high)}, {"stream, item exchanged", Random(1, 3, 2)},
  };
  const double bound = unlikely / std::sqrt(many);
  for (const auto& [name, random] : others)
    EXPECT_LT(std::abs(correlation(reference, sequence(random))), bound) << name;
  EXPECT_LT(std::abs(correlation(first_of_each_item(1, 2), first_of_each_item(1, 3))), bound);
  EXPECT_LT(std::abs(correlation(first_of_each_item(1, 2), first_of_each_item(2, 2))), bound);
}

// Within one sequence and from item to item, at lags at and around the block size.
TEST(Random, NumbersAtAnyDistanceAreIndependent) {
  for (const std::vector<double>& sample : samples()) {
    for (std::size_t lag : {1u, 2u, 3u, 4u, 64u}) {
      const std::vector<double> later(sample.begin() + static_cast<std::ptrdiff_t>(lag),
                                      sample.end());
      EXPECT_LT(std::abs(correlation(sample, later)), unlikely / std::sqrt(many - 64))
          << "lag " << lag;
    }
  }
}

}  // namespace
}  // namespace mote::engine
