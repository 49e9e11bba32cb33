#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "engine/types.h"

namespace mote::render {

/// Rods and triangles that connect points, by their indices: drawn with spheres.
struct BodyMesh {
  struct Rod {
    std::uint32_t a, b;
    float size;  ///< its radius, relative to the spheres at its ends
    bool operator==(const Rod&) const = default;
  };
  std::vector<Rod> rods = {};
  std::vector<glm::uvec3> triangles = {};  ///< lit on both sides
  std::vector<std::uint32_t> hidden = {};  ///< points without a sphere
  glm::vec3 period{0};      ///< rods join nearest images; 0: not periodic along an axis
  engine::Index count = 0;  ///< number of points; drawn only with as many
};

}  // namespace mote::render
