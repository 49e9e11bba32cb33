#include <gtest/gtest.h>

#include <cmath>

#include "engine/params.h"
#include "render/ui/number_scale.h"

namespace mote::render::ui {
namespace {

using engine::ParamInfo;
using engine::ParamValue;

ParamInfo range(double low, double high, bool excluded = false) {
  return {.name = "p", .help = "", .minimum = low, .maximum = high, .minimum_excluded = excluded};
}

TEST(UiNumber, SlidersOfManyDecadesAreLogarithmic) {
  EXPECT_FALSE(NumberScale(range(0, 1), false).logarithmic());
  EXPECT_FALSE(NumberScale(range(-90, 90), false).logarithmic());
  EXPECT_FALSE(NumberScale(range(1, 1000), true).logarithmic());
  EXPECT_TRUE(NumberScale(range(2, 1e6), true).logarithmic());
  EXPECT_TRUE(NumberScale(range(0, 1e9), true).logarithmic());
  EXPECT_TRUE(NumberScale(range(1e-6, 1), false).logarithmic());
  EXPECT_FALSE(NumberScale(range(-1, 1e9), false).logarithmic());
  EXPECT_FALSE(NumberScale(range(0, engine::unbounded), false).bounded());
}

TEST(UiNumber, SlidersReachTheirBoundsAndNothingBeyond) {
  for (const ParamInfo& info : {range(0, 1), range(-90, 90), range(2, 1e6), range(0, 1e9),
                                range(1e-6, 1), range(0.5, 30), range(0.1234567, 7.6543219)})
    for (bool whole : {false, true}) {
      const NumberScale scale(info, whole);
      const double low = whole ? std::ceil(info.minimum) : info.minimum,
                   high = whole ? std::floor(info.maximum) : info.maximum;
      EXPECT_EQ(scale.value_at(scale.bounded() ? -0.5 : 0, 150), low);
      EXPECT_EQ(scale.value_at(1.5, 150), high);
      EXPECT_EQ(scale.value_at(1, 150), high);
      double before = low;
      for (int pixel = 0; scale.bounded() && pixel <= 150; ++pixel) {
        const double value = scale.value_at(pixel / 150.0, 150);
        EXPECT_GE(value, before);
        EXPECT_LE(value, high);
        EXPECT_EQ(engine::range_problem(info, value), std::nullopt);
        EXPECT_TRUE(!whole || value == std::round(value)) << value;
        // Rounding moves a value by less than a pixel, an integer by at most a half.
        EXPECT_TRUE(whole || std::abs(scale.position_of(value) * 150 - pixel) < 1.6)
            << info.minimum << ".." << info.maximum;
        before = value;
      }
    }
}

TEST(UiNumber, AnExcludedMinimumIsNeverReached) {
  for (const ParamInfo& info : {range(0, 1, true), range(0, 1e6, true), range(1, 2, true)})
    for (bool whole : {false, true}) {
      const NumberScale scale(info, whole);
      if (!scale.bounded()) continue;
      for (double position : {-1.0, 0.0, 0.001, 0.5})
        EXPECT_EQ(engine::range_problem(info, scale.value_at(position, 150)), std::nullopt)
            << position;
    }
  EXPECT_GT(NumberScale(range(0, engine::unbounded, true), false).dragged(1e-3, -1e5, 0), 0);
}

TEST(UiNumber, ValuesOfAHandAreShort) {
  const NumberScale scale(range(0, 1), false);
  EXPECT_EQ(engine::text_of(scale.value_at(0.3, 150)), "0.3");
  EXPECT_EQ(engine::text_of(scale.value_at(0.7, 150)), "0.7");
  const NumberScale free(range(0, engine::unbounded), false);
  for (double start : {0.05, 3.0, 1e-7, 2e9})
    for (int pixels : {-300, -20, 5, 111}) {
      const std::string text = engine::text_of(free.dragged(start, pixels, 0));
      EXPECT_LE(text.size(), 11u) << text;
    }
}

TEST(UiNumber, DragsAreInProportion) {
  const NumberScale free(range(0, engine::unbounded), false);
  for (double start : {1e-7, 0.05, 3.0, 2e9}) {
    EXPECT_NEAR(free.dragged(start, 200, 0) / start, std::exp(1), 0.05);
    EXPECT_NEAR(free.dragged(start, -200, 0) / start, std::exp(-1), 0.01);
  }
  EXPECT_NEAR(NumberScale(range(-engine::unbounded, engine::unbounded), false).dragged(-10, 100, 0),
              -5, 0.1);
  EXPECT_GT(free.dragged(0, 20, 0.05), 0);
  EXPECT_LT(free.dragged(0, 20, 0.05), 0.05);
  EXPECT_EQ(NumberScale(range(0, engine::unbounded), true).dragged(3, 8, 3), 4);
}

TEST(UiNumber, TypedNumbersAreReadAndPutIntoTheRange) {
  const auto real = [](const char* text, const ParamInfo& info) {
    return parse_number(text, info, false);
  };
  const auto whole = [](const char* text, const ParamInfo& info) {
    return parse_number(text, info, true);
  };
  EXPECT_EQ(real(" 0.02 ", range(0, 1)), ParamValue(0.02));
  EXPECT_EQ(real("+1e-3", range(0, 1)), ParamValue(1e-3));
  EXPECT_EQ(real("7", range(0, 1)), ParamValue(1.0));
  EXPECT_EQ(real("-7", range(0, 1)), ParamValue(0.0));
  EXPECT_EQ(real("0", range(0, 1, true)), std::nullopt);
  EXPECT_EQ(real("-1", range(0, 1, true)), std::nullopt);
  for (const char* text : {"", "abc", "1x", "nan", "inf", "1e999", "-"})
    EXPECT_EQ(real(text, range(-9, 9)), std::nullopt) << text;
  EXPECT_EQ(whole("65,536", range(2, 1e6)), ParamValue(std::int64_t{65536}));
  EXPECT_EQ(real("-1,234,567.5", range(-1e9, 1e9)), ParamValue(-1234567.5));
  for (const char* text : {"0,5", "1,25", "1 2", ",5", "1,2345", "1.000,5", "1e3,000", "0,500"})
    EXPECT_EQ(real(text, range(-1e9, 1e9)), std::nullopt) << text;
  EXPECT_EQ(whole("1e6", range(2, 1e9)), ParamValue(std::int64_t{1000000}));
  EXPECT_EQ(whole("1", range(2, 1e6)), ParamValue(std::int64_t{2}));
  EXPECT_EQ(whole("2.5", range(2, 1e6)), std::nullopt);
  EXPECT_EQ(whole("9223372036854775807", range(0, engine::unbounded)),
            ParamValue(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(whole("2", range(2, 9, true)), std::nullopt);
}

TEST(UiNumber, ASuggestionIsAllowed) {
  for (bool excluded : {false, true})
    for (const ParamInfo& info : {range(0, 1, excluded), range(0, engine::unbounded, excluded),
                                  range(-engine::unbounded, -3), range(1, 1e6, excluded)})
      for (bool whole : {false, true}) {
        const double value = NumberScale(info, whole).suggestion();
        EXPECT_EQ(engine::range_problem(info, value), std::nullopt)
            << info.minimum << ".." << info.maximum << " " << value;
      }
}

}  // namespace
}  // namespace mote::render::ui
