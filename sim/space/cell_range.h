#pragma once

#include <cmath>

#include "sim/space/cells.h"

namespace mote::sim {

/// Cells along one axis, from first to last; those of a periodic axis may be beyond its ends, once
/// around at most.
struct CellRange {
  int first, last;
};

MOTE_FORMULA CellRange cells_within(const CellLayout& grid, int axis, double image, double reach) {
  const double from = std::floor((image - reach - grid.low[axis]) * grid.inverse[axis]);
  const double to = std::floor((image + reach - grid.low[axis]) * grid.inverse[axis]);
  const double end = grid.count[axis] - 1;
  if (grid.periodic[axis]) return {static_cast<int>(from), static_cast<int>(to)};
  // What is beyond an open end belongs to the cell there.
  const double first = from > 0 ? (from < end ? from : end) : 0,
               last = to > 0 ? (to < end ? to : end) : 0;
  return {static_cast<int>(first), static_cast<int>(last)};
}

/// The part of a range of cells of an axis that is so many times around it: -1, 0 or 1. As cells of
/// the axis; none where the last one is before the first.
MOTE_FORMULA CellRange part_around(CellRange all, int count, int around) {
  const int first = all.first - around * count, last = all.last - around * count;
  return {first > 0 ? first : 0, last < count ? last : count - 1};
}

/// Like for_each_neighbour_run, for the cells that a cube of half side `reach` about an image
/// covers: of any reach on any grid, up to half the length of a periodic axis. Images near the end
/// of the reach are rounded like all numbers: whoever needs them asks for more.
template <class Use>
MOTE_FORMULA void for_each_run_within(const CellLayout& grid, const std::int32_t* start,
                                      engine::Vec3d image, double reach, Use&& use) {
  const CellRange xs = cells_within(grid, 0, image.x, reach),
                  ys = cells_within(grid, 1, image.y, reach),
                  zs = cells_within(grid, 2, image.z, reach);
  // Where two of the cells might share a bucket, all buckets are looked through, once.
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
            // From the end of a hashed grid's buckets cells go on at its beginning.
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
