#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/exec/parallel.h"
#include "sim/space/mesh.h"

namespace mote::sim {
namespace {

using engine::Index;
using engine::Vec3d;

/// Part of a triangle: its face, a corner, or the side that starts at a corner.
enum Feature { face = 0, corner = 1, side = 4 };

struct Closest {
  double squared = std::numeric_limits<double>::infinity();
  Vec3d away{0, 0, 0};  ///< from the surface to the point
  std::uint32_t triangle = 0;
  int feature = face;
};

/// The point of a triangle closest to p (Ericson 2005, Real-Time Collision Detection, 5.1.5).
Closest closest_of_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  const auto at = [&](Vec3d q, int feature) {
    const Vec3d away = p - q;
    return Closest{dot(away, away), away, 0, feature};
  };
  const Vec3d ab = b - a, ac = c - a, ap = p - a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return at(a, corner);
  const Vec3d bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return at(b, corner + 1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(a + d1 / (d1 - d3) * ab, side);
  const Vec3d cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return at(c, corner + 2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(a + d2 / (d2 - d6) * ac, side + 2);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return at(b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), side + 1);
  const double inverse = 1 / (va + vb + vc);
  return at(a + vb * inverse * ab + vc * inverse * ac, face);
}

struct BoundingBox {
  Vec3d low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
            std::numeric_limits<double>::infinity()};
  Vec3d high = -1.0 * low;

  void add(Vec3d v) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  double squared_distance(Vec3d p) const {
    const Vec3d d{std::max({low.x - p.x, 0.0, p.x - high.x}),
                  std::max({low.y - p.y, 0.0, p.y - high.y}),
                  std::max({low.z - p.z, 0.0, p.z - high.z})};
    return dot(d, d);
  }
};

/// A bounding-volume hierarchy of the triangles, split at the median along the longest side, and
/// the normals of all faces, sides and corners.
class SurfaceTree {
 public:
  explicit SurfaceTree(const TriangleMesh& mesh) : mesh_(mesh), order_(mesh.triangles.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    make_normals();
    nodes_.reserve(mesh.triangles.size());
    build(0, static_cast<std::uint32_t>(order_.size()));
  }

  /// Signed distance. `near`: initial guess of the closest triangle, replaced by it.
  double distance(Vec3d p, std::uint32_t& near) const {
    Closest best;
    try_triangle(p, near, best);
    std::uint32_t stack[64];
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
      const Node& node = nodes_[stack[--waiting]];
      if (node.box.squared_distance(p) > best.squared) continue;
      if (node.right == 0) {
        for (std::uint32_t k = node.begin; k < node.end; ++k) try_triangle(p, order_[k], best);
        continue;
      }
      const auto left = static_cast<std::uint32_t>(&node - nodes_.data()) + 1;
      const bool left_first =
          nodes_[left].box.squared_distance(p) < nodes_[node.right].box.squared_distance(p);
      stack[waiting++] = left_first ? node.right : left;
      stack[waiting++] = left_first ? left : node.right;
    }
    near = best.triangle;
    return std::copysign(std::sqrt(best.squared), dot(best.away, normal_of(best)) < 0 ? -1.0 : 1.0);
  }

 private:
  struct Node {
    BoundingBox box;
    std::uint32_t begin, end, right;  ///< the left child follows its parent; right is 0 at a leaf
  };
  static constexpr std::uint32_t leaf_size = 4;

  Vec3d vertex(std::uint32_t triangle, int k) const {
    return mesh_.vertices[mesh_.triangles[triangle][static_cast<std::size_t>(k % 3)]];
  }
  Vec3d center_of(std::uint32_t t) const { return vertex(t, 0) + vertex(t, 1) + vertex(t, 2); }

  void try_triangle(Vec3d p, std::uint32_t t, Closest& best) const {
    // A triangle without area has no normal; its neighbours contain its points.
    if (face_[t] == Vec3d{0, 0, 0}) return;
    Closest c = closest_of_triangle(p, vertex(t, 0), vertex(t, 1), vertex(t, 2));
    if (c.squared > best.squared) return;
    c.triangle = t;
    best = c;
  }

  std::uint32_t build(std::uint32_t begin, std::uint32_t end) {
    const auto self = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({{}, begin, end, 0});
    BoundingBox box, centers;
    for (std::uint32_t k = begin; k < end; ++k) {
      for (int c = 0; c < 3; ++c) box.add(vertex(order_[k], c));
      centers.add(center_of(order_[k]));
    }
    nodes_[self].box = box;
    if (end - begin <= leaf_size) return self;
    const Vec3d size = centers.high - centers.low;
    double Vec3d::*const axis = size.x >= size.y && size.x >= size.z ? &Vec3d::x
                                : size.y >= size.z                   ? &Vec3d::y
                                                                     : &Vec3d::z;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double at = center_of(a).*axis, bt = center_of(b).*axis;
                       return at < bt || (at == bt && a < b);
                     });
    build(begin, middle);
    const std::uint32_t right = build(middle, end);
    nodes_[self].right = right;
    return self;
  }

  /// Normals of corners are sums over their faces, weighted by angle; of sides, sums of two faces.
  void make_normals() {
    const std::size_t n = mesh_.triangles.size();
    face_.assign(n, {0, 0, 0});
    corner_.assign(mesh_.vertices.size(), {0, 0, 0});
    side_.resize(n);
    std::map<std::pair<std::uint32_t, std::uint32_t>, Vec3d> sides;
    for (std::uint32_t t = 0; t < n; ++t) {
      const Vec3d c = cross(vertex(t, 1) - vertex(t, 0), vertex(t, 2) - vertex(t, 0));
      const double area = engine::length(c);
      if (area > 0) face_[t] = (1 / area) * c;
      for (int k = 0; k < 3; ++k) {
        const Vec3d u = vertex(t, k + 1) - vertex(t, k), v = vertex(t, k + 2) - vertex(t, k);
        corner_[corner_number(t, k)] +=
            std::atan2(engine::length(cross(u, v)), dot(u, v)) * face_[t];
        sides[side_key(t, k)] += face_[t];
      }
    }
    for (std::uint32_t t = 0; t < n; ++t)
      for (int k = 0; k < 3; ++k) side_[t][static_cast<std::size_t>(k)] = sides[side_key(t, k)];
  }
  std::uint32_t corner_number(std::uint32_t t, int k) const {
    return mesh_.triangles[t][static_cast<std::size_t>(k % 3)];
  }
  std::pair<std::uint32_t, std::uint32_t> side_key(std::uint32_t t, int k) const {
    return std::minmax({corner_number(t, k), corner_number(t, k + 1)});
  }
  Vec3d normal_of(const Closest& c) const {
    if (c.feature == face) return face_[c.triangle];
    if (c.feature < side) return corner_[corner_number(c.triangle, c.feature - corner)];
    return side_[c.triangle][static_cast<std::size_t>(c.feature - side)];
  }

  const TriangleMesh& mesh_;
  std::vector<std::uint32_t> order_;
  std::vector<Node> nodes_;
  std::vector<Vec3d> face_, corner_;
  std::vector<std::array<Vec3d, 3>> side_;
};

}  // namespace

MeshDistance distances_to(const TriangleMesh& surface, int cells, double margin, int threads) {
  constexpr int most_cells = 506;  // no more than 512 with two nodes at each end
  BoundingBox box;
  for (const Vec3d& v : surface.vertices) box.add(v);
  const Vec3d size = box.high - box.low;
  const double longest = std::max({size.x, size.y, size.z});
  MeshDistance d{};
  d.spacing = std::max(longest / cells, (longest + 2 * margin) / most_cells);
  // Two more nodes at each end, so that gradients at the margin do not involve the border.
  const double around = margin + 2 * d.spacing;
  d.low = box.low - Vec3d{around, around, around};
  const auto nodes_along = [&](double length) {
    return static_cast<int>(std::ceil((length + 2 * around) / d.spacing)) + 1;
  };
  d.count[0] = nodes_along(size.x), d.count[1] = nodes_along(size.y),
  d.count[2] = nodes_along(size.z);
  const Index nx = d.count[0], ny = d.count[1], nz = d.count[2];
  d.distance = engine::Buffer<float, engine::Host>(nx * ny * nz);
  const SurfaceTree tree(surface);
  engine::parallel_tasks(threads, ny * nz, [&](Index row) {
    const double y = d.low.y + d.spacing * static_cast<double>(row % ny);
    const double z = d.low.z + d.spacing * static_cast<double>(row / ny);
    // The closest triangle of a node is a good guess for the next.
    std::uint32_t near = 0;
    for (Index i = 0; i < nx; ++i)
      d.distance.data()[row * nx + i] = static_cast<float>(
          tree.distance({d.low.x + d.spacing * static_cast<double>(i), y, z}, near));
  });
  return d;
}

}  // namespace mote::sim
