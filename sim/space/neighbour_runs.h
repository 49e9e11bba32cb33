#pragma once

#include "sim/space/cells.h"

namespace mote::sim {

/// Whether images of bodies may be among the neighbours of a cell's.
MOTE_FORMULA bool is_at_border(const CellLayout& grid, int cell) {
  const int place[3] = {cell % grid.count[0], cell / grid.count[0] % grid.count[1],
                        cell / grid.count[0] / grid.count[1]};
  bool border = false;
  for (int axis = 0; axis < 3; ++axis)
    border = border || (grid.periodic[axis] && (place[axis] == 0 || place[axis] == grid.count[axis] - 1));
  return border;
}

/// Consecutive bodies, in the order of cells, whose images must be shifted so far to be those next to a cell.
struct NeighbourRun {
  std::int32_t begin, end;
  double shift[3];
};

/// What for_each_neighbour_run calls for, in its order, one after the other: for loops that must stop and go on. Of the rows of cells,
/// those from `first_row` to before `end_row` of that order.
class NeighbourRuns {
 public:
  /// Where those rows begin, in the order for teams, that a quarter of the neighbours is in, as nearly as whole rows allow.
  static constexpr MOTE_HOST_DEVICE int first_of_quarter(int quarter) {
    return quarter < 4 ? quarter * (quarter + 1) / 2 : rows_around;
  }
  MOTE_FORMULA NeighbourRuns(const CellLayout& grid, const std::int32_t* start, int cell, int first_row,
                             int end_row, std::uint64_t order)
      : grid_(grid), start_(start), order_(order), row_(first_row), end_row_(end_row) {
    const int nx = grid.count[0];
    x_ = cell % nx, y_ = cell / nx % grid.count[1], z_ = cell / nx / grid.count[1];
    pieces_ = grid.periodic[0] && (x_ == 0 || x_ == nx - 1) ? 3 : 1;
  }

  /// Whether there was another one.
  MOTE_FORMULA bool next(NeighbourRun& run) {
    while (row_ < end_row_) {
      const int piece = piece_;
      const int place = row_around(order_, row_);
      int y = y_ + place % 3 - 1, z = z_ + place / 3 - 1;
      const bool here = along(1, y, run.shift[1]) && along(2, z, run.shift[2]);
      if (++piece_ == pieces_ || !here) piece_ = 0, ++row_;
      if (!here) continue;
      const int nx = grid_.count[0], row = (z * grid_.count[1] + y) * nx;
      int first = x_ > 0 ? x_ - 1 : 0, last = x_ + 1 < nx ? x_ + 1 : nx - 1;
      run.shift[0] = 0;
      if (piece == 1) {
        if (x_ != 0) continue;
        first = last = nx - 1;
        run.shift[0] = -grid_.length[0];
      } else if (piece == 2) {
        if (x_ != nx - 1) continue;
        first = last = 0;
        run.shift[0] = grid_.length[0];
      }
      run.begin = start_[row + first], run.end = start_[row + last + 1];
      return true;
    }
    return false;
  }

 private:
  /// A cell beyond an end as the one that it is, if there is one.
  MOTE_FORMULA bool along(int axis, int& cell, double& shift) const {
    const int count = grid_.count[axis], around = cell < 0 ? -1 : cell >= count ? 1 : 0;
    cell -= around * count;
    shift = around * grid_.length[axis];
    return around == 0 || grid_.periodic[axis];
  }

  const CellLayout& grid_;
  const std::int32_t* start_;
  std::uint64_t order_;
  int x_, y_, z_, row_, end_row_, piece_ = 0, pieces_;
};

}  // namespace mote::sim
