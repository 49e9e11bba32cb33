#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace mote::sim {

/// The links between bodies, for pictures and meshes, by the ids of the initial bodies. A link or a
/// triangle ends with any of its bodies.
struct BodyLinks {
  /// A bond, a spring or a link of a rope.
  struct Rod {
    std::uint32_t a, b;
    float size;  ///< its radius, relative to that of a drawn body
  };
  std::vector<Rod> rods;
  /// The triangles of sheets, either side up, and of skins, counter-clockwise as seen from outside.
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Bodies within skins, in addition to the corners of triangles: surfaces stand for them all.
  std::vector<std::uint32_t> covered;

  bool empty() const { return rods.empty() && triangles.empty(); }
};

}  // namespace mote::sim
