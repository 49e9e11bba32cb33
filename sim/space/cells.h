#pragma once

#include <cstdint>

#include "engine/math/vec.h"
#include "engine/types.h"
#include "sim/domain.h"
#include "sim/space/cell_hash.h"
#include "sim/space/image_formula.h"

namespace mote::sim {

/// A grid of equal cells over a domain; bodies within the cutoff of each other are in the same or
/// in adjacent cells. Cells along x are consecutive. Plain data, for host and device.
///
/// Uniform: one bucket per cell. Hashed (CellHash): distant cells share a bucket, so a search of a
/// cell also finds bodies of other cells.
struct CellLayout {
  double low[3];      ///< [length]
  double length[3];   ///< [length], of the grid
  double inverse[3];  ///< cells per length
  int count[3];       ///< cells along each axis, >= 1
  bool periodic[3];
  /// Bucket strides along y and z; the stride along x is 1.
  std::uint32_t stride_y, stride_z;
  std::uint32_t mask;  ///< mask of bucket indices
  int buckets;         ///< the number of cells of a uniform grid
  int distinct;        ///< no two cells of a cube of this many cells per side share a bucket
  /// Cells are larger than the cutoff by more than a quarter; a hashed grid may be better.
  bool sparse;

  MOTE_HOST_DEVICE bool hashed() const { return mask != ~std::uint32_t{0}; }
};

/// Most cells along an axis of a hashed grid; an open axis has this many, centred on 0. Coordinates
/// are then rounded by 1e-8 cells.
inline constexpr int most_hashed_along = 1 << 27;

/// Cell indices along each axis.
struct Cell {
  int x, y, z;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// The uniform layout for bodies between `low` and `high` (used along open axes only) and a cutoff
/// [length] > 0, at most half the length of a periodic axis. Cells are enlarged until there are at
/// most `most_cells` >= 1.
inline MOTE_HOST_DEVICE CellLayout layout_cells(const Domain& domain, engine::Vec3d low,
                                                engine::Vec3d high, double cutoff,
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
    grid.length[axis] = length > cutoff ? length : cutoff;
  }
  // Slightly larger than the cutoff: rounding must not put neighbours two cells apart.
  double size = cutoff * (1 + 1e-9), cells[3];
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
  grid.sparse = size > 1.25 * cutoff && most_cells >= 1 << min_hash_bits;
  return grid;
}

/// Contribution of a bucket to the excess occupancy of a sparse grid. A positive sum means that the
/// cell of a body holds more than eight bodies on average: bodies fill a small part of their
/// bounding box, and a hashed grid finds neighbours faster.
MOTE_FORMULA std::int64_t excess_occupancy(std::int64_t bodies) {
  return bodies * (bodies - 8);
}

/// The hashed layout that replaces a sparse one: cells of the cutoff's size, wherever bodies are.
inline MOTE_HOST_DEVICE CellLayout hashed_cells(const Domain& domain, double cutoff,
                                                std::int64_t most_cells) {
  CellLayout grid{};
  const CellHash hash = cell_hash(most_cells);
  const double size = cutoff * (1 + 1e-6);
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

/// A coordinate wrapped into the domain along a periodic axis; others unchanged.
MOTE_FORMULA double image_within(const CellLayout& grid, int axis, double x) {
  if (!grid.periodic[axis]) return x;
  const double from_low = x - grid.low[axis], length = grid.length[axis];
  const double rest = from_low - length * floor(from_low / length);
  // Rounding may give the upper end of the domain, which is its lower end.
  return rest < length ? grid.low[axis] + rest : grid.low[axis];
}

/// The cell of a wrapped coordinate along one axis. Coordinates beyond an open end, and NaN, are in
/// the cell at that end: bodies within the cutoff are still at most one cell away.
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

/// The periodic image of a position nearest to an origin.
template <class Real>
engine::Vec3<Real> image_at(const CellLayout& grid, engine::Vec3<Real> x,
                            engine::Vec3<Real> origin) {
  const auto along = [&](int axis, Real at, Real from) {
    return grid.periodic[axis] ? image_nearest_to(at, from, grid.length[axis]) : at;
  };
  return {along(0, x.x, origin.x), along(1, x.y, origin.y), along(2, x.z, origin.z)};
}

}  // namespace mote::sim
