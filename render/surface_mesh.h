#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <memory>
#include <span>
#include <vector>

namespace mote::render {

/// Triangles with smooth or sharp edges: three corners each.
struct SurfaceMesh {
  std::vector<glm::vec3> positions, normals;  ///< one per corner; counter-clockwise from outside
};

/// Triangles with normals, which are smooth where neighbours meet at less than 40 degrees:
/// those of the adjacent triangles, weighted by their angle at the corner.
SurfaceMesh with_normals(std::span<const glm::dvec3> vertices,
                         std::span<const glm::uvec3> triangles);

/// A translucent surface in the world.
struct PlacedSurface {
  std::shared_ptr<const SurfaceMesh> mesh;
  glm::mat4 placement{1};           ///< to the world, relative to the frame's origin
  glm::vec4 color{1, 1, 1, 0.15f};  ///< sRGB; opacity seen straight on
  float rim = 0.5f;                 ///< additional opacity at grazing angles
};

}  // namespace mote::render
