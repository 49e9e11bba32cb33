#include "sim/fluid/hydrostatic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "engine/check.h"

namespace mote::sim {

using engine::Vec3d;

std::vector<double> depths_of(const std::vector<Vec3d>& positions, Vec3d weight, double spacing) {
  constexpr double largest_gap = 2.5;  // in spacings
  const double strength = std::sqrt(dot(weight, weight));
  MOTE_EXPECT(strength > 0 && spacing > 0);
  const Vec3d up = (-1 / strength) * weight;
  // The two axes across: the first is that along which the weight is smallest, made perpendicular
  // to it.
  const double x = std::fabs(up.x), y = std::fabs(up.y), z = std::fabs(up.z);
  const Vec3d least = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  Vec3d one = least - dot(least, up) * up;
  one = (1 / std::sqrt(dot(one, one))) * one;
  const Vec3d other = cross(up, one);
  // Columns begin half their width before the first particle, so that lattice particles are centred
  // in them.
  double low[2] = {std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
  for (const Vec3d& p : positions)
    low[0] = std::min(low[0], dot(p, one)), low[1] = std::min(low[1], dot(p, other));
  struct Particle {
    std::int64_t cell[2];
    double height;
  };
  std::vector<Particle> all;
  all.reserve(positions.size());
  for (const Vec3d& p : positions)
    all.push_back({{static_cast<std::int64_t>((dot(p, one) - low[0]) / spacing + 0.5),
                    static_cast<std::int64_t>((dot(p, other) - low[1]) / spacing + 0.5)},
                   dot(p, up)});
  const auto same_column = [](const Particle& a, const Particle& b) {
    return a.cell[0] == b.cell[0] && a.cell[1] == b.cell[1];
  };
  std::vector<std::size_t> order(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Particle &a = all[i], &b = all[j];
    if (a.cell[0] != b.cell[0]) return a.cell[0] < b.cell[0];
    if (a.cell[1] != b.cell[1]) return a.cell[1] < b.cell[1];
    return a.height != b.height ? a.height > b.height : i < j;  // from the top down
  });
  std::vector<double> depths(positions.size());
  double surface = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Particle& here = all[order[k]];
    const bool top = k == 0 || !same_column(all[order[k - 1]], here) ||
                     all[order[k - 1]].height - here.height > largest_gap * spacing;
    if (top) surface = here.height + 0.5 * spacing;
    depths[order[k]] = surface - here.height;
  }
  return depths;
}

}  // namespace mote::sim
