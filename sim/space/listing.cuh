#pragma once

#include <cooperative_groups.h>

#include <cstdint>
#include <cstring>
#include <limits>

#include "sim/space/image_formula.h"
#include "sim/space/listing_lists.cuh"

/// Private to DeviceNeighbours: all that brings lists up to date, as one kernel whose blocks wait for each other. In most
/// steps it looks whether anybody has moved far enough, and copies places in the order of the cells.
namespace mote::sim::listing {

/// Cells of one block of the scan.
constexpr int scan_chunk = 2048;

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

__device__ __forceinline__ double along(const engine::Vec3d& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// Bodies that a thread looks at together where it only waits for memory.
constexpr int batch = 4;

/// Throws bodies back from walls.
template <class Real>
__device__ void bounce_back(const Listing<Real>& l, Share share) {
  const StateView<Real>& s = l.s;
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  for (int axis = 0; axis < 3; ++axis) {
    if (!l.domain.walled[axis]) continue;
    const double from = along(l.domain.low, axis);
    const auto low = static_cast<Real>(from), high = static_cast<Real>(from + along(l.domain.length, axis));
    for (Index i = share.first; i < s.count; i += share.stride) {
      const Bounced<Real> b = bounced(x[axis][i], v[axis][i], low, high);
      if (b.place != x[axis][i]) x[axis][i] = b.place, v[axis][i] = b.velocity;
    }
  }
}

/// Whether a body of this thread has used up its part of the skin.
template <class Real>
__device__ bool look(const Listing<Real>& l, Share share) {
  const StateView<Real>& s = l.s;
  const Real *lx = l.listed_along(0), *ly = l.listed_along(1), *lz = l.listed_along(2);
  bool moved = false;
  for (Index first = share.first; first < s.count; first += batch * share.stride) {
    Real dx[batch], dy[batch], dz[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const Index other = first + k * share.stride, i = other < s.count ? other : first;
      dx[k] = s.x[i] - lx[i], dy[k] = s.y[i] - ly[i], dz[k] = s.z[i] - lz[i];
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
      moved |= !(dx[k] * dx[k] + dy[k] * dy[k] + dz[k] * dz[k] <= l.squared_way);
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
  for (Index first = share.first; first < s.count; first += batch * share.stride) {
    std::int32_t column[batch];
    PlaceOf<Real> place[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const Index p = first + k * share.stride;
      column[k] = l.column[p < s.count ? p : first];
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const std::int32_t i = column[k];
      place[k] = {s.x[i], s.y[i], s.z[i], s.species ? s.species[i] : 0};
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
      if (first + k * share.stride < s.count) l.now[first + k * share.stride] = place[k];
  }
}

/// Lists everybody anew, where bodies have `moved` as they are now; ends before all blocks have.
template <bool teams, class Real>
__device__ void list_anew(const Listing<Real>& l, const cooperative_groups::grid_group& grid, Share share,
                          int* warps, bool moved) {
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
  list_neighbours<teams>(l, share, warps);
}

template <bool teams, class Real>
__global__ void __launch_bounds__(threads, 3) bring_up_to_date(Listing<Real> l) {
  const auto grid = cooperative_groups::this_grid();
  auto* const warps = engine::shared_memory<int>();
  const Share share{static_cast<Index>(blockIdx.x) * threads + threadIdx.x,
                    static_cast<Index>(gridDim.x) * threads};
  bounce_back(l, share);
  if (__syncthreads_or(look(l, share)) && threadIdx.x == 0) l.control->moved = 1;
  grid.sync();
  const bool moved = l.control->moved != 0;
  if (moved || l.control->stale != 0) list_anew<teams>(l, grid, share, warps, moved);
  take_places(l, share);
}

}  // namespace mote::sim::listing
