#pragma once

#include <cstdint>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "sim/space/cell_order.cuh"
#include "sim/space/cell_walk.cuh"
#include "sim/space/list_fields.h"
#include "sim/space/neighbour_runs.h"
#include "sim/space/neighbour_view.h"
#include "sim/state.h"
#include "sim/step.h"

/// Private to DeviceNeighbours: data shared by the phases of a list build, and its last phase,
/// which writes the lists.
namespace mote::sim::neighbour_build {

using engine::Vec3d;

/// Device state shared by kernels.
struct BuildControl {
  std::uint32_t moved;                  ///< a body has moved by more than half the skin
  std::uint32_t stale;                  ///< the lists do not belong to the stored list origins
  std::uint32_t builds, longest;        ///< number of builds; longest list of the last one
  unsigned long long total;             ///< neighbours in all lists
  unsigned long long excess_occupancy;  ///< excess in a sparse grid, two's complement
  Bounds bounds;
  CellLayout cells;
};

/// Arguments of all phases.
template <class Real>
struct BuildTask {
  StateView<Real> s;
  VectorColumns<Real> stored_origin;  ///< list origins in the state, by body
  VectorColumns<Real> crossed;        ///< domain lengths along periodic axes, by body
  Index slots;          ///< bodies that have lists; the cells of the others, if any, are negative
  bool wrap_positions;  ///< wrap the state's positions into the domain at list builds
  Domain domain;
  bool open;                      ///< some axis is open
  bool layout_varies;             ///< the cells depend on positions
  Real max_squared_displacement;  ///< before a rebuild
  double list_cutoff;             ///< cutoff + skin
  std::int64_t most_cells;
  DeviceNeighbourView<Real> view;
  const DeviceRecord* record;  ///< null outside of steps
  BuildControl* control;
  std::int32_t *counts, *chunks, *start, *next, *cell, *scattered, *index, *neighbour_counts,
      *neighbour;
  PositionAndKind<Real>*position, *list_origin;
  Real* image[3] = {};  ///< positions to sort, by body; null: the list origins

  /// Positions at the last build, by body.
  __device__ Real* list_origin_along(int axis) const { return stored_origin[axis]; }
  /// Positions at the last build, wrapped into the domain, by body.
  __device__ Real* image_along(int axis) const {
    return image[axis] ? image[axis] : list_origin_along(axis);
  }
  __device__ bool excluded(Index i) const { return slots < s.count && cell[i] < 0; }
};

/// Threads of a team.
constexpr int team = 4;

/// Tested candidates: bit 31 - k of `mask` is set if candidate `first` + k is a neighbour.
struct CandidateMask {
  std::int32_t first;
  unsigned mask;
};
/// Masks per thread in shared memory: all candidates with one lane per slot and some twenty bodies
/// per cell. A small value leaves the rest of the memory to the cache of a persistent kernel.
constexpr int most_masks(int lanes) {
  return lanes == 1 ? 24 : 12;
}

/// Shared memory of a block that builds lists.
constexpr std::size_t shared_bytes(int lanes) {
  return threads * sizeof(CandidateMask) * static_cast<std::size_t>(most_masks(lanes));
}

/// Shifts `bits` left by one and appends the sign bit of `value`.
inline __device__ unsigned append_sign(unsigned bits, double value) {
  return bits << 1 | (value < 0 ? 1u : 0u);
}
inline __device__ unsigned append_sign(unsigned bits, float value) {
#if MOTE_ON_GPU
  // One instruction. NaN results are positive on GPUs.
  return __funnelshift_l(__float_as_uint(value), bits, 1);
#else
  return bits << 1 | (value < 0 ? 1u : 0u);
#endif
}

/// Mask of the neighbours among `count` = 1 to 32 candidates; reads up to seven beyond.
template <class Real>
__device__ __forceinline__ unsigned test_candidates(const PositionAndKind<Real>* candidate,
                                                    int count, Real x, Real y, Real z,
                                                    Real squared_cutoff) {
  unsigned mask = 0;
  int tested = 0;
  for (; tested < count; tested += 8, candidate += 8) {
    // All loads before the first test, to overlap their latencies.
    PositionAndKind<Real> eight[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) eight[j] = candidate[j];
#pragma unroll
    for (int j = 0; j < 8; ++j)
      mask = append_sign(mask, cutoff_excess(eight[j], x, y, z, squared_cutoff));
  }
  return mask << (32 - tested) & ~0u << (32 - count);
}

/// Calls use(first, mask) for the candidates of slot p in some rows of cells (NeighbourRuns), 32 at
/// a time.
template <int lanes, class Real, class Use>
__device__ __forceinline__ void for_each_candidate_mask(const BuildTask<Real>& task,
                                                        const CellLayout& grid, std::int32_t p,
                                                        Cell cell, int first_row, int end_row,
                                                        Use&& use) {
  const PositionAndKind<Real> own = task.list_origin[p];
  const Real squared_cutoff = task.view.squared_cutoff;
  NeighbourRuns runs(grid, task.start, cell, first_row, end_row, row_order(lanes));
  NeighbourRun run{};
  while (runs.next(run)) {
    const Real x = own.x - static_cast<Real>(run.shift[0]),
               y = own.y - static_cast<Real>(run.shift[1]),
               z = own.z - static_cast<Real>(run.shift[2]);
    for (std::int32_t next = run.begin; next < run.end; next += 32) {
      const int count = run.end - next < 32 ? run.end - next : 32;
      unsigned mask = test_candidates(task.list_origin + next, count, x, y, z, squared_cutoff);
      if (p >= next && p < next + count) mask &= ~(0x80000000u >> (p - next));
      use(next, mask);
    }
  }
}

/// Calls use(q) for each set bit of the masks, none of which is zero.
template <class Use>
__device__ __forceinline__ void for_each_hit(const CandidateMask* masks, int count, Use&& use) {
  const CandidateMask* const end = masks + static_cast<int>(threads) * count;
  CandidateMask now{0, 0};
  while (true) {
    if (now.mask == 0) {
      if (masks == end) break;
      now = *masks;
      masks += threads;
    }
    const int next = __clz(static_cast<int>(now.mask));
    now.mask &= ~(0x80000000u >> next);
    use(now.first + next);
  }
}

/// Builds the list of a slot with one lane; returns its length.
///
/// A thread first tests all candidates without branches and stores one bit each; threads of a cell
/// read the same candidates, coalesced. It then decodes the bits, so that the k-th neighbours of
/// the threads of a warp are written together.
template <class Real>
__device__ std::int32_t build_list(const BuildTask<Real>& task, const CellLayout& grid,
                                   std::int32_t p, Cell cell, CandidateMask* masks) {
  const std::int32_t capacity = task.view.capacity;
  std::int32_t* entry = task.neighbour + neighbour_entry(p, 1, capacity);
  std::int32_t count = 0;
  int tested = 0, stored = 0;
  const auto write = [&] {
    for_each_hit(masks, stored, [&](std::int32_t q) {
      if (count < capacity) *entry = q;
      entry += interleave_width;
      ++count;
    });
    tested = stored = 0;
  };
  for_each_candidate_mask<1>(task, grid, p, cell, 0, rows_around,
                             [&](std::int32_t first, unsigned mask) {
                               // `tested` is uniform over the threads of a cell; flushing by
                               // `stored` would diverge.
                               if (tested == most_masks(1)) write();
                               ++tested;
                               if (mask != 0)
                                 masks[static_cast<int>(threads) * stored++] = {first, mask};
                             });
  write();
  return count;
}

/// Builds the list by a team whose threads search different rows of cells. Called by all lanes of a
/// warp; nothing is written unless `inside`.
template <int lanes, class Real>
__device__ std::int32_t build_list_in_team(const BuildTask<Real>& task, const CellLayout& grid,
                                           std::int32_t p, Cell cell, bool inside,
                                           CandidateMask* masks) {
  const int member = static_cast<int>(threadIdx.x) % team,
            first_row = NeighbourRuns::first_of_quarter(member),
            end_row = NeighbourRuns::first_of_quarter(member + 1);
  std::int32_t count = 0;
  int tested = 0, stored = 0;
  if (inside)
    for_each_candidate_mask<lanes>(task, grid, p, cell, first_row, end_row,
                                   [&](std::int32_t first, unsigned mask) {
                                     count += __popc(mask);
                                     if (tested++ < most_masks(lanes) && mask != 0)
                                       masks[static_cast<int>(threads) * stored++] = {first, mask};
                                   });
  // Prefix sum of the counts over the team.
  std::int32_t begin = 0, all = 0;
#pragma unroll
  for (int other = 0; other < team; ++other) {
    const std::int32_t its = __shfl_sync(engine::all_lanes, count, other, team);
    if (other < member) begin += its;
    all += its;
  }
  const std::int32_t capacity = task.view.capacity;
  auto k = static_cast<unsigned>(begin);
  std::int32_t* entry = task.neighbour + neighbour_entry(p, lanes, capacity) +
                        static_cast<int>(k / lanes * interleave_width + k % lanes);
  const auto write = [&](std::int32_t q) {
    *entry = q;
    entry += ++k % lanes == 0 ? interleave_width - (lanes - 1) : 1;
  };
  if (all > capacity) return all;
  for_each_hit(masks, stored, write);
  if (tested <= most_masks(lanes)) return all;
  // Candidates whose masks did not fit are tested again.
  tested = 0;
  for_each_candidate_mask<lanes>(task, grid, p, cell, first_row, end_row,
                                 [&](std::int32_t first, unsigned mask) {
                                   if (tested++ < most_masks(lanes)) return;
                                   *masks = {first, mask};
                                   for_each_hit(masks, mask != 0 ? 1 : 0, write);
                                 });
  return all;
}

template <int lanes, class Real>
__device__ void build_lists(const BuildTask<Real>& task, GridStride loop, std::int32_t* shared) {
  const CellLayout& grid = task.control->cells;
  constexpr int threads_per_slot = in_teams(lanes) ? team : 1;
  CandidateMask* const masks = reinterpret_cast<CandidateMask*>(shared) + threadIdx.x;
  unsigned longest = 0;
  unsigned long long total = 0;
  for (Index t = loop.first; t - threadIdx.x % 32 < task.slots * threads_per_slot;
       t += loop.stride) {
    const Index p = t / threads_per_slot;
    const bool inside = p < task.slots;
    const PositionAndKind<Real> at = task.list_origin[inside ? p : 0];
    const Cell cell = cell_of(grid, {double(at.x), double(at.y), double(at.z)});
    std::int32_t count = 0;
    if constexpr (in_teams(lanes))
      count = build_list_in_team<lanes>(task, grid, static_cast<std::int32_t>(inside ? p : 0), cell,
                                        inside, masks);
    else if (inside)
      count = build_list(task, grid, static_cast<std::int32_t>(p), cell, masks);
    if (!inside || t % threads_per_slot != 0) continue;
    task.neighbour_counts[p] = count | (is_at_border(grid, cell) ? at_border : 0);
    longest = longest > static_cast<unsigned>(count) ? longest : static_cast<unsigned>(count);
    total += static_cast<unsigned>(count);
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const unsigned other = __shfl_xor_sync(engine::all_lanes, longest, distance);
    longest = longest > other ? longest : other;
    total += __shfl_xor_sync(engine::all_lanes, total, distance);
  }
  if (threadIdx.x % 32 != 0 || total == 0) return;
  atomicMax(&task.control->longest, longest);
  atomicAdd(&task.control->total, total);
}

}  // namespace mote::sim::neighbour_build
