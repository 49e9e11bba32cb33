#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "engine/memory/buffer.h"
#include "sim/space/image_formula.h"
#include "sim/space/listing_lists.cuh"

/// Private to DeviceNeighbours: all that brings lists up to date, as one kernel whose blocks wait
/// for each other. In most steps it looks whether anybody has moved far enough, and copies places
/// in the order of the cells.
namespace mote::sim::listing {

/// What stands there before the first phase: all is stale.
inline Control start_of(const Domain& domain, double reach, std::int64_t most_cells) {
  Control control{};
  control.stale = 1;
  control.cells = layout_cells(domain, {}, {}, reach, most_cells);
  control.bounds = no_bounds();
  return control;
}

/// Room for the cells of so many bodies.
inline std::int64_t most_cells_for(Index count) {
  return 2 * count > 64 ? 2 * count : 64;
}

/// What bodies are put in the order of cells with.
struct OrderMemory {
  /// So many of `bodies` are put in order.
  OrderMemory(Index places, Index bodies)
      : control(1),
        column(places),
        cell(bodies),
        scattered(places),
        start(most_cells_for(places) + 1),
        next(most_cells_for(places)),
        counts(most_cells_for(places)),
        chunks(most_cells_for(places) / scan_chunk + 1) {}
  static std::uint64_t bytes(Index count) {
    return (static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(most_cells_for(count))) *
           3 * sizeof(std::int32_t);
  }

  /// A listing with all of that; where its places go is the caller's.
  template <class Real>
  Listing<Real> to_order(const StateView<Real>& s, const Domain& domain, double reach) {
    Listing<Real> l{};
    l.s = s;
    l.places = column.size();
    l.domain = domain;
    l.open = !domain.closed();
    l.varies = l.open || layout_cells(domain, {}, {}, reach, counts.size()).sparse;
    l.reach = reach;
    l.most_cells = counts.size();
    l.control = control.data();
    l.counts = counts.data(), l.chunks = chunks.data(), l.start = start.data(),
    l.next = next.data();
    l.cell = cell.data(), l.scattered = scattered.data(), l.column = column.data();
    return l;
  }

  engine::Buffer<Control, engine::Device> control;
  engine::Buffer<std::int32_t, engine::Device> column, cell, scattered, start, next, counts, chunks;
};

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
    const auto low = static_cast<Real>(from),
               high = static_cast<Real>(from + along(l.domain.length, axis));
    for (Index i = share.first; i < s.count; i += share.stride) {
      if (l.left_out(i)) continue;
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
      if (l.left_out(i)) dx[k] = dy[k] = dz[k] = Real(0);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
      moved |= !(dx[k] * dx[k] + dy[k] * dy[k] + dz[k] * dz[k] <= l.squared_way);
  }
  return moved;
}

/// Notes where bodies that have moved are, and brings them back into the domain where they are to
/// come back; clears the counts of cells.
template <class Real>
__device__ void note_places(const Listing<Real>& l, Share share, bool moved) {
  const StateView<Real>& s = l.s;
  for (Index c = share.first; c < l.most_cells; c += share.stride) l.counts[c] = 0;
  if (share.first == 0) l.control->most = 0, l.control->all = 0;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  Real* const x[3] = {s.x, s.y, s.z};
  for (Index i = share.first; i < s.count; i += share.stride) {
    if (l.left_out(i)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      Real place = moved ? x[axis][i] : l.listed_along(axis)[i], image = place;
      if (l.domain.periodic[axis] && (moved || !l.come_back)) {
        const Wrapped<Real> w =
            wrapped(place, along(l.domain.low, axis), along(l.domain.length, axis));
        image = w.place;
        if (l.come_back && w.place != place) {
          x[axis][i] = place = w.place;
          s.extra[static_cast<int>(Extra::image_x) + axis][i] += w.lengths;
        }
      }
      if (moved) l.listed_along(axis)[i] = place;
      if (l.image[axis]) l.image[axis][i] = image;
      widen(low[axis], high[axis], image);
    }
  }
  if (l.open) note_bounds(l.control->bounds, low, high);
}

/// The uniform grid of a domain; one thread's work.
template <class Real>
__device__ void lay_out(const Listing<Real>& l) {
  Vec3d low, high;
  take_bounds(l.control->bounds, low, high);
  l.control->cells = layout_cells(l.domain, low, high, l.reach, l.most_cells);
}

template <class Real>
__device__ void count_bodies(const Listing<Real>& l, Share share) {
  const CellLayout grid = l.control->cells;
  for_each_of_warp(l.s.count, share, [&](Index i, bool inside) {
    std::int32_t here = -1;
    if (inside && !l.left_out(i)) {
      const Vec3d image{double(l.image_along(0)[i]), double(l.image_along(1)[i]),
                        double(l.image_along(2)[i])};
      l.cell[i] = here = bucket_of(grid, cell_of(grid, image));
    }
    count_in(l.counts, here);
  });
}

template <class Real>
__device__ void order_cells(const Listing<Real>& l, Share share) {
  for (Index k = share.first; k < l.places; k += share.stride) {
    const std::int32_t i = l.scattered[k];
    const std::int32_t place = place_within(l.start, l.scattered, l.cell[i], i);
    l.column[place] = i;
    l.listed[place] = {l.image_along(0)[i], l.image_along(1)[i], l.image_along(2)[i], 0};
  }
}

/// Where many bodies share the cells of a sparse grid, takes a hashed one and counts again; ends
/// with all counted.
template <class Real>
__device__ void hash_crowd(const Listing<Real>& l, const cooperative_groups::grid_group& grid,
                           Share share) {
  listing::Control& c = *l.control;
  add_crowding(l.counts, 0, c.cells.buckets, share, c.crowding);
  grid.sync();
  const bool crowded = static_cast<long long>(c.crowding) > 0;
  if (crowded)
    for (Index k = share.first; k < l.most_cells; k += share.stride) l.counts[k] = 0;
  grid.sync();
  if (share.first == 0) {
    c.crowding = 0;
    if (crowded) c.cells = hashed_cells(l.domain, l.reach, l.most_cells);
  }
  grid.sync();
  if (!crowded) return;
  count_bodies(l, share);
  grid.sync();
}

/// From the cells' layout to the order of the bodies.
template <class Real>
__device__ void put_in_order(const Listing<Real>& l, const cooperative_groups::grid_group& grid,
                             Share share, int* warps) {
  count_bodies(l, share);
  grid.sync();
  if (l.control->cells.sparse) hash_crowd(l, grid, share);
  const int cells = l.control->cells.buckets;
  sum_chunks(l.counts, cells, l.chunks, warps);
  grid.sync();
  scan_chunks(l.counts, cells, l.chunks, warps, l.start, l.next);
  grid.sync();
  scatter(l.cell, l.next, l.scattered, l.s.count, share);
  grid.sync();
  order_cells(l, share);
}

/// Where bodies are now, in the order of cells: those that do not come back, as images of how they
/// were listed.
template <class Real>
__device__ void take_places(const Listing<Real>& l, Share share) {
  const StateView<Real>& s = l.s;
  const Real* const x[3] = {s.x, s.y, s.z};
  for (Index first = share.first; first < l.places; first += batch * share.stride) {
    std::int32_t column[batch];
    PlaceOf<Real> place[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const Index p = first + k * share.stride;
      column[k] = l.column[p < l.places ? p : first];
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const std::int32_t i = column[k];
      Real at[3];
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = x[axis][i];
        if (l.come_back || !l.domain.periodic[axis]) continue;
        const double length = along(l.domain.length, axis);
        at[axis] = shifted(
            at[axis],
            static_cast<double>(
                wrapped(l.listed_along(axis)[i], along(l.domain.low, axis), length).lengths),
            length);
      }
      place[k] = {at[0], at[1], at[2], s.species ? s.species[i] : 0};
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
      if (first + k * share.stride < l.places) l.now[first + k * share.stride] = place[k];
  }
}

/// Lists everybody anew, where bodies have `moved` as they are now; ends before all blocks have.
template <int lanes, class Real>
__device__ void list_anew(const Listing<Real>& l, const cooperative_groups::grid_group& grid,
                          Share share, int* warps, bool moved) {
  note_places(l, share, moved);
  grid.sync();
  if (share.first == 0) {
    l.control->moved = l.control->stale = 0;
    ++l.control->listings;
    if (l.varies) lay_out(l);
  }
  if (l.varies) grid.sync();
  put_in_order(l, grid, share, warps);
  grid.sync();
  list_neighbours<lanes>(l, share, warps);
}

template <int lanes, class Real>
__global__ void __launch_bounds__(threads, 3) bring_up_to_date(Listing<Real> l) {
  const auto grid = cooperative_groups::this_grid();
  auto* const warps = engine::shared_memory<int>();
  if (l.record && l.record->halted != 0) return;
  const Share share{static_cast<Index>(blockIdx.x) * threads + threadIdx.x,
                    static_cast<Index>(gridDim.x) * threads};
  bounce_back(l, share);
  if (__syncthreads_or(look(l, share)) && threadIdx.x == 0) l.control->moved = 1;
  grid.sync();
  const bool moved = l.control->moved != 0;
  if (moved || l.control->stale != 0) list_anew<lanes>(l, grid, share, warps, moved);
  take_places(l, share);
}

}  // namespace mote::sim::listing
