#pragma once

#include <cstdint>

#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/domain.h"
#include "sim/space/cell_hash.h"

namespace mote::sim {

/// A grid of equal cells over a domain, such that bodies no further apart than the reach of a force
/// are in the same cell or in neighbouring ones. Cells along x stand next to each other. Plain
/// data, for host and device.
///
/// Uniform, where each cell has a bucket of bodies for itself; or hashed (CellHash), where cells
/// that are far from each other share one: then whoever looks into a cell finds bodies of others,
/// too.
struct CellLayout {
  double low[3];      ///< [length]
  double length[3];   ///< [length], of the whole grid
  double inverse[3];  ///< cells in a length
  int count[3];       ///< cells along each axis, >= 1
  bool periodic[3];
  /// Buckets between neighbours along these axes; those along x stand next to each other.
  std::uint32_t stride_y, stride_z;
  std::uint32_t mask;  ///< bits that the number of a bucket has
  int buckets;         ///< as many as cells, where the grid is uniform
  int distinct;        ///< no two cells of a cube of so many cells a side share a bucket
  /// Cells are larger than they need be by more than a quarter, and a hashed grid may do instead.
  bool sparse;

  MOTE_HOST_DEVICE bool hashed() const { return mask != ~std::uint32_t{0}; }
};

/// Cells along an axis of a hashed grid at most; along an open one, so many about 0. Coordinates
/// are rounded by 1e-8 cells then.
inline constexpr int most_hashed_along = 1 << 27;

/// A cell of a grid, along each axis.
struct Cell {
  int x, y, z;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// The uniform layout for bodies between `low` and `high` (both of no meaning along axes that are
/// not open) and a force that reaches so far [length], > 0. Along periodic axes a domain is at
/// least twice as long as that. Cells are larger than they need be where there would be more than
/// `most_cells`, >= 1.
inline MOTE_HOST_DEVICE CellLayout layout_cells(const Domain& domain, engine::Vec3d low,
                                                engine::Vec3d high, double reach,
                                                std::int64_t most_cells) {
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
  // A little larger than the reach: bodies at the borders of cells must not be two cells apart by
  // rounding.
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
  grid.stride_y = static_cast<std::uint32_t>(grid.count[0]);
  grid.stride_z = static_cast<std::uint32_t>(grid.count[0] * grid.count[1]);
  grid.buckets = grid.count[0] * grid.count[1] * grid.count[2];
  grid.mask = ~std::uint32_t{0};
  grid.distinct = most_hashed_along;
  grid.sparse = size > 1.25 * reach && most_cells >= 1 << fewest_hash_bits;
  return grid;
}

/// What a bucket of so many bodies adds to the crowding of a sparse grid. Where the sum is above 0,
/// a body's cell holds more than eight on average: bodies fill a small part of the space that they
/// are in, and a hashed grid finds neighbours sooner.
MOTE_FORMULA std::int64_t crowding_of(std::int64_t bodies) {
  return bodies * (bodies - 8);
}

/// The hashed layout instead of a sparse one: with cells no larger than they need be, wherever
/// bodies are.
inline MOTE_HOST_DEVICE CellLayout hashed_cells(const Domain& domain, double reach,
                                                std::int64_t most_cells) {
  CellLayout grid{};
  const CellHash hash = cell_hash(most_cells);
  const double size = reach * (1 + 1e-6);
  const double domain_low[3]{domain.low.x, domain.low.y, domain.low.z};
  const double domain_length[3]{domain.length.x, domain.length.y, domain.length.z};
  for (int axis = 0; axis < 3; ++axis) {
    grid.periodic[axis] = domain.periodic[axis];
    const bool bounded = domain.periodic[axis] || domain.walled[axis];
    grid.low[axis] = bounded ? domain_low[axis] : -size * (most_hashed_along / 2);
    grid.length[axis] = bounded ? domain_length[axis] : size * most_hashed_along;
    const double fits = floor(grid.length[axis] / size);
    grid.count[axis] =
        fits < most_hashed_along ? (fits > 1 ? static_cast<int>(fits) : 1) : most_hashed_along;
    grid.inverse[axis] = grid.count[axis] / grid.length[axis];
  }
  grid.stride_y = hash.multiplier, grid.stride_z = hash.multiplier * hash.multiplier;
  grid.buckets = 1 << hash.bits;
  grid.mask = static_cast<std::uint32_t>(grid.buckets) - 1;
  grid.distinct = hash.distinct;
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

/// The cell of such an image along one axis. What is beyond an open end, or not a number, belongs
/// to a cell at the end: whoever is within reach of it is no more than one cell away all the same.
MOTE_FORMULA int cell_along(const CellLayout& grid, int axis, double image) {
  const double at = (image - grid.low[axis]) * grid.inverse[axis];
  const int last = grid.count[axis] - 1;
  if (!(at > 0)) return 0;
  return at < last ? static_cast<int>(at) : last;
}

MOTE_FORMULA Cell cell_of(const CellLayout& grid, engine::Vec3d image) {
  return {cell_along(grid, 0, image.x), cell_along(grid, 1, image.y), cell_along(grid, 2, image.z)};
}

MOTE_FORMULA int bucket_of(const CellLayout& grid, Cell cell) {
  return static_cast<int>((static_cast<std::uint32_t>(cell.x) +
                           static_cast<std::uint32_t>(cell.y) * grid.stride_y +
                           static_cast<std::uint32_t>(cell.z) * grid.stride_z) &
                          grid.mask);
}

}  // namespace mote::sim
