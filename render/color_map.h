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

/// Colours for numbers: 256 equally spaced sRGB entries, `entries[0]` for 0 and `entries[255]`
/// for 1. The entries are the published values rounded to 8 bits (error of a channel at most
/// 1/510); sources in color_table.h. Where a map is published with a dark beginning (black in
/// inferno, magma and grey, a few dark entries in the others), it begins where it is light enough
/// to be seen on a dark sky, in pictures and legends alike.
struct ColorMap {
  std::string name;
  std::array<Color, 256> entries;
  bool separate = false;  ///< entries stand for themselves: numbers between two get the nearest
};

/// inferno, viridis, magma, plasma, turbo, grey.
const std::vector<std::string>& color_map_names();

/// Throws engine::InputError, with a suggestion, when there is no such map.
const ColorMap& color_map_named(std::string_view name);

/// Of what belongs to no category.
inline constexpr Color uncategorized{0.5f, 0.5f, 0.5f};

/// Of "#rrggbb", hexadecimal digits of either case.
Color color_of(std::string_view hex);

/// Separate entries: up to 256 colours for the numbers 0, 1, 2, ... of a range from 0 to 255, and
/// grey behind them.
ColorMap color_map_of(std::span<const Color> palette);

/// Linear between entries, unless they are separate. `t` outside 0..1 gives an end colour, NaN the
/// first one.
Color sample(const ColorMap& map, float t);

/// sRGB channel to linear light and back, both 0..1 (IEC 61966-2-1).
float linear_of(float srgb);
float srgb_of(float linear);

}  // namespace mote::render
