#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "engine/memory/buffer.h"
#include "sim/space/image_formula.h"
#include "sim/space/neighbour_build_lists.cuh"

/// Private to DeviceNeighbours: the update of the neighbour lists, one kernel with grid-wide
/// barriers. In most steps it only checks displacements against the skin and gathers positions in
/// cell order.
namespace mote::sim::neighbour_build {

/// The control block before the first build: lists are stale.
inline BuildControl initial_control(const Domain& domain, double list_cutoff,
                                    std::int64_t most_cells) {
  BuildControl control{};
  control.stale = 1;
  control.cells = layout_cells(domain, {}, {}, list_cutoff, most_cells);
  control.bounds = empty_bounds();
  return control;
}

/// Most cells for `count` bodies.
inline std::int64_t most_cells_for(Index count) {
  return 2 * count > 64 ? 2 * count : 64;
}

/// Buffers of the counting sort by cell.
struct OrderBuffers {
  /// Makes buffers for `slots` of `bodies` bodies.
  OrderBuffers(Index slots, Index bodies)
      : control(1),
        index(slots),
        cell(bodies),
        scattered(slots),
        start(most_cells_for(slots) + 1),
        next(most_cells_for(slots)),
        counts(most_cells_for(slots)),
        chunks(most_cells_for(slots) / scan_chunk + 1) {}
  static std::uint64_t bytes(Index count) {
    return (static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(most_cells_for(count))) *
           3 * sizeof(std::int32_t);
  }

  /// A task that uses these buffers; the caller sets the position arrays.
  template <class Real>
  BuildTask<Real> sort_task(const StateView<Real>& s, const Domain& domain, double list_cutoff) {
    BuildTask<Real> task{};
    task.s = s;
    task.stored_origin = s[fields::list_origin], task.crossed = s[fields::image];
    task.slots = index.size();
    task.domain = domain;
    task.open = !domain.closed();
    task.layout_varies =
        task.open || layout_cells(domain, {}, {}, list_cutoff, counts.size()).sparse;
    task.list_cutoff = list_cutoff;
    task.most_cells = counts.size();
    task.control = control.data();
    task.counts = counts.data(), task.chunks = chunks.data(), task.start = start.data(),
    task.next = next.data();
    task.cell = cell.data(), task.scattered = scattered.data(), task.index = index.data();
    return task;
  }

  engine::Buffer<BuildControl, engine::Device> control;
  engine::Buffer<std::int32_t, engine::Device> index, cell, scattered, start, next, counts, chunks;
};

/// Bodies per thread in flight in memory-bound loops.
constexpr int batch = 4;

/// Reflects bodies at walls.
template <class Real>
__device__ void reflect_at_walls(const BuildTask<Real>& task, GridStride loop) {
  const StateView<Real>& s = task.s;
  Real* const x[3] = {s.x, s.y, s.z};
  Real* const v[3] = {s.vx, s.vy, s.vz};
  for (int axis = 0; axis < 3; ++axis) {
    if (!task.domain.walled[axis]) continue;
    const double from = along(task.domain.low, axis);
    const auto low = static_cast<Real>(from),
               high = static_cast<Real>(from + along(task.domain.length, axis));
    for (Index i = loop.first; i < s.count; i += loop.stride) {
      if (task.excluded(i)) continue;
      const Bounced<Real> b = bounced(x[axis][i], v[axis][i], low, high);
      if (b.position != x[axis][i]) x[axis][i] = b.position, v[axis][i] = b.velocity;
    }
  }
}

/// Whether a body of this thread has moved by more than half the skin.
template <class Real>
__device__ bool exceeds_skin(const BuildTask<Real>& task, GridStride loop) {
  const StateView<Real>& s = task.s;
  const Real *lx = task.list_origin_along(0), *ly = task.list_origin_along(1),
             *lz = task.list_origin_along(2);
  bool moved = false;
  for (Index first = loop.first; first < s.count; first += batch * loop.stride) {
    Real dx[batch], dy[batch], dz[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const Index other = first + k * loop.stride, i = other < s.count ? other : first;
      dx[k] = s.x[i] - lx[i], dy[k] = s.y[i] - ly[i], dz[k] = s.z[i] - lz[i];
      if (task.excluded(i)) dx[k] = dy[k] = dz[k] = Real(0);
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
      moved |= !(dx[k] * dx[k] + dy[k] * dy[k] + dz[k] * dz[k] <= task.max_squared_displacement);
  }
  return moved;
}

/// Stores positions as list origins if bodies have `moved`, wrapping them into the domain if
/// task.wrap_positions; clears the cell counts.
template <class Real>
__device__ void store_list_origins(const BuildTask<Real>& task, GridStride loop, bool moved) {
  const StateView<Real>& s = task.s;
  for (Index c = loop.first; c < task.most_cells; c += loop.stride) task.counts[c] = 0;
  if (loop.first == 0) task.control->longest = 0, task.control->total = 0;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  Real* const x[3] = {s.x, s.y, s.z};
  for (Index i = loop.first; i < s.count; i += loop.stride) {
    if (task.excluded(i)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      Real position = moved ? x[axis][i] : task.list_origin_along(axis)[i], image = position;
      if (task.domain.periodic[axis] && (moved || !task.wrap_positions)) {
        const Wrapped<Real> w =
            wrapped(position, along(task.domain.low, axis), along(task.domain.length, axis));
        image = w.position;
        if (task.wrap_positions && w.position != position) {
          x[axis][i] = position = w.position;
          task.crossed[axis][i] += w.lengths;
        }
      }
      if (moved) task.list_origin_along(axis)[i] = position;
      if (task.image[axis]) task.image[axis][i] = image;
      extend_bounds(low[axis], high[axis], image);
    }
  }
  if (task.open) reduce_bounds(task.control->bounds, low, high);
}

/// Sets the uniform grid for the current bounds. Called by one thread.
template <class Real>
__device__ void set_layout(const BuildTask<Real>& task) {
  Vec3d low, high;
  read_and_reset_bounds(task.control->bounds, low, high);
  task.control->cells = layout_cells(task.domain, low, high, task.list_cutoff, task.most_cells);
}

template <class Real>
__device__ void count_bodies(const BuildTask<Real>& task, GridStride loop) {
  const CellLayout grid = task.control->cells;
  for_each_warp_uniform(task.s.count, loop, [&](Index i, bool inside) {
    std::int32_t here = -1;
    if (inside && !task.excluded(i)) {
      const Vec3d image{double(task.image_along(0)[i]), double(task.image_along(1)[i]),
                        double(task.image_along(2)[i])};
      task.cell[i] = here = bucket_of(grid, cell_of(grid, image));
    }
    count_aggregated(task.counts, here);
  });
}

template <class Real>
__device__ void sort_within_cells(const BuildTask<Real>& task, GridStride loop) {
  for (Index k = loop.first; k < task.slots; k += loop.stride) {
    const std::int32_t i = task.scattered[k];
    const std::int32_t slot = slot_within_cell(task.start, task.scattered, task.cell[i], i);
    task.index[slot] = i;
    task.list_origin[slot] = {task.image_along(0)[i], task.image_along(1)[i],
                              task.image_along(2)[i], 0};
  }
}

/// Replaces a sparse grid with overfull cells by a hashed one and counts again. Ends with a
/// barrier.
template <class Real>
__device__ void hash_if_dense(const BuildTask<Real>& task,
                              const cooperative_groups::grid_group& grid, GridStride loop) {
  BuildControl& c = *task.control;
  add_excess_occupancy(task.counts, 0, c.cells.buckets, loop, c.excess_occupancy);
  grid.sync();
  const bool dense = static_cast<long long>(c.excess_occupancy) > 0;
  if (dense)
    for (Index k = loop.first; k < task.most_cells; k += loop.stride) task.counts[k] = 0;
  grid.sync();
  if (loop.first == 0) {
    c.excess_occupancy = 0;
    if (dense) c.cells = hashed_cells(task.domain, task.list_cutoff, task.most_cells);
  }
  grid.sync();
  if (!dense) return;
  count_bodies(task, loop);
  grid.sync();
}

/// Counting sort of the bodies by cell; the layout is set.
template <class Real>
__device__ void sort_by_cell(const BuildTask<Real>& task,
                             const cooperative_groups::grid_group& grid, GridStride loop,
                             int* warps) {
  count_bodies(task, loop);
  grid.sync();
  if (task.control->cells.sparse) hash_if_dense(task, grid, loop);
  const int cells = task.control->cells.buckets;
  sum_chunks(task.counts, cells, task.chunks, warps);
  grid.sync();
  scan_chunks(task.counts, cells, task.chunks, warps, task.start, task.next);
  grid.sync();
  scatter(task.cell, task.next, task.scattered, task.s.count, loop);
  grid.sync();
  sort_within_cells(task, loop);
}

/// Gathers current positions by slot. Positions that are not wrapped are shifted by the periods of
/// their list origins.
template <class Real>
__device__ void gather_positions(const BuildTask<Real>& task, GridStride loop) {
  const StateView<Real>& s = task.s;
  const Real* const x[3] = {s.x, s.y, s.z};
  for (Index first = loop.first; first < task.slots; first += batch * loop.stride) {
    std::int32_t index[batch];
    PositionAndKind<Real> position[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const Index p = first + k * loop.stride;
      index[k] = task.index[p < task.slots ? p : first];
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const std::int32_t i = index[k];
      Real at[3];
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = x[axis][i];
        if (task.wrap_positions || !task.domain.periodic[axis]) continue;
        const double length = along(task.domain.length, axis);
        at[axis] = shifted(at[axis],
                           static_cast<double>(wrapped(task.list_origin_along(axis)[i],
                                                       along(task.domain.low, axis), length)
                                                   .lengths),
                           length);
      }
      position[k] = {at[0], at[1], at[2], s.species ? s.species[i] : 0};
    }
#pragma unroll
    for (int k = 0; k < batch; ++k)
      if (first + k * loop.stride < task.slots)
        task.position[first + k * loop.stride] = position[k];
  }
}

/// Rebuilds all lists, from the current positions if bodies have `moved`, else from the stored list
/// origins. Ends without a barrier.
template <int lanes, class Real>
__device__ void rebuild_lists(const BuildTask<Real>& task,
                              const cooperative_groups::grid_group& grid, GridStride loop,
                              int* warps, bool moved) {
  store_list_origins(task, loop, moved);
  grid.sync();
  if (loop.first == 0) {
    task.control->moved = task.control->stale = 0;
    ++task.control->builds;
    if (task.layout_varies) set_layout(task);
  }
  if (task.layout_varies) grid.sync();
  sort_by_cell(task, grid, loop, warps);
  grid.sync();
  build_lists<lanes>(task, loop, warps);
}

template <int lanes, class Real>
__global__ void __launch_bounds__(threads, 3) update_lists(BuildTask<Real> task) {
  const auto grid = cooperative_groups::this_grid();
  auto* const warps = engine::shared_memory<int>();
  if (task.record && task.record->halted != 0) return;
  const GridStride loop{static_cast<Index>(blockIdx.x) * threads + threadIdx.x,
                        static_cast<Index>(gridDim.x) * threads};
  reflect_at_walls(task, loop);
  if (__syncthreads_or(exceeds_skin(task, loop)) && threadIdx.x == 0) task.control->moved = 1;
  grid.sync();
  const bool moved = task.control->moved != 0;
  if (moved || task.control->stale != 0) rebuild_lists<lanes>(task, grid, loop, warps, moved);
  gather_positions(task, loop);
}

}  // namespace mote::sim::neighbour_build
