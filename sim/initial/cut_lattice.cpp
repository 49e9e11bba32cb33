#include "sim/initial/cut_lattice.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/check.h"

namespace mote::sim {
namespace {

using engine::Index;

/// Where the origin is in a cell; irrational, so that no two points are equally far.
constexpr double offset_x = 0.41421356237309505, offset_y = 0.73205080756887729,
                 offset_z = 0.23606797749978969;

/// Points of a row of the lattice of spacing 1 in a sphere: x = i + offset_x, i from first to last.
struct Span {
  int first, last;
  int count() const { return std::max(0, last - first + 1); }
};

Span span_at(double radius2, double y, double z) {
  const double half2 = radius2 - y * y - z * z;
  if (half2 < 0) return {0, -1};
  const double half = std::sqrt(half2);
  return {static_cast<int>(std::ceil(-half - offset_x)),
          static_cast<int>(std::floor(half - offset_x))};
}

Index points_inside(double radius2, int reach) {
  Index count = 0;
  for (int k = -reach; k <= reach; ++k)
    for (int j = -reach; j <= reach; ++j)
      count += span_at(radius2, j + offset_y, k + offset_z).count();
  return count;
}

}  // namespace

std::int64_t cube_root(std::int64_t n) {
  const std::int64_t root = std::llround(std::cbrt(static_cast<double>(n)));
  return root * root * root == n ? root : 0;
}

CutLattice lattice_in_box(std::int64_t n, double side) {
  const std::int64_t m = cube_root(n);
  MOTE_EXPECT(m > 0);
  const auto along = [&](std::int64_t i) {
    return side * ((static_cast<double>(i) + 0.5) / static_cast<double>(m) - 0.5);
  };
  CutLattice lattice;
  for (std::int64_t i = 0; i < m; ++i) lattice.x.push_back(along(i));
  for (std::int64_t k = 0; k < m; ++k) {
    CutLattice::Layer layer{along(k), {}};
    for (std::int64_t j = 0; j < m; ++j)
      layer.rows.push_back({(k * m + j) * m, along(j), 0, static_cast<int>(m)});
    lattice.layers.push_back(std::move(layer));
  }
  return lattice;
}

CutLattice lattice_in_sphere(std::int64_t n, double radius) {
  MOTE_EXPECT(n >= 1);
  const double expected = std::cbrt(3 * static_cast<double>(n) / (4 * std::numbers::pi));
  const int reach = static_cast<int>(expected) + 3;
  // Bisection for a radius with n points inside. Should two points be equally far after all, the
  // radius includes both, and one is left out below.
  double low = 0, high = (expected + 2) * (expected + 2);
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    const Index inside = points_inside(middle, reach);
    (inside < n ? low : high) = middle;
    if (inside == n) break;
  }
  const double spacing = radius / expected;
  CutLattice lattice;
  for (int i = -reach; i <= reach; ++i) lattice.x.push_back(spacing * (i + offset_x));
  Index first = 0;
  for (int k = -reach; k <= reach; ++k) {
    CutLattice::Layer layer{spacing * (k + offset_z), {}};
    for (int j = -reach; j <= reach; ++j) {
      const Span span = span_at(high, j + offset_y, k + offset_z);
      const int count = static_cast<int>(std::min<Index>(span.count(), n - first));
      if (count == 0) continue;
      layer.rows.push_back({first, spacing * (j + offset_y), span.first + reach, count});
      first += count;
    }
    if (!layer.rows.empty()) lattice.layers.push_back(std::move(layer));
  }
  MOTE_EXPECT(first == n);
  return lattice;
}

}  // namespace mote::sim
