#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "render/color_map.h"

namespace mote::render {

/// How bodies of a kind are drawn.
struct Look {
  bool visible = true;
  float size = 1;                   ///< factor of the radius of spheres
  float brightness = 1;             ///< factor of the light of stars
  std::optional<Color> color = {};  ///< replaces that of the scalar
  float radius = 0;                 ///< sphere radius before the factor [length]; 0: the point's
  bool operator==(const Look&) const = default;
};

/// True if some look differs from that of ordinary bodies.
inline bool any_look(const std::vector<Look>& looks) {
  return std::any_of(looks.begin(), looks.end(), [](const Look& look) { return look != Look{}; });
}

/// How single points are drawn: as those of their kind, but for a colour and a radius, or not at
/// all.
struct OwnLook {
  std::uint8_t kind = 0;
  std::optional<Color> color = {};
  float radius = 0;  ///< [length]; 0: as others
  bool visible = true;
};

/// True if each of `count` points has a colour of its own, so that none shows the scalar.
inline bool all_colored(const std::vector<OwnLook>& own, std::int64_t count) {
  return count > 0 && std::count_if(own.begin(), own.end(), [](const OwnLook& one) {
                        return one.color.has_value();
                      }) >= count;
}

/// The look of a single point among points of these looks.
inline Look look_of(const OwnLook& one, const std::vector<Look>& looks) {
  Look look = one.kind < looks.size() ? looks[one.kind] : Look{};
  look.color = one.color, look.radius = one.radius;
  look.visible = look.visible && one.visible;
  return look;
}

/// The looks of kinds, and after them those of single points, which are kinds of their own.
inline std::vector<Look> with_own(const std::vector<Look>& looks, const std::vector<OwnLook>& own) {
  std::vector<Look> all = looks;
  for (const OwnLook& one : own) all.push_back(look_of(one, looks));
  return all;
}

/// The scalar by which shaders know a colour of a body's own, from 2^127 on: 8 bits of red and
/// green and 7 of blue in place of the fraction.
inline float own_color_scalar(const Color& color) {
  const auto bits = [](float channel, float most) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(channel, 0.0f, 1.0f) * most));
  };
  return std::bit_cast<float>(0x7f000000u | bits(color.red, 255) << 15 |
                              bits(color.green, 255) << 7 | bits(color.blue, 127));
}

/// The kind of each point, an index into the looks of a ViewStyle and the OwnLooks that follow
/// them; shared with the pictures that show it, and never changed.
using PointKinds = std::shared_ptr<const std::vector<std::uint8_t>>;

}  // namespace mote::render
