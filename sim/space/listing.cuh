#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/space/image_formula.h"
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

  __device__ Real* listed_along(int axis) const { return s.extra[static_cast<int>(Extra::listed_x) + axis]; }
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
      if (isfinite(place)) {
        low[axis] = fmin(low[axis], static_cast<double>(place));
        high[axis] = fmax(high[axis], static_cast<double>(place));
      }
    }
  if (!l.open) return;
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

template <class Real>
__device__ void take_places(const Listing<Real>& l, Share share) {
  const StateView<Real>& s = l.s;
  for (Index p = share.first; p < s.count; p += share.stride) {
    const std::int32_t i = l.column[p];
    l.now[p] = {s.x[i], s.y[i], s.z[i], s.species ? s.species[i] : 0};
  }
}

/// Whether images of bodies may be among the neighbours of a cell's.
__device__ __forceinline__ bool is_at_border(const CellLayout& grid, int cell) {
  const int place[3] = {cell % grid.count[0], cell / grid.count[0] % grid.count[1],
                        cell / grid.count[0] / grid.count[1]};
  bool border = false;
  for (int axis = 0; axis < 3; ++axis)
    border = border || (grid.periodic[axis] && (place[axis] == 0 || place[axis] == grid.count[axis] - 1));
  return border;
}

/// Neighbours that a thread has found and not written yet, in shared memory. The threads of a warp write so many at a time
/// together, a row of the list each: one by one, stores of four bytes to places all over the list took most of the time.
constexpr int kept_places = 64, written_together = 16;
constexpr std::size_t shared_bytes = threads * kept_places * sizeof(std::int32_t);

/// Lists the neighbours of the places of a warp, those in one row of cells together: the warp looks at the same candidates,
/// of all their cells, for what is not next to one's own cell is not within reach either. Neighbours come in the order of
/// for_each_neighbour_run. All lanes of a warp call this together; returns how many there are.
template <class Real>
__device__ std::int32_t list_places(const Listing<Real>& l, const CellLayout& grid, Index p, bool inside,
                                    int cell, std::int32_t* kept) {
  const PlaceOf<Real> own = l.listed[inside ? p : 0];
  const Real squared_reach = l.near.squared_reach;
  const std::int32_t capacity = l.near.capacity;
  const int lanes = l.near.lanes;
  std::int32_t* const list = l.neighbour + neighbour_entry(p, lanes, capacity);
  const auto entry = [&](std::int32_t k) { return list + k / lanes * neighbour_row + k % lanes; };
  std::int32_t found = 0, written = 0;
  const auto write = [&] {
#pragma unroll
    for (int j = 0; j < written_together; ++j) {
      const std::int32_t k = written + j;
      if (k < found && k < capacity) *entry(k) = kept[k % kept_places * static_cast<int>(threads)];
    }
    written += written_together;
  };
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
        grid, l.start, first_cell, last_cell - first_cell + 1,
        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
          const Real x = own.x - static_cast<Real>(shift.x), y = own.y - static_cast<Real>(shift.y),
                     z = own.z - static_cast<Real>(shift.z);
          for (std::int32_t first = begin; first < end; first += 32) {
            const int some = end - first < 32 ? end - first : 32;
            unsigned near = 0;
#pragma unroll 8
            for (int k = 0; k < some; ++k)
              near |= within(l.listed[first + k], x, y, z, squared_reach) ? 1u << k : 0u;
            if (p >= first && p < first + some) near &= ~(1u << (p - first));
            if (!here) near = 0;
            for (; near != 0; near &= near - 1, ++found) {
              const std::int32_t q = first + __ffs(static_cast<int>(near)) - 1;
              if (found >= written)
                kept[found % kept_places * static_cast<int>(threads)] = q;
              else if (found < capacity)
                *entry(found) = q;  // others of the warp were further
            }
            // When all have a row, or one of them no room for 32 more.
            while (__all_sync(engine::whole_warp, !inside || found >= written + written_together) ||
                   __any_sync(engine::whole_warp, found > written + kept_places - 32))
              write();
          }
        });
  }
  while (__any_sync(engine::whole_warp, found > written)) write();
  return found;
}

template <class Real>
__device__ void list_neighbours(const Listing<Real>& l, Share share, std::int32_t* shared) {
  const CellLayout grid = l.control->cells;
  unsigned most = 0;
  unsigned long long all = 0;
  for (Index p = share.first; p - threadIdx.x % 32 < l.s.count; p += share.stride) {
    const bool inside = p < l.s.count;
    const int cell = inside ? l.cell[l.column[p]] : 0;
    const std::int32_t found = list_places(l, grid, p, inside, cell, shared + threadIdx.x);
    if (!inside) continue;
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
__global__ void __launch_bounds__(threads, 3) bring_up_to_date(Listing<Real> l) {
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
    count_bodies(l, share);
    grid.sync();
    sum_chunks(l, warps);
    grid.sync();
    scan_cells(l, warps);
    grid.sync();
    scatter(l, share);
    grid.sync();
    order_cells(l, share);
    grid.sync();
    list_neighbours(l, share, warps);
  }
  take_places(l, share);
}

}  // namespace mote::sim::listing
