#pragma once

#include <cstdint>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/space/cell_order.cuh"
#include "sim/space/neighbour_runs.h"
#include "sim/space/neighbours_device.h"
#include "sim/space/walk.cuh"

/// Private to DeviceNeighbours: what the phases of a listing share, and the last of them, which
/// writes the lists.
namespace mote::sim::listing {

using engine::Vec3d;

/// What kernels tell each other.
struct Control {
  std::uint32_t moved;  ///< a body has used up its part of the skin
  std::uint32_t stale;  ///< the lists are not those of the places last listed
  std::uint32_t listings, most;
  unsigned long long all;
  unsigned long long crowding;  ///< of a sparse grid (crowding_of); below zero, too
  Bounds bounds;
  CellLayout cells;
};

/// What all phases work on.
template <class Real>
struct Listing {
  StateView<Real> s;
  Index places;  ///< of the bodies that are listed; cells of the others are below 0 where there are
                 ///< others
  bool come_back;  ///< places in the state, along periodic axes, when bodies are listed
  Domain domain;
  bool open;         ///< along some axis
  bool varies;       ///< the grid, with places
  Real squared_way;  ///< that a body may go before it is listed anew
  double reach;
  std::int64_t most_cells;
  DeviceNeighbourView<Real> near;
  const DeviceRecord* record;  ///< of the steps; null: of none
  Control* control;
  std::int32_t *counts, *chunks, *start, *next, *cell, *scattered, *column, *neighbours, *neighbour;
  PlaceOf<Real>*now, *listed;
  Real* image[3] = {};  ///< by column: places to put in order; null where these are columns of the
                        ///< state

  /// When bodies were listed.
  __device__ Real* listed_along(int axis) const {
    return s.extra[static_cast<int>(Extra::listed_x) + axis];
  }
  /// The same within the domain.
  __device__ Real* image_along(int axis) const {
    return image[axis] ? image[axis] : listed_along(axis);
  }
  __device__ bool left_out(Index i) const { return places < s.count && cell[i] < 0; }
};

constexpr int team = 4;

/// Candidates that a thread has looked at, a bit each: those from `first` on, the highest bit
/// first.
struct FoundNear {
  std::int32_t first;
  unsigned near;
};
/// How many of them a thread keeps in shared memory: where there is one lane a place and cells hold
/// some twenty bodies, all. What a kernel that also steps needs no place for is left to the cache.
constexpr int most_found(int lanes) {
  return lanes == 1 ? 24 : 12;
}

/// Of a block that lists neighbours.
constexpr std::size_t shared_bytes(int lanes) {
  return threads * sizeof(FoundNear) * static_cast<std::size_t>(most_found(lanes));
}

/// The bits moved up by one, behind them whether a number is below zero.
inline __device__ unsigned with_sign(unsigned bits, double value) {
  return bits << 1 | (value < 0 ? 1u : 0u);
}
inline __device__ unsigned with_sign(unsigned bits, float value) {
#if MOTE_ON_GPU
  // One instruction. What is not a number has no sign there.
  return __funnelshift_l(__float_as_uint(value), bits, 1);
#else
  return bits << 1 | (value < 0 ? 1u : 0u);
#endif
}

/// Who of `some` places from `candidate` on, 1 to 32, is within reach; reads up to seven more.
template <class Real>
__device__ __forceinline__ unsigned near_among(const PlaceOf<Real>* candidate, int some, Real x,
                                               Real y, Real z, Real squared_reach) {
  unsigned near = 0;
  int looked = 0;
  for (; looked < some; looked += 8, candidate += 8) {
    // All loads before the first test, for that is what is waited for.
    PlaceOf<Real> eight[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) eight[j] = candidate[j];
#pragma unroll
    for (int j = 0; j < 8; ++j) near = with_sign(near, beyond(eight[j], x, y, z, squared_reach));
  }
  return near << (32 - looked) & ~0u << (32 - some);
}

/// Calls use(first, near) for the candidates of a place in some rows of cells (NeighbourRuns), 32
/// by 32.
template <int lanes, class Real, class Use>
__device__ __forceinline__ void for_each_candidates(const Listing<Real>& l, const CellLayout& grid,
                                                    std::int32_t p, Cell cell, int first_row,
                                                    int end_row, Use&& use) {
  const PlaceOf<Real> own = l.listed[p];
  const Real squared_reach = l.near.squared_reach;
  NeighbourRuns runs(grid, l.start, cell, first_row, end_row, row_order(lanes));
  NeighbourRun run{};
  while (runs.next(run)) {
    const Real x = own.x - static_cast<Real>(run.shift[0]),
               y = own.y - static_cast<Real>(run.shift[1]),
               z = own.z - static_cast<Real>(run.shift[2]);
    for (std::int32_t next = run.begin; next < run.end; next += 32) {
      const int some = run.end - next < 32 ? run.end - next : 32;
      unsigned near = near_among(l.listed + next, some, x, y, z, squared_reach);
      if (p >= next && p < next + some) near &= ~(0x80000000u >> (p - next));
      use(next, near);
    }
  }
}

/// Calls use(q) for those of the candidates that are near; some are in each.
template <class Use>
__device__ __forceinline__ void for_each_found(const FoundNear* found, int kept, Use&& use) {
  const FoundNear* const end = found + static_cast<int>(threads) * kept;
  FoundNear now{0, 0};
  while (true) {
    if (now.near == 0) {
      if (found == end) break;
      now = *found;
      found += threads;
    }
    const int next = __clz(static_cast<int>(now.near));
    now.near &= ~(0x80000000u >> next);
    use(now.first + next);
  }
}

/// Lists the neighbours of a place that has one lane; returns how many it has.
///
/// First a thread looks at all candidates without a branch and keeps a bit for each: threads of a
/// cell read the same ones together. Then it goes through the bits in its own time, so that the
/// k-th neighbours of all threads of a warp are written together, in one row of the list.
template <class Real>
__device__ std::int32_t list_place(const Listing<Real>& l, const CellLayout& grid, std::int32_t p,
                                   Cell cell, FoundNear* found) {
  const std::int32_t capacity = l.near.capacity;
  std::int32_t* entry = l.neighbour + neighbour_entry(p, 1, capacity);
  std::int32_t count = 0;
  int looked = 0, kept = 0;
  const auto write = [&] {
    for_each_found(found, kept, [&](std::int32_t q) {
      if (count < capacity) *entry = q;
      entry += neighbour_row;
      ++count;
    });
    looked = kept = 0;
  };
  for_each_candidates<1>(l, grid, p, cell, 0, rows_around, [&](std::int32_t first, unsigned near) {
    // Counted alike by all threads of a cell: whoever made room alone would keep the others
    // waiting.
    if (looked == most_found(1)) write();
    ++looked;
    if (near != 0) found[static_cast<int>(threads) * kept++] = {first, near};
  });
  write();
  return count;
}

/// The same by a team, whose lanes take some of the nine rows of cells each. All lanes of a warp
/// call this together; where place p is not `inside`, nothing.
template <int lanes, class Real>
__device__ std::int32_t list_place_in_team(const Listing<Real>& l, const CellLayout& grid,
                                           std::int32_t p, Cell cell, bool inside,
                                           FoundNear* found) {
  const int mate = static_cast<int>(threadIdx.x) % team,
            first_row = NeighbourRuns::first_of_quarter(mate),
            end_row = NeighbourRuns::first_of_quarter(mate + 1);
  std::int32_t count = 0;
  int looked = 0, kept = 0;
  if (inside)
    for_each_candidates<lanes>(l, grid, p, cell, first_row, end_row,
                               [&](std::int32_t first, unsigned near) {
                                 count += __popc(near);
                                 if (looked++ < most_found(lanes) && near != 0)
                                   found[static_cast<int>(threads) * kept++] = {first, near};
                               });
  // Where the neighbours of each lane begin among all.
  std::int32_t begin = 0, all = 0;
#pragma unroll
  for (int other = 0; other < team; ++other) {
    const std::int32_t its = __shfl_sync(engine::whole_warp, count, other, team);
    if (other < mate) begin += its;
    all += its;
  }
  const std::int32_t capacity = l.near.capacity;
  auto k = static_cast<unsigned>(begin);
  std::int32_t* entry = l.neighbour + neighbour_entry(p, lanes, capacity) +
                        static_cast<int>(k / lanes * neighbour_row + k % lanes);
  const auto write = [&](std::int32_t q) {
    *entry = q;
    entry += ++k % lanes == 0 ? neighbour_row - (lanes - 1) : 1;
  };
  if (all > capacity) return all;
  for_each_found(found, kept, write);
  if (looked <= most_found(lanes)) return all;
  // Those for which there was no room are looked at again.
  looked = 0;
  for_each_candidates<lanes>(l, grid, p, cell, first_row, end_row,
                             [&](std::int32_t first, unsigned near) {
                               if (looked++ < most_found(lanes)) return;
                               *found = {first, near};
                               for_each_found(found, near != 0 ? 1 : 0, write);
                             });
  return all;
}

template <int lanes, class Real>
__device__ void list_neighbours(const Listing<Real>& l, Share share, std::int32_t* shared) {
  const CellLayout& grid = l.control->cells;
  constexpr int threads_a_place = in_teams(lanes) ? team : 1;
  FoundNear* const found = reinterpret_cast<FoundNear*>(shared) + threadIdx.x;
  unsigned most = 0;
  unsigned long long all = 0;
  for (Index t = share.first; t - threadIdx.x % 32 < l.places * threads_a_place;
       t += share.stride) {
    const Index p = t / threads_a_place;
    const bool inside = p < l.places;
    const PlaceOf<Real> at = l.listed[inside ? p : 0];
    const Cell cell = cell_of(grid, {double(at.x), double(at.y), double(at.z)});
    std::int32_t count = 0;
    if constexpr (in_teams(lanes))
      count = list_place_in_team<lanes>(l, grid, static_cast<std::int32_t>(inside ? p : 0), cell,
                                        inside, found);
    else if (inside)
      count = list_place(l, grid, static_cast<std::int32_t>(p), cell, found);
    if (!inside || t % threads_a_place != 0) continue;
    l.neighbours[p] = count | (is_at_border(grid, cell) ? at_border : 0);
    most = most > static_cast<unsigned>(count) ? most : static_cast<unsigned>(count);
    all += static_cast<unsigned>(count);
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
