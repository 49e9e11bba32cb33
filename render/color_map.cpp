#include "render/color_map.h"

#include <algorithm>
#include <cmath>

#include "engine/check.h"
#include "engine/text.h"
#include "render/color_table.h"

namespace mote::render {
namespace {

float digit(char c) {
  return static_cast<float>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

float channel(const char* two_digits) {
  return (16 * digit(two_digits[0]) + digit(two_digits[1])) / 255;
}

/// Minimum relative luminance of a map: a fifth of the way from black to white in perceived
/// lightness (L* = 20).
constexpr float min_luminance = 0.03f;

float luminance(const Color& color) {
  return 0.2126f * linear_of(color.red) + 0.7152f * linear_of(color.green) +
         0.0722f * linear_of(color.blue);
}

/// The part of a map from its first visible entry on, stretched to the whole range. A map that
/// diverges loses as much at its other end, so that its middle stays.
ColorMap visible_on_black(const ColorMap& published, bool diverges = false) {
  const auto visible = [](const Color& color) { return luminance(color) >= min_luminance; };
  const auto& entries = published.entries;
  auto first = std::find_if(entries.begin(), entries.end(), visible) - entries.begin();
  if (diverges)
    first =
        std::max(first, std::find_if(entries.rbegin(), entries.rend(), visible) - entries.rbegin());
  const auto low = static_cast<float>(first), high = diverges ? 255 - low : 255;
  ColorMap map = published;
  for (std::size_t i = 0; i < map.entries.size(); ++i)
    map.entries[i] = sample(published, std::lerp(low, high, static_cast<float>(i) / 255) / 255);
  return map;
}

ColorMap from_hex(const char* name, const char* digits, bool diverges = false) {
  ColorMap map{name, {}};
  for (Color& entry : map.entries) {
    entry = {channel(digits), channel(digits + 2), channel(digits + 4)};
    digits += 6;
  }
  return visible_on_black(map, diverges);
}

ColorMap reversed(ColorMap map) {
  std::reverse(map.entries.begin(), map.entries.end());
  map.name += reversed_ending;
  return map;
}

ColorMap grey() {
  ColorMap map{"grey", {}};
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    const float level = static_cast<float>(i) / 255;
    map.entries[i] = {level, level, level};
  }
  return visible_on_black(map);
}

const std::vector<ColorMap>& maps() {
  static const std::vector<ColorMap> all = {
      from_hex("inferno", inferno_hex), from_hex("viridis", viridis_hex),
      from_hex("magma", magma_hex),     from_hex("plasma", plasma_hex),
      from_hex("turbo", turbo_hex),     grey(),
      from_hex("cividis", cividis_hex), from_hex("batlow", batlow_hex),
      from_hex("vik", vik_hex, true),
  };
  return all;
}

const std::vector<ColorMap>& reversed_maps() {
  static const std::vector<ColorMap> all = [] {
    std::vector<ColorMap> turned;
    for (const ColorMap& map : maps()) turned.push_back(reversed(map));
    return turned;
  }();
  return all;
}

}  // namespace

const std::vector<std::string>& color_map_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const ColorMap& map : maps()) all.push_back(map.name);
    return all;
  }();
  return names;
}

const ColorMap& color_map_named(std::string_view name) {
  for (const ColorMap& map : maps())
    if (map.name == name) return map;
  for (const ColorMap& map : reversed_maps())
    if (map.name == name) return map;
  const std::string suggestion = engine::closest(name, color_map_names());
  throw engine::InputError(
      "", "unknown colour map " + engine::quoted(name),
      (suggestion.empty() ? "" : "did you mean " + engine::quoted(suggestion) + "? ") +
          "there are " + engine::joined(color_map_names(), ", "));
}

Color color_of(std::string_view hex) {
  MOTE_EXPECT(hex.size() == 7);
  return {channel(&hex[1]), channel(&hex[3]), channel(&hex[5])};
}

ColorMap color_map_of(std::span<const Color> palette) {
  ColorMap map{"", {}, true};
  MOTE_EXPECT(palette.size() <= map.entries.size());
  map.entries.fill(uncategorized);
  std::copy(palette.begin(), palette.end(), map.entries.begin());
  return map;
}

Color sample(const ColorMap& map, float t) {
  const float position = t > 0 ? std::min(t, 1.0f) * 255 : 0;  // NaN is not > 0
  const auto low = std::min<std::size_t>(static_cast<std::size_t>(position), 254);
  const float fraction = position - static_cast<float>(low);
  if (map.separate) return map.entries[static_cast<std::size_t>(std::lround(position))];
  const Color &a = map.entries[low], &b = map.entries[low + 1];
  return {std::lerp(a.red, b.red, fraction), std::lerp(a.green, b.green, fraction),
          std::lerp(a.blue, b.blue, fraction)};
}

float linear_of(float srgb) {
  return srgb <= 0.04045f ? srgb / 12.92f : std::pow((srgb + 0.055f) / 1.055f, 2.4f);
}

float srgb_of(float linear) {
  return linear <= 0.0031308f ? linear * 12.92f : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

}  // namespace mote::render
