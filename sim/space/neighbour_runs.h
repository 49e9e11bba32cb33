#pragma once

#include "sim/space/cells.h"

namespace mote::sim {

/// A cell and its neighbours form nine rows of cells along x, numbered 3 (z + 1) + y + 1. Two
/// orders of the rows, four bits each, first row in the lowest bits: ascending in memory; and, for
/// teams, the row of the cell itself, which has most neighbours, then two adjacent rows, and twice
/// an adjacent row followed by two diagonal ones.
inline constexpr int rows_around = 9;
inline constexpr std::uint64_t ascending_rows = 0x8'7654'3210, rows_for_teams = 0x8'6720'5314;
MOTE_FORMULA int row_around(std::uint64_t order, int k) {
  return static_cast<int>(order >> 4 * k & 15);
}

/// Whether neighbours of a cell may be periodic images.
MOTE_FORMULA bool is_at_border(const CellLayout& grid, Cell cell) {
  const int along[3] = {cell.x, cell.y, cell.z};
  bool border = false;
  for (int axis = 0; axis < 3; ++axis)
    border = border ||
             (grid.periodic[axis] && (along[axis] == 0 || along[axis] == grid.count[axis] - 1));
  return border;
}

/// Consecutive slots, and the shift [length] to the periodic images adjacent to a cell.
struct NeighbourRun {
  std::int32_t begin, end;
  double shift[3];
};

/// Iterator over the runs of all bodies of a cell and its neighbours, for loops that are suspended
/// and resumed. Every adjacent image is visited once: along a periodic axis of one or two cells a
/// body may occur several times with different shifts, at most one of which is within the cutoff. A
/// hashed grid also yields bodies of distant cells. Visits rows `first_row` to `end_row` - 1 of an
/// order. `start`: first slot of each bucket, then the number of bodies.
class NeighbourRuns {
 public:
  /// First row, in the order for teams, of a quarter of the neighbours, to the nearest row.
  static constexpr MOTE_HOST_DEVICE int first_of_quarter(int quarter) {
    return quarter < 4 ? quarter * (quarter + 1) / 2 : rows_around;
  }
  MOTE_FORMULA NeighbourRuns(const CellLayout& grid, const std::int32_t* start, Cell cell,
                             int first_row, int end_row, std::uint64_t order)
      : grid_(grid), start_(start), order_(order), cell_(cell), row_(first_row), end_row_(end_row) {
    pieces_ = grid.periodic[0] && (cell.x == 0 || cell.x == grid.count[0] - 1) ? 3 : 1;
  }

  /// Advances `run`, which must be that of the previous call; returns false at the end.
  MOTE_FORMULA bool next(NeighbourRun& run) {
    if (beyond_ > 0) {
      run.begin = start_[0], run.end = start_[beyond_];
      beyond_ = 0;
      return true;
    }
    while (row_ < end_row_) {
      const int piece = piece_;
      const int row = row_around(order_, row_);
      int y = cell_.y + row % 3 - 1, z = cell_.z + row / 3 - 1;
      const bool here = along(1, y, run.shift[1]) && along(2, z, run.shift[2]);
      if (++piece_ == pieces_ || !here) piece_ = 0, ++row_;
      if (!here) continue;
      const int nx = grid_.count[0];
      int first = cell_.x > 0 ? cell_.x - 1 : 0, last = cell_.x + 1 < nx ? cell_.x + 1 : nx - 1;
      run.shift[0] = 0;
      if (piece == 1) {
        if (cell_.x != 0) continue;
        first = last = nx - 1;
        run.shift[0] = -grid_.length[0];
      } else if (piece == 2) {
        if (cell_.x != nx - 1) continue;
        first = last = 0;
        run.shift[0] = grid_.length[0];
      }
      const int bucket = bucket_of(grid_, {first, y, z});
      int end = bucket + last - first + 1;
      // In a hashed grid, cells past the last bucket continue in the first.
      if (end > grid_.buckets) beyond_ = end - grid_.buckets, end = grid_.buckets;
      run.begin = start_[bucket], run.end = start_[end];
      return true;
    }
    return false;
  }

 private:
  /// Wraps a cell index and sets its shift; returns false beyond an end that is not periodic.
  MOTE_FORMULA bool along(int axis, int& cell, double& shift) const {
    const int count = grid_.count[axis], around = cell < 0 ? -1 : cell >= count ? 1 : 0;
    cell -= around * count;
    shift = around * grid_.length[axis];
    return around == 0 || grid_.periodic[axis];
  }

  const CellLayout& grid_;
  const std::int32_t* start_;
  std::uint64_t order_;
  Cell cell_;
  int row_, end_row_, piece_ = 0, pieces_;
  int beyond_ = 0;  ///< buckets of the current run that continue at bucket 0
};

/// Calls use(begin, end, shift) for all runs of a cell and its neighbours.
template <std::uint64_t order = ascending_rows, class Use>
MOTE_FORMULA void for_each_neighbour_run(const CellLayout& grid, const std::int32_t* start,
                                         Cell cell, Use&& use) {
  NeighbourRuns runs(grid, start, cell, 0, rows_around, order);
  NeighbourRun run{};
  while (runs.next(run))
    use(run.begin, run.end, engine::Vec3d{run.shift[0], run.shift[1], run.shift[2]});
}

}  // namespace mote::sim
