#pragma once

#include "sim/space/cells.h"

namespace mote::sim {

/// A cell and its neighbours are in nine rows of cells along x, numbered 3 (z + 1) + y + 1. Two
/// orders of them, four bits a row and the first one lowest: as they stand in memory; and that of
/// the cell itself first, in which most of its neighbours are, then two beside it, and twice one
/// beside it and two across its edges, for teams that share them.
inline constexpr int rows_around = 9;
inline constexpr std::uint64_t ascending_rows = 0x8'7654'3210, rows_for_teams = 0x8'6720'5314;
MOTE_FORMULA int row_around(std::uint64_t order, int k) {
  return static_cast<int>(order >> 4 * k & 15);
}

/// Whether images of bodies may be among the neighbours of a cell's.
MOTE_FORMULA bool is_at_border(const CellLayout& grid, Cell cell) {
  const int along[3] = {cell.x, cell.y, cell.z};
  bool border = false;
  for (int axis = 0; axis < 3; ++axis)
    border = border ||
             (grid.periodic[axis] && (along[axis] == 0 || along[axis] == grid.count[axis] - 1));
  return border;
}

/// Consecutive bodies, in the order of cells, whose images must be shifted so far to be those next
/// to a cell.
struct NeighbourRun {
  std::int32_t begin, end;
  double shift[3];
};

/// Runs of all bodies of a cell and its neighbours, one after the other, for loops that must stop
/// and go on. Every image next to the cell is met once: along a periodic axis of one or two cells,
/// a body may come several times with different shifts, of which one at most is within reach. In a
/// hashed grid there are bodies of cells elsewhere among them. Of the rows of cells, those from
/// `first_row` to before `end_row` of an order. `start`: the first body of each bucket, and their
/// number at the end.
class NeighbourRuns {
 public:
  /// Where those rows begin, in the order for teams, that a quarter of the neighbours is in, as
  /// nearly as whole rows allow.
  static constexpr MOTE_HOST_DEVICE int first_of_quarter(int quarter) {
    return quarter < 4 ? quarter * (quarter + 1) / 2 : rows_around;
  }
  MOTE_FORMULA NeighbourRuns(const CellLayout& grid, const std::int32_t* start, Cell cell,
                             int first_row, int end_row, std::uint64_t order)
      : grid_(grid), start_(start), order_(order), cell_(cell), row_(first_row), end_row_(end_row) {
    pieces_ = grid.periodic[0] && (cell.x == 0 || cell.x == grid.count[0] - 1) ? 3 : 1;
  }

  /// Whether there was another one; `run` is that of the call before.
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
      // From the end of a hashed grid's buckets cells go on at its beginning.
      if (end > grid_.buckets) beyond_ = end - grid_.buckets, end = grid_.buckets;
      run.begin = start_[bucket], run.end = start_[end];
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
  Cell cell_;
  int row_, end_row_, piece_ = 0, pieces_;
  int beyond_ = 0;  ///< buckets of the run's that are left, at the beginning
};

/// Calls use(begin, end, shift) for all runs about a cell.
template <std::uint64_t order = ascending_rows, class Use>
MOTE_FORMULA void for_each_neighbour_run(const CellLayout& grid, const std::int32_t* start,
                                         Cell cell, Use&& use) {
  NeighbourRuns runs(grid, start, cell, 0, rows_around, order);
  NeighbourRun run{};
  while (runs.next(run))
    use(run.begin, run.end, engine::Vec3d{run.shift[0], run.shift[1], run.shift[2]});
}

}  // namespace mote::sim
