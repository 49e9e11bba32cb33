#include "sim/space/neighbours_device.h"

#include <algorithm>
#include <limits>

#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "engine/exec/together.h"
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

template <class Real>
auto* kernel_for(int lanes) {
  return lanes == 1   ? listing::bring_up_to_date<1, Real>
         : lanes == 4 ? listing::bring_up_to_date<4, Real>
                      : listing::bring_up_to_date<8, Real>;
}

Index listed_of(const ListedBodies& bodies) {
  if (!bodies.chosen) return bodies.count;
  return bodies.count - std::count(bodies.chosen->begin(), bodies.chosen->end(), std::uint8_t{0});
}

}  // namespace

struct DeviceNeighbours::Memory : listing::OrderMemory {
  Memory(Index places, Index bodies) : OrderMemory(places, bodies), neighbours(places) {}
  engine::Buffer<std::int32_t, Device> neighbours, neighbour;
  std::int32_t capacity = 0;
};

template <class Real>
struct DeviceNeighbours::Places {
  /// `images`: of so many bodies.
  Places(Index count, Index images)
      : now(count),
        listed(count + 7),  // see near_among
        image{along(images), along(images), along(images)} {}
  static engine::Buffer<Real, Device> along(Index count) {
    return engine::Buffer<Real, Device>(count);
  }
  engine::Buffer<PlaceOf<Real>, Device> now, listed;
  engine::Buffer<Real, Device> image[3];
};

DeviceNeighbours::DeviceNeighbours(const Cuda& exec, const Domain& domain, double reach,
                                   double skin, const ListedBodies& bodies,
                                   engine::Precision precision, int lanes)
    : domain_(domain),
      reach_(reach),
      skin_(skin),
      count_(bodies.count),
      places_(listed_of(bodies)),
      come_back_(bodies.come_back),
      precision_(precision),
      lanes_(lanes == 0 ? lanes_for(places_) : lanes),
      memory_(std::make_unique<Memory>(places_, count_)) {
  const int multiprocessors = engine::multiprocessors_together(exec);
  const auto resident_blocks_of = [&](auto kernel) {
    const std::size_t shared = listing::shared_bytes(lanes_);
    engine::allow_shared(kernel, shared);
    return engine::resident_blocks(kernel, listing::threads, shared);
  };
  const auto resident = [&]<class Real>(Real) {
    return resident_blocks_of(kernel_for<Real>(lanes_));
  };
  blocks_ = static_cast<unsigned>(std::max(
      1,
      multiprocessors * (precision == engine::Precision::single ? resident(0.0F) : resident(0.0))));
  MOTE_EXPECT(lanes_ == 1 || lanes_ == 4 || lanes_ == 8);
  const Index images = come_back_ ? 0 : count_;
  if (precision == engine::Precision::single)
    single_ = std::make_unique<Places<float>>(places_, images);
  else
    full_ = std::make_unique<Places<double>>(places_, images);
  reserve(bodies.usual);
  const Control control = listing::start_of(domain, reach + skin, listing::most_cells_for(places_));
  engine::copy_to_device(memory_->control.data(), &control, 1, exec.stream);
  std::vector<std::int32_t> cell;  // below 0: of who is left out
  if (places_ < count_)
    for (const std::uint8_t listed : *bodies.chosen) cell.push_back(listed != 0 ? 0 : -1);
  engine::copy_to_device(memory_->cell.data(), cell.data(), static_cast<Index>(cell.size()),
                         exec.stream);
  engine::wait(exec);
}

DeviceNeighbours::DeviceNeighbours(DeviceNeighbours&&) noexcept = default;
DeviceNeighbours::~DeviceNeighbours() = default;

void DeviceNeighbours::reserve(std::int32_t capacity) {
  const std::int32_t rounded = (capacity + 7) / 8 * 8;
  memory_->neighbour = {}, memory_->capacity = 0;
  const Index rows = (places_ * lanes_ + neighbour_row - 1) / neighbour_row;
  memory_->neighbour =
      engine::Buffer<std::int32_t, Device>(rows * neighbour_row / lanes_ * rounded);
  memory_->capacity = rounded;
}

std::uint64_t DeviceNeighbours::device_bytes(const ListedBodies& bodies,
                                             engine::Precision precision) {
  const std::uint64_t real =
      precision == engine::Precision::single ? sizeof(float) : sizeof(double);
  // Places of a dense state have more.
  const auto room = static_cast<std::uint64_t>(1 + bodies.usual + 96) * sizeof(std::int32_t);
  return static_cast<std::uint64_t>(bodies.count) *
             (2 * 4 * real + (bodies.come_back ? 0 : 3 * real) + room) +
         listing::OrderMemory::bytes(bodies.count);
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
  DeviceNeighbourView<Real> view{static_cast<std::int32_t>(places_),
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
                                 memory_->start.data()};
  take_periods(domain_, view.length, view.inverse);
  return view;
}
template DeviceNeighbourView<float> DeviceNeighbours::view<float>() const;
template DeviceNeighbourView<double> DeviceNeighbours::view<double>() const;

template <class Real>
DeviceCellView<Real> DeviceNeighbours::cells() const {
  const DeviceNeighbourView<Real> near = view<Real>();
  return {near.count, near.column, nullptr, near.place, skin_ / 2, near.cells, near.start};
}
template DeviceCellView<float> DeviceNeighbours::cells<float>() const;
template DeviceCellView<double> DeviceNeighbours::cells<double>() const;

template <class Real>
Listing<Real> DeviceNeighbours::to_list(const StateView<Real>& s) {
  MOTE_EXPECT(s.count == count_);
  Listing<Real> l = memory_->to_order(s, domain_, reach_ + skin_);
  l.come_back = come_back_;
  l.squared_way = static_cast<Real>(0.25 * skin_ * skin_);
  l.near = view<Real>();
  l.neighbours = memory_->neighbours.data(), l.neighbour = memory_->neighbour.data();
  Places<Real>* places;
  if constexpr (std::is_same_v<Real, float>)
    places = single_.get();
  else
    places = full_.get();
  l.listed = places->listed.data(), l.now = places->now.data();
  for (int axis = 0; axis < 3; ++axis)
    l.image[axis] = come_back_ ? nullptr : places->image[axis].data();
  return l;
}
template Listing<float> DeviceNeighbours::to_list(const StateView<float>&);
template Listing<double> DeviceNeighbours::to_list(const StateView<double>&);

template <class Real>
void DeviceNeighbours::start(const Cuda& exec, const Listing<Real>& all) {
  if (count_ == 0) return;
  const Index wanted = std::max(count_, places_ * (in_teams(lanes_) ? listing::team : 1));
  const unsigned blocks =
      std::min(static_cast<unsigned>((wanted + listing::threads - 1) / listing::threads), blocks_);
  // The first ones are not recorded; where they were refused, fewer blocks are.
  const unsigned started = engine::launch_together(
      exec,
      {.blocks = blocks, .threads = listing::threads, .shared = listing::shared_bytes(lanes_)},
      kernel_for<Real>(lanes_), all);
  if (started < blocks) blocks_ = started;
}

template <class Real>
void DeviceNeighbours::update(const Cuda& exec, const StateView<Real>& s,
                              const DeviceRecord* record) {
  Listing<Real> all = to_list(s);
  all.record = record;
  start(exec, all);
}
void DeviceNeighbours::update(const Cuda& exec, State<Device>& state, const DeviceRecord* record) {
  MOTE_EXPECT(state.precision() == precision_);
  state.visit([&](const auto& s) { update(exec, s, record); });
}
template void DeviceNeighbours::update(const Cuda&, const StateView<float>&, const DeviceRecord*);
template void DeviceNeighbours::update(const Cuda&, const StateView<double>&, const DeviceRecord*);

template <class Real>
void DeviceNeighbours::follow(const Cuda& exec, const StateView<Real>& s) {
  Listing<Real> all = to_list(s);
  // Nobody goes so far; from never_listed it is further.
  all.squared_way =
      static_cast<Real>(std::min(1e70, static_cast<double>(std::numeric_limits<Real>::max())));
  start(exec, all);
}
template void DeviceNeighbours::follow(const Cuda&, const StateView<float>&);
template void DeviceNeighbours::follow(const Cuda&, const StateView<double>&);

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
  const std::int32_t wanted =
      std::min(static_cast<std::int32_t>(now.most + now.most / 8), largest_capacity);
  if (wanted <= memory_->capacity) return false;
  // One crowd would have all places' lists as long as its own: where that takes most of the memory,
  // it walks.
  std::size_t free = 0, total = 0;
  engine::cuda_check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const std::uint64_t more = static_cast<std::uint64_t>(places_) * sizeof(std::int32_t) *
                             static_cast<std::uint64_t>(wanted - memory_->capacity);
  if (more > free / 2) return false;
  reserve(wanted);
  // Whoever asks before the next listing, for energies, walks: each place has more neighbours than
  // there is room for.
  constexpr int many = 0x3f;
  static_assert((many << 24) < at_border);
  engine::fill_bytes(memory_->neighbours.data(), many, memory_->neighbours.bytes(), exec.stream);
  forget(exec);
  return true;
}

}  // namespace mote::sim
