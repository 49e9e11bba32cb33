#pragma once

#include <cooperative_groups.h>

#include "engine/exec/launch.cuh"
#include "sim/contact/contact_device.h"
#include "sim/space/cell_order.cuh"
#include "sim/space/cell_range.h"
#include "sim/space/image_formula.h"
#include "sim/space/obstacles_device.h"

/// Private to DeviceContactForce: what its kernels share, and all that comes before contacts are
/// evaluated, as one kernel whose blocks wait for each other. In most steps it moves obstacles,
/// brings grains back into the domain, looks whether one has moved far enough, and packs grains in
/// the order of cells.
namespace mote::sim::contact_listing {

using engine::Index;
using engine::Vec3d;
using listing::Share;

constexpr unsigned threads = listing::threads;
constexpr int slice = 32;               ///< grains whose lists stand side by side: those of a warp
constexpr std::uint8_t no_level = 255;  ///< of bodies that are no grains

/// What is needed of a grain: side by side, one load each.
template <class Real>
struct alignas(4 * sizeof(Real)) GrainPlace {
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

/// A spring in two halves: linear contacts without rolling resistance have the first one only.
template <class Real>
struct alignas(4 * sizeof(Real)) SpringHead {
  Real x, y, z;       ///< tangential
  std::uint32_t key;  ///< of the partner
};
template <class Real>
struct alignas(4 * sizeof(Real)) SpringTail {
  Real x, y, z;  ///< rolling
  Real stiffness;
};

/// What kernels tell each other and the host.
struct Control {
  std::uint32_t moved;   ///< a grain has used up its part of the skin
  std::uint32_t stale;   ///< the lists are not those of the places last listed
  std::uint32_t parity;  ///< of the buffer whose springs count
  std::uint32_t wrote;  ///< the last evaluation wrote the other one, which counts from the next one
                        ///< on
  std::uint32_t listings;
  std::uint32_t most_obstacles;  ///< that a grain touched, where there was no room for them
  unsigned long long rows;       ///< that the lists of all slices have
  unsigned long long listed;
  double h;  ///< that springs are advanced by
  listing::Bounds bounds;
  int levels;
  double largest[most_contact_levels];
  std::int64_t most_cells[most_contact_levels];
  unsigned long long crowding[most_contact_levels];  ///< of sparse grids (crowding_of); below zero,
                                                     ///< too
  int first_cell[most_contact_levels + 1];
  CellLayout cells[most_contact_levels];
};

/// Springs of one parity, and where those of a column are: the first, the next ones a slice further
/// on each.
template <class Real>
struct Springs {
  SpringHead<Real>* head;
  SpringTail<Real>* tail;
  std::uint32_t* home;  ///< by column
  std::int32_t* held;   ///< by column: how many
};

/// What all kernels work on.
///
/// Neighbour k of place p stands at neighbour[(row[p / 32] + k) * 32 + p % 32]; springs likewise,
/// with `obstacle_places` more rows a slice.
template <class Real>
struct Work {
  StateView<Real> s;
  Domain domain;
  bool open;                   ///< along some axis
  Real length[3], inverse[3];  ///< of periodic axes and one over it, zeros along others
  Real squared_way;            ///< that a grain may go before it is listed anew
  double skin;
  Index most_cells;  ///< of all levels
  const StepClock* clock;
  DeviceRecord* record;
  double passed;
  Control* control;
  const std::uint8_t* level;                        ///< by column; no_level: no grain
  std::int32_t *counts, *chunks, *start, *next;     ///< by cell
  std::int32_t *cell, *place, *scattered, *column;  ///< by column, column, -, place
  Real* listed[3];                                  ///< by column
  GrainPlace<Real>* at;                             ///< by place, as all below
  GrainMotion<Real>* motion;
  GrainSpin<Real>* spin;
  std::int32_t* neighbours;   ///< how many
  std::int32_t *width, *row;  ///< by slice
  std::int32_t* neighbour;
  Index rows;  ///< that there is room for
  int obstacle_places;
  Springs<Real> springs[2];
  DeviceObstacleView<Real> obstacles;
  const ContactLaw<Real>* laws;  ///< of obstacles
  ExemptPairs exempt;

  MOTE_HOST_DEVICE int slices() const { return static_cast<int>((s.count + slice - 1) / slice); }
};

/// Brings a grain back into the domain and says whether it has used up its part of the skin.
template <class Real>
__device__ __forceinline__ bool bring_back(const Work<Real>& w, Index i) {
  if (w.level[i] == no_level) return false;
  Real* const x[3] = {w.s.x, w.s.y, w.s.z};
  Real squared = 0;
  for (int axis = 0; axis < 3; ++axis) {
    Real place = x[axis][i];
    if (w.domain.periodic[axis] && isfinite(place)) {
      const Wrapped<Real> inside =
          wrapped(place, listing::along(w.domain.low, axis), listing::along(w.domain.length, axis));
      if (inside.place != place) {
        x[axis][i] = place = inside.place;
        w.s.extra[static_cast<int>(Extra::image_x) + axis][i] += inside.lengths;
      }
    }
    const Real d = nearest_image(place - w.listed[axis][i], w.length[axis], w.inverse[axis]);
    squared += d * d;
  }
  return !(squared <= w.squared_way);
}

template <class Real>
__device__ __forceinline__ void pack(const Work<Real>& w, Index i) {
  const StateView<Real>& s = w.s;
  const std::int32_t p = w.place[i];
  // A body that is no grain has a radius less than nothing.
  w.at[p] = {s.x[i], s.y[i], s.z[i],
             w.level[i] == no_level ? Real(-1) : s.column(Extra::radius)[i]};
  w.motion[p] = {s.vx[i], s.vy[i], s.vz[i], s.mass[i]};
  w.spin[p] = {s.column(Extra::spin_x)[i], s.column(Extra::spin_y)[i], s.column(Extra::spin_z)[i],
               s.id[i]};
}

/// Notes where grains are, and their bounds along open axes; clears the counts of cells.
template <class Real>
__device__ void note_places(const Work<Real>& w, Share share) {
  const StateView<Real>& s = w.s;
  for (Index c = share.first; c < w.most_cells; c += share.stride) w.counts[c] = 0;
  const Real* const x[3] = {s.x, s.y, s.z};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (Index i = share.first; i < s.count; i += share.stride)
    for (int axis = 0; axis < 3; ++axis) {
      const Real place = x[axis][i];
      w.listed[axis][i] = place;
      if (w.level[i] != no_level) listing::widen(low[axis], high[axis], place);
    }
  if (w.open) listing::note_bounds(w.control->bounds, low, high);
}

/// Numbers the buckets of all levels one after the other.
inline __device__ void number_buckets(Control& c) {
  int first = 0;
  for (int k = 0; k < c.levels; ++k) {
    c.first_cell[k] = first;
    first += c.cells[k].buckets;
  }
  c.first_cell[c.levels] = first;
}

/// The uniform grids of all levels; one thread's work.
template <class Real>
__device__ void lay_out(const Work<Real>& w) {
  Control& c = *w.control;
  Vec3d low, high;
  listing::take_bounds(c.bounds, low, high);
  for (int k = 0; k < c.levels; ++k) {
    c.cells[k] = layout_cells(w.domain, low, high, 2 * c.largest[k] + w.skin, c.most_cells[k]);
    c.crowding[k] = 0;
  }
  number_buckets(c);
}

template <class Real>
__device__ void count_grains(const Work<Real>& w, Share share) {
  listing::for_each_of_warp(w.s.count, share, [&](Index i, bool inside) {
    std::int32_t here = -1;
    if (inside) {
      const int level = w.level[i];
      here = w.control->first_cell[w.control->levels];  // of all that are no grains
      if (level != no_level) {
        const CellLayout& grid = w.control->cells[level];
        const Vec3d image{image_within(grid, 0, w.s.x[i]), image_within(grid, 1, w.s.y[i]),
                          image_within(grid, 2, w.s.z[i])};
        here = w.control->first_cell[level] + bucket_of(grid, cell_of(grid, image));
      }
      w.cell[i] = here;
    }
    listing::count_in(w.counts, here);
  });
}

/// Where many grains share the cells of a sparse level, takes a hashed grid for it and counts all
/// again; ends with all counted.
template <class Real>
__device__ void hash_crowds(const Work<Real>& w, const cooperative_groups::grid_group& grid,
                            Share share) {
  Control& c = *w.control;
  bool sparse = false;
  for (int k = 0; k < c.levels; ++k) {
    if (!c.cells[k].sparse) continue;
    sparse = true;
    listing::add_crowding(w.counts, c.first_cell[k], c.first_cell[k + 1], share, c.crowding[k]);
  }
  if (!sparse) return;
  grid.sync();
  bool crowded = false;
  for (int k = 0; k < c.levels; ++k) crowded = crowded || static_cast<long long>(c.crowding[k]) > 0;
  if (!crowded) return;
  for (Index k = share.first; k < w.most_cells; k += share.stride) w.counts[k] = 0;
  if (share.first == 0) {
    for (int k = 0; k < c.levels; ++k)
      if (static_cast<long long>(c.crowding[k]) > 0)
        c.cells[k] = hashed_cells(w.domain, 2 * c.largest[k] + w.skin, c.most_cells[k]);
    number_buckets(c);
  }
  grid.sync();
  count_grains(w, share);
  grid.sync();
}

/// Within a cell in the order of the columns. Those that are no grains stand as they came: nobody
/// looks at them.
template <class Real>
__device__ void order_cells(const Work<Real>& w, Share share) {
  for (Index k = share.first; k < w.s.count; k += share.stride) {
    const std::int32_t i = w.scattered[k];
    const std::int32_t place = w.level[i] == no_level
                                   ? static_cast<std::int32_t>(k)
                                   : listing::place_within(w.start, w.scattered, w.cell[i], i);
    w.column[place] = i;
    w.place[i] = place;
    pack(w, i);
  }
}

/// Calls use(q) for the places of all that the grain at a place might come to touch, whatever the
/// order.
template <class Real, class Use>
__device__ __forceinline__ void for_each_near(const Work<Real>& w, Index p, Use&& use) {
  const Control& c = *w.control;
  const GrainPlace<Real> own = w.at[p];
  if (own.radius < 0 || !isfinite(own.x) || !isfinite(own.y) || !isfinite(own.z)) return;
  const auto skin = static_cast<Real>(w.skin);
  for (int k = 0; k < c.levels; ++k) {
    // Places are rounded once more where they are shifted.
    const double reach = (static_cast<double>(own.radius) + c.largest[k] + w.skin) * (1 + 1e-6);
    const CellLayout& grid = c.cells[k];
    const Vec3d image{image_within(grid, 0, own.x), image_within(grid, 1, own.y),
                      image_within(grid, 2, own.z)};
    for_each_run_within(grid, w.start + c.first_cell[k], image, reach,
                        [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
                          const Real x = own.x - static_cast<Real>(shift.x),
                                     y = own.y - static_cast<Real>(shift.y),
                                     z = own.z - static_cast<Real>(shift.z);
                          for (std::int32_t q = begin; q < end; ++q) {
                            const GrainPlace<Real> other = w.at[q];
                            const Real dx = other.x - x, dy = other.y - y, dz = other.z - z,
                                       near = own.radius + other.radius + skin;
                            if (dx * dx + dy * dy + dz * dz < near * near && q != p) use(q);
                          }
                        });
  }
}

/// Counts neighbours; the longest list of a slice is the width of all of it.
template <class Real>
__device__ void count_neighbours(const Work<Real>& w, Share share) {
  unsigned long long all = 0;
  const Index padded = static_cast<Index>(w.slices()) * slice;
  for (Index p = share.first; p < padded; p += share.stride) {
    int found = 0;
    if (p < w.s.count) {
      for_each_near(w, p, [&](std::int32_t) { ++found; });
      w.neighbours[p] = found;
    }
    all += static_cast<unsigned>(found);
    for (int distance = 16; distance > 0; distance /= 2) {
      const int other = __shfl_xor_sync(engine::whole_warp, found, distance);
      found = found > other ? found : other;
    }
    if (p % slice == 0) w.width[p / slice] = found;
  }
  if (all != 0) atomicAdd(&w.control->listed, all);
}

/// Lists neighbours in the order of their ids, which contacts are added up in.
template <class Real>
__device__ void list_neighbours(const Work<Real>& w, Share share) {
  for (Index p = share.first; p < w.s.count; p += share.stride) {
    std::int32_t* const list =
        w.neighbour + static_cast<Index>(w.row[p / slice]) * slice + p % slice;
    int count = 0;
    for_each_near(w, p, [&](std::int32_t q) { list[slice * static_cast<Index>(count++)] = q; });
    // Shell 1959, Commun. ACM 2, 30; gaps of Knuth: lists are short but for large grains among
    // small ones.
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

/// One thread's work: the step that springs are advanced by, and whose springs count.
template <class Real>
__device__ void begin(const Work<Real>& w) {
  Control& c = *w.control;
  if (c.wrote != 0) c.parity ^= 1u;
  c.h = w.passed > 0 ? w.clock->dt : 0;
  c.wrote = c.h > 0 ? 1 : 0;
}

template <class Real>
__global__ void __launch_bounds__(threads, 4) prepare(Work<Real> w) {
  const auto grid = cooperative_groups::this_grid();
  auto* const warps = engine::shared_memory<int>();
  if (w.record->stalled != 0 || w.record->halted != 0) return;
  const Share share{static_cast<Index>(blockIdx.x) * threads + threadIdx.x,
                    static_cast<Index>(gridDim.x) * threads};
  if (share.first == 0) begin(w);
  const double time = time_at(*w.clock, static_cast<std::int64_t>(w.record->steps), w.passed);
  for (Index k = share.first; k < w.obstacles.count; k += share.stride)
    w.obstacles.move(static_cast<int>(k), time);
  const bool stale = w.control->stale != 0;
  bool moved = false;
  for (Index i = share.first; i < w.s.count; i += share.stride) {
    moved = bring_back(w, i) || moved;
    if (!stale) pack(w, i);
  }
  if (__syncthreads_or(moved) && threadIdx.x == 0) w.control->moved = 1;
  grid.sync();
  if (!stale && w.control->moved == 0) return;
  note_places(w, share);
  grid.sync();
  Control& c = *w.control;
  if (share.first == 0) {
    c.moved = c.stale = 0;
    c.listed = 0;
    ++c.listings;
    lay_out(w);
  }
  grid.sync();
  count_grains(w, share);
  grid.sync();
  hash_crowds(w, grid, share);
  const int cells = c.first_cell[c.levels] + 1;
  listing::sum_chunks(w.counts, cells, w.chunks, warps);
  grid.sync();
  listing::scan_chunks(w.counts, cells, w.chunks, warps, w.start, w.next);
  grid.sync();
  listing::scatter(w.cell, w.next, w.scattered, w.s.count, share);
  grid.sync();
  order_cells(w, share);
  grid.sync();
  count_neighbours(w, share);
  grid.sync();
  listing::sum_chunks(w.width, w.slices(), w.chunks, warps);
  grid.sync();
  listing::scan_chunks(w.width, w.slices(), w.chunks, warps, w.row, nullptr);
  grid.sync();
  const auto rows = static_cast<Index>(w.row[w.slices()]);
  if (share.first == 0) c.rows = static_cast<unsigned long long>(rows);
  if (rows <= w.rows)
    list_neighbours(w, share);
  else if (share.first == 0)
    c.stale = 1, w.record->stalled = 1;
}

}  // namespace mote::sim::contact_listing
