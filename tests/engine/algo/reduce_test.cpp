#include "engine/algo/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "engine/math/hash.h"
#include "engine/math/random.h"
#include "engine/math/vec.h"
#include "tests/support/sanitized.h"

namespace mote::engine {
namespace {

/// Numbers of both signs over 30 decades: the bits of their sum depend on the order of summation.
std::vector<double> ill_conditioned(Index n) {
  std::vector<double> numbers(static_cast<std::size_t>(n));
  Random random(1, 2, 3);
  for (double& x : numbers)
    x = std::pow(10.0, random.uniform(-15, 15)) * (random.uniform() < 0.5 ? -1 : 1);
  return numbers;
}

double sum_of(int threads, const std::vector<double>& numbers) {
  return ordered_sum(threads, static_cast<Index>(numbers.size()), 0.0, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) sum += numbers[static_cast<std::size_t>(i)];
    return sum;
  });
}

TEST(Reduce, SumHasTheSameBitsForEveryNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  const std::vector<double> numbers = ill_conditioned(100 * loop_chunk + 17);
  const double expected = sum_of(1, numbers);
  std::vector<double> backwards(numbers.rbegin(), numbers.rend());
  EXPECT_NE(bits_of(sum_of(1, backwards)), bits_of(expected))
      << "the sum does not depend on the order";
  for (int repeat = 0; repeat < 5; ++repeat)
    for (int threads = 1; threads <= 8; ++threads)
      ASSERT_EQ(bits_of(sum_of(threads, numbers)), bits_of(expected)) << threads << " threads";
}

TEST(Reduce, SumCountsEveryItemOnce) {
  for (Index n : {Index{0}, Index{1}, loop_chunk - 1, loop_chunk, loop_chunk + 1, 3 * loop_chunk}) {
    const Index total = ordered_sum(3, n, Index{0}, [](Index begin, Index end) {
      Index sum = 0;
      for (Index i = begin; i < end; ++i) sum += i;
      return sum;
    });
    EXPECT_EQ(total, n * (n - 1) / 2) << n;
  }
}

TEST(Reduce, SumStartsFromZeroAsItWasGiven) {
  const auto one_each = [](Index begin, Index end) { return end - begin; };
  EXPECT_EQ(ordered_sum(2, 0, Index{100}, one_each), 100);
  EXPECT_EQ(ordered_sum(2, 2 * loop_chunk + 1, Index{100}, one_each), 100 + 2 * loop_chunk + 1);
}

TEST(Reduce, SumTakesAnythingThatAdds) {
  const Vec3d sum = ordered_sum(2, loop_chunk + 1, Vec3d{0, 0, 0}, [](Index begin, Index end) {
    const auto n = static_cast<double>(end - begin);
    return Vec3d{n, 2 * n, -n};
  });
  EXPECT_TRUE(sum == (Vec3d{4097, 8194, -4097}));
}

}  // namespace
}  // namespace mote::engine
