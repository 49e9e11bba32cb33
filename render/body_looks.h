#pragma once

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

/// The kind of each point, an index into the looks of a ViewStyle; shared with the pictures that
/// show it, and never changed.
using PointKinds = std::shared_ptr<const std::vector<std::uint8_t>>;

}  // namespace mote::render
