#pragma once

#include <glm/vec3.hpp>
#include <string>
#include <vector>

#include "render/surface_mesh.h"

namespace mote::render {

/// A surface whose triangles share vertices, counter-clockwise as seen from outside.
struct IndexedMesh {
  std::string name;                   ///< one word, "fluid"
  std::vector<glm::dvec3> vertices;   ///< [length]
  std::vector<glm::vec3> normals;     ///< unit vectors, one per vertex
  std::vector<glm::uvec3> triangles;  ///< indices of their vertices
};

/// A surface whose corners each become a vertex, moved to its place.
IndexedMesh indexed(std::string name, const SurfaceMesh& corners,
                    const glm::mat4& placement = glm::mat4(1));

}  // namespace mote::render
