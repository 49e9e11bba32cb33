#include "sim/space/cells_device.h"

#include <algorithm>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/exec/together.h"
#include "engine/memory/on_device.h"
#include "sim/space/neighbour_build.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

using neighbour_build::BuildControl;
using neighbour_build::BuildTask;
using neighbour_build::GridStride;

/// Stores wrapped positions and their bounds along open axes; clears the cell counts. `selected`:
/// as in DeviceCellView.
template <class Real>
__device__ void store_images(const BuildTask<Real>& task, const std::int32_t* selected,
                             GridStride loop) {
  const StateView<Real>& s = task.s;
  for (Index c = loop.first; c < task.most_cells; c += loop.stride) task.counts[c] = 0;
  const Real* const x[3] = {s.x, s.y, s.z};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (Index i = loop.first; i < s.count; i += loop.stride) {
    const Index index = selected ? selected[i] : i;
    for (int axis = 0; axis < 3; ++axis) {
      Real position = x[axis][index];
      if (task.domain.periodic[axis])
        position = wrapped(position, neighbour_build::along(task.domain.low, axis),
                           neighbour_build::along(task.domain.length, axis))
                       .position;
      task.image[axis][i] = position;
      neighbour_build::extend_bounds(low[axis], high[axis], position);
    }
  }
  if (task.open) neighbour_build::reduce_bounds(task.control->bounds, low, high);
}

template <class Real>
__global__ void __launch_bounds__(neighbour_build::threads, 4)
    sort_bodies(BuildTask<Real> task, const std::int32_t* selected) {
  const auto grid = cooperative_groups::this_grid();
  const GridStride loop{static_cast<Index>(blockIdx.x) * neighbour_build::threads + threadIdx.x,
                        static_cast<Index>(gridDim.x) * neighbour_build::threads};
  store_images(task, selected, loop);
  grid.sync();
  if (task.layout_varies) {
    if (loop.first == 0) neighbour_build::set_layout(task);
    grid.sync();
  }
  neighbour_build::sort_by_cell(task, grid, loop, engine::shared_memory<int>());
}

constexpr std::size_t sort_shared_bytes = neighbour_build::threads / 32 * sizeof(int);

}  // namespace

/// OrderBuffers::index refers to the selected bodies, in their order.
struct DeviceCells::Buffers : neighbour_build::OrderBuffers {
  explicit Buffers(Index count) : OrderBuffers(count, count) {}
  engine::Buffer<std::int32_t, Device> selected;
};

template <class Real>
struct DeviceCells::Positions {
  explicit Positions(Index count)
      : sorted(count), image{along(count), along(count), along(count)} {}
  static engine::Buffer<Real, Device> along(Index count) {
    return engine::Buffer<Real, Device>(count);
  }
  engine::Buffer<PositionAndKind<Real>, Device> sorted;
  engine::Buffer<Real, Device> image[3];
};

template <class Real>
const DeviceCells::Positions<Real>& DeviceCells::positions() const {
  if constexpr (std::is_same_v<Real, float>)
    return *single_;
  else
    return *double_;
}

DeviceCells::DeviceCells(const Cuda& exec, const Domain& domain, double cutoff, Index count,
                         engine::Precision precision)
    : domain_(domain), cutoff_(cutoff), count_(count), buffers_(std::make_unique<Buffers>(count)) {
  const bool single = precision == engine::Precision::single;
  const int multiprocessors = engine::cooperative_multiprocessors(exec);
  const int resident =
      single
          ? engine::resident_blocks(sort_bodies<float>, neighbour_build::threads, sort_shared_bytes)
          : engine::resident_blocks(sort_bodies<double>, neighbour_build::threads,
                                    sort_shared_bytes);
  blocks_ = static_cast<unsigned>(std::max(1, resident * multiprocessors));
  if (single)
    single_ = std::make_unique<Positions<float>>(count);
  else
    double_ = std::make_unique<Positions<double>>(count);
  const BuildControl control =
      neighbour_build::initial_control(domain, cutoff, neighbour_build::most_cells_for(count));
  engine::copy_to_device(buffers_->control.data(), &control, 1, exec.stream);
  engine::wait(exec);
}

DeviceCells::DeviceCells(const Cuda& exec, const Domain& domain, double cutoff,
                         const std::vector<std::int32_t>& selected, engine::Precision precision)
    : DeviceCells(exec, domain, cutoff, static_cast<Index>(selected.size()), precision) {
  selected_only_ = true;
  buffers_->selected = engine::on_device(exec, selected);
}

DeviceCells::DeviceCells(DeviceCells&&) noexcept = default;
DeviceCells::~DeviceCells() = default;

std::uint64_t DeviceCells::device_bytes(Index count, engine::Precision precision) {
  const std::uint64_t real =
      precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  return static_cast<std::uint64_t>(count) * (7 * real + sizeof(std::int32_t)) +
         neighbour_build::OrderBuffers::bytes(count);
}

template <class Real>
DeviceCellView<Real> DeviceCells::view() const {
  return {static_cast<std::int32_t>(count_),
          buffers_->index.data(),
          selected_only_ ? buffers_->selected.data() : nullptr,
          positions<Real>().sorted.data(),
          0,
          &buffers_->control.data()->cells,
          buffers_->start.data()};
}
template DeviceCellView<float> DeviceCells::view<float>() const;
template DeviceCellView<double> DeviceCells::view<double>() const;

template <class Real>
void DeviceCells::build(const Cuda& exec, const StateView<Real>& state) {
  MOTE_EXPECT(selected_only_ || state.count == count_);
  if (count_ == 0) return;
  auto& to = const_cast<Positions<Real>&>(positions<Real>());
  BuildTask<Real> task = buffers_->sort_task(state, domain_, cutoff_);
  task.s.count = count_;
  task.list_origin = to.sorted.data();
  for (int axis = 0; axis < 3; ++axis) task.image[axis] = to.image[axis].data();
  const unsigned blocks = std::min(engine::blocks_for(count_, neighbour_build::threads), blocks_);
  const unsigned started = engine::launch_cooperative(
      exec, {.blocks = blocks, .threads = neighbour_build::threads, .shared = sort_shared_bytes},
      sort_bodies<Real>, task, selected_only_ ? buffers_->selected.data() : nullptr);
  if (started < blocks) blocks_ = started;
}
template void DeviceCells::build(const Cuda&, const StateView<float>&);
template void DeviceCells::build(const Cuda&, const StateView<double>&);

}  // namespace mote::sim
