#include "sim/space/mesh_lines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

namespace mote::sim {
namespace {

using engine::Vec3d;

constexpr double sharp_cosine = 0.866;  // cosine of 30 degrees
constexpr int cuts_across = 11;
/// A surface with more edges than this per sharp edge is smooth.
constexpr std::size_t smooth_from = 12;

using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge edge_of(std::uint32_t a, std::uint32_t b) {
  return {std::min(a, b), std::max(a, b)};
}

double component(Vec3d v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

Vec3d normal_of(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& t) {
  const Vec3d n =
      cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]]);
  const double size = engine::length(n);
  return size > 0 ? (1 / size) * n : n;
}

/// Edges at which the surface bends by more than the limit, and the number of all edges.
std::pair<std::vector<Edge>, std::size_t> sharp_edges(const TriangleMesh& mesh) {
  std::map<Edge, Vec3d> first;
  std::vector<Edge> sharp;
  for (const auto& t : mesh.triangles) {
    const Vec3d normal = normal_of(mesh, t);
    for (std::size_t k = 0; k < 3; ++k) {
      const Edge edge = edge_of(t[k], t[(k + 1) % 3]);
      const auto [at, is_new] = first.emplace(edge, normal);
      if (!is_new && dot(at->second, normal) < sharp_cosine) sharp.push_back(edge);
    }
  }
  return {std::move(sharp), first.size()};
}

/// Appends the closed curves in which a coordinate plane cuts the surface. Walks from triangle to
/// triangle: a triangle is cut at two of its edges, each of which is shared with one other
/// triangle.
void add_section(const TriangleMesh& mesh, int axis, double value, std::vector<Outline>& lines) {
  const auto above = [&](std::uint32_t v) { return component(mesh.vertices[v], axis) > value; };
  std::map<Edge, std::vector<Edge>> next;
  for (const auto& t : mesh.triangles) {
    std::vector<Edge> cut;
    for (std::size_t k = 0; k < 3; ++k)
      if (above(t[k]) != above(t[(k + 1) % 3])) cut.push_back(edge_of(t[k], t[(k + 1) % 3]));
    if (cut.size() != 2) continue;
    next[cut[0]].push_back(cut[1]);
    next[cut[1]].push_back(cut[0]);
  }
  const auto intersection = [&](const Edge& e) {
    const Vec3d a = mesh.vertices[e.first], b = mesh.vertices[e.second];
    return a + ((value - component(a, axis)) / (component(b, axis) - component(a, axis))) * (b - a);
  };
  while (!next.empty()) {
    Outline line;
    line.closed = true;
    std::optional<Edge> at = next.begin()->first;
    while (at) {
      line.points.push_back(intersection(*at));
      const auto here = next.extract(*at);
      at.reset();
      for (const Edge& e : here.mapped())
        if (next.contains(e)) at = e;
    }
    if (line.points.size() > 2) lines.push_back(std::move(line));
  }
}

}  // namespace

std::vector<Outline> lines_of(const TriangleMesh& mesh) {
  std::vector<Outline> lines;
  if (mesh.vertices.empty()) return lines;
  const auto [sharp, edges] = sharp_edges(mesh);
  for (const Edge& e : sharp)
    lines.push_back({{mesh.vertices[e.first], mesh.vertices[e.second]}, false});
  if (sharp.size() * smooth_from >= edges) return lines;
  Vec3d low = mesh.vertices.front(), high = low;
  for (const Vec3d v : mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  const Vec3d size = high - low;
  const int longest = size.z >= size.x && size.z >= size.y ? 2 : size.y >= size.x ? 1 : 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int cuts = axis == longest ? cuts_across : 1;
    for (int k = 1; k <= cuts; ++k)
      add_section(mesh, axis, component(low, axis) + k * component(size, axis) / (cuts + 1), lines);
  }
  return lines;
}

}  // namespace mote::sim
