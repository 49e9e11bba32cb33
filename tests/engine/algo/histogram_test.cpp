#include "engine/algo/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "engine/math/random.h"
#include "tests/support/sanitized.h"

namespace mote::test {
namespace {

using engine::Bins;
using engine::bins_of_values;
using engine::bins_over;
using engine::can_bin;
using engine::Index;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double max = std::numeric_limits<double>::max();

/// The counter found by bisection of the edges.
int counter_by_edges(const Bins& bins, double value) {
  if (!std::isfinite(value)) return bins.count + 2;
  if (value < bins.low) return bins.count;
  if (value > bins.high) return bins.count + 1;
  int low = 0, high = bins.count;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (value < bins.edge(middle) ? high : low) = middle;
  }
  return low;
}

TEST(Bins, HoldTheirLowerEdgeAndNotTheirUpperOneButTheLastBoth) {
  // 0.1 is not exact in binary: value * 10 alone would put some edges into the bin below.
  for (const auto& [low, high, count] : {std::tuple{0.0, 1.0, 10},
                                         {-0.3, 0.4, 7},
                                         {1e6, 1e6 + 0.1, 1000},
                                         {0.1, 0.7, 1},
                                         {-1e300, 1e300, 1'000'000},
                                         {1e-290, 3e-290, 100}}) {
    const Bins bins = bins_over(low, high, count);
    for (int i = 0; i < count; i += 1 + count / 5000) {
      ASSERT_LT(bins.edge(i), bins.edge(i + 1));
      ASSERT_EQ(bins.counter(bins.edge(i)), i) << low << " to " << high;
      ASSERT_EQ(bins.counter(std::nextafter(bins.edge(i + 1), -infinity)), i)
          << low << " to " << high;
    }
    EXPECT_EQ(bins.edge(0), low);
    EXPECT_EQ(bins.edge(count), high);
    EXPECT_EQ(bins.counter(high), count - 1);
  }
}

TEST(Bins, AgreeWithTheirEdgesForEveryValue) {
  engine::Random random(3, 0, 0);
  for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-2.0, 5.0}, {1e9, 1e9 + 1}})
    for (int count : {1, 7, 100, 20'000, 1'000'000}) {
      const double end = can_bin(low, high, count) ? high : low + 1000;
      const Bins bins = bins_over(low, end, count);
      for (int i = 0; i < 2000; ++i) {
        const double value = random.uniform(low - 0.1 * (end - low), end + 0.1 * (end - low));
        ASSERT_EQ(bins.counter(value), counter_by_edges(bins, value))
            << count << " bins from " << low << ": " << value;
      }
    }
}

TEST(Bins, HaveCountersForWhatIsOutsideAndNotFinite) {
  const Bins bins = bins_over(1, 2, 4);
  EXPECT_EQ(bins.counters(), 7);
  EXPECT_EQ(bins.counter(std::nextafter(1.0, 0.0)), 4);
  EXPECT_EQ(bins.counter(-max), 4);
  EXPECT_EQ(bins.counter(std::nextafter(2.0, 3.0)), 5);
  EXPECT_EQ(bins.counter(max), 5);
  for (double value : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(bins.counter(value), 6);
}

TEST(Bins, AreRefusedWhereDoublePrecisionCannotTellTheirEdgesApart) {
  EXPECT_TRUE(can_bin(1, 1 + 1e-9, 100'000));
  EXPECT_FALSE(can_bin(1, 1 + 1e-9, 10'000'000));
  EXPECT_FALSE(can_bin(1, 1, 1));
  EXPECT_FALSE(can_bin(0, 0, 1));
  EXPECT_FALSE(can_bin(2, 1, 1));
  EXPECT_FALSE(can_bin(-max, max, 1));
  EXPECT_FALSE(can_bin(0, infinity, 1));
  EXPECT_FALSE(can_bin(0, 5e-324, 1));
}

TEST(Bins, OfValuesReachFromTheSmallestToTheLargest) {
  const Bins bins = bins_of_values(-1.5, 2.5, 8);
  EXPECT_EQ(bins.low, -1.5);
  EXPECT_EQ(bins.high, 2.5);
  EXPECT_EQ(bins.width, 0.5);
  const Bins empty = bins_of_values(infinity, -infinity, 3);
  EXPECT_EQ(empty.low, 0);
  EXPECT_EQ(empty.high, 1);
}

TEST(Bins, OfEqualValuesHoldThemInTheMiddle) {
  for (double value : {0.0, -0.0, 1.0, -1.0, 1e-9, 5e-324, 1e-300, 1e300, max, -max})
    for (int count : {1, 7, 1'000'000}) {
      const Bins bins = bins_of_values(value, value, count);
      const int bin = bins.counter(value);
      EXPECT_LT(bin, count) << value;
      // The range of the largest double cannot extend above it.
      if (std::fabs(value) < max / 2 && count > 1) {
        EXPECT_NEAR(bin, count / 2, 1) << value;
      }
    }
  EXPECT_FALSE(std::signbit(bins_of_values(-0.0, 1, 2).low));
}

TEST(Bins, OfValuesTooFarApartLeaveSomeOutside) {
  const Bins bins = bins_of_values(-max, max, 10);
  EXPECT_EQ(bins.counter(-max), 10);
  EXPECT_EQ(bins.counter(max), 11);
  EXPECT_EQ(bins.counter(0), 5);
}

TEST(Counts, AreThoseOfAPlainLoopForEveryNumberOfThreads) {
  MOTE_SKIP_IF_ADDRESS_SANITIZED("it is about threads: the thread sanitizer runs it");
  const Index n = 70'001;  // several tasks, the last one shorter
  std::vector<double> values(static_cast<std::size_t>(n));
  engine::Random random(11, 0, 0);
  for (double& value : values) value = random.uniform(-1, 1);
  values[5] = infinity;
  values[69'999] = std::nan("");
  values[70'000] = 0.5;
  for (int count : {1, 100, 20'000, 1'000'000}) {
    const Bins bins = bins_over(-0.9, 0.5, count);
    std::vector<std::uint64_t> expected(static_cast<std::size_t>(bins.counters()));
    for (double value : values) ++expected[static_cast<std::size_t>(counter_by_edges(bins, value))];
    for (int threads : {1, 2, 3, 8}) {
      const auto counts =
          engine::count_in_bins(threads, n, bins, [&](Index i) { return values[std::size_t(i)]; });
      EXPECT_EQ(counts, expected) << count << " bins, " << threads << " threads";
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}), std::uint64_t(n));
    }
  }
}

TEST(Counts, OfNothingAreZero) {
  const auto counts = engine::count_in_bins(4, 0, bins_over(0, 1, 3), [](Index) { return 0.0; });
  EXPECT_EQ(counts, std::vector<std::uint64_t>(6, 0));
}

}  // namespace
}  // namespace mote::test
