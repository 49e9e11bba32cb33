#include "render/color_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/check.h"

namespace mote::render {
namespace {

std::string hex(const Color& color) {
  std::string text(8, '\0');
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x",
                static_cast<int>(std::lround(color.red * 255)),
                static_cast<int>(std::lround(color.green * 255)),
                static_cast<int>(std::lround(color.blue * 255)));
  text.resize(7);
  return text;
}

/// CIE L*, 0 to 100.
double lightness(const Color& color) {
  const double y = 0.2126 * linear_of(color.red) + 0.7152 * linear_of(color.green) +
                   0.0722 * linear_of(color.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColorMap, OfAPaletteHasSeparateColours) {
  EXPECT_EQ(color_of("#ff0066"), (Color{1, 0, 0.4f}));
  EXPECT_EQ(color_of("#FFccAA"), color_of("#ffCCaa"));
  const std::vector<Color> palette{uncategorized, color_of("#ff0066"), color_of("#00ff00")};
  const ColorMap map = color_map_of(palette);
  for (const float position : {0.51f, 1.0f, 1.49f})
    EXPECT_EQ(sample(map, position / 255), palette[1]) << position;
  EXPECT_EQ(sample(map, 2.0f / 255), palette[2]);
  EXPECT_EQ(sample(map, 3.0f / 255), uncategorized);
  EXPECT_EQ(sample(map, 0), uncategorized);
}

TEST(ColorMap, HasThePublishedColoursFromWhereTheyAreSeen) {
  struct Anchor {
    const char* map;
    int first;                        // first published entry in use
    const char *low, *middle, *high;  // published entries: that, 128 and 255
  };
  for (const Anchor& anchor : {Anchor{"viridis", 15, "#481769", "#21918c", "#fde725"},
                               Anchor{"inferno", 59, "#4f0d6c", "#bc3754", "#fcffa4"},
                               Anchor{"magma", 58, "#471078", "#b73779", "#fcfdbf"},
                               Anchor{"plasma", 17, "#330597", "#cc4778", "#f0f921"},
                               Anchor{"turbo", 6, "#372466", "#a4fc3c", "#7a0403"},
                               Anchor{"grey", 49, "#313131", "#808080", "#ffffff"}}) {
    const ColorMap& map = color_map_named(anchor.map);
    EXPECT_EQ(hex(sample(map, 0)), anchor.low) << anchor.map;
    const float middle =
        static_cast<float>(128 - anchor.first) / static_cast<float>(255 - anchor.first);
    const Color color = sample(map, middle), wanted = color_of(anchor.middle);
    // Entries are interpolated from the published ones: off by one 8-bit step where the map bends
    // most.
    EXPECT_NEAR(color.red, wanted.red, 1 / 255.0f) << anchor.map;
    EXPECT_NEAR(color.green, wanted.green, 1 / 255.0f) << anchor.map;
    EXPECT_NEAR(color.blue, wanted.blue, 1 / 255.0f) << anchor.map;
    EXPECT_EQ(hex(sample(map, 1)), anchor.high) << anchor.map;
  }
}

// The sky is (5, 6, 11) of 255, a luminance of 0.0018.
TEST(ColorMap, EveryColourIsSeenOnTheSky) {
  for (const std::string& name : color_map_names())
    for (const Color& c : color_map_named(name).entries)
      EXPECT_GT(
          0.2126 * linear_of(c.red) + 0.7152 * linear_of(c.green) + 0.0722 * linear_of(c.blue),
          0.0135)
          << name;
}

TEST(ColorMap, ThatDivergesKeepsItsMiddle) {
  const ColorMap& map = color_map_named("vik");
  EXPECT_EQ(hex(sample(map, 127.5f / 255)), "#ece6e1") << "nearly white";
  for (int i = 0; i < 120; ++i)
    EXPECT_GT(map.entries[i].blue, map.entries[i].red) << "blue below it";
  for (int i = 135; i < 256; ++i)
    EXPECT_GT(map.entries[i].red, map.entries[i].blue) << "red above it";
}

TEST(ColorMap, ReversedHasTheSameColoursInTheOtherOrder) {
  for (const std::string& name : color_map_names()) {
    const ColorMap &map = color_map_named(name), &turned = color_map_named(name + "_r");
    EXPECT_EQ(turned.name, name + "_r");
    for (int i = 0; i < 256; ++i) EXPECT_EQ(turned.entries[i], map.entries[255 - i]);
  }
}

TEST(ColorMap, LightnessOfThePerceptualMapsRisesEvenly) {
  for (const char* name : {"viridis", "inferno", "magma", "plasma", "grey", "cividis", "batlow"}) {
    const ColorMap& map = color_map_named(name);
    // Rounding to 8 bits can move L* by about 0.3 where it is steepest.
    for (int i = 0; i + 1 < 256; ++i)
      EXPECT_GT(lightness(map.entries[i + 1]), lightness(map.entries[i]) - 0.35)
          << name << " " << i;
    const double half = (lightness(map.entries[0]) + lightness(map.entries[255])) / 2;
    EXPECT_NEAR((lightness(map.entries[127]) + lightness(map.entries[128])) / 2, half, 5) << name;
  }
}

TEST(ColorMap, SamplesBetweenEntriesLinearly) {
  const ColorMap& map = color_map_named("viridis");
  const Color between = sample(map, 10.25f / 255);
  EXPECT_NEAR(between.green, 0.75f * map.entries[10].green + 0.25f * map.entries[11].green, 1e-5);
}

TEST(ColorMap, ClampsAndTakesNanAsTheFirstColour) {
  const ColorMap& map = color_map_named("turbo");
  EXPECT_EQ(hex(sample(map, -3)), "#372466");
  EXPECT_EQ(hex(sample(map, 7)), "#7a0403");
  EXPECT_EQ(hex(sample(map, std::numeric_limits<float>::infinity())), "#7a0403");
  EXPECT_EQ(hex(sample(map, std::numeric_limits<float>::quiet_NaN())), "#372466");
}

TEST(ColorMap, EveryListedNameIsKnown) {
  for (const std::string& name : color_map_names()) EXPECT_EQ(color_map_named(name).name, name);
}

TEST(ColorMap, MisspeltNameGetsASuggestion) {
  try {
    color_map_named("virids");
    FAIL() << "accepted";
  } catch (const engine::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"viridis\"?"), std::string::npos)
        << error.what();
  }
}

TEST(ColorMap, LinearLightAndBackIsTheSame) {
  for (int i = 0; i < 256; ++i) EXPECT_NEAR(srgb_of(linear_of(i / 255.0f)), i / 255.0f, 1e-6);
  EXPECT_NEAR(linear_of(0.5f), 0.2140411f, 1e-6);  // IEC 61966-2-1
}

}  // namespace
}  // namespace mote::render
