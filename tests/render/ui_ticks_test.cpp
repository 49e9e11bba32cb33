#include "render/ui/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace mote::render::ui {
namespace {

bool is_round(double value) {
  const double leading = value / std::pow(10, std::floor(std::log10(value) + 1e-12));
  for (double wanted : {1.0, 2.0, 5.0})
    if (std::abs(leading - wanted) < 1e-12 * wanted) return true;
  return false;
}

TEST(UiTicks, RoundNumbersAreTheNearestOnEitherSide) {
  for (double value :
       {1e-300, 3.1e-7, 0.00999, 0.01, 0.5, 1.0, 1.99, 2.0, 4.0, 5.0, 9.99, 1e6, 7.7e299}) {
    const double below = round_below(value), above = round_above(value);
    EXPECT_TRUE(is_round(below)) << below;
    EXPECT_TRUE(is_round(above)) << above;
    EXPECT_LE(below, value);
    EXPECT_GE(above, value);
    // Adjacent round numbers differ by a factor of up to 2.5, so that a scale bar has 80 to 200
    // pixels.
    EXPECT_GT(below * 2.5 * (1 + 1e-12), value);
    EXPECT_LT(above / 2.5 * (1 - 1e-12), value);
  }
  EXPECT_EQ(round_below(0.3), 0.2);
  EXPECT_EQ(round_above(0.3), 0.5);
}

TEST(UiTicks, AreRoundInsideAndNeitherTooManyNorTooFew) {
  for (double low : {-1e5, -0.3, 0.0, 1e-9, 0.7, 123.0})
    for (double length : {1e-3, 0.03, 1.0, 7.5, 1e4, 3e12})
      for (int most : {2, 3, 5, 10}) {
        const Ticks axis = linear_ticks(low, low + length, most);
        ASSERT_LE(static_cast<int>(axis.ticks.size()), most);
        EXPECT_TRUE(is_round(axis.step));
        // The next finer step, at least 2.5 times smaller, would give too many.
        EXPECT_GE(axis.ticks.size() * 2.5 + 3.5, most) << low << " " << length << " " << most;
        for (const Tick& tick : axis.ticks) {
          EXPECT_GE(tick.position, low - 1e-9 * length);
          EXPECT_LE(tick.position, low + length * (1 + 1e-9));
          EXPECT_NEAR(tick.position / axis.step, std::round(tick.position / axis.step), 1e-6);
        }
        // They cover the range: not another step fits at either end.
        if (axis.ticks.empty()) continue;
        EXPECT_LT(axis.ticks.front().position - low, axis.step * (1 + 1e-9));
        EXPECT_LT(low + length - axis.ticks.back().position, axis.step * (1 + 1e-9));
      }
}

std::string labels(const Ticks& axis) {
  std::string all;
  for (const Tick& tick : axis.ticks) all += tick.label + " ";
  return all;
}

TEST(UiTicks, LabelsAreAsLongAsTheStepNeeds) {
  EXPECT_EQ(labels(linear_ticks(0, 1, 6)), "0 0.2 0.4 0.6 0.8 1.0 ");
  EXPECT_EQ(labels(linear_ticks(-0.6, 0.3, 5)), "-0.6 -0.4 -0.2 0 0.2 ");
  EXPECT_EQ(labels(linear_ticks(0, 30000, 4)), "0 10000 20000 30000 ");
  EXPECT_EQ(labels(linear_ticks(0, 1e6, 3)), "0 5e5 1e6 ");
  EXPECT_EQ(labels(linear_ticks(0, 3e-7, 4)), "0 1e-7 2e-7 3e-7 ");
  EXPECT_EQ(labels(linear_ticks(8e-7, 1.2e-6, 3)), "8e-7 1e-6 1.2e-6 ");
  EXPECT_EQ(linear_ticks(0, 1, 6).base, "");
}

TEST(UiTicks, LabelsThatWouldBeLongAreSplit) {
  const Ticks around = linear_ticks(-0.25 - 3e-9, -0.25 + 3e-9, 5);
  EXPECT_EQ(around.base, "-0.25");
  EXPECT_EQ(labels(around), "-2e-9 0 2e-9 ");
  const Ticks offset_ticks = linear_ticks(1000.0071, 1000.0093, 5);
  EXPECT_EQ(offset_ticks.base, "1000.008");
  for (const Tick& tick : offset_ticks.ticks)
    EXPECT_NEAR(std::atof(offset_ticks.base.c_str()) + std::atof(tick.label.c_str()), tick.position,
                1e-9)
        << tick.label;
}

TEST(UiTicks, DecadesAreWrittenAsPowersAndThinned) {
  EXPECT_EQ(labels(decade_ticks(-6.5, -2.9, 9)), "1e-6 1e-5 1e-4 1e-3 ");
  EXPECT_EQ(labels(decade_ticks(-2, 3, 9)), "0.01 0.1 1 10 100 1000 ");
  EXPECT_EQ(labels(decade_ticks(-16, -3, 5)), "1e-15 1e-12 1e-9 1e-6 1e-3 ");
  EXPECT_EQ(labels(decade_ticks(-7.4, -6.1, 9)), "5e-8 1e-7 2e-7 5e-7 ");
  for (int most : {2, 3, 7})
    EXPECT_LE(static_cast<int>(decade_ticks(-300, 300, most).ticks.size()), most);
}

TEST(UiTicks, ValuesHaveTheDigitsThatTellThemApart) {
  EXPECT_EQ(value_text(-0.25000000123, 1e-11), "-0.25000000123");
  EXPECT_EQ(value_text(3.14159, 10), "3.142");
  EXPECT_EQ(value_text(0, 1e-9), "0");
  EXPECT_EQ(value_text(2e-7, 0), "2e-7");
}

}  // namespace
}  // namespace mote::render::ui
