#include "sim/space/neighbours_device.h"

#include <algorithm>
#include <limits>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/exec/together.h"
#include "sim/space/neighbour_build.cuh"
#include "sim/space/neighbours.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

using neighbour_build::BuildControl;
using neighbour_build::BuildTask;

/// Lanes per slot: the fastest on an H200 for this number of bodies.
int lanes_for(Index count) {
  return count > most_multi_lane_bodies ? 1 : count > 30'000 ? 4 : 8;
}

template <class Real>
auto* kernel_for(int lanes) {
  return lanes == 1   ? neighbour_build::update_lists<1, Real>
         : lanes == 4 ? neighbour_build::update_lists<4, Real>
                      : neighbour_build::update_lists<8, Real>;
}

Index selected_count(const NeighbourListSetup& setup) {
  if (!setup.selected) return setup.count;
  return setup.count - std::count(setup.selected->begin(), setup.selected->end(), std::uint8_t{0});
}

}  // namespace

struct DeviceNeighbours::Buffers : neighbour_build::OrderBuffers {
  Buffers(Index slots, Index bodies)
      : OrderBuffers(slots, bodies), neighbour_counts(slots), fetched(1) {}
  engine::Buffer<std::int32_t, Device> neighbour_counts, neighbour;
  engine::Buffer<BuildControl, engine::Pinned> fetched;
  std::int32_t capacity = 0;
};

template <class Real>
struct DeviceNeighbours::Positions {
  /// `images`: number of wrapped positions.
  Positions(Index count, Index images)
      : position(count),
        list_origin(count + 7),  // see test_candidates
        image{along(images), along(images), along(images)} {}
  static engine::Buffer<Real, Device> along(Index count) {
    return engine::Buffer<Real, Device>(count);
  }
  engine::Buffer<PositionAndKind<Real>, Device> position, list_origin;
  engine::Buffer<Real, Device> image[3];
};

DeviceNeighbours::DeviceNeighbours(const Cuda& exec, const Domain& domain, double cutoff,
                                   double skin, const NeighbourListSetup& setup,
                                   engine::Precision precision, int lanes)
    : domain_(domain),
      cutoff_(cutoff),
      skin_(skin),
      count_(setup.count),
      slots_(selected_count(setup)),
      wrap_positions_(setup.wrap_positions),
      precision_(precision),
      lanes_(lanes == 0 ? lanes_for(slots_) : lanes),
      buffers_(std::make_unique<Buffers>(slots_, count_)) {
  const int multiprocessors = engine::cooperative_multiprocessors(exec);
  const auto resident_blocks_of = [&](auto kernel) {
    const std::size_t shared = neighbour_build::shared_bytes(lanes_);
    engine::allow_shared(kernel, shared);
    return engine::resident_blocks(kernel, neighbour_build::threads, shared);
  };
  const auto resident = [&]<class Real>(Real) {
    return resident_blocks_of(kernel_for<Real>(lanes_));
  };
  blocks_ = static_cast<unsigned>(std::max(
      1,
      multiprocessors * (precision == engine::Precision::single ? resident(0.0F) : resident(0.0))));
  MOTE_EXPECT(lanes_ == 1 || lanes_ == 4 || lanes_ == 8);
  const Index images = wrap_positions_ ? 0 : count_;
  if (precision == engine::Precision::single)
    single_ = std::make_unique<Positions<float>>(slots_, images);
  else
    double_ = std::make_unique<Positions<double>>(slots_, images);
  reserve(setup.initial_capacity);
  const BuildControl control = neighbour_build::initial_control(
      domain, cutoff + skin, neighbour_build::most_cells_for(slots_));
  engine::copy_to_device(buffers_->control.data(), &control, 1, exec.stream);
  std::vector<std::int32_t> cell;  // negative: excluded
  if (slots_ < count_)
    for (const std::uint8_t selected : *setup.selected) cell.push_back(selected != 0 ? 0 : -1);
  engine::copy_to_device(buffers_->cell.data(), cell.data(), static_cast<Index>(cell.size()),
                         exec.stream);
  engine::wait(exec);
}

DeviceNeighbours::DeviceNeighbours(DeviceNeighbours&&) noexcept = default;
DeviceNeighbours::~DeviceNeighbours() = default;

void DeviceNeighbours::reserve(std::int32_t capacity) {
  const std::int32_t rounded = (capacity + 7) / 8 * 8;
  buffers_->neighbour = {}, buffers_->capacity = 0;
  const Index warps = (slots_ * lanes_ + interleave_width - 1) / interleave_width;
  buffers_->neighbour =
      engine::Buffer<std::int32_t, Device>(warps * interleave_width / lanes_ * rounded);
  buffers_->capacity = rounded;
}

std::uint64_t DeviceNeighbours::device_bytes(const NeighbourListSetup& setup,
                                             engine::Precision precision) {
  const std::uint64_t real =
      precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  // Lists of a dense state are longer.
  const auto list_bytes =
      static_cast<std::uint64_t>(1 + setup.initial_capacity + 96) * sizeof(std::int32_t);
  return static_cast<std::uint64_t>(setup.count) *
             (2 * 4 * real + (setup.wrap_positions ? 0 : 3 * real) + list_bytes) +
         neighbour_build::OrderBuffers::bytes(setup.count);
}

void DeviceNeighbours::invalidate(const Cuda& exec) {
  constexpr std::uint32_t yes = 1;
  engine::copy_to_device(&buffers_->control.data()->stale, &yes, 1, exec.stream);
}

template <class Real>
DeviceNeighbourView<Real> DeviceNeighbours::view() const {
  const Positions<Real>* positions;
  if constexpr (std::is_same_v<Real, float>)
    positions = single_.get();
  else
    positions = double_.get();
  const double list_cutoff = cutoff_ + skin_;
  DeviceNeighbourView<Real> view{static_cast<std::int32_t>(slots_),
                                 buffers_->index.data(),
                                 positions->position.data(),
                                 positions->list_origin.data(),
                                 buffers_->neighbour_counts.data(),
                                 buffers_->neighbour.data(),
                                 buffers_->capacity,
                                 lanes_,
                                 {},
                                 {},
                                 static_cast<Real>(list_cutoff * list_cutoff),
                                 &buffers_->control.data()->cells,
                                 buffers_->start.data()};
  fill_periods(domain_, view.length, view.inverse);
  return view;
}
template DeviceNeighbourView<float> DeviceNeighbours::view<float>() const;
template DeviceNeighbourView<double> DeviceNeighbours::view<double>() const;

template <class Real>
DeviceCellView<Real> DeviceNeighbours::cells() const {
  const DeviceNeighbourView<Real> lists = view<Real>();
  return {lists.count, lists.index, nullptr, lists.position, skin_ / 2, lists.cells, lists.start};
}
template DeviceCellView<float> DeviceNeighbours::cells<float>() const;
template DeviceCellView<double> DeviceNeighbours::cells<double>() const;

template <class Real>
BuildTask<Real> DeviceNeighbours::build_task(const StateView<Real>& s) {
  MOTE_EXPECT(s.count == count_);
  BuildTask<Real> task = buffers_->sort_task(s, domain_, cutoff_ + skin_);
  task.wrap_positions = wrap_positions_;
  task.max_squared_displacement = static_cast<Real>(0.25 * skin_ * skin_);
  task.view = view<Real>();
  task.neighbour_counts = buffers_->neighbour_counts.data(),
  task.neighbour = buffers_->neighbour.data();
  Positions<Real>* positions;
  if constexpr (std::is_same_v<Real, float>)
    positions = single_.get();
  else
    positions = double_.get();
  task.list_origin = positions->list_origin.data(), task.position = positions->position.data();
  for (int axis = 0; axis < 3; ++axis)
    task.image[axis] = wrap_positions_ ? nullptr : positions->image[axis].data();
  return task;
}
template BuildTask<float> DeviceNeighbours::build_task(const StateView<float>&);
template BuildTask<double> DeviceNeighbours::build_task(const StateView<double>&);

template <class Real>
void DeviceNeighbours::start(const Cuda& exec, const BuildTask<Real>& task) {
  if (count_ == 0) return;
  const Index wanted = std::max(count_, slots_ * (in_teams(lanes_) ? neighbour_build::team : 1));
  const unsigned blocks = std::min(engine::blocks_for(wanted, neighbour_build::threads), blocks_);
  // The first launches are not recorded. If one was refused, use fewer blocks.
  const unsigned started =
      engine::launch_cooperative(exec,
                                 {.blocks = blocks,
                                  .threads = neighbour_build::threads,
                                  .shared = neighbour_build::shared_bytes(lanes_)},
                                 kernel_for<Real>(lanes_), task);
  if (started < blocks) blocks_ = started;
}

template <class Real>
void DeviceNeighbours::update(const Cuda& exec, const StateView<Real>& s,
                              const DeviceRecord* record) {
  BuildTask<Real> task = build_task(s);
  task.record = record;
  start(exec, task);
}
void DeviceNeighbours::update(const Cuda& exec, State<Device>& state, const DeviceRecord* record) {
  MOTE_EXPECT(state.precision() == precision_);
  state.visit([&](const auto& s) { update(exec, s, record); });
}
template void DeviceNeighbours::update(const Cuda&, const StateView<float>&, const DeviceRecord*);
template void DeviceNeighbours::update(const Cuda&, const StateView<double>&, const DeviceRecord*);

template <class Real>
void DeviceNeighbours::update_positions(const Cuda& exec, const StateView<Real>& s) {
  BuildTask<Real> task = build_task(s);
  // Larger than any displacement, but smaller than that from not_listed.
  task.max_squared_displacement =
      static_cast<Real>(std::min(1e70, static_cast<double>(std::numeric_limits<Real>::max())));
  start(exec, task);
}
template void DeviceNeighbours::update_positions(const Cuda&, const StateView<float>&);
template void DeviceNeighbours::update_positions(const Cuda&, const StateView<double>&);

DeviceNeighbours::Statistics DeviceNeighbours::statistics(const Cuda& exec) const {
  fetch(exec);
  engine::wait(exec);
  return fetched();
}

void DeviceNeighbours::fetch(const Cuda& exec) const {
  engine::copy_to_host(buffers_->fetched.data(), buffers_->control.data(), 1, exec.stream);
}

DeviceNeighbours::Statistics DeviceNeighbours::fetched() const {
  const BuildControl& control = buffers_->fetched.data()[0];
  return {control.builds, control.longest, control.total};
}

bool DeviceNeighbours::grow_buffers(const Cuda& exec) {
  fetch(exec);
  engine::wait(exec);
  return grow_to_fit(exec);
}

bool DeviceNeighbours::grow_to_fit(const Cuda& exec) {
  const Statistics now = fetched();
  if (static_cast<std::int32_t>(now.longest) <= buffers_->capacity) return false;
  // For longer lists, searching the cells costs no more than the memory traffic of the list.
  constexpr std::int32_t largest_capacity = 2048;
  const std::int32_t wanted =
      std::min(static_cast<std::int32_t>(now.longest + now.longest / 8), largest_capacity);
  if (wanted <= buffers_->capacity) return false;
  // All lists have the capacity of the longest. If one dense cell would need most of the memory,
  // its bodies search the cells instead.
  std::size_t free = 0, total = 0;
  engine::cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::uint64_t more = static_cast<std::uint64_t>(slots_) * sizeof(std::int32_t) *
                             static_cast<std::uint64_t>(wanted - buffers_->capacity);
  if (more > free / 2) return false;
  reserve(wanted);
  // Until the next build, energies search the cells: counts above the capacity mark lists as
  // incomplete.
  constexpr int many = 0x3f;
  static_assert((many << 24) < at_border);
  engine::fill_bytes(buffers_->neighbour_counts.data(), many, buffers_->neighbour_counts.bytes(),
                     exec.stream);
  invalidate(exec);
  return true;
}

}  // namespace mote::sim
