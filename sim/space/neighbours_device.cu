#include "sim/space/neighbours_device.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/algo/warp.cuh"
#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/space/image_formula.h"
#include "sim/space/neighbours.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;
using engine::Vec3d;

constexpr unsigned threads = 256;
/// Blocks of kernels that often find nothing to do: enough to fill a GPU, few enough to end at once.
constexpr unsigned most_blocks = 2048;
/// Cells of one block of the scan.
constexpr int scan_chunk = 2048;
/// Lanes that list the neighbours of a place together.
constexpr int listing_lanes = 8;

/// What kernels tell each other.
struct Control {
  std::uint32_t moved;  ///< a body has used up its part of the skin
  std::uint32_t stale;  ///< the lists are not those of the places last listed
  std::uint32_t done;   ///< blocks of the last kernel that have ended
  std::uint32_t listings, most;
  unsigned long long all;
  long long low[3], high[3];  ///< bounds of open axes, as whole numbers in the order of the doubles
  CellLayout cells;
};

__device__ __forceinline__ bool due(const Control* control) {
  return (control->moved | control->stale) != 0;
}

/// Whole numbers in the order of doubles.
__device__ __forceinline__ long long ordered(double value) {
  const long long bits = __double_as_longlong(value);
  return bits >= 0 ? bits : bits ^ 0x7fffffffffffffffll;
}
__device__ __forceinline__ double unordered(long long key) {
  return __longlong_as_double(key >= 0 ? key : key ^ 0x7fffffffffffffffll);
}

/// A domain in kernels.
struct Box {
  double low[3], length[3];
  bool periodic[3], walled[3];
};

Box box_of(const Domain& domain) {
  Box box{{domain.low.x, domain.low.y, domain.low.z},
          {domain.length.x, domain.length.y, domain.length.z},
          {},
          {}};
  for (int axis = 0; axis < 3; ++axis)
    box.periodic[axis] = domain.periodic[axis], box.walled[axis] = domain.walled[axis];
  return box;
}

template <class Real>
__device__ __forceinline__ Real* listed_of(const StateView<Real>& s, int axis) {
  return s.extra[static_cast<int>(Extra::listed_x) + axis];
}

/// Throws bodies back from walls, and looks whether one has used up its part of the skin.
template <class Real>
__global__ void __launch_bounds__(threads) look(StateView<Real> s, Box box, Real limit, Control* control) {
  const Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  bool moved = false;
  if (i < s.count) {
    Real* const x[3] = {s.x, s.y, s.z};
    Real* const v[3] = {s.vx, s.vy, s.vz};
    Real squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      Real place = x[axis][i];
      if (box.walled[axis]) {
        const Bounced<Real> b = bounced(place, v[axis][i], static_cast<Real>(box.low[axis]),
                                        static_cast<Real>(box.low[axis] + box.length[axis]));
        if (b.place != place) x[axis][i] = b.place, v[axis][i] = b.velocity;
        place = b.place;
      }
      const Real d = place - listed_of(s, axis)[i];
      squared += d * d;
    }
    moved = !(squared <= limit);
  }
  if (__syncthreads_or(moved) && threadIdx.x == 0) control->moved = 1;
}

/// Brings bodies back into the domain and notes where they are; clears the counts of cells.
template <class Real>
__global__ void __launch_bounds__(threads)
    note_places(StateView<Real> s, Box box, bool open, std::int32_t* counts, Index cells, Control* control) {
  if (!due(control)) return;
  const Index stride = static_cast<Index>(gridDim.x) * threads,
              first = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  for (Index c = first; c < cells; c += stride) counts[c] = 0;
  if (first == 0) control->most = 0, control->all = 0;
  const bool moved = control->moved != 0;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  Real* const x[3] = {s.x, s.y, s.z};
  for (Index i = first; i < s.count; i += stride)
    for (int axis = 0; axis < 3; ++axis) {
      Real place = x[axis][i];
      if (moved) {
        if (box.periodic[axis]) {
          const Wrapped<Real> w = wrapped(place, box.low[axis], box.length[axis]);
          if (w.lengths != 0) {
            x[axis][i] = place = w.place;
            s.extra[static_cast<int>(Extra::image_x) + axis][i] += w.lengths;
          }
        }
        listed_of(s, axis)[i] = place;
      } else {
        place = listed_of(s, axis)[i];
      }
      if (isfinite(place)) {
        low[axis] = fmin(low[axis], static_cast<double>(place));
        high[axis] = fmax(high[axis], static_cast<double>(place));
      }
    }
  if (!open) return;
  for (int axis = 0; axis < 3; ++axis) {
    for (int distance = 16; distance > 0; distance /= 2) {
      low[axis] = fmin(low[axis], __shfl_xor_sync(engine::whole_warp, low[axis], distance));
      high[axis] = fmax(high[axis], __shfl_xor_sync(engine::whole_warp, high[axis], distance));
    }
    if (threadIdx.x % 32 != 0) continue;
    atomicMin(&control->low[axis], ordered(low[axis]));
    atomicMax(&control->high[axis], ordered(high[axis]));
  }
}

/// The grid of a domain that is open somewhere.
__global__ void lay_out(Domain domain, double reach, std::int64_t most_cells, Control* control) {
  if (!due(control)) return;
  double low[3], high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = unordered(control->low[axis]), high[axis] = unordered(control->high[axis]);
    control->low[axis] = ordered(INFINITY), control->high[axis] = ordered(-INFINITY);
  }
  control->cells =
      layout_cells(domain, {low[0], low[1], low[2]}, {high[0], high[1], high[2]}, reach, most_cells);
}

template <class Real>
__global__ void __launch_bounds__(threads)
    count_bodies(StateView<Real> s, const Control* control, std::int32_t* cell, std::int32_t* counts) {
  if (!due(control)) return;
  const CellLayout grid = control->cells;
  const Index stride = static_cast<Index>(gridDim.x) * threads;
  for (Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; i < s.count; i += stride) {
    const Vec3d image{image_within(grid, 0, listed_of(s, 0)[i]), image_within(grid, 1, listed_of(s, 1)[i]),
                      image_within(grid, 2, listed_of(s, 2)[i])};
    const int here = cell_of(grid, image);
    cell[i] = here;
    atomicAdd(&counts[here], 1);
  }
}

/// Sums of chunks of cells.
__global__ void __launch_bounds__(threads)
    sum_chunks(const Control* control, const std::int32_t* counts, std::int32_t* chunks) {
  if (!due(control)) return;
  const int cells = control->cells.cells();
  for (int chunk = static_cast<int>(blockIdx.x); chunk * scan_chunk < cells;
       chunk += static_cast<int>(gridDim.x)) {
    int sum = 0;
    for (int c = chunk * scan_chunk + static_cast<int>(threadIdx.x);
         c < (chunk + 1) * scan_chunk && c < cells; c += threads)
      sum += counts[c];
    for (int distance = 16; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(engine::whole_warp, sum, distance);
    auto* const warps = engine::shared_memory<int>();
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (unsigned w = 1; w < threads / 32; ++w) sum += warps[w];
      chunks[chunk] = sum;
    }
  }
}

/// The sum over the block of what threads before have, in the order of the threads.
__device__ int before_in_block(int value, int* warps) {
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

/// From counts to first places. Each block adds up the chunks before its own.
__global__ void __launch_bounds__(threads)
    scan_cells(const Control* control, const std::int32_t* counts, const std::int32_t* chunks,
               std::int32_t* start, std::int32_t* next, std::int32_t bodies) {
  if (!due(control)) return;
  constexpr int own = scan_chunk / static_cast<int>(threads);
  auto* const warps = engine::shared_memory<int>();
  const int cells = control->cells.cells();
  if (blockIdx.x == 0 && threadIdx.x == 0) start[cells] = bodies;
  for (int chunk = static_cast<int>(blockIdx.x); chunk * scan_chunk < cells;
       chunk += static_cast<int>(gridDim.x)) {
    int above = 0;
    for (int c = static_cast<int>(threadIdx.x); c < chunk; c += threads) above += chunks[c];
    for (int distance = 16; distance > 0; distance /= 2)
      above += __shfl_xor_sync(engine::whole_warp, above, distance);
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = above;
    __syncthreads();
    above = 0;
    for (unsigned w = 0; w < threads / 32; ++w) above += warps[w];
    const int first = chunk * scan_chunk + static_cast<int>(threadIdx.x) * own;
    int values[own], sum = 0;
    for (int k = 0; k < own; ++k) sum += values[k] = first + k < cells ? counts[first + k] : 0;
    int place = above + before_in_block(sum, warps);
    for (int k = 0; k < own; ++k) {
      if (first + k < cells) start[first + k] = next[first + k] = place;
      place += values[k];
    }
  }
}

__global__ void __launch_bounds__(threads)
    scatter(Index count, const Control* control, const std::int32_t* cell, std::int32_t* next,
            std::int32_t* to) {
  if (!due(control)) return;
  const Index stride = static_cast<Index>(gridDim.x) * threads;
  for (Index i = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; i < count; i += stride)
    to[atomicAdd(&next[cell[i]], 1)] = static_cast<std::int32_t>(i);
}

/// Within a cell in the order of the columns: a place is the number of bodies of the cell in columns before.
template <class Real>
__global__ void __launch_bounds__(threads)
    order_cells(StateView<Real> s, const Control* control, const std::int32_t* cell,
                const std::int32_t* start, const std::int32_t* scattered, std::int32_t* column,
                PlaceOf<Real>* listed) {
  if (!due(control)) return;
  const Index stride = static_cast<Index>(gridDim.x) * threads;
  for (Index k = static_cast<Index>(blockIdx.x) * threads + threadIdx.x; k < s.count; k += stride) {
    const std::int32_t i = scattered[k];
    const std::int32_t begin = start[cell[i]], end = start[cell[i] + 1];
    std::int32_t place = begin;
    for (std::int32_t other = begin; other < end; ++other) place += scattered[other] < i ? 1 : 0;
    column[place] = i;
    listed[place] = {listed_of(s, 0)[i], listed_of(s, 1)[i], listed_of(s, 2)[i], 0};
  }
}

template <class Real>
__global__ void __launch_bounds__(threads)
    take_places(StateView<Real> s, const std::int32_t* column, PlaceOf<Real>* place) {
  const Index p = static_cast<Index>(blockIdx.x) * threads + threadIdx.x;
  if (p >= s.count) return;
  const std::int32_t i = column[p];
  place[p] = {s.x[i], s.y[i], s.z[i], s.species ? s.species[i] : 0};
}

/// Whether images of bodies may be among the neighbours of a cell's.
__device__ __forceinline__ bool is_at_border(const CellLayout& grid, int cell) {
  const int along[3] = {cell % grid.count[0], cell / grid.count[0] % grid.count[1],
                        cell / grid.count[0] / grid.count[1]};
  bool border = false;
  for (int axis = 0; axis < 3; ++axis)
    border = border || (grid.periodic[axis] && (along[axis] == 0 || along[axis] == grid.count[axis] - 1));
  return border;
}

/// Lanes of a group look at candidates side by side and keep those within reach in their order.
template <class Real>
__global__ void __launch_bounds__(threads)
    list_neighbours(DeviceNeighbourView<Real> near, std::int32_t* neighbours, std::int32_t* neighbour,
                    Control* control) {
  if (!due(control)) return;
  const int lane = static_cast<int>(threadIdx.x) % listing_lanes;
  const unsigned shift_of_group = threadIdx.x % 32 / listing_lanes * listing_lanes;
  const unsigned group = ((1u << listing_lanes) - 1) << shift_of_group;
  const Index stride = static_cast<Index>(gridDim.x) * (threads / listing_lanes);
  unsigned most = 0;
  unsigned long long all = 0;
  for (Index p = (static_cast<Index>(blockIdx.x) * threads + threadIdx.x) / listing_lanes; p < near.count;
       p += stride) {
    const PlaceOf<Real> own = near.listed[p];
    const int cell = near.cell[near.column[p]];
    std::int32_t found = 0;
    for_each_neighbour_run(
        *near.cells, near.start, cell, [&](std::int32_t begin, std::int32_t end, Vec3d shift) {
          const Real x = own.x - static_cast<Real>(shift.x), y = own.y - static_cast<Real>(shift.y),
                     z = own.z - static_cast<Real>(shift.z);
          for (std::int32_t first = begin; first < end; first += listing_lanes) {
            const std::int32_t q = first + lane;
            bool within = false;
            if (q < end) {
              const PlaceOf<Real> other = near.listed[q];
              const Real dx = other.x - x, dy = other.y - y, dz = other.z - z;
              within = q != p && dx * dx + dy * dy + dz * dz < near.squared_reach;
            }
            const unsigned votes = __ballot_sync(group, within) >> shift_of_group;
            const std::int32_t k = found + __popc(votes & ((1u << lane) - 1));
            if (within && k < near.capacity)
              neighbour[(static_cast<Index>(k / near.lanes) * near.count + p) * near.lanes + k % near.lanes] =
                  q;
            found += __popc(votes & ((1u << listing_lanes) - 1));
          }
        });
    if (lane == 0) {
      neighbours[p] = found | (is_at_border(*near.cells, cell) ? at_border : 0);
      most = most > static_cast<unsigned>(found) ? most : static_cast<unsigned>(found);
      all += static_cast<unsigned>(found);
    }
  }
  if (lane == 0 && all > 0) {
    atomicMax(&control->most, most);
    atomicAdd(&control->all, all);
  }
  // Whoever ends last takes the reasons back; nobody else looks at them any more.
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0 || atomicAdd(&control->done, 1u) != gridDim.x - 1) return;
  control->done = control->moved = control->stale = 0;
  ++control->listings;
}

unsigned blocks_for(Index count, Index per_block = threads) {
  return static_cast<unsigned>(std::max<Index>(1, (count + per_block - 1) / per_block));
}
unsigned few_blocks_for(Index count, Index per_block = threads) {
  return std::min(blocks_for(count, per_block), most_blocks);
}

/// Threads a body that fill a GPU of 132 multiprocessors with about two warps for each of its schedulers.
int lanes_for(Index count) {
  return count >= 200'000 ? 1 : count >= 100'000 ? 2 : count >= 40'000 ? 4 : 8;
}

std::int64_t most_cells_for(Index count) {
  return std::max<std::int64_t>(64, 2 * count);
}

/// Neighbours that a place has room for before anybody was counted: those of a dense liquid.
constexpr std::int32_t first_capacity = 96;

}  // namespace

struct DeviceNeighbours::Memory {
  Memory(Index count, Index most_cells)
      : control(1),
        column(count),
        cell(count),
        scattered(count),
        neighbours(count),
        start(most_cells + 1),
        next(most_cells),
        counts(most_cells),
        chunks(most_cells / scan_chunk + 1) {}
  engine::Buffer<Control, Device> control;
  engine::Buffer<std::int32_t, Device> column, cell, scattered, neighbours, start, next, counts, chunks,
      neighbour;
  std::int32_t capacity = 0;
};

template <class Real>
struct DeviceNeighbours::Places {
  explicit Places(Index count) : now(count), listed(count) {}
  engine::Buffer<PlaceOf<Real>, Device> now, listed;
};

DeviceNeighbours::DeviceNeighbours(const Cuda& exec, const Domain& domain, double reach, double skin,
                                   Index count, engine::Precision precision, int lanes)
    : domain_(domain),
      reach_(reach),
      skin_(skin),
      count_(count),
      precision_(precision),
      lanes_(lanes == 0 ? lanes_for(count) : lanes),
      memory_(std::make_unique<Memory>(count, most_cells_for(count))) {
  MOTE_EXPECT(lanes_ == 1 || lanes_ == 2 || lanes_ == 4 || lanes_ == 8);
  if (precision == engine::Precision::single)
    single_ = std::make_unique<Places<float>>(count);
  else
    full_ = std::make_unique<Places<double>>(count);
  reserve(first_capacity);
  Control control{};
  control.stale = 1;
  control.cells = layout_cells(domain, {}, {}, reach + skin, most_cells_for(count));
  constexpr double far = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    // As the kernels order them: infinity, and minus infinity.
    std::memcpy(&control.low[axis], &far, sizeof far);
    control.high[axis] = ~control.low[axis];
  }
  engine::copy_to_device(memory_->control.data(), &control, 1, exec.stream);
  engine::wait(exec);
}

DeviceNeighbours::~DeviceNeighbours() = default;

void DeviceNeighbours::reserve(std::int32_t capacity) {
  memory_->capacity = (capacity + 7) / 8 * 8;
  memory_->neighbour = {};
  memory_->neighbour = engine::Buffer<std::int32_t, Device>(count_ * memory_->capacity);
}

std::uint64_t DeviceNeighbours::device_bytes(Index count, engine::Precision precision) {
  const std::uint64_t place =
      precision == engine::Precision::single ? sizeof(PlaceOf<float>) : sizeof(PlaceOf<double>);
  // One capacity more than the first: places of a dense state have more.
  return static_cast<std::uint64_t>(count) * (2 * place + (4 + 2 * first_capacity) * sizeof(std::int32_t)) +
         static_cast<std::uint64_t>(most_cells_for(count)) * 3 * sizeof(std::int32_t);
}

void DeviceNeighbours::forget(const Cuda& exec) {
  constexpr std::uint32_t yes = 1;
  engine::copy_to_device(&memory_->control.data()->stale, &yes, 1, exec.stream);
}

template <class Real>
DeviceNeighbourView<Real> DeviceNeighbours::view() const {
  const Places<Real>* places;
  if constexpr (std::is_same_v<Real, float>)
    places = single_.get();
  else
    places = full_.get();
  const double reach = reach_ + skin_;
  DeviceNeighbourView<Real> view{static_cast<std::int32_t>(count_),
                                 memory_->column.data(),
                                 places->now.data(),
                                 places->listed.data(),
                                 memory_->neighbours.data(),
                                 memory_->neighbour.data(),
                                 memory_->capacity,
                                 lanes_,
                                 {},
                                 {},
                                 static_cast<Real>(reach * reach),
                                 &memory_->control.data()->cells,
                                 memory_->start.data(),
                                 memory_->cell.data()};
  const double lengths[3] = {domain_.length.x, domain_.length.y, domain_.length.z};
  for (int axis = 0; axis < 3; ++axis)
    if (domain_.periodic[axis])
      view.length[axis] = static_cast<Real>(lengths[axis]),
      view.inverse[axis] = static_cast<Real>(1 / lengths[axis]);
  return view;
}
template DeviceNeighbourView<float> DeviceNeighbours::view<float>() const;
template DeviceNeighbourView<double> DeviceNeighbours::view<double>() const;

template <class Real>
void DeviceNeighbours::update_columns(const Cuda& exec, const StateView<Real>& s) {
  if (s.count == 0) return;
  Memory& m = *memory_;
  Control* const control = m.control.data();
  const DeviceNeighbourView<Real> near = view<Real>();
  const Box box = box_of(domain_);
  bool open = false;
  for (int axis = 0; axis < 3; ++axis) open = open || !(domain_.periodic[axis] || domain_.walled[axis]);
  const std::int64_t most_cells = most_cells_for(count_);
  const auto limit = static_cast<Real>(0.25 * skin_ * skin_);
  const unsigned few = few_blocks_for(count_);
  constexpr std::size_t warps = threads / 32 * sizeof(int);
  const unsigned scans = std::min(few_blocks_for(most_cells, scan_chunk), few);
  engine::launch(exec, {blocks_for(count_), threads}, look<Real>, s, box, limit, control);
  engine::launch(exec, {few, threads}, note_places<Real>, s, box, open, m.counts.data(), m.counts.size(),
                 control);
  if (open) engine::launch(exec, {1, 1}, lay_out, domain_, reach_ + skin_, most_cells, control);
  engine::launch(exec, {few, threads}, count_bodies<Real>, s, control, m.cell.data(), m.counts.data());
  engine::launch(exec, {scans, threads, warps}, sum_chunks, control, m.counts.data(), m.chunks.data());
  engine::launch(exec, {scans, threads, warps}, scan_cells, control, m.counts.data(), m.chunks.data(),
                 m.start.data(), m.next.data(), static_cast<std::int32_t>(count_));
  engine::launch(exec, {few, threads}, scatter, count_, control, m.cell.data(), m.next.data(),
                 m.scattered.data());
  PlaceOf<Real>* listed;
  PlaceOf<Real>* now;
  if constexpr (std::is_same_v<Real, float>)
    listed = single_->listed.data(), now = single_->now.data();
  else
    listed = full_->listed.data(), now = full_->now.data();
  engine::launch(exec, {few, threads}, order_cells<Real>, s, control, m.cell.data(), m.start.data(),
                 m.scattered.data(), m.column.data(), listed);
  engine::launch(exec, {blocks_for(count_), threads}, take_places<Real>, s, m.column.data(), now);
  engine::launch(exec, {few_blocks_for(count_, threads / listing_lanes), threads}, list_neighbours<Real>,
                 near, m.neighbours.data(), m.neighbour.data(), control);
}

void DeviceNeighbours::update(const Cuda& exec, State<Device>& state) {
  MOTE_EXPECT(state.count() == count_ && state.precision() == precision_);
  state.visit([&](const auto& s) { update_columns(exec, s); });
}

DeviceNeighbours::Account DeviceNeighbours::account(const Cuda& exec) const {
  Control control;
  engine::copy_to_host(&control, memory_->control.data(), 1, exec.stream);
  engine::wait(exec);
  return {control.listings, control.most, control.all};
}

bool DeviceNeighbours::settle(const Cuda& exec) {
  const Account now = account(exec);
  if (static_cast<std::int32_t>(now.most) <= memory_->capacity) return false;
  // Beyond this walking costs no more than the memory would.
  constexpr std::int32_t largest_capacity = 2048;
  const std::int32_t wanted = std::min(static_cast<std::int32_t>(now.most + now.most / 8), largest_capacity);
  if (wanted <= memory_->capacity) return false;
  reserve(wanted);
  forget(exec);
  return true;
}

}  // namespace mote::sim
