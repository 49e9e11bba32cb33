#include "engine/math/random.h"

#include <gtest/gtest.h>

namespace mote::engine {
namespace {

// Known answers of the authors' Random123 library, file kat_vectors, lines "philox4x32 10".
TEST(Random, PhiloxGivesItsPublishedKnownAnswers) {
  const Philox zeros = philox_4x32_10({{0, 0, 0, 0}}, 0, 0);
  const std::uint32_t of_zeros[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  const Philox ones = philox_4x32_10({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u);
  const std::uint32_t of_ones[] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  const Philox pi = philox_4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0);
  const std::uint32_t of_pi[] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(zeros.word[i], of_zeros[i]);
    EXPECT_EQ(ones.word[i], of_ones[i]);
    EXPECT_EQ(pi.word[i], of_pi[i]);
  }
}

}  // namespace
}  // namespace mote::engine
