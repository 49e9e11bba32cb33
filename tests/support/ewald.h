#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/math/vec.h"

namespace mote::test {

/// Attraction of a unit mass at a displacement from it in a box, by Ewald's sum: Gaussians of width
/// 1 / (alpha 2^(1/2)) over images, the rest over wave vectors. Both are cut at 1e-13.
inline engine::Vec3d ewald(engine::Vec3d d, engine::Vec3d length) {
  using engine::Vec3d;
  using std::numbers::pi;
  const double longest = std::max({length.x, length.y, length.z}), alpha = 4 / longest;
  Vec3d a{0, 0, 0};
  const auto reach = [&](double side) { return int(std::ceil(1.4 * longest / side)) + 1; };
  for (int x = -reach(length.x); x <= reach(length.x); ++x)
    for (int y = -reach(length.y); y <= reach(length.y); ++y)
      for (int z = -reach(length.z); z <= reach(length.z); ++z) {
        const Vec3d e = d + Vec3d{x * length.x, y * length.y, z * length.z};
        const double r = engine::length(e), s = alpha * r;
        if (r == 0 || s > 6) continue;
        a += (-(std::erfc(s) + 2 / std::sqrt(pi) * s * std::exp(-s * s)) / (r * r * r)) * e;
      }
  const double volume = length.x * length.y * length.z;
  const auto waves = [&](double side) { return int(std::ceil(12 * alpha * side / (2 * pi))); };
  for (int x = -waves(length.x); x <= waves(length.x); ++x)
    for (int y = -waves(length.y); y <= waves(length.y); ++y)
      for (int z = -waves(length.z); z <= waves(length.z); ++z) {
        const Vec3d k = (2 * pi) * Vec3d{x / length.x, y / length.y, z / length.z};
        const double square = dot(k, k);
        if (square == 0 || square > 144 * alpha * alpha) continue;
        a += (-4 * pi / volume / square * std::exp(-square / (4 * alpha * alpha)) *
              std::sin(dot(k, d))) *
             k;
      }
  return a;
}

}  // namespace mote::test
