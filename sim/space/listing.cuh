#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/space/image_formula.h"
#include "sim/space/neighbour_runs.h"
#include "sim/space/neighbours_device.h"
#include "sim/space/walk.cuh"

/// Private to DeviceNeighbours: all that brings lists up to date, as one kernel whose blocks wait for each other. In most
/// steps it looks whether anybody has moved far enough, and copies places in the order of the cells.
namespace mote::sim::listing {

using engine::Index;
using engine::Vec3d;

constexpr unsigned threads = 256;
/// Cells of one block of the scan.
constexpr int scan_chunk = 2048;

/// What kernels tell each other.
struct Control {
  std::uint32_t moved;  ///< a body has used up its part of the skin
  std::uint32_t stale;  ///< the lists are not those of the places last listed
  std::uint32_t listings, most;
  unsigned long long all;
  long long low[3], high[3];  ///< bounds of open axes, as whole numbers in the order of the doubles
  CellLayout cells;
};

/// Whole numbers in the order of doubles.
__device__ __forceinline__ long long ordered(double value) {
  const long long bits = __double_as_longlong(value);
  return bits >= 0 ? bits : bits ^ 0x7fffffffffffffffll;
}
__device__ __forceinline__ double unordered(long long key) {
  return __longlong_as_double(key >= 0 ? key : key ^ 0x7fffffffffffffffll);
}

/// What stands there before the first phase: all is stale.
inline Control start_of(const Domain& domain, double reach, std::int64_t most_cells) {
  Control control{};
  control.stale = 1;
  control.cells = layout_cells(domain, {}, {}, reach, most_cells);
  constexpr double far = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    // As the kernels order them: infinity, and minus infinity.
    std::memcpy(&control.low[axis], &far, sizeof far);
    control.high[axis] = ~control.low[axis];
  }
  return control;
}

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

/// The part of a loop that is this thread's.
struct Share {
  Index first, stride;
};

__device__ __forceinline__ double along(const engine::Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Throws bodies back from walls, and looks whether one has used up its part of the skin.
template <class Real>
__device__ bool look(const Listing<Real>& l, Share share) {
  const StateView<Real>& s = l.s;
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  bool moved = false;
  for (Index i = share.first; i < s.count; i += share.stride) {
    Real squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      Real place = x[axis][i];
      if (l.domain.walled[axis]) {
        const double low = along(l.domain.low, axis);
        const Bounced<Real> b = bounced(place, v[axis][i], static_cast<Real>(low),
                                        static_cast<Real>(low + along(l.domain.length, axis)));
        if (b.place != place) x[axis][i] = b.place, v[axis][i] = b.velocity;
        place = b.place;
      }
      const Real d = place - l.listed_along(axis)[i];
      squared += d * d;
    }
    moved = moved || !(squared <= l.squared_way);
  }
  return moved;
}

/// Takes a place along one axis into bounds.
template <class Real>
__device__ __forceinline__ void widen(double& low, double& high, Real place) {
  if (!isfinite(place)) return;
  low = fmin(low, static_cast<double>(place));
  high = fmax(high, static_cast<double>(place));
}

/// Makes the bounds of all those of the threads; all lanes of a warp call this together.
template <class Real>
__device__ void note_bounds(const Listing<Real>& l, double (&low)[3], double (&high)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int distance = 16; distance > 0; distance /= 2) {
      low[axis] = fmin(low[axis], __shfl_xor_sync(engine::whole_warp, low[axis], distance));
      high[axis] = fmax(high[axis], __shfl_xor_sync(engine::whole_warp, high[axis], distance));
    }
    if (threadIdx.x % 32 != 0) continue;
    atomicMin(&l.control->low[axis], ordered(low[axis]));
    atomicMax(&l.control->high[axis], ordered(high[axis]));
  }
}

/// Brings bodies that have moved back into the domain and notes where they are; clears the counts of cells.
template <class Real>
__device__ void note_places(const Listing<Real>& l, Share share, bool moved) {
  const StateView<Real>& s = l.s;
  for (Index c = share.first; c < l.most_cells; c += share.stride) l.counts[c] = 0;
  if (share.first == 0) l.control->most = 0, l.control->all = 0;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  Real* const x[3] = {s.x, s.y, s.z};
  for (Index i = share.first; i < s.count; i += share.stride)
    for (int axis = 0; axis < 3; ++axis) {
      Real place = moved ? x[axis][i] : l.listed_along(axis)[i];
      if (moved && l.domain.periodic[axis]) {
        const Wrapped<Real> w = wrapped(place, along(l.domain.low, axis), along(l.domain.length, axis));
        if (w.lengths != 0) {
          x[axis][i] = place = w.place;
          s.extra[static_cast<int>(Extra::image_x) + axis][i] += w.lengths;
        }
      }
      if (moved) l.listed_along(axis)[i] = place;
      widen(low[axis], high[axis], place);
    }
  if (l.open) note_bounds(l, low, high);
}

/// The grid of a domain that is open somewhere; one thread's work.
template <class Real>
__device__ void lay_out(const Listing<Real>& l) {
  double low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = unordered(l.control->low[axis]), high[axis] = unordered(l.control->high[axis]);
    l.control->low[axis] = ordered(INFINITY), l.control->high[axis] = ordered(-INFINITY);
  }
  l.control->cells =
      layout_cells(l.domain, {low[0], low[1], low[2]}, {high[0], high[1], high[2]}, l.reach, l.most_cells);
}

template <class Real>
__device__ void count_bodies(const Listing<Real>& l, Share share) {
  const CellLayout grid = l.control->cells;
  for (Index i = share.first; i < l.s.count; i += share.stride) {
    const Vec3d image{image_within(grid, 0, l.listed_along(0)[i]),
                      image_within(grid, 1, l.listed_along(1)[i]),
                      image_within(grid, 2, l.listed_along(2)[i])};
    const int here = cell_of(grid, image);
    l.cell[i] = here;
    atomicAdd(&l.counts[here], 1);
  }
}

/// The sum over the block, the same in every thread.
__device__ inline int sum_of_block(int value, int* warps) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(engine::whole_warp, value, distance);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  int sum = 0;
  for (unsigned w = 0; w < threads / 32; ++w) sum += warps[w];
  return sum;
}

/// The sum over the block of what threads before have.
__device__ inline int before_in_block(int value, int* warps) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int through = value;
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(engine::whole_warp, through, distance);
    if (lane >= distance) through += other;
  }
  __syncthreads();
  if (lane == 31) warps[warp] = through;
  __syncthreads();
  int before = through - value;
  for (int w = 0; w < warp; ++w) before += warps[w];
  return before;
}

/// Sums of chunks of cells, a block each.
template <class Real>
__device__ void sum_chunks(const Listing<Real>& l, int* warps) {
  const int cells = l.control->cells.cells();
  for (int chunk = static_cast<int>(blockIdx.x); chunk * scan_chunk < cells;
       chunk += static_cast<int>(gridDim.x)) {
    int sum = 0;
    for (int c = chunk * scan_chunk + static_cast<int>(threadIdx.x);
         c < (chunk + 1) * scan_chunk && c < cells; c += threads)
      sum += l.counts[c];
    sum = sum_of_block(sum, warps);
    if (threadIdx.x == 0) l.chunks[chunk] = sum;
  }
}

/// From counts to first places. Each block adds up the chunks before its own.
template <class Real>
__device__ void scan_cells(const Listing<Real>& l, int* warps) {
  constexpr int own = scan_chunk / static_cast<int>(threads);
  const int cells = l.control->cells.cells();
  if (blockIdx.x == 0 && threadIdx.x == 0) l.start[cells] = static_cast<std::int32_t>(l.s.count);
  for (int chunk = static_cast<int>(blockIdx.x); chunk * scan_chunk < cells;
       chunk += static_cast<int>(gridDim.x)) {
    int above = 0;
    for (int c = static_cast<int>(threadIdx.x); c < chunk; c += threads) above += l.chunks[c];
    above = sum_of_block(above, warps);
    const int first = chunk * scan_chunk + static_cast<int>(threadIdx.x) * own;
    int sum = 0;
    for (int k = 0; k < own && first + k < cells; ++k) sum += l.counts[first + k];
    int place = above + before_in_block(sum, warps);
    for (int k = 0; k < own && first + k < cells; ++k) {
      l.start[first + k] = l.next[first + k] = place;
      place += l.counts[first + k];
    }
  }
}

template <class Real>
__device__ void scatter(const Listing<Real>& l, Share share) {
  for (Index i = share.first; i < l.s.count; i += share.stride)
    l.scattered[atomicAdd(&l.next[l.cell[i]], 1)] = static_cast<std::int32_t>(i);
}

/// Within a cell in the order of the columns: a place is the number of bodies of the cell in columns before.
template <class Real>
__device__ void order_cells(const Listing<Real>& l, Share share) {
  for (Index k = share.first; k < l.s.count; k += share.stride) {
    const std::int32_t i = l.scattered[k];
    const std::int32_t begin = l.start[l.cell[i]], end = l.start[l.cell[i] + 1];
    std::int32_t place = begin;
    for (std::int32_t other = begin; other < end; ++other) place += l.scattered[other] < i ? 1 : 0;
    l.column[place] = i;
    l.listed[place] = {l.listed_along(0)[i], l.listed_along(1)[i], l.listed_along(2)[i], 0};
  }
}

/// From the cells' layout to the order of the bodies.
template <class Real>
__device__ void put_in_order(const Listing<Real>& l, const cooperative_groups::grid_group& grid, Share share,
                             int* warps) {
  count_bodies(l, share);
  grid.sync();
  sum_chunks(l, warps);
  grid.sync();
  scan_cells(l, warps);
  grid.sync();
  scatter(l, share);
  grid.sync();
  order_cells(l, share);
}

template <class Real>
__device__ void take_places(const Listing<Real>& l, Share share) {
  const StateView<Real>& s = l.s;
  for (Index p = share.first; p < s.count; p += share.stride) {
    const std::int32_t i = l.column[p];
    l.now[p] = {s.x[i], s.y[i], s.z[i], s.species ? s.species[i] : 0};
  }
}

/// Where the next neighbour of a place is written.
struct Entry {
  std::int32_t* next;
  Index row;  ///< numbers from one row of the list to the next
  int mask;   ///< lanes - 1
  std::int32_t found = 0;

  template <class Real>
  __device__ Entry(const Listing<Real>& l, Index p)
      : next(l.neighbour + p * l.near.lanes),
        row(static_cast<Index>(l.near.count) * l.near.lanes),
        mask(l.near.lanes - 1) {}
  __device__ __forceinline__ void skip() {
    ++found;
    next += (found & mask) != 0 ? 1 : row - mask;
  }
};

/// One thread lists the neighbours of a place; those of a warp look at the same candidates for the most part. First it looks at
/// 32 of them without a branch, then it writes those that it found.
template <class Real>
__device__ std::int32_t list_place(const Listing<Real>& l, const CellLayout& grid, Index p, int cell) {
  const PlaceOf<Real> own = l.listed[p];
  const Real squared_reach = l.near.squared_reach;
  const std::int32_t capacity = l.near.capacity;
  Entry entry(l, p);
  for_each_neighbour_run(grid, l.start, cell, [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
    const Real x = own.x - static_cast<Real>(shift.x), y = own.y - static_cast<Real>(shift.y),
               z = own.z - static_cast<Real>(shift.z);
    for (std::int32_t first = begin; first < end; first += 32) {
      const int some = end - first < 32 ? end - first : 32;
      unsigned found = 0;
#pragma unroll 4
      for (int k = 0; k < some; ++k)
        found |= within(l.listed[first + k], x, y, z, squared_reach) ? 1u << k : 0u;
      if (p >= first && p < first + some) found &= ~(1u << (p - first));
      for (; found != 0; found &= found - 1) {
        if (entry.found < capacity) *entry.next = first + __ffs(static_cast<int>(found)) - 1;
        entry.skip();
      }
    }
  });
  return entry.found;
}

template <class Real>
__device__ void list_neighbours(const Listing<Real>& l, Share share) {
  const CellLayout grid = l.control->cells;
  unsigned most = 0;
  unsigned long long all = 0;
  for (Index p = share.first; p < l.s.count; p += share.stride) {
    const int cell = l.cell[l.column[p]];
    const std::int32_t found = list_place(l, grid, p, cell);
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

template <class Real>
__global__ void __launch_bounds__(threads, 4) bring_up_to_date(Listing<Real> l) {
  const auto grid = cooperative_groups::this_grid();
  auto* const warps = engine::shared_memory<int>();
  const Share share{static_cast<Index>(blockIdx.x) * threads + threadIdx.x,
                    static_cast<Index>(gridDim.x) * threads};
  if (__syncthreads_or(look(l, share)) && threadIdx.x == 0) l.control->moved = 1;
  grid.sync();
  const bool moved = l.control->moved != 0;
  if (moved || l.control->stale != 0) {
    note_places(l, share, moved);
    grid.sync();
    if (share.first == 0) {
      l.control->moved = l.control->stale = 0;
      ++l.control->listings;
      if (l.open) lay_out(l);
    }
    if (l.open) grid.sync();
    put_in_order(l, grid, share, warps);
    grid.sync();
    list_neighbours(l, share);
  }
  take_places(l, share);
}

}  // namespace mote::sim::listing
