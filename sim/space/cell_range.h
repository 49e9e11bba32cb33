#pragma once

#include <cmath>

#include "sim/space/cells.h"

namespace mote::sim {

/// Cells along one axis, first to last inclusive; along a periodic axis up to one period beyond its
/// ends.
struct CellRange {
  int first, last;
};

MOTE_FORMULA CellRange cells_within(const CellLayout& grid, int axis, double image, double range) {
  const double from = std::floor((image - range - grid.low[axis]) * grid.inverse[axis]);
  const double to = std::floor((image + range - grid.low[axis]) * grid.inverse[axis]);
  const double end = grid.count[axis] - 1;
  if (grid.periodic[axis]) return {static_cast<int>(from), static_cast<int>(to)};
  // Coordinates beyond an open end are in the cell at that end.
  const double first = from > 0 ? (from < end ? from : end) : 0,
               last = to > 0 ? (to < end ? to : end) : 0;
  return {static_cast<int>(first), static_cast<int>(last)};
}

/// The part of a range in periodic image `around` = -1, 0 or 1, as cells of the axis; empty if last
/// < first.
MOTE_FORMULA CellRange part_around(CellRange all, int count, int around) {
  const int first = all.first - around * count, last = all.last - around * count;
  return {first > 0 ? first : 0, last < count ? last : count - 1};
}

/// Like for_each_neighbour_run, for the cells that overlap a cube of half side `range` about an
/// image. `range` is at most half the length of a periodic axis, and independent of the cell size.
/// It is subject to round-off: callers add a margin.
template <class Use>
MOTE_FORMULA void for_each_run_within(const CellLayout& grid, const std::int32_t* start,
                                      engine::Vec3d image, double range, Use&& use) {
  const CellRange xs = cells_within(grid, 0, image.x, range),
                  ys = cells_within(grid, 1, image.y, range),
                  zs = cells_within(grid, 2, image.z, range);
  // If two of the cells may share a bucket, all buckets are searched, once.
  const int far = grid.distinct;
  const bool all =
      xs.last - xs.first >= far || ys.last - ys.first >= far || zs.last - zs.first >= far;
  for (int around_z = -1; around_z <= 1; ++around_z) {
    const CellRange z = part_around(zs, grid.count[2], around_z);
    if (z.last < z.first) continue;
    for (int around_y = -1; around_y <= 1; ++around_y) {
      const CellRange y = part_around(ys, grid.count[1], around_y);
      if (y.last < y.first) continue;
      for (int around_x = -1; around_x <= 1; ++around_x) {
        const CellRange x = part_around(xs, grid.count[0], around_x);
        if (x.last < x.first) continue;
        const engine::Vec3d shift{around_x * grid.length[0], around_y * grid.length[1],
                                  around_z * grid.length[2]};
        for (int cz = z.first; cz <= z.last; ++cz)
          for (int cy = y.first; cy <= y.last; ++cy) {
            int bucket = all ? 0 : bucket_of(grid, {x.first, cy, cz});
            // The cells of a hashed grid past the last bucket continue in the first.
            for (int end = all ? grid.buckets : bucket + x.last - x.first + 1; end > 0;
                 bucket = 0, end -= grid.buckets)
              use(start[bucket], start[end < grid.buckets ? end : grid.buckets], shift);
            if (all) cy = y.last, cz = z.last;
          }
      }
    }
  }
}

}  // namespace mote::sim
