#include "sim/space/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
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

/// Drops vertices of no triangle, such as those of lines: they would widen the box around the mesh.
void keep_used_vertices(TriangleMesh& mesh) {
  std::vector<bool> used(mesh.vertices.size());
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t corner : t) used[corner] = true;
  std::vector<std::uint32_t> new_index(mesh.vertices.size());
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    mesh.vertices[kept] = mesh.vertices[v];
    new_index[v] = kept++;
  }
  mesh.vertices.resize(kept);
  for (Triangle& t : mesh.triangles)
    for (std::uint32_t& corner : t) corner = new_index[corner];
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

/// A connected part of a closed surface.
struct MeshPart {
  std::vector<std::size_t> triangles;
  Vec3d low, high;    ///< corners of the box around it [length]
  double volume = 0;  ///< negative where it faces inwards [length^3]
};

std::vector<MeshPart> parts_of(const TriangleMesh& mesh) {
  // Triangles of a part, connected by edges, have the same root, the smallest index among them.
  std::vector<std::size_t> above(mesh.triangles.size());
  std::iota(above.begin(), above.end(), std::size_t{0});
  const auto root = [&](std::size_t t) {
    while (above[t] != t) t = above[t] = above[above[t]];
    return t;
  };
  using Edge = std::tuple<std::uint32_t, std::uint32_t, std::size_t>;
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint32_t from = mesh.triangles[k][c], to = mesh.triangles[k][(c + 1) % 3];
      edges.emplace_back(std::min(from, to), std::max(from, to), k);
    }
  std::sort(edges.begin(), edges.end());
  for (std::size_t e = 1; e < edges.size(); ++e) {
    const auto& [low, high, here] = edges[e];
    const auto& [last_low, last_high, before] = edges[e - 1];
    if (low != last_low || high != last_high) continue;
    const std::size_t p = root(here), q = root(before);
    above[std::max(p, q)] = std::min(p, q);
  }
  std::vector<MeshPart> parts;
  std::vector<std::size_t> part_of(mesh.triangles.size(), mesh.triangles.size());
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const Triangle& t = mesh.triangles[k];
    std::size_t& number = part_of[root(k)];
    if (number == mesh.triangles.size()) {
      number = parts.size();
      parts.push_back({{}, mesh.vertices[t[0]], mesh.vertices[t[0]]});
    }
    MeshPart& part = parts[number];
    part.triangles.push_back(k);
    for (const std::uint32_t corner : t) {
      const Vec3d v = mesh.vertices[corner];
      part.low = {std::min(part.low.x, v.x), std::min(part.low.y, v.y), std::min(part.low.z, v.z)};
      part.high = {std::max(part.high.x, v.x), std::max(part.high.y, v.y),
                   std::max(part.high.z, v.z)};
    }
    // A sum of signed tetrahedra with their apex at a vertex of the part.
    const Vec3d o = mesh.vertices[mesh.triangles[part.triangles[0]][0]];
    part.volume +=
        dot(mesh.vertices[t[0]] - o, cross(mesh.vertices[t[1]] - o, mesh.vertices[t[2]] - o)) / 6;
  }
  return parts;
}

/// Whether a part winds around a point: the sum of the solid angles of its triangles (van Oosterom
/// & Strackee 1983, IEEE Trans. Biomed. Eng. 30, 125) is 4 pi inside and 0 outside.
bool winds_around(const TriangleMesh& mesh, const MeshPart& part, Vec3d point) {
  double half_angle = 0;
  for (const std::size_t k : part.triangles) {
    const Triangle& t = mesh.triangles[k];
    const Vec3d a = mesh.vertices[t[0]] - point, b = mesh.vertices[t[1]] - point,
                c = mesh.vertices[t[2]] - point;
    const double la = length(a), lb = length(b), lc = length(c);
    half_angle += std::atan2(dot(a, cross(b, c)),
                             la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return std::abs(half_angle) > std::numbers::pi;
}

/// Whether `part` lies within `other`: its box, and most of some of its vertices, of which some may
/// touch it.
bool is_within(const TriangleMesh& mesh, const MeshPart& part, const MeshPart& other) {
  constexpr std::size_t most_tried = 32;
  if (!(part.low.x >= other.low.x && part.low.y >= other.low.y && part.low.z >= other.low.z &&
        part.high.x <= other.high.x && part.high.y <= other.high.y && part.high.z <= other.high.z))
    return false;
  const std::size_t step = part.triangles.size() / most_tried + 1;
  std::size_t tried = 0, inside = 0;
  for (std::size_t k = 0; k < part.triangles.size(); k += step, ++tried)
    inside +=
        winds_around(mesh, other, mesh.vertices[mesh.triangles[part.triangles[k]][0]]) ? 1 : 0;
  return 2 * inside > tried;
}

/// Turns the parts outwards, or inwards around a cavity.
void orient(TriangleMesh& mesh, const std::string& location) {
  constexpr std::size_t most_parts = 20'000;  // each is compared with all others
  const std::vector<MeshPart> parts = parts_of(mesh);
  if (parts.size() > most_parts)
    throw engine::InputError(location, "the mesh has more than 20,000 parts that are not connected",
                             "divide it into several obstacles");
  for (const MeshPart& part : parts)
    if (part.volume == 0)
      throw engine::InputError(location,
                               "a part of the mesh encloses nothing, at " +
                                   point_text(mesh.vertices[mesh.triangles[part.triangles[0]][0]]),
                               "an obstacle needs a closed surface");
  std::vector<bool> flips(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    // The smallest part around this one.
    const MeshPart* around = nullptr;
    std::size_t depth = 0;
    for (std::size_t q = 0; q < parts.size(); ++q)
      if (q != p && is_within(mesh, parts[p], parts[q])) {
        ++depth;
        if (around == nullptr || std::abs(parts[q].volume) < std::abs(around->volume))
          around = &parts[q];
      }
    if (around != nullptr && (around->volume < 0) == (parts[p].volume < 0))
      throw engine::InputError(
          location,
          "a part of the mesh is inside another one and faces the same way, at " +
              point_text(mesh.vertices[mesh.triangles[parts[p].triangles[0]][0]]),
          "turn it around if it bounds a cavity, or remove it");
    flips[p] = (parts[p].volume < 0) != (depth % 2 == 1);
  }
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (flips[p])
      for (const std::size_t k : parts[p].triangles)
        std::swap(mesh.triangles[k][1], mesh.triangles[k][2]);
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
  keep_used_vertices(surface);
  check_edges(surface, location);
  if (surface.triangles.empty())
    throw engine::InputError(location, "the mesh encloses nothing",
                             "an obstacle needs a closed surface");
  orient(surface, location);
  return surface;
}

}  // namespace mote::sim
