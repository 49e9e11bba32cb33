#pragma once

#include <cooperative_groups.h>

#include "engine/exec/launch.cuh"
#include "sim/contact/contact.h"
#include "sim/space/cell_order.cuh"
#include "sim/space/cell_range.h"
#include "sim/space/image_formula.h"
#include "sim/space/obstacles_device.h"

/// Data of the kernels of DeviceContactForce, and the cooperative kernel that runs before contacts
/// are evaluated. In most steps it only moves obstacles, wraps positions into the domain, checks
/// displacements against the skin and packs grains in cell order; otherwise it rebuilds the
/// neighbour lists.
namespace mote::sim::contact_kernels {

using engine::Index;
using engine::Vec3d;
using neighbour_build::GridStride;

constexpr unsigned threads = neighbour_build::threads;
constexpr int slice = 32;               ///< grains of a warp, whose lists are interleaved
constexpr std::uint8_t no_level = 255;  ///< level of bodies that are not grains

/// Per-grain data, packed into one aligned load each.
template <class Real>
struct alignas(4 * sizeof(Real)) GrainPosition {
  Real x, y, z, radius;
};
template <class Real>
struct alignas(4 * sizeof(Real)) GrainMotion {
  Real vx, vy, vz, mass;
};
template <class Real>
struct alignas(4 * sizeof(Real)) GrainSpin {
  Real wx, wy, wz;
  std::uint32_t id;
};

/// A spring in two parts: linear contacts without rolling resistance store the head only.
template <class Real>
struct alignas(4 * sizeof(Real)) SpringHead {
  Real x, y, z;       ///< tangential
  std::uint32_t key;  ///< the partner's key
};
template <class Real>
struct alignas(4 * sizeof(Real)) SpringTail {
  Real x, y, z;  ///< rolling
  Real stiffness;
};

/// ContactControl block shared by the kernels and the host.
struct ContactControl {
  std::uint32_t moved;   ///< a grain has moved more than half the skin
  std::uint32_t stale;   ///< the lists must be rebuilt
  std::uint32_t parity;  ///< index of the current spring buffer
  std::uint32_t wrote;   ///< the last evaluation wrote the other buffer; swap at the next one
  std::uint32_t builds;  ///< list builds so far
  std::uint32_t most_obstacles;  ///< touched by one grain whose spring slots overflowed
  unsigned long long rows;       ///< required by the lists of all slices
  unsigned long long pairs;      ///< directed pairs in the lists
  double h;                      ///< time by which springs are advanced
  neighbour_build::Bounds bounds;
  int levels;                           ///< levels of grain size, each with its own grid
  double largest[most_contact_levels];  ///< grain radius [length]
  std::int64_t most_cells[most_contact_levels];
  /// Excess occupancy of sparse grids, two's complement.
  unsigned long long excess[most_contact_levels];
  int first_cell[most_contact_levels + 1];  ///< [levels]: bucket of bodies that are not grains
  CellLayout cells[most_contact_levels];
};

/// One buffer of springs. Those of a body start at `first` with stride `slice`.
template <class Real>
struct Springs {
  SpringHead<Real>* head;
  SpringTail<Real>* tail;
  std::uint32_t* first;  ///< first spring of each body
  std::int32_t* count;   ///< number of springs of each body
};

/// The force that an obstacle exerts on a grain.
template <class Real>
struct ObstacleLoad {
  Vec3<Real> force, torque;  ///< beside that of the force [force], [force length]
  Vec3<Real> from;           ///< where they touch, relative to the pivot [length]
  std::int32_t obstacle;
};

/// Columns of the grains' fields, by body index.
template <class Real>
struct GrainColumns {
  const Real* radius;
  VectorColumns<Real> spin, spin_rate, image;
};

/// Arguments of all kernels.
///
/// Lists are in sliced ELLPACK format: neighbour k of slot p is neighbour[(row[p / 32] + k) * 32 +
/// p % 32]. Springs likewise, with `obstacle_slots` more rows per slice.
template <class Real>
struct Work {
  StateView<Real> s;
  GrainColumns<Real> grains;
  Domain domain;
  bool open;                   ///< some axis is open
  Real length[3], inverse[3];  ///< lengths of periodic axes and inverses; 0 along others
  Real squared_half_skin;      ///< (skin / 2)^2: larger squared displacements cause a rebuild
  double skin;
  Index most_cells;  ///< sum over all levels
  const StepClock* clock;
  DeviceRecord* record;
  double elapsed_fraction;
  ContactControl* control;
  const std::uint8_t* level;                      ///< level of each body; no_level: not a grain
  std::int32_t *counts, *chunks, *start, *next;   ///< indexed by cell
  std::int32_t *cell, *slot, *scattered, *index;  ///< indexed by body, body, unsorted slot, slot
  Real* list_origin[3];                           ///< positions at the last build, by body index
  GrainPosition<Real>* position;                  ///< indexed by slot, like the next three
  GrainMotion<Real>* motion;
  GrainSpin<Real>* spin;
  std::int32_t* neighbours;   ///< their number
  std::int32_t *width, *row;  ///< indexed by slice
  std::int32_t* neighbour;
  Index rows;  ///< capacity
  int obstacle_slots;
  Springs<Real> springs[2];
  DeviceObstacleView<Real> obstacles;
  /// Forces of obstacles on grains, `obstacle_slots` by grain: that of touched obstacle k of slot p
  /// is loads[k * count + p]. Null without solids.
  ObstacleLoad<Real>* loads;
  std::int32_t* load_count;               ///< touched obstacles, by slot
  const ContactLaw<Real>* laws;           ///< kinds x kinds
  const ContactLaw<Real>* obstacle_laws;  ///< kinds x obstacles
  int kinds;                              ///< kinds of material: 1, or one per species
  ExemptPairs exempt;

  MOTE_HOST_DEVICE int slices() const { return static_cast<int>((s.count + slice - 1) / slice); }
};

/// Wraps a grain's position into the domain. Returns whether it has moved more than half the skin.
template <class Real>
__device__ __forceinline__ bool wrap_position(const Work<Real>& w, Index i) {
  if (w.level[i] == no_level) return false;
  Real* const x[3] = {w.s.x, w.s.y, w.s.z};
  Real squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    Real position = x[axis][i];
    if (w.domain.periodic[axis] && isfinite(position)) {
      const Wrapped<Real> inside = wrapped(position, neighbour_build::along(w.domain.low, axis),
                                           neighbour_build::along(w.domain.length, axis));
      if (inside.position != position) {
        x[axis][i] = position = inside.position;
        w.grains.image[axis][i] += inside.lengths;
      }
    }
    const Real d =
        nearest_image(position - w.list_origin[axis][i], w.length[axis], w.inverse[axis]);
    squared += d * d;
  }
  return !(squared <= w.squared_half_skin);
}

template <class Real>
__device__ __forceinline__ void pack(const Work<Real>& w, Index i) {
  const StateView<Real>& s = w.s;
  const std::int32_t p = w.slot[i];
  // A negative radius marks a body that is not a grain.
  w.position[p] = {s.x[i], s.y[i], s.z[i], w.level[i] == no_level ? Real(-1) : w.grains.radius[i]};
  w.motion[p] = {s.vx[i], s.vy[i], s.vz[i], s.mass[i]};
  w.spin[p] = {w.grains.spin[0][i], w.grains.spin[1][i], w.grains.spin[2][i], s.id[i]};
}

/// Records the list origins and the bounds along open axes; clears the cell counts.
template <class Real>
__device__ void record_positions(const Work<Real>& w, GridStride loop) {
  const StateView<Real>& s = w.s;
  for (Index c = loop.first; c < w.most_cells; c += loop.stride) w.counts[c] = 0;
  const Real* const x[3] = {s.x, s.y, s.z};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (Index i = loop.first; i < s.count; i += loop.stride)
    for (int axis = 0; axis < 3; ++axis) {
      const Real position = x[axis][i];
      w.list_origin[axis][i] = position;
      if (w.level[i] != no_level) neighbour_build::extend_bounds(low[axis], high[axis], position);
    }
  if (w.open) neighbour_build::reduce_bounds(w.control->bounds, low, high);
}

/// Numbers the buckets of all levels consecutively.
inline __device__ void number_buckets(ContactControl& c) {
  int first = 0;
  for (int k = 0; k < c.levels; ++k) {
    c.first_cell[k] = first;
    first += c.cells[k].buckets;
  }
  c.first_cell[c.levels] = first;
}

/// Lays out the uniform grids of all levels. Runs on one thread.
template <class Real>
__device__ void lay_out_grids(const Work<Real>& w) {
  ContactControl& c = *w.control;
  Vec3d low, high;
  neighbour_build::read_and_reset_bounds(c.bounds, low, high);
  for (int k = 0; k < c.levels; ++k) {
    c.cells[k] = layout_cells(w.domain, low, high, 2 * c.largest[k] + w.skin, c.most_cells[k]);
    c.excess[k] = 0;
  }
  number_buckets(c);
}

template <class Real>
__device__ void count_grains(const Work<Real>& w, GridStride loop) {
  neighbour_build::for_each_warp_uniform(w.s.count, loop, [&](Index i, bool inside) {
    std::int32_t here = -1;
    if (inside) {
      const int level = w.level[i];
      here = w.control->first_cell[w.control->levels];  // bucket of bodies that are not grains
      if (level != no_level) {
        const CellLayout& grid = w.control->cells[level];
        const Vec3d image{image_within(grid, 0, w.s.x[i]), image_within(grid, 1, w.s.y[i]),
                          image_within(grid, 2, w.s.z[i])};
        here = w.control->first_cell[level] + bucket_of(grid, cell_of(grid, image));
      }
      w.cell[i] = here;
    }
    neighbour_build::count_aggregated(w.counts, here);
  });
}

/// Switches sparse levels with overfull cells to a hashed grid, and then counts again.
template <class Real>
__device__ void hash_dense_levels(const Work<Real>& w, const cooperative_groups::grid_group& grid,
                                  GridStride loop) {
  ContactControl& c = *w.control;
  bool sparse = false;
  for (int k = 0; k < c.levels; ++k) {
    if (!c.cells[k].sparse) continue;
    sparse = true;
    neighbour_build::add_excess_occupancy(w.counts, c.first_cell[k], c.first_cell[k + 1], loop,
                                          c.excess[k]);
  }
  if (!sparse) return;
  grid.sync();
  bool dense = false;
  for (int k = 0; k < c.levels; ++k) dense = dense || static_cast<long long>(c.excess[k]) > 0;
  if (!dense) return;
  for (Index k = loop.first; k < w.most_cells; k += loop.stride) w.counts[k] = 0;
  if (loop.first == 0) {
    for (int k = 0; k < c.levels; ++k)
      if (static_cast<long long>(c.excess[k]) > 0)
        c.cells[k] = hashed_cells(w.domain, 2 * c.largest[k] + w.skin, c.most_cells[k]);
    number_buckets(c);
  }
  grid.sync();
  count_grains(w, loop);
  grid.sync();
}

/// Sorts each cell by body index. Bodies that are not grains stay unsorted: nothing depends on
/// their order.
template <class Real>
__device__ void sort_cells(const Work<Real>& w, GridStride loop) {
  for (Index k = loop.first; k < w.s.count; k += loop.stride) {
    const std::int32_t i = w.scattered[k];
    const std::int32_t slot = w.level[i] == no_level ? static_cast<std::int32_t>(k)
                                                     : neighbour_build::slot_within_cell(
                                                           w.start, w.scattered, w.cell[i], i);
    w.index[slot] = i;
    w.slot[i] = slot;
    pack(w, i);
  }
}

/// Calls use(q) for the slots of all grains within contact distance plus skin, in any order.
template <class Real, class Use>
__device__ __forceinline__ void for_each_candidate(const Work<Real>& w, Index p, Use&& use) {
  const ContactControl& c = *w.control;
  const GrainPosition<Real> own = w.position[p];
  if (own.radius < 0 || !isfinite(own.x) || !isfinite(own.y) || !isfinite(own.z)) return;
  const auto skin = static_cast<Real>(w.skin);
  for (int k = 0; k < c.levels; ++k) {
    // The factor covers the additional round-off of shifted positions.
    const double range = (static_cast<double>(own.radius) + c.largest[k] + w.skin) * (1 + 1e-6);
    const CellLayout& grid = c.cells[k];
    const Vec3d image{image_within(grid, 0, own.x), image_within(grid, 1, own.y),
                      image_within(grid, 2, own.z)};
    for_each_run_within(grid, w.start + c.first_cell[k], image, range,
                        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
                          const Real x = own.x - static_cast<Real>(shift.x),
                                     y = own.y - static_cast<Real>(shift.y),
                                     z = own.z - static_cast<Real>(shift.z);
                          for (std::int32_t q = begin; q < end; ++q) {
                            const GrainPosition<Real> other = w.position[q];
                            const Real dx = other.x - x, dy = other.y - y, dz = other.z - z,
                                       cutoff = own.radius + other.radius + skin;
                            if (dx * dx + dy * dy + dz * dz < cutoff * cutoff && q != p) use(q);
                          }
                        });
  }
}

/// Counts neighbours. The width of a slice is its longest list.
template <class Real>
__device__ void count_neighbours(const Work<Real>& w, GridStride loop) {
  unsigned long long all = 0;
  const Index padded = static_cast<Index>(w.slices()) * slice;
  for (Index p = loop.first; p < padded; p += loop.stride) {
    int found = 0;
    if (p < w.s.count) {
      for_each_candidate(w, p, [&](std::int32_t) { ++found; });
      w.neighbours[p] = found;
    }
    all += static_cast<unsigned>(found);
    for (int distance = 16; distance > 0; distance /= 2) {
      const int other = __shfl_xor_sync(engine::all_lanes, found, distance);
      found = found > other ? found : other;
    }
    if (p % slice == 0) w.width[p / slice] = found;
  }
  if (all != 0) atomicAdd(&w.control->pairs, all);
}

/// Builds the lists, sorted by id: the order in which contacts are summed.
template <class Real>
__device__ void build_lists(const Work<Real>& w, GridStride loop) {
  for (Index p = loop.first; p < w.s.count; p += loop.stride) {
    std::int32_t* const list =
        w.neighbour + static_cast<Index>(w.row[p / slice]) * slice + p % slice;
    int count = 0;
    for_each_candidate(w, p,
                       [&](std::int32_t q) { list[slice * static_cast<Index>(count++)] = q; });
    // Shell sort (1959, Commun. ACM 2, 30), gaps of Knuth. Lists are short, except those of
    // large grains among small ones.
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
      for (int k = gap; k < count; ++k) {
        const std::int32_t q = list[slice * static_cast<Index>(k)];
        const std::uint32_t id = w.spin[q].id;
        int at = k;
        for (; at >= gap; at -= gap) {
          const std::int32_t before = list[slice * static_cast<Index>(at - gap)];
          if (w.spin[before].id <= id) break;
          list[slice * static_cast<Index>(at)] = before;
        }
        list[slice * static_cast<Index>(at)] = q;
      }
  }
}

/// Sets the time step of springs; swaps the spring buffers if the last evaluation wrote one. Runs
/// on one thread.
template <class Real>
__device__ void begin_evaluation(const Work<Real>& w) {
  ContactControl& c = *w.control;
  if (c.wrote != 0) c.parity ^= 1u;
  c.h = w.elapsed_fraction > 0 ? w.clock->dt : 0;
  c.wrote = c.h > 0 ? 1 : 0;
}

template <class Real>
__global__ void __launch_bounds__(threads, 4) prepare(Work<Real> w) {
  const auto grid = cooperative_groups::this_grid();
  auto* const warps = engine::shared_memory<int>();
  if (w.record->stalled != 0 || w.record->halted != 0) return;
  const GridStride loop{static_cast<Index>(blockIdx.x) * threads + threadIdx.x,
                        static_cast<Index>(gridDim.x) * threads};
  if (loop.first == 0) begin_evaluation(w);
  const double time =
      time_at(*w.clock, static_cast<std::int64_t>(w.record->steps), w.elapsed_fraction);
  for (Index k = loop.first; k < w.obstacles.count; k += loop.stride)
    w.obstacles.move(static_cast<int>(k), time);
  const bool stale = w.control->stale != 0;
  bool moved = false;
  for (Index i = loop.first; i < w.s.count; i += loop.stride) {
    moved = wrap_position(w, i) || moved;
    if (!stale) pack(w, i);
  }
  if (__syncthreads_or(moved) && threadIdx.x == 0) w.control->moved = 1;
  grid.sync();
  if (!stale && w.control->moved == 0) return;
  record_positions(w, loop);
  grid.sync();
  ContactControl& c = *w.control;
  if (loop.first == 0) {
    c.moved = c.stale = 0;
    c.pairs = 0;
    ++c.builds;
    lay_out_grids(w);
  }
  grid.sync();
  count_grains(w, loop);
  grid.sync();
  hash_dense_levels(w, grid, loop);
  const int cells = c.first_cell[c.levels] + 1;
  neighbour_build::sum_chunks(w.counts, cells, w.chunks, warps);
  grid.sync();
  neighbour_build::scan_chunks(w.counts, cells, w.chunks, warps, w.start, w.next);
  grid.sync();
  neighbour_build::scatter(w.cell, w.next, w.scattered, w.s.count, loop);
  grid.sync();
  sort_cells(w, loop);
  grid.sync();
  count_neighbours(w, loop);
  grid.sync();
  neighbour_build::sum_chunks(w.width, w.slices(), w.chunks, warps);
  grid.sync();
  neighbour_build::scan_chunks(w.width, w.slices(), w.chunks, warps, w.row, nullptr);
  grid.sync();
  const auto rows = static_cast<Index>(w.row[w.slices()]);
  if (loop.first == 0) c.rows = static_cast<unsigned long long>(rows);
  if (rows <= w.rows)
    build_lists(w, loop);
  else if (loop.first == 0)
    c.stale = 1, w.record->stalled = 1;
}

}  // namespace mote::sim::contact_kernels
