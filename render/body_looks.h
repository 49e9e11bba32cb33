#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace mote::render {

/// How bodies of a kind are drawn.
struct Look {
  bool visible = true;
  float size = 1;        ///< factor of the radius of spheres
  float brightness = 1;  ///< factor of the light of stars
  bool operator==(const Look&) const = default;
};

/// True if some look differs from that of ordinary bodies.
inline bool any_look(const std::vector<Look>& looks) {
  return std::any_of(looks.begin(), looks.end(), [](const Look& look) { return look != Look{}; });
}

/// The kind of each point, an index into the looks of a ViewStyle; shared with the pictures that
/// show it, and never changed.
using PointKinds = std::shared_ptr<const std::vector<std::uint8_t>>;

}  // namespace mote::render
