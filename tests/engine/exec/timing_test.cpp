#include "engine/exec/timing.h"

#include <gtest/gtest.h>

#include <vector>

namespace mote::engine {
namespace {

TEST(Timings, AreOfBatchesThatAreLongEnough) {
  std::vector<std::uint64_t> batches;
  const Timing timing = time_batches(3, 5e-3, [&](std::uint64_t runs) {
    batches.push_back(runs);
    return 1e-4 * static_cast<double>(runs);
  });
  EXPECT_GE(timing.runs, 50u);
  EXPECT_LE(timing.runs, 60u);
  EXPECT_DOUBLE_EQ(timing.median, 1e-4);
  double warm = 0;
  for (std::size_t k = 0; k + 3 < batches.size(); ++k)
    warm += 1e-4 * static_cast<double>(batches[k]);
  EXPECT_GE(warm, 8 * 5e-3);
}

TEST(Timings, AreMedians) {
  for (int repeats : {1, 4, 5}) {
    int call = -1;  // the first one warms up
    const Timing timing = time_batches(repeats, 0, [&](std::uint64_t runs) {
      EXPECT_EQ(runs, 1u);
      return static_cast<double>(repeats - call++);
    });
    // The measured runs take `repeats`, ..., 2, 1.
    EXPECT_EQ(timing.median, 0.5 * (repeats + 1));
    EXPECT_EQ(timing.fastest, 1);
    EXPECT_EQ(timing.slowest, repeats);
  }
}

TEST(Timings, OfWhatTakesNoTimeEnd) {
  EXPECT_EQ(time_batches(2, 5e-3, [](std::uint64_t) { return 0.0; }).median, 0);
}

}  // namespace
}  // namespace mote::engine
