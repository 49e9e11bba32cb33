#include "render/particle_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <numbers>
#include <unordered_map>

#include "engine/check.h"

namespace mote::render {
namespace {

using Node = glm::ivec3;

constexpr double level = 0.5;
constexpr int nodes_per_spacing = 2;
constexpr double reach = 2.5 * nodes_per_spacing;  // radius of the kernel, in grid steps
constexpr int block = 8;                           // nodes along the side of a block
/// Nodes are numbered from here, so that coordinates of 20 bits are positive.
constexpr int origin = 1 << 19;

int floor_to_block(int node) {
  return node >= 0 ? node / block : -((block - 1 - node) / block);
}

std::uint64_t key_of(const Node& node) {
  const auto bits = [](int at) { return static_cast<std::uint64_t>(at + origin) & 0xfffffu; };
  return bits(node.x) << 40 | bits(node.y) << 20 | bits(node.z);
}

/// Values at the nodes of a grid, 0 where nothing was added.
class SparseGrid {
 public:
  double& at(const Node& node) {
    const Node corner(floor_to_block(node.x), floor_to_block(node.y), floor_to_block(node.z));
    auto& values = blocks_[key_of(corner)];
    if (!values) {
      values = std::make_unique<Values>();
      corners_.push_back(corner);
    }
    return (*values)[place(node, corner)];
  }
  double value(const Node& node) const {
    const Node corner(floor_to_block(node.x), floor_to_block(node.y), floor_to_block(node.z));
    const auto found = blocks_.find(key_of(corner));
    return found == blocks_.end() ? 0 : (*found->second)[place(node, corner)];
  }
  /// Corners of blocks, in units of their sides, sorted: the order of the triangles.
  std::vector<Node> corners() const {
    std::vector<Node> all = corners_;
    std::sort(all.begin(), all.end(),
              [](const Node& a, const Node& b) { return key_of(a) < key_of(b); });
    return all;
  }

 private:
  using Values = std::array<double, block * block * block>;
  static std::size_t place(const Node& node, const Node& corner) {
    const Node in = node - corner * block;
    return static_cast<std::size_t>((in.x * block + in.y) * block + in.z);
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Values>> blocks_;
  std::vector<Node> corners_;
};

/// Wendland's C2 kernel in three dimensions at a distance of q times its reach; its integral over
/// space is 1 for a reach of 1.
double kernel(double q) {
  if (q >= 1) return 0;
  const double rest = (1 - q) * (1 - q);
  return 21 / (2 * std::numbers::pi) * rest * rest * (1 + 4 * q);
}

/// The tetrahedra of a cube along its diagonal (Freudenthal 1942, Ann. Math. 43, 580), by corners
/// whose bits are steps along x, y and z. Neighbouring cubes share the diagonals of their faces.
constexpr int tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                  {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

Node corner_of(const Node& cell, int corner) {
  return cell + Node(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
}

class Marcher {
 public:
  Marcher(const SparseGrid& grid, const glm::dvec3& from, double step, IndexedMesh& mesh)
      : grid_(grid), from_(from), step_(step), mesh_(mesh) {}

  void add(const Node& cell) {
    std::array<double, 8> values;
    int inside = 0;
    for (int k = 0; k < 8; ++k) {
      values[static_cast<std::size_t>(k)] = grid_.value(corner_of(cell, k));
      inside += values[static_cast<std::size_t>(k)] > level ? 1 : 0;
    }
    if (inside == 0 || inside == 8) return;
    for (const auto& corners : tetrahedra) add(cell, values, corners);
  }

 private:
  /// The part of the surface in a tetrahedron: a triangle around a corner that is alone on its
  /// side, or two between two pairs.
  void add(const Node& cell, const std::array<double, 8>& values, const int (&corners)[4]) {
    std::array<int, 4> in{}, out{};
    std::size_t ins = 0, outs = 0;
    for (const int c : corners)
      (values[static_cast<std::size_t>(c)] > level ? in[ins++] : out[outs++]) = c;
    const auto edge = [&](int a, int b) { return Edge{corner_of(cell, a), corner_of(cell, b)}; };
    if (ins == 1)
      triangle({edge(in[0], out[0]), edge(in[0], out[1]), edge(in[0], out[2])});
    else if (ins == 3)
      triangle({edge(in[0], out[0]), edge(in[1], out[0]), edge(in[2], out[0])});
    else if (ins == 2) {
      const Edge a = edge(in[0], out[0]), b = edge(in[0], out[1]), c = edge(in[1], out[1]),
                 d = edge(in[1], out[0]);
      triangle({a, b, c});
      triangle({a, c, d});
    }
  }

  struct Edge {
    Node in, out;  ///< its ends inside and outside
  };

  /// Orients by the middles of the edges: they never coincide, as the vertices may.
  void triangle(const std::array<Edge, 3>& edges) {
    std::array<glm::ivec3, 3> twice;
    glm::ivec3 outward(0);
    std::array<std::uint32_t, 3> at;
    for (std::size_t k = 0; k < 3; ++k) {
      twice[k] = edges[k].in + edges[k].out;
      outward += edges[k].out - edges[k].in;
      at[k] = vertex(edges[k]);
    }
    const glm::dvec3 a(twice[1] - twice[0]), b(twice[2] - twice[0]);
    if (glm::dot(glm::cross(a, b), glm::dvec3(outward)) < 0) std::swap(at[1], at[2]);
    mesh_.triangles.emplace_back(at[0], at[1], at[2]);
  }

  glm::dvec3 gradient(const Node& node) const {
    glm::dvec3 slope;
    for (int axis = 0; axis < 3; ++axis) {
      Node by(0);
      by[axis] = 1;
      slope[axis] = grid_.value(node + by) - grid_.value(node - by);
    }
    return slope;
  }

  /// One for each edge of the grid. The edge is known by its lower end and its direction.
  std::uint32_t vertex(const Edge& edge) {
    const Node low = glm::min(edge.in, edge.out), way = glm::max(edge.in, edge.out) - low;
    const std::uint64_t key =
        key_of(low) << 3 | static_cast<std::uint64_t>(way.x | way.y << 1 | way.z << 2);
    const auto [known, is_new] =
        vertices_.try_emplace(key, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (!is_new) return known->second;
    const double in = grid_.value(edge.in), out = grid_.value(edge.out);
    const double part = (in - level) / (in - out);
    const glm::dvec3 a(edge.in), b(edge.out);
    mesh_.vertices.push_back(from_ + step_ * (a + part * (b - a)));
    const glm::dvec3 down = -(1 - part) * gradient(edge.in) - part * gradient(edge.out);
    const double length = glm::length(down);
    mesh_.normals.emplace_back(length > 0 ? down / length : glm::normalize(b - a));
    return known->second;
  }

  const SparseGrid& grid_;
  glm::dvec3 from_;
  double step_;
  IndexedMesh& mesh_;
  std::unordered_map<std::uint64_t, std::uint32_t> vertices_;
};

/// Adds the volume of a particle at `place`, in grid steps, to the nodes around it.
void deposit(SparseGrid& grid, const glm::dvec3& place) {
  constexpr double volume = nodes_per_spacing * nodes_per_spacing * nodes_per_spacing;
  constexpr double scale = volume / (reach * reach * reach);
  const auto first = [](double at) { return static_cast<int>(std::ceil(at - reach)); };
  const auto last = [](double at) { return static_cast<int>(std::floor(at + reach)); };
  for (int x = first(place.x); x <= last(place.x); ++x)
    for (int y = first(place.y); y <= last(place.y); ++y)
      for (int z = first(place.z); z <= last(place.z); ++z) {
        const double q = glm::length(glm::dvec3(x, y, z) - place) / reach;
        if (q < 1) grid.at({x, y, z}) += scale * kernel(q);
      }
}

}  // namespace

IndexedMesh particle_surface(std::span<const float> positions, double spacing,
                             const std::function<void(double)>& on_progress) {
  MOTE_EXPECT(spacing > 0 && positions.size() % 3 == 0);
  const auto progress = [&](double fraction) {
    if (on_progress) on_progress(fraction);
  };
  const double step = spacing / nodes_per_spacing;
  std::vector<glm::dvec3> places;
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    const glm::dvec3 at(positions[i], positions[i + 1], positions[i + 2]);
    if (std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z)) places.push_back(at);
  }
  IndexedMesh mesh{"fluid", {}, {}, {}};
  if (places.empty()) return mesh;
  glm::dvec3 low = places.front(), high = low;
  for (const glm::dvec3& at : places) low = glm::min(low, at), high = glm::max(high, at);
  const glm::dvec3 middle = 0.5 * (low + high);
  const glm::dvec3 size = (high - low) / step;
  if (std::max({size.x, size.y, size.z}) > origin)
    throw engine::InputError("", "the particles are too far apart for a surface",
                             "remove those that have left");
  SparseGrid grid;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i % 4096 == 0) progress(0.7 * static_cast<double>(i) / static_cast<double>(places.size()));
    deposit(grid, (places[i] - middle) / step);
  }
  Marcher marcher(grid, middle, step, mesh);
  const std::vector<Node> corners = grid.corners();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (k % 64 == 0)
      progress(0.7 + 0.3 * static_cast<double>(k) / static_cast<double>(corners.size()));
    for (int x = 0; x < block; ++x)
      for (int y = 0; y < block; ++y)
        for (int z = 0; z < block; ++z) marcher.add(corners[k] * block + Node(x, y, z));
  }
  progress(1);
  return mesh;
}

}  // namespace mote::render
