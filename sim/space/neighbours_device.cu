#include "sim/space/neighbours_device.h"

#include <algorithm>
#include <cmath>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/space/listing.cuh"
#include "sim/space/neighbours.h"
#include "sim/space/periods.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Index;

using listing::Control;
using listing::Listing;

/// Threads a body: as many as were fastest on an H200 with so many bodies.
int lanes_for(Index count) {
  return count > few_listed ? 1 : count > 30'000 ? 4 : 8;
}

/// Neighbours that a place has room for before anybody was counted: those of a dense liquid.
constexpr std::int32_t first_capacity = 96;

}  // namespace

struct DeviceNeighbours::Memory : listing::OrderMemory {
  explicit Memory(Index count) : OrderMemory(count), neighbours(count) {}
  engine::Buffer<std::int32_t, Device> neighbours, neighbour;
  std::int32_t capacity = 0;
};

template <class Real>
struct DeviceNeighbours::Places {
  explicit Places(Index count) : now(count), listed(count + 7) {}  // see near_among
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
      memory_(std::make_unique<Memory>(count)) {
  int multiprocessors = 1;
  engine::cuda_check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, exec.device),
                     "cudaDeviceGetAttribute");
  const auto resident_blocks_of = [&](auto kernel) {
    const std::size_t shared = listing::shared_bytes(lanes_ > 1);
    engine::allow_shared(kernel, shared);
    return engine::resident_blocks(kernel, listing::threads, shared);
  };
  const auto resident = [&]<class Real>(Real) {
    return lanes_ > 1 ? resident_blocks_of(listing::bring_up_to_date<true, Real>)
                      : resident_blocks_of(listing::bring_up_to_date<false, Real>);
  };
  blocks_ = static_cast<unsigned>(std::max(
      1, multiprocessors * (precision == engine::Precision::single ? resident(0.0F) : resident(0.0))));
  MOTE_EXPECT(lanes_ == 1 || lanes_ == 4 || lanes_ == 8);
  if (precision == engine::Precision::single)
    single_ = std::make_unique<Places<float>>(count);
  else
    full_ = std::make_unique<Places<double>>(count);
  reserve(first_capacity);
  const Control control = listing::start_of(domain, reach + skin, listing::most_cells_for(count));
  engine::copy_to_device(memory_->control.data(), &control, 1, exec.stream);
  engine::wait(exec);
}

DeviceNeighbours::~DeviceNeighbours() = default;

void DeviceNeighbours::reserve(std::int32_t capacity) {
  memory_->capacity = (capacity + 7) / 8 * 8;
  memory_->neighbour = {};
  const Index rows = (count_ * lanes_ + neighbour_row - 1) / neighbour_row;
  memory_->neighbour =
      engine::Buffer<std::int32_t, Device>(rows * neighbour_row / lanes_ * memory_->capacity);
}

std::uint64_t DeviceNeighbours::device_bytes(Index count, engine::Precision precision) {
  const std::uint64_t place =
      precision == engine::Precision::single ? sizeof(PlaceOf<float>) : sizeof(PlaceOf<double>);
  // One capacity more than the first: places of a dense state have more.
  return static_cast<std::uint64_t>(count) * (2 * place + (1 + 2 * first_capacity) * sizeof(std::int32_t)) +
         listing::OrderMemory::bytes(count);
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
  take_periods(domain_, view.length, view.inverse);
  return view;
}
template DeviceNeighbourView<float> DeviceNeighbours::view<float>() const;
template DeviceNeighbourView<double> DeviceNeighbours::view<double>() const;

template <class Real>
Listing<Real> DeviceNeighbours::to_list(const StateView<Real>& s) {
  Listing<Real> l = memory_->to_order(s, domain_, reach_ + skin_);
  l.squared_way = static_cast<Real>(0.25 * skin_ * skin_);
  l.near = view<Real>();
  l.neighbours = memory_->neighbours.data(), l.neighbour = memory_->neighbour.data();
  if constexpr (std::is_same_v<Real, float>)
    l.listed = single_->listed.data(), l.now = single_->now.data();
  else
    l.listed = full_->listed.data(), l.now = full_->now.data();
  return l;
}
template Listing<float> DeviceNeighbours::to_list(const StateView<float>&);
template Listing<double> DeviceNeighbours::to_list(const StateView<double>&);

void DeviceNeighbours::update(const Cuda& exec, State<Device>& state) {
  MOTE_EXPECT(state.count() == count_ && state.precision() == precision_);
  if (count_ == 0) return;
  const bool teams = lanes_ > 1;
  const Index wanted = count_ * (teams ? listing::team : 1);
  const unsigned blocks =
      std::min(static_cast<unsigned>((wanted + listing::threads - 1) / listing::threads), blocks_);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    engine::launch(exec,
                   {.blocks = blocks,
                    .threads = listing::threads,
                    .shared = listing::shared_bytes(teams),
                    .cooperative = true},
                   teams ? listing::bring_up_to_date<true, Real> : listing::bring_up_to_date<false, Real>,
                   to_list(s));
  });
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
  // Whoever asks before the next listing, for energies, walks: each place has more neighbours than there is room for.
  constexpr int many = 0x3f;
  static_assert((many << 24) < at_border);
  engine::fill_bytes(memory_->neighbours.data(), many, memory_->neighbours.bytes(), exec.stream);
  forget(exec);
  return true;
}

}  // namespace mote::sim
