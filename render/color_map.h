#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace mote::render {

/// A colour in sRGB (as a PNG stores it), each channel from 0 to 1.
struct Color {
  float red = 0, green = 0, blue = 0;
};

/// Colours for numbers: 256 equally spaced sRGB entries, `entries[0]` for 0 and `entries[255]` for 1. The
/// entries are the published values rounded to 8 bits (error of a channel at most 1/510); sources in
/// color_table.h.
struct ColorMap {
  std::string name;
  std::array<Color, 256> entries;
};

/// inferno, viridis, magma, plasma, turbo, grey.
const std::vector<std::string>& color_map_names();

/// Throws engine::InputError, with a suggestion, when there is no such map.
const ColorMap& color_map_named(std::string_view name);

/// Linear between entries. `t` outside 0..1 gives an end colour, NaN the first one.
Color sample(const ColorMap& map, float t);

/// sRGB channel to linear light and back, both 0..1 (IEC 61966-2-1).
float linear_of(float srgb);
float srgb_of(float linear);

}  // namespace mote::render
