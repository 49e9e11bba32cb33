#include "engine/rounded_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace mote::engine {
namespace {

TEST(RoundedText, HasFourDigits) {
  EXPECT_EQ(rounded_text(0.005473259582892929), "0.005473");
  EXPECT_EQ(rounded_text(0.1 + 0.2), "0.3");
  EXPECT_EQ(rounded_text(-123456), "-1.235e+05");
  EXPECT_EQ(rounded_text(0), "0");
}

// For upper limits: rounded down, by less than a hundredth.
TEST(RoundedText, RoundedDownIsNeverMore) {
  EXPECT_EQ(rounded_down_text(0.005473259582892929), "0.00547");
  EXPECT_EQ(rounded_down_text(0.0999999), "0.0999");
  EXPECT_EQ(rounded_down_text(1), "1");
  EXPECT_EQ(rounded_down_text(0.1), "0.1");
  EXPECT_EQ(rounded_down_text(0), "0");
  for (int k = -3000; k < 3000; ++k) {
    const double value = std::exp(0.0937 * k),
                 shown = std::strtod(rounded_down_text(value).c_str(), nullptr);
    EXPECT_LE(shown, value) << k;
    EXPECT_GT(shown, 0.99 * value) << k;
  }
}

}  // namespace
}  // namespace mote::engine
