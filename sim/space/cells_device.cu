#include "sim/space/cells_device.h"

#include <algorithm>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/exec/together.h"
#include "engine/memory/on_device.h"
#include "sim/space/listing.cuh"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

using listing::Control;
using listing::Listing;
using listing::Share;

/// Notes images within the domain, and where bodies are along open axes; clears the counts of
/// cells. `chosen`: as that of DeviceCellView.
template <class Real>
__device__ void note_images(const Listing<Real>& l, const std::int32_t* chosen, Share share) {
  const StateView<Real>& s = l.s;
  for (Index c = share.first; c < l.most_cells; c += share.stride) l.counts[c] = 0;
  const Real* const x[3] = {s.x, s.y, s.z};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (Index i = share.first; i < s.count; i += share.stride) {
    const Index column = chosen ? chosen[i] : i;
    for (int axis = 0; axis < 3; ++axis) {
      Real place = x[axis][column];
      if (l.domain.periodic[axis])
        place = wrapped(place, listing::along(l.domain.low, axis),
                        listing::along(l.domain.length, axis))
                    .place;
      l.image[axis][i] = place;
      listing::widen(low[axis], high[axis], place);
    }
  }
  if (l.open) listing::note_bounds(l.control->bounds, low, high);
}

template <class Real>
__global__ void __launch_bounds__(listing::threads, 4)
    order_bodies(Listing<Real> l, const std::int32_t* chosen) {
  const auto grid = cooperative_groups::this_grid();
  const Share share{static_cast<Index>(blockIdx.x) * listing::threads + threadIdx.x,
                    static_cast<Index>(gridDim.x) * listing::threads};
  note_images(l, chosen, share);
  grid.sync();
  if (l.varies) {
    if (share.first == 0) listing::lay_out(l);
    grid.sync();
  }
  listing::put_in_order(l, grid, share, engine::shared_memory<int>());
}

constexpr std::size_t order_shared = listing::threads / 32 * sizeof(int);

}  // namespace

/// `column` of the listing is that of the chosen bodies: their number.
struct DeviceCells::Memory : listing::OrderMemory {
  explicit Memory(Index count) : OrderMemory(count, count) {}
  engine::Buffer<std::int32_t, Device> chosen;
};

template <class Real>
struct DeviceCells::Places {
  explicit Places(Index count) : ordered(count), image{along(count), along(count), along(count)} {}
  static engine::Buffer<Real, Device> along(Index count) {
    return engine::Buffer<Real, Device>(count);
  }
  engine::Buffer<PlaceOf<Real>, Device> ordered;
  engine::Buffer<Real, Device> image[3];
};

template <class Real>
const DeviceCells::Places<Real>& DeviceCells::places() const {
  if constexpr (std::is_same_v<Real, float>)
    return *single_;
  else
    return *full_;
}

DeviceCells::DeviceCells(const Cuda& exec, const Domain& domain, double reach, Index count,
                         engine::Precision precision)
    : domain_(domain), reach_(reach), count_(count), memory_(std::make_unique<Memory>(count)) {
  const bool single = precision == engine::Precision::single;
  const int multiprocessors = engine::multiprocessors_together(exec);
  const int resident =
      single ? engine::resident_blocks(order_bodies<float>, listing::threads, order_shared)
             : engine::resident_blocks(order_bodies<double>, listing::threads, order_shared);
  blocks_ = static_cast<unsigned>(std::max(1, resident * multiprocessors));
  if (single)
    single_ = std::make_unique<Places<float>>(count);
  else
    full_ = std::make_unique<Places<double>>(count);
  const Control control = listing::start_of(domain, reach, listing::most_cells_for(count));
  engine::copy_to_device(memory_->control.data(), &control, 1, exec.stream);
  engine::wait(exec);
}

DeviceCells::DeviceCells(const Cuda& exec, const Domain& domain, double reach,
                         const std::vector<std::int32_t>& chosen, engine::Precision precision)
    : DeviceCells(exec, domain, reach, static_cast<Index>(chosen.size()), precision) {
  some_ = true;
  memory_->chosen = engine::on_device(exec, chosen);
}

DeviceCells::DeviceCells(DeviceCells&&) noexcept = default;
DeviceCells::~DeviceCells() = default;

std::uint64_t DeviceCells::device_bytes(Index count, engine::Precision precision) {
  const std::uint64_t real =
      precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  return static_cast<std::uint64_t>(count) * (7 * real + sizeof(std::int32_t)) +
         listing::OrderMemory::bytes(count);
}

template <class Real>
DeviceCellView<Real> DeviceCells::view() const {
  return {static_cast<std::int32_t>(count_),
          memory_->column.data(),
          some_ ? memory_->chosen.data() : nullptr,
          places<Real>().ordered.data(),
          0,
          &memory_->control.data()->cells,
          memory_->start.data()};
}
template DeviceCellView<float> DeviceCells::view<float>() const;
template DeviceCellView<double> DeviceCells::view<double>() const;

template <class Real>
void DeviceCells::build(const Cuda& exec, const StateView<Real>& state) {
  MOTE_EXPECT(some_ || state.count == count_);
  if (count_ == 0) return;
  auto& to = const_cast<Places<Real>&>(places<Real>());
  Listing<Real> l = memory_->to_order(state, domain_, reach_);
  l.s.count = count_;
  l.listed = to.ordered.data();
  for (int axis = 0; axis < 3; ++axis) l.image[axis] = to.image[axis].data();
  const unsigned blocks =
      std::min(static_cast<unsigned>((count_ + listing::threads - 1) / listing::threads), blocks_);
  const unsigned started = engine::launch_together(
      exec, {.blocks = blocks, .threads = listing::threads, .shared = order_shared},
      order_bodies<Real>, l, some_ ? memory_->chosen.data() : nullptr);
  if (started < blocks) blocks_ = started;
}
template void DeviceCells::build(const Cuda&, const StateView<float>&);
template void DeviceCells::build(const Cuda&, const StateView<double>&);

}  // namespace mote::sim
