#include "render/indexed_mesh.h"

#include <glm/geometric.hpp>
#include <utility>

namespace mote::render {

IndexedMesh indexed(std::string name, const SurfaceMesh& corners, const glm::mat4& placement) {
  IndexedMesh mesh{std::move(name), {}, {}, {}};
  for (std::size_t i = 0; i < corners.positions.size(); ++i) {
    const auto k = static_cast<unsigned>(i);
    if (i % 3 == 0) mesh.triangles.emplace_back(k, k + 1, k + 2);
    mesh.vertices.emplace_back(placement * glm::vec4(corners.positions[i], 1));
    mesh.normals.emplace_back(
        glm::normalize(glm::vec3(placement * glm::vec4(corners.normals[i], 0))));
  }
  return mesh;
}

}  // namespace mote::render
