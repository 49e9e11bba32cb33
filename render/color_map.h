#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mote::render {

/// A colour in sRGB (as a PNG stores it), each channel from 0 to 1.
struct Color {
  float red = 0, green = 0, blue = 0;
  bool operator==(const Color&) const = default;
};

/// Colours for numbers: 256 equally spaced sRGB entries, `entries[0]` for 0 and `entries[255]` for
/// 1. The entries are the published values rounded to 8 bits (error of a channel at most 1/510);
/// sources are in color_table.h. The dark start of a published map (black in inferno, magma and
/// grey, a few entries in the others) is cut off up to the first entry that is visible on a dark
/// sky, in pictures and legends alike.
struct ColorMap {
  std::string name;
  std::array<Color, 256> entries;
  bool separate = false;  ///< categorical: numbers between two entries get the nearest
};

/// inferno, viridis, magma, plasma, turbo, grey, cividis, batlow, vik.
const std::vector<std::string>& color_map_names();

/// The ending of the name of a map with the order of its colours reversed: "inferno_r".
inline constexpr const char* reversed_ending = "_r";

/// The map of this name, one of color_map_names() or such a name with reversed_ending. Throws
/// engine::InputError, with a suggestion, when there is no such map.
const ColorMap& color_map_named(std::string_view name);

/// Colour of points without a category.
inline constexpr Color uncategorized{0.5f, 0.5f, 0.5f};

/// The colour of "#rrggbb", hexadecimal digits of either case.
Color color_of(std::string_view hex);

/// A categorical map: up to 256 colours for the numbers 0, 1, 2, ... of a range from 0 to 255, and
/// grey after them.
ColorMap color_map_of(std::span<const Color> palette);

/// Linear between entries, nearest in categorical maps. `t` outside 0..1 gives an end colour, NaN
/// the first one.
Color sample(const ColorMap& map, float t);

/// sRGB channel to linear light and back, both 0..1 (IEC 61966-2-1).
float linear_of(float srgb);
float srgb_of(float linear);

}  // namespace mote::render
