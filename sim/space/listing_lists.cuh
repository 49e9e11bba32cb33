#pragma once

#include <cstdint>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/space/cell_order.cuh"
#include "sim/space/neighbour_runs.h"
#include "sim/space/neighbours_device.h"
#include "sim/space/walk.cuh"

/// Private to DeviceNeighbours: what the phases of a listing share, and the last of them, which writes the lists.
namespace mote::sim::listing {

using engine::Vec3d;

/// What kernels tell each other.
struct Control {
  std::uint32_t moved;  ///< a body has used up its part of the skin
  std::uint32_t stale;  ///< the lists are not those of the places last listed
  std::uint32_t listings, most;
  unsigned long long all;
  Bounds bounds;
  CellLayout cells;
};

/// What all phases work on.
template <class Real>
struct Listing {
  StateView<Real> s;
  Domain domain;
  bool open;         ///< along some axis
  Real squared_way;  ///< that a body may go before it is listed anew
  double reach;
  std::int64_t most_cells;
  DeviceNeighbourView<Real> near;
  Control* control;
  std::int32_t *counts, *chunks, *start, *next, *cell, *scattered, *column, *neighbours, *neighbour;
  PlaceOf<Real>*now, *listed;
  Real* image[3] = {};  ///< by column: places to put in order; null where these are columns of the state

  __device__ Real* listed_along(int axis) const {
    return image[axis] ? image[axis] : s.extra[static_cast<int>(Extra::listed_x) + axis];
  }
};

/// Neighbours that a thread has found and not written yet, in shared memory. The threads of a warp write so many at a time
/// together, a row of the list each: one by one, stores of four bytes to places all over the list took most of the time.
constexpr unsigned kept_places = 32;
constexpr int written_together = 8;

/// Who of 32 places from `candidate` on is within reach, a bit each; reads up to seven more than there are.
template <class Real>
__device__ __forceinline__ unsigned near_among(const PlaceOf<Real>* candidate, int some, Real x, Real y,
                                               Real z, Real squared_reach) {
  unsigned near = 0;
  for (int k = 0; k < some; k += 8) {
    unsigned eight = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) eight |= within(candidate[k + j], x, y, z, squared_reach) ? 1u << j : 0u;
    near |= eight << k;
  }
  return near & (~0u >> (32 - some));
}

/// Calls use(begin, end, x, here) for all that the places of a warp may be near to: candidates from `begin` to `end`, x the
/// thread's own place beside their images, `here` whether they are its candidates. Places in one row of cells are served
/// together: the warp looks at the same candidates, of all their cells, for what is not next to one's own cell is not
/// within reach either. They come in the order of for_each_neighbour_run. All lanes of a warp call this together.
template <class Real, class Use>
__device__ __forceinline__ void for_each_run_of_warp(const CellLayout& grid, const std::int32_t* start,
                                                     const PlaceOf<Real>& own, bool inside, int cell,
                                                     Use&& use) {
  const int row = cell / grid.count[0];
  unsigned left = __ballot_sync(engine::whole_warp, inside);
  while (left != 0) {
    const int leader = __ffs(static_cast<int>(left)) - 1;
    const int its_row = __shfl_sync(engine::whole_warp, row, leader);
    const bool here = inside && row == its_row;
    const unsigned together = __ballot_sync(engine::whole_warp, here);
    left &= ~together;
    const int first_cell = __shfl_sync(engine::whole_warp, cell, leader),
              last_cell = __shfl_sync(engine::whole_warp, cell, 31 - __clz(static_cast<int>(together)));
    for_each_neighbour_run(
        grid, start, first_cell, last_cell - first_cell + 1,
        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
          use(begin, end,
              engine::Vec3<Real>{own.x - static_cast<Real>(shift.x), own.y - static_cast<Real>(shift.y),
                                 own.z - static_cast<Real>(shift.z)},
              here);
        });
  }
}

/// Lists the neighbours of the places of a warp, where each has one lane; returns how many a place has. All lanes of a warp
/// call this together.
template <class Real>
__device__ std::int32_t list_places(const Listing<Real>& l, const CellLayout& grid, Index p, bool inside,
                                    int cell, std::int32_t* kept) {
  const PlaceOf<Real> own = l.listed[inside ? p : 0];
  const Real squared_reach = l.near.squared_reach;
  const auto at = static_cast<std::int32_t>(p);
  const std::int32_t capacity = l.near.capacity;
  std::int32_t* const list = l.neighbour + neighbour_entry(p, 1, capacity);
  const auto slot = [&](std::int32_t k) { return kept + static_cast<unsigned>(k) % kept_places * threads; };
  std::int32_t found = 0, written = 0;
  const auto write = [&] {
    const std::int32_t most = (found < capacity ? found : capacity) - written, *from = slot(written);
    std::int32_t* const to = list + written * neighbour_row;
#pragma unroll
    for (int j = 0; j < written_together; ++j)
      if (j < most) to[j * neighbour_row] = from[j * threads];
    written += written_together;
  };
  for_each_run_of_warp(
      grid, l.start, own, inside, cell,
      [&](std::int32_t begin, std::int32_t end, const engine::Vec3<Real>& x, bool here) {
        for (std::int32_t first = begin; first < end; first += 32) {
          const int some = end - first < 32 ? end - first : 32;
          unsigned near = near_among(l.listed + first, some, x.x, x.y, x.z, squared_reach);
          if (at >= first && at < first + some) near &= ~(1u << (at - first));
          if (!here) near = 0;
          // When one has no room.
          while (__any_sync(engine::whole_warp, found + __popc(near) - written > int{kept_places})) write();
          for (; near != 0; near &= near - 1, ++found) {
            const std::int32_t q = first + __ffs(static_cast<int>(near)) - 1;
            *slot(found) = q;
            // Others of the warp were further.
            if (found < written && found < capacity) list[found * neighbour_row] = q;
          }
          // When all have some rows.
          while (__all_sync(engine::whole_warp, !inside || found >= written + written_together)) write();
        }
      });
  while (__any_sync(engine::whole_warp, found > written)) write();
  return found;
}

/// Threads that list the neighbours of a place together where a place has several: few bodies make few warps, and what a
/// warp does alone is then what is waited for.
constexpr int team = 4;

/// Of a block that lists neighbours; what it needs no place for is left to the cache.
constexpr std::size_t shared_bytes(bool teams) {
  return (teams ? threads / 32 : threads * kept_places) * sizeof(std::int32_t);
}

/// list_places() by teams: of candidates side by side each lane looks at every fourth, and all learn who was near. Stores go
/// to the list at once, which has them side by side where a place has several lanes.
template <class Real>
__device__ std::int32_t list_places_in_teams(const Listing<Real>& l, const CellLayout& grid, Index p,
                                             bool inside, int cell) {
  constexpr int each = 8, at_once = team * each;  // candidates of a lane, of a team
  constexpr unsigned every_fourth = 0x11111111u;
  const int mate = static_cast<int>(threadIdx.x) % team;
  const PlaceOf<Real> own = l.listed[inside ? p : 0];
  const Real squared_reach = l.near.squared_reach;
  const auto at = static_cast<std::int32_t>(p);
  const std::int32_t capacity = l.near.capacity;
  std::int32_t* const list = l.neighbour + neighbour_entry(p, l.near.lanes, capacity);
  const int row_shift = __ffs(l.near.lanes) - 1, in_row = l.near.lanes - 1;
  std::int32_t found = 0;
  for_each_run_of_warp(grid, l.start, own, inside, cell,
                       [&](std::int32_t begin, std::int32_t end, const engine::Vec3<Real>& x, bool here) {
                         for (std::int32_t first = begin; first < end; first += at_once) {
                           // All loads before the first test, for that is what is waited for.
                           PlaceOf<Real> candidate[each];
#pragma unroll
                           for (int k = 0; k < each; ++k) {
                             const std::int32_t q = first + team * k + mate;
                             candidate[k] = l.listed[q < end ? q : end - 1];
                           }
                           unsigned near = 0;
#pragma unroll
                           for (int k = 0; k < each; ++k)
                             near |= within(candidate[k], x.x, x.y, x.z, squared_reach) ? 1u << team * k : 0u;
                           near <<= mate;
                           near |= __shfl_xor_sync(engine::whole_warp, near, 1);
                           near |= __shfl_xor_sync(engine::whole_warp, near, 2);
                           if (end - first < at_once) near &= (1u << (end - first)) - 1;
                           if (at >= first && at < first + at_once) near &= ~(1u << (at - first));
                           if (!here) near = 0;
                           for (unsigned mine = near & every_fourth << mate; mine != 0; mine &= mine - 1) {
                             const int bit = __ffs(static_cast<int>(mine)) - 1;
                             const std::int32_t k = found + __popc(near & ((1u << bit) - 1));
                             if (k < capacity)
                               list[(k >> row_shift) * neighbour_row + (k & in_row)] = first + bit;
                           }
                           found += __popc(near);
                         }
                       });
  return found;
}

template <bool teams, class Real>
__device__ void list_neighbours(const Listing<Real>& l, Share share, std::int32_t* shared) {
  const CellLayout grid = l.control->cells;
  constexpr int threads_a_place = teams ? team : 1;
  unsigned most = 0;
  unsigned long long all = 0;
  for (Index t = share.first; t - threadIdx.x % 32 < l.s.count * threads_a_place; t += share.stride) {
    const Index p = t / threads_a_place;
    const bool inside = p < l.s.count;
    const int cell = inside ? l.cell[l.column[p]] : 0;
    std::int32_t found;
    if constexpr (teams)
      found = list_places_in_teams(l, grid, p, inside, cell);
    else
      found = list_places(l, grid, p, inside, cell, shared + threadIdx.x);
    if (!inside || t % threads_a_place != 0) continue;
    l.neighbours[p] = found | (is_at_border(grid, cell) ? at_border : 0);
    most = most > static_cast<unsigned>(found) ? most : static_cast<unsigned>(found);
    all += static_cast<unsigned>(found);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const unsigned other = __shfl_xor_sync(engine::whole_warp, most, distance);
    most = most > other ? most : other;
    all += __shfl_xor_sync(engine::whole_warp, all, distance);
  }
  if (threadIdx.x % 32 != 0 || all == 0) return;
  atomicMax(&l.control->most, most);
  atomicAdd(&l.control->all, all);
}

}  // namespace mote::sim::listing
