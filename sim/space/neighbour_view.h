#pragma once

#include <cstdint>

#include "engine/platform.h"
#include "engine/types.h"
#include "sim/space/cells.h"

namespace mote::sim {

/// Position and species index of a body, packed for a single vector load.
template <class Real>
struct alignas(4 * sizeof(Real)) PositionAndKind {
  Real x, y, z;
  std::int32_t kind;
};

/// Verlet lists as a kernel argument; all pointers are device pointers. Indexed by slot, in cell
/// order.
///
/// `lanes` threads of a warp share the list of a slot. Lists are interleaved over a warp, so that
/// reads coalesce: neighbour k of slot p is at neighbour_entry() + (k / lanes) * 32 + k % lanes.
/// For lists longer than `capacity`, forces search the cells instead, in the same order.
template <class Real>
struct DeviceNeighbourView {
  std::int32_t count;
  const std::int32_t* index;                 ///< body index
  const PositionAndKind<Real>* position;     ///< current
  const PositionAndKind<Real>* list_origin;  ///< at the last build
  const std::int32_t* neighbour_counts;  ///< plus `at_border` if separations need minimum images
  const std::int32_t* neighbour;         ///< slots
  std::int32_t capacity;                 ///< most entries of a list, a multiple of `lanes`
  int lanes;
  Real length[3], inverse[3];  ///< lengths of periodic axes and their inverses, zero along others
  Real squared_cutoff;         ///< cutoff of the lists with the skin, squared
  const CellLayout* cells;
  const std::int32_t* start;  ///< first slot of each bucket, then the number of bodies
};

/// Bodies in cell order as a kernel argument; all pointers are device pointers.
template <class Real>
struct DeviceCellView {
  std::int32_t count;
  const std::int32_t* member;             ///< indexed by slot: element of `selected`, or body index
  const std::int32_t* selected;           ///< body indices; null: all bodies
  const PositionAndKind<Real>* position;  ///< indexed by slot
  double max_displacement;                ///< [length] of a body since the sort
  const CellLayout* cells;
  const std::int32_t* start;  ///< first slot of each bucket, then the number of bodies

  /// Body index of a slot.
  MOTE_HOST_DEVICE std::int32_t index(int p) const {
    return selected ? selected[member[p]] : member[p];
  }
};

/// Up to this many bodies have 4 or 8 lanes per slot by default.
inline constexpr engine::Index most_multi_lane_bodies = 150'000;

inline constexpr std::int32_t at_border = 1 << 30;
inline constexpr int interleave_width = 32;

/// Offset of the list of a slot.
inline MOTE_HOST_DEVICE engine::Index neighbour_entry(engine::Index slot, int lanes,
                                                      std::int32_t capacity) {
  const engine::Index thread = slot * lanes;
  return thread / interleave_width * (capacity / lanes * interleave_width) +
         thread % interleave_width;
}

}  // namespace mote::sim
