#include "render/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

namespace mote::render {
namespace {

const double smooth_cosine = std::cos(glm::radians(40.0));

/// Unit vector, or 0 for a vector that is 0.
glm::dvec3 unit(const glm::dvec3& v) {
  const double length = glm::length(v);
  return length > 0 ? v / length : glm::dvec3(0);
}

}  // namespace

SurfaceMesh with_normals(std::span<const glm::dvec3> vertices,
                         std::span<const glm::uvec3> triangles) {
  struct Corner {
    std::uint32_t triangle;
    double angle;
  };
  std::vector<glm::dvec3> faces;
  std::vector<std::vector<Corner>> around(vertices.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const glm::dvec3 at[3] = {vertices[triangles[t][0]], vertices[triangles[t][1]],
                              vertices[triangles[t][2]]};
    faces.push_back(unit(glm::cross(at[1] - at[0], at[2] - at[0])));
    for (int k = 0; k < 3; ++k) {
      const glm::dvec3 one = unit(at[(k + 1) % 3] - at[k]), other = unit(at[(k + 2) % 3] - at[k]);
      around[triangles[t][k]].push_back(
          {static_cast<std::uint32_t>(t), std::acos(std::clamp(glm::dot(one, other), -1.0, 1.0))});
    }
  }
  SurfaceMesh mesh;
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      glm::dvec3 sum(0);
      for (const Corner& c : around[triangles[t][k]])
        if (glm::dot(faces[c.triangle], faces[t]) > smooth_cosine)
          sum += c.angle * faces[c.triangle];
      mesh.positions.emplace_back(vertices[triangles[t][k]]);
      mesh.normals.emplace_back(glm::length(sum) > 0 ? unit(sum) : faces[t]);
    }
  return mesh;
}

}  // namespace mote::render
