#include "sim/space/polygon.h"

#include <algorithm>
#include <numeric>

namespace mote::sim {

using engine::Vec3d;

namespace {

/// Whether every corner turns left, seen against the normal.
bool is_convex(std::span<const Vec3d> corners, Vec3d normal) {
  const std::size_t count = corners.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d here = corners[(k + 1) % count];
    if (!(dot(normal, cross(here - corners[k], corners[(k + 2) % count] - here)) > 0)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::array<std::size_t, 3>> triangles_of(std::span<const Vec3d> corners) {
  std::vector<std::array<std::size_t, 3>> triangles;
  const std::size_t count = corners.size();
  if (count == 3) return {{0, 1, 2}};
  // Twice the area, along the normal; relative to a corner, so that far away nothing cancels.
  Vec3d normal{0, 0, 0};
  for (std::size_t k = 1; k + 1 < count; ++k)
    normal += cross(corners[k] - corners[0], corners[k + 1] - corners[0]);
  const auto area = [&](std::size_t a, std::size_t b, std::size_t c) {
    return dot(normal, cross(corners[b] - corners[a], corners[c] - corners[a]));
  };
  if (is_convex(corners, normal)) {
    for (std::size_t k = 1; k + 1 < count; ++k) triangles.push_back({0, k, k + 1});
    return triangles;
  }
  std::vector<std::size_t> left(count);
  std::iota(left.begin(), left.end(), std::size_t{0});
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t ear = n, roundest = 0;
    double best = -1;
    for (std::size_t k = 0; k < n && ear == n; ++k) {
      const std::size_t a = left[(k + n - 1) % n], b = left[k], c = left[(k + 1) % n];
      const double own = area(a, b, c);
      if (own > best) best = own, roundest = k;
      if (!(own > 0)) continue;
      // A corner at the place of another one, as on the bridge to a hole, is not within.
      const auto blocks = [&](std::size_t p) {
        return area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0 &&
               !(corners[p] == corners[a]) && !(corners[p] == corners[b]) &&
               !(corners[p] == corners[c]);
      };
      if (std::none_of(left.begin(), left.end(), blocks)) ear = k;
    }
    if (ear == n) ear = roundest;  // the polygon touches or crosses itself
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.push_back({left[0], left[1], left[2]});
  return triangles;
}

}  // namespace mote::sim
