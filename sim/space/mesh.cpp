#include "sim/space/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/check.h"
#include "engine/rounded_text.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

using engine::Vec3d;
using Triangle = std::array<std::uint32_t, 3>;

/// Merges vertices with equal coordinates into `merged`; returns the new index of each vertex.
std::vector<std::uint32_t> merge_vertices(const std::vector<Vec3d>& vertices,
                                          std::vector<Vec3d>& merged) {
  std::vector<std::uint32_t> order(vertices.size()), new_index(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z, i);
  };
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  for (const std::uint32_t i : order) {
    if (merged.empty() || !(merged.back() == vertices[i])) merged.push_back(vertices[i]);
    new_index[i] = static_cast<std::uint32_t>(merged.size() - 1);
  }
  return new_index;
}

std::string point_text(Vec3d v) {
  return fmt::format("({}, {}, {})", engine::rounded_text(v.x), engine::rounded_text(v.y),
                     engine::rounded_text(v.z));
}

/// An edge of a triangle: its vertices in ascending order, and whether the triangle traverses it in
/// that order.
struct MeshEdge {
  std::uint32_t low, high;
  bool forward;
  bool operator<(const MeshEdge& other) const {
    return std::tie(low, high, forward) < std::tie(other.low, other.high, other.forward);
  }
};

void check_edges(const TriangleMesh& mesh, const std::string& location) {
  std::vector<MeshEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = t[static_cast<std::size_t>(k)],
                          b = t[static_cast<std::size_t>((k + 1) % 3)];
      edges.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0, branching = 0, flipped = 0;
  const MeshEdge* worst = nullptr;
  for (std::size_t i = 0, next = 0; i < edges.size(); i = next) {
    while (next < edges.size() && edges[next].low == edges[i].low &&
           edges[next].high == edges[i].high)
      ++next;
    const std::size_t sides = next - i;
    if (sides == 2 && edges[i].forward != edges[i + 1].forward) continue;
    ++(sides == 1 ? open : sides > 2 ? branching : flipped);
    if (worst == nullptr) worst = &edges[i];
  }
  if (worst == nullptr) return;
  const std::string from = " (the first from " + point_text(mesh.vertices[worst->low]) + " to " +
                           point_text(mesh.vertices[worst->high]) + ")";
  const auto edges_text = [](std::size_t n) {
    return engine::counted(static_cast<long long>(n), "edge");
  };
  if (open > 0)
    throw engine::InputError(
        location, "the mesh is not closed: " + edges_text(open) + " with only one triangle" + from,
        "close the holes");
  if (branching > 0)
    throw engine::InputError(location,
                             "the mesh is not manifold: " + edges_text(branching) +
                                 " with more than two triangles" + from,
                             "remove internal walls, and separate parts that touch");
  throw engine::InputError(
      location,
      "triangles of the mesh do not all face outwards: " + edges_text(flipped) +
          " between triangles of opposite orientation" + from,
      "make its normals consistent");
}

}  // namespace

TriangleMesh closed_surface(const TriangleMesh& mesh, const std::string& location) {
  for (const Vec3d& v : mesh.vertices)
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
      throw engine::InputError(location, "a vertex of the mesh is not a finite number", "");
  for (const Triangle& t : mesh.triangles)
    if (const std::uint32_t last = *std::max_element(t.begin(), t.end());
        last >= mesh.vertices.size())
      throw engine::InputError(location,
                               "a triangle refers to vertex " + std::to_string(last) +
                                   ", but there are " + std::to_string(mesh.vertices.size()) +
                                   ", counted from 0",
                               "write the mesh again");
  TriangleMesh surface;
  const std::vector<std::uint32_t> new_index = merge_vertices(mesh.vertices, surface.vertices);
  for (const Triangle& t : mesh.triangles) {
    const Triangle n{new_index[t[0]], new_index[t[1]], new_index[t[2]]};
    if (n[0] != n[1] && n[1] != n[2] && n[2] != n[0]) surface.triangles.push_back(n);
  }
  check_edges(surface, location);
  // Six times the volume: a sum of signed tetrahedra with their apex at a vertex of the mesh.
  double volume = 0;
  for (const Triangle& t : surface.triangles) {
    const Vec3d o = surface.vertices[0];
    volume += dot(surface.vertices[t[0]] - o,
                  cross(surface.vertices[t[1]] - o, surface.vertices[t[2]] - o));
  }
  if (surface.triangles.empty() || volume == 0)
    throw engine::InputError(location, "the mesh encloses nothing",
                             "an obstacle needs a closed surface");
  if (volume < 0)
    for (Triangle& t : surface.triangles) std::swap(t[1], t[2]);
  return surface;
}

}  // namespace mote::sim
