#pragma once

#include <cmath>

#include "sim/space/cells.h"

namespace mote::sim {

/// Cells along one axis, from first to last; those of a periodic axis may be beyond its ends, once around at most.
struct CellRange {
  int first, last;
};

MOTE_FORMULA CellRange cells_within(const CellLayout& grid, int axis, double image, double reach) {
  const double from = std::floor((image - reach - grid.low[axis]) * grid.inverse[axis]);
  const double to = std::floor((image + reach - grid.low[axis]) * grid.inverse[axis]);
  const double end = grid.count[axis] - 1;
  if (grid.periodic[axis]) return {static_cast<int>(from), static_cast<int>(to)};
  // What is beyond an open end belongs to the cell there.
  const double first = from > 0 ? (from < end ? from : end) : 0, last = to > 0 ? (to < end ? to : end) : 0;
  return {static_cast<int>(first), static_cast<int>(last)};
}

/// A cell beyond an end of a periodic axis as the one that it is, and how far its bodies must be shifted.
MOTE_FORMULA double wrap_cell(const CellLayout& grid, int axis, int& cell) {
  const int around = cell < 0 ? -1 : cell >= grid.count[axis] ? 1 : 0;
  cell -= around * grid.count[axis];
  return around * grid.length[axis];
}

/// Like for_each_neighbour_run, for the cells that a cube of half side `reach` about an image covers: of any reach on any
/// grid, up to half the length of a periodic axis. Images near the end of the reach are rounded like all numbers: whoever
/// needs them asks for more.
template <class Use>
MOTE_FORMULA void for_each_run_within(const CellLayout& grid, const std::int32_t* start, engine::Vec3d image,
                                      double reach, Use&& use) {
  const int nx = grid.count[0];
  const CellRange xs = cells_within(grid, 0, image.x, reach), ys = cells_within(grid, 1, image.y, reach),
                  zs = cells_within(grid, 2, image.z, reach);
  for (int cz = zs.first; cz <= zs.last; ++cz) {
    int z = cz;
    const double shift_z = wrap_cell(grid, 2, z);
    for (int cy = ys.first; cy <= ys.last; ++cy) {
      int y = cy;
      const double shift_y = wrap_cell(grid, 1, y);
      const int row = (z * grid.count[1] + y) * nx;
      const int first = xs.first > 0 ? xs.first : 0, last = xs.last < nx ? xs.last : nx - 1;
      use(start[row + first], start[row + last + 1], engine::Vec3d{0, shift_y, shift_z});
      if (xs.first < 0)
        use(start[row + xs.first + nx], start[row + nx], engine::Vec3d{-grid.length[0], shift_y, shift_z});
      if (xs.last >= nx)
        use(start[row], start[row + xs.last - nx + 1], engine::Vec3d{grid.length[0], shift_y, shift_z});
    }
  }
}

}  // namespace mote::sim
