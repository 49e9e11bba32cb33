#include "sim/fluid/hydrostatic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "engine/check.h"

namespace mote::sim {

using engine::Vec3d;

namespace {

/// The axes along and across the weight, as seen by columns one spacing wide.
struct WeightAxes {
  Vec3d up, one, other;

  explicit WeightAxes(Vec3d weight) : up((-1 / length(weight)) * weight) {
    // The first axis across is that along which the weight is smallest, made perpendicular to it.
    const double x = std::fabs(up.x), y = std::fabs(up.y), z = std::fabs(up.z);
    const Vec3d least = x <= y && x <= z ? Vec3d{1, 0, 0}
                        : y <= z         ? Vec3d{0, 1, 0}
                                         : Vec3d{0, 0, 1};
    one = least - dot(least, up) * up;
    one = (1 / std::sqrt(dot(one, one))) * one;
    other = cross(up, one);
  }
};

using ColumnCell = std::array<std::int64_t, 2>;

/// Particles above each other without a gap.
struct ColumnRun {
  ColumnCell cell;
  double low, high;  ///< heights of the lowest and the highest
  bool open;         ///< its top is a surface
  double surface;
};

/// Gives the runs without a surface that of the nearest one, in steps from run to run beside it.
void spread_surfaces(std::vector<ColumnRun>& runs, double spacing) {
  const auto first_of = [&](const ColumnCell& cell) {
    return std::lower_bound(
               runs.begin(), runs.end(), cell,
               [](const ColumnRun& run, const ColumnCell& at) { return run.cell < at; }) -
           runs.begin();
  };
  std::vector<bool> done(runs.size());
  // Visits all runs that are connected to those in `reached`, nearest first.
  const auto spread = [&](std::vector<std::size_t>& reached, const auto& visit) {
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const ColumnRun from = runs[reached[next]];
      for (const ColumnCell step :
           {ColumnCell{-1, 0}, ColumnCell{1, 0}, ColumnCell{0, -1}, ColumnCell{0, 1}}) {
        const ColumnCell cell{from.cell[0] + step[0], from.cell[1] + step[1]};
        for (auto k = static_cast<std::size_t>(first_of(cell));
             k < runs.size() && runs[k].cell == cell; ++k) {
          const bool beside =
              runs[k].low < from.high + spacing && from.low < runs[k].high + spacing;
          if (done[k] || !beside) continue;
          done[k] = true;
          visit(from, runs[k]);
          reached.push_back(k);
        }
      }
    }
  };
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < runs.size(); ++k)
    if (runs[k].open) open.push_back(k), done[k] = true;
  spread(open, [](const ColumnRun& from, ColumnRun& to) { to.surface = from.surface; });
  // Fluid that is closed in on all sides has the highest of its tops.
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (done[k]) continue;
    std::vector<std::size_t> closed{k};
    done[k] = true;
    spread(closed, [](const ColumnRun&, const ColumnRun&) {});
    double highest = runs[k].surface;
    for (const std::size_t one : closed) highest = std::max(highest, runs[one].surface);
    for (const std::size_t one : closed) runs[one].surface = highest;
  }
}

}  // namespace

std::vector<double> depths_of(const std::vector<Vec3d>& positions, Vec3d weight, double spacing,
                              const std::function<bool(Vec3d)>& solid_at) {
  constexpr double largest_gap = 2.5;  // [spacings]
  MOTE_EXPECT(dot(weight, weight) > 0 && spacing > 0);
  const WeightAxes columns(weight);
  // Columns begin half their width before the first particle, so that lattice particles are centred
  // in them.
  double low[2] = {std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
  for (const Vec3d& p : positions)
    low[0] = std::min(low[0], dot(p, columns.one)),
    low[1] = std::min(low[1], dot(p, columns.other));
  struct Particle {
    ColumnCell cell;
    double height;
  };
  std::vector<Particle> all;
  all.reserve(positions.size());
  for (const Vec3d& p : positions)
    all.push_back({{static_cast<std::int64_t>((dot(p, columns.one) - low[0]) / spacing + 0.5),
                    static_cast<std::int64_t>((dot(p, columns.other) - low[1]) / spacing + 0.5)},
                   dot(p, columns.up)});
  std::vector<std::size_t> order(positions.size()), run_of(positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Particle &a = all[i], &b = all[j];
    if (a.cell != b.cell) return a.cell < b.cell;
    return a.height != b.height ? a.height > b.height : i < j;  // from the top down
  });
  std::vector<ColumnRun> runs;
  for (const std::size_t k : order) {
    const auto& [cell, height] = all[k];
    if (runs.empty() || runs.back().cell != cell ||
        runs.back().low - height > largest_gap * spacing)
      runs.push_back({cell, height, height, !solid_at(positions[k] + spacing * columns.up),
                      height + 0.5 * spacing});
    runs.back().low = height;
    run_of[k] = runs.size() - 1;
  }
  spread_surfaces(runs, spacing);
  std::vector<double> depths(positions.size());
  for (std::size_t k = 0; k < positions.size(); ++k)
    depths[k] = std::max(0.0, runs[run_of[k]].surface - all[k].height);
  return depths;
}

}  // namespace mote::sim
