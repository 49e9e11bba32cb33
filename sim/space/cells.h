#pragma once

#include <cstdint>

#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/domain.h"

namespace mote::sim {

/// A grid of equal cells over a domain, such that bodies no further apart than the reach of a force are in the same cell or
/// in neighbouring ones. Cells along x stand next to each other. Plain data, for host and device.
struct CellLayout {
  double low[3];      ///< [length]
  double length[3];   ///< [length], of the whole grid
  double inverse[3];  ///< cells in a length
  int count[3];       ///< cells along each axis, >= 1
  bool periodic[3];

  MOTE_HOST_DEVICE int cells() const { return count[0] * count[1] * count[2]; }
};

/// The layout for bodies between `low` and `high` (both of no meaning along axes that are not open) and a force that
/// reaches so far [length], > 0. Along periodic axes a domain is at least twice as long as that. Cells are larger than they
/// need be where there would be more than `most_cells`, >= 1.
inline MOTE_HOST_DEVICE CellLayout layout_cells(const Domain& domain, engine::Vec3d low, engine::Vec3d high,
                                                double reach, std::int64_t most_cells) {
  CellLayout grid{};
  const double lows[3]{low.x, low.y, low.z}, highs[3]{high.x, high.y, high.z};
  const double domain_low[3]{domain.low.x, domain.low.y, domain.low.z};
  const double domain_length[3]{domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    grid.periodic[axis] = domain.periodic[axis];
    const bool bounded = domain.periodic[axis] || domain.walled[axis];
    grid.low[axis] = bounded ? domain_low[axis] : lows[axis];
    const double length = bounded ? domain_length[axis] : highs[axis] - lows[axis];
    grid.length[axis] = length > reach ? length : reach;
  }
  // A little larger than the reach: bodies at the borders of cells must not be two cells apart by rounding.
  double size = reach * (1 + 1e-9), cells[3];
  for (;; size *= 1.125) {
    for (int axis = 0; axis < 3; ++axis) {
      const double fits = floor(grid.length[axis] / size);
      cells[axis] = fits > 1 ? fits : 1;
    }
    if (cells[0] * cells[1] * cells[2] <= static_cast<double>(most_cells)) break;
  }
  for (int axis = 0; axis < 3; ++axis) {
    grid.count[axis] = static_cast<int>(cells[axis]);
    grid.inverse[axis] = grid.count[axis] / grid.length[axis];
  }
  return grid;
}

/// A coordinate as the grid knows it: along a periodic axis, its image within the domain.
MOTE_FORMULA double image_within(const CellLayout& grid, int axis, double x) {
  if (!grid.periodic[axis]) return x;
  const double from_low = x - grid.low[axis], length = grid.length[axis];
  const double rest = from_low - length * floor(from_low / length);
  // A coordinate that is hardly below the domain comes out as its end, which is its beginning.
  return rest < length ? grid.low[axis] + rest : grid.low[axis];
}

/// The cell of such an image along one axis. What is beyond an open end, or not a number, belongs to a cell at the end:
/// whoever is within reach of it is no more than one cell away all the same.
MOTE_FORMULA int cell_along(const CellLayout& grid, int axis, double image) {
  const double at = (image - grid.low[axis]) * grid.inverse[axis];
  const int last = grid.count[axis] - 1;
  if (!(at > 0)) return 0;
  return at < last ? static_cast<int>(at) : last;
}

MOTE_FORMULA int cell_of(const CellLayout& grid, engine::Vec3d image) {
  return (cell_along(grid, 2, image.z) * grid.count[1] + cell_along(grid, 1, image.y)) * grid.count[0] +
         cell_along(grid, 0, image.x);
}

/// A cell and its neighbours are in nine rows of cells along x, numbered 3 (z + 1) + y + 1. Two orders of them, four bits a row and
/// the first one lowest: as they stand in memory; and that of the cell itself first, in which most of its neighbours are, then two
/// beside it, and twice one beside it and two across its edges, for teams that share them.
inline constexpr int rows_around = 9;
inline constexpr std::uint64_t ascending_rows = 0x8'7654'3210, rows_for_teams = 0x8'6720'5314;
MOTE_FORMULA int row_around(std::uint64_t order, int k) {
  return static_cast<int>(order >> 4 * k & 15);
}

/// Calls `use(begin, end, shift)` for the bodies, in the order of cells, of a cell and its neighbours: consecutive ones,
/// whose images must be shifted so far to be those next to the cell. Every image next to it is met once: along a
/// periodic axis of one or two cells, a body may come several times with different shifts, of which one at most is within
/// reach. `start`: the first body of each cell, and their number at the end. `order`: of the rows of cells.
template <std::uint64_t order = ascending_rows, class Use>
MOTE_FORMULA void for_each_neighbour_run(const CellLayout& grid, const std::int32_t* start, int cell,
                                         Use&& use) {
  const int nx = grid.count[0], ny = grid.count[1];
  const int cx = cell % nx, cy = cell / nx % ny, cz = cell / nx / ny;
  const int first = cx > 0 ? cx - 1 : 0, last = cx + 1 < nx ? cx + 1 : nx - 1;
  for (int k = 0; k < rows_around; ++k) {
    const int next = row_around(order, k), dz = next / 3 - 1, dy = next % 3 - 1;
    int z = cz + dz, y = cy + dy;
    const bool around_z = z < 0 || z >= grid.count[2], around_y = y < 0 || y >= ny;
    if ((around_z && !grid.periodic[2]) || (around_y && !grid.periodic[1])) continue;
    if (around_z) z -= dz * grid.count[2];
    if (around_y) y -= dy * ny;
    const double shift_z = around_z ? dz * grid.length[2] : 0, shift_y = around_y ? dy * grid.length[1] : 0;
    const int row = (z * ny + y) * nx;
    use(start[row + first], start[row + last + 1], engine::Vec3d{0, shift_y, shift_z});
    if (!grid.periodic[0]) continue;
    if (cx == 0) use(start[row + nx - 1], start[row + nx], engine::Vec3d{-grid.length[0], shift_y, shift_z});
    if (cx + 1 == nx) use(start[row], start[row + 1], engine::Vec3d{grid.length[0], shift_y, shift_z});
  }
}

}  // namespace mote::sim
