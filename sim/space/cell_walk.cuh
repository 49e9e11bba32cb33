#pragma once

#include "sim/space/image_formula.h"
#include "sim/space/neighbour_runs.h"
#include "sim/space/neighbour_view.h"

namespace mote::sim {

/// Whether a team of threads builds the list of one slot, for `lanes` lanes per slot: few bodies
/// give few warps, so the latency of a single warp limits the build.
constexpr bool in_teams(int lanes) {
  return lanes > 1;
}
/// Order of the rows of cells, and so of the neighbours in a list.
constexpr std::uint64_t row_order(int lanes) {
  return in_teams(lanes) ? rows_for_teams : ascending_rows;
}

/// r^2 - cutoff^2, evaluated identically wherever list membership is decided.
template <class Real>
__device__ __forceinline__ Real cutoff_excess(const PositionAndKind<Real>& other, Real x, Real y,
                                              Real z, Real squared_cutoff) {
  using N = engine::Number<Real>;
  const Real dx = other.x - x, dy = other.y - y, dz = other.z - z;
  return N::multiply_add(dz, dz, N::multiply_add(dy, dy, N::multiply_add(dx, dx, -squared_cutoff)));
}

/// Calls use(k, q) for the neighbours of slot p by searching the cells, if its list is incomplete;
/// q is the slot of the k-th neighbour.
template <int lanes, class Real, class Use>
__device__ __forceinline__ void for_each_neighbour_in_cells(const DeviceNeighbourView<Real>& lists,
                                                            int p, Use&& use) {
  std::int32_t k = 0;
  const PositionAndKind<Real> own = lists.list_origin[p];
  for_each_neighbour_run<row_order(lanes)>(
      *lists.cells, lists.start,
      cell_of(*lists.cells, {double(own.x), double(own.y), double(own.z)}),
      [&](std::int32_t begin, std::int32_t end, engine::Vec3d shift) {
        const Real x = own.x - static_cast<Real>(shift.x), y = own.y - static_cast<Real>(shift.y),
                   z = own.z - static_cast<Real>(shift.z);
        for (std::int32_t q = begin; q < end; ++q)
          if (q != p &&
              cutoff_excess(lists.list_origin[q], x, y, z, lists.squared_cutoff) < Real(0))
            use(k++, q);
      });
}

/// Calls use(q, kind, dx, dy, dz) for the neighbours of slot p that belong to lane `lane`; q is
/// their slot and (dx, dy, dz) the current minimum-image separation x_p - x_q. Order and lanes of
/// the neighbours are the same from the list and from the cells. Called by all lanes of a warp.
template <int lanes, class Real, class Use>
__device__ __forceinline__ void for_each_neighbour(const DeviceNeighbourView<Real>& lists, int p,
                                                   int lane, Use&& use) {
  const bool inside = p < lists.count;
  const std::int32_t word = inside ? lists.neighbour_counts[p] : 0, count = word & (at_border - 1);
  const PositionAndKind<Real> own = lists.position[inside ? p : 0];
  const auto visit = [&](std::int32_t q, const PositionAndKind<Real>& other, bool image) {
    Real dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
    if (image) {
      dx = nearest_image(dx, lists.length[0], lists.inverse[0]);
      dy = nearest_image(dy, lists.length[1], lists.inverse[1]);
      dz = nearest_image(dz, lists.length[2], lists.inverse[2]);
    }
    use(q, other.kind, dx, dy, dz);
  };
  if (count > lists.capacity) {
    for_each_neighbour_in_cells<lanes>(lists, p, [&](std::int32_t k, std::int32_t q) {
      if (k % lanes == lane) visit(q, lists.position[q], true);
    });
    return;
  }
  const std::int32_t* entry = lists.neighbour + neighbour_entry(p, lanes, lists.capacity) + lane;
  // A separation below half the domain is its own minimum image, bit for bit.
  const bool image = (word & at_border) != 0;
  if constexpr (lanes >= 4) {
    // Too few warps to hide latency: process four neighbours at a time and prefetch the slots of
    // the next four.
    constexpr int unrolled = 4;
    std::int32_t q[unrolled];
    const auto fetch = [&](std::int32_t k) {
#pragma unroll
      for (int j = 0; j < unrolled; ++j, entry += interleave_width)
        q[j] = k + j * lanes < count ? *entry : p;
    };
    const auto all = [&](bool minimum_image) {
      fetch(lane);
      for (std::int32_t k = lane; k < count; k += unrolled * lanes) {
        PositionAndKind<Real> other[unrolled];
        std::int32_t slot[unrolled];
#pragma unroll
        for (int j = 0; j < unrolled; ++j) slot[j] = q[j], other[j] = lists.position[q[j]];
        fetch(k + unrolled * lanes);
#pragma unroll
        for (int j = 0; j < unrolled; ++j)
          if (k + j * lanes < count) visit(slot[j], other[j], minimum_image);
      }
    };
    image ? all(true) : all(false);
  } else if (image) {
    for (std::int32_t k = lane; k < count; k += lanes, entry += interleave_width)
      visit(*entry, lists.position[*entry], true);
  } else {
#pragma unroll 4
    for (std::int32_t k = lane; k < count; k += lanes, entry += interleave_width)
      visit(*entry, lists.position[*entry], false);
  }
}

}  // namespace mote::sim
