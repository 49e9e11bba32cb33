#include "engine/exec/simd.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mote::engine {
namespace {

TEST(Simd, NamesOfLevelsReadBack) {
  for (SimdLevel level : {SimdLevel::scalar, SimdLevel::sse4_2, SimdLevel::avx2, SimdLevel::avx512})
    EXPECT_EQ(simd_level_named(name_of(level)), level);
  EXPECT_EQ(name_of(SimdLevel::sse4_2), "sse4.2");
}

TEST(Simd, UnknownNamesAreNoLevel) {
  for (const char* word : {"", "?", "AVX2", "avx", "auto"})
    EXPECT_FALSE(simd_level_named(word)) << word;
}

TEST(Simd, ScalarIsAlwaysSupportedAndLevelsRise) {
  const auto& levels = supported_simd_levels();
  ASSERT_FALSE(levels.empty());
  EXPECT_EQ(levels.front(), SimdLevel::scalar);
  EXPECT_EQ(std::adjacent_find(levels.begin(), levels.end(), std::greater_equal<>()), levels.end());
  EXPECT_EQ(best_simd_level(), levels.back());
}

}  // namespace
}  // namespace mote::engine
