#pragma once

#include "sim/space/image_formula.h"
#include "sim/space/neighbour_runs.h"
#include "sim/space/neighbours_device.h"

namespace mote::sim {

/// Whether threads list the neighbours of a place together, where a place has so many lanes: few
/// bodies make few warps, and what a warp does alone is then what is waited for.
constexpr bool in_teams(int lanes) {
  return lanes > 1;
}
/// The order of the rows of cells that neighbours are listed in.
constexpr std::uint64_t row_order(int lanes) {
  return in_teams(lanes) ? rows_for_teams : ascending_rows;
}

/// Below zero where another body was near enough to be listed, as all decide.
template <class Real>
__device__ __forceinline__ Real beyond(const PlaceOf<Real>& other, Real x, Real y, Real z,
                                       Real squared_reach) {
  using N = engine::Number<Real>;
  const Real dx = other.x - x, dy = other.y - y, dz = other.z - z;
  return N::multiply_add(dz, dz, N::multiply_add(dy, dy, N::multiply_add(dx, dx, -squared_reach)));
}

/// Calls use(k, q) for the neighbours of a place for which there was no room: q is the place of the
/// k-th.
template <int lanes, class Real, class Use>
__device__ __forceinline__ void for_each_listed_by_walking(const DeviceNeighbourView<Real>& near,
                                                           int p, Use&& use) {
  std::int32_t k = 0;
  const PlaceOf<Real> own = near.listed[p];
  for_each_neighbour_run<row_order(lanes)>(
      *near.cells, near.start, cell_of(*near.cells, {double(own.x), double(own.y), double(own.z)}),
      [&](std::int32_t begin, std::int32_t end, engine::Vec3d shift) {
        const Real x = own.x - static_cast<Real>(shift.x), y = own.y - static_cast<Real>(shift.y),
                   z = own.z - static_cast<Real>(shift.z);
        for (std::int32_t q = begin; q < end; ++q)
          if (q != p && beyond(near.listed[q], x, y, z, near.squared_reach) < Real(0)) use(k++, q);
      });
}

/// Calls use(q, kind, dx, dy, dz) for the neighbours of place p that are lane `lane` of it: q is
/// their place, and the separation x_p - x_q that of the nearest images as they are now. Neighbours
/// come in the same order and in the same lanes whether they are listed or found by walking over
/// cells. All lanes of a warp call this together.
template <int lanes, class Real, class Use>
__device__ __forceinline__ void for_each_neighbour(const DeviceNeighbourView<Real>& near, int p,
                                                   int lane, Use&& use) {
  const bool inside = p < near.count;
  const std::int32_t word = inside ? near.neighbours[p] : 0, count = word & (at_border - 1);
  const PlaceOf<Real> own = near.place[inside ? p : 0];
  const auto meet = [&](std::int32_t q, const PlaceOf<Real>& other, bool image) {
    Real dx = own.x - other.x, dy = own.y - other.y, dz = own.z - other.z;
    if (image) {
      dx = nearest_image(dx, near.length[0], near.inverse[0]);
      dy = nearest_image(dy, near.length[1], near.inverse[1]);
      dz = nearest_image(dz, near.length[2], near.inverse[2]);
    }
    use(q, other.kind, dx, dy, dz);
  };
  if (count > near.capacity) {
    for_each_listed_by_walking<lanes>(near, p, [&](std::int32_t k, std::int32_t q) {
      if (k % lanes == lane) meet(q, near.place[q], true);
    });
    return;
  }
  const std::int32_t* entry = near.neighbour + neighbour_entry(p, lanes, near.capacity) + lane;
  // The nearest image of a separation within half of the domain is itself, to the last bit.
  const bool image = (word & at_border) != 0;
  if constexpr (lanes >= 4) {
    // Too few warps to wait for each other's loads: four neighbours together, with the next four's
    // numbers on their way.
    constexpr int together = 4;
    std::int32_t q[together];
    const auto fetch = [&](std::int32_t k) {
#pragma unroll
      for (int j = 0; j < together; ++j, entry += neighbour_row)
        q[j] = k + j * lanes < count ? *entry : p;
    };
    const auto all = [&](bool images) {
      fetch(lane);
      for (std::int32_t k = lane; k < count; k += together * lanes) {
        PlaceOf<Real> other[together];
        std::int32_t number[together];
#pragma unroll
        for (int j = 0; j < together; ++j) number[j] = q[j], other[j] = near.place[q[j]];
        fetch(k + together * lanes);
#pragma unroll
        for (int j = 0; j < together; ++j)
          if (k + j * lanes < count) meet(number[j], other[j], images);
      }
    };
    image ? all(true) : all(false);
  } else if (image) {
    for (std::int32_t k = lane; k < count; k += lanes, entry += neighbour_row)
      meet(*entry, near.place[*entry], true);
  } else {
#pragma unroll 4
    for (std::int32_t k = lane; k < count; k += lanes, entry += neighbour_row)
      meet(*entry, near.place[*entry], false);
  }
}

}  // namespace mote::sim
