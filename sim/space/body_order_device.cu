#include "engine/exec/launch.cuh"
#include "engine/exec/stream.h"
#include "sim/space/body_order.h"

namespace mote::sim {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;

namespace {

constexpr unsigned order_threads = 256;
constexpr std::size_t word = sizeof(std::uint32_t);
constexpr std::size_t widest = sizeof(double);  // size of the largest element of a column

template <class T>
__global__ void __launch_bounds__(order_threads)
    gather_column(T* to, const T* from, const std::uint32_t* order, Index count) {
  const Index k = static_cast<Index>(blockIdx.x) * order_threads + threadIdx.x;
  if (k < count) to[k] = from[order[k]];
}

__global__ void __launch_bounds__(order_threads)
    invert(std::uint32_t* inverse, const std::uint32_t* order, Index count) {
  const Index k = static_cast<Index>(blockIdx.x) * order_threads + threadIdx.x;
  if (k < count) inverse[order[k]] = static_cast<std::uint32_t>(k);
}

template <class T>
void gather(const Cuda& exec, T* to, const T* from, const std::uint32_t* order, Index count) {
  engine::launch(exec, {engine::blocks_for(count, order_threads), order_threads}, gather_column<T>,
                 to, from, order, count);
}

/// Room for one column of any type.
engine::Buffer<unsigned char, Device> column_for(Index count) {
  return engine::Buffer<unsigned char, Device>(count * static_cast<Index>(widest));
}

}  // namespace

template <>
Index BodyOrder<Cuda>::slot(const Cuda& exec, Index index) const {
  if (by_id()) return index;
  std::uint32_t slot;
  engine::copy_to_host(&slot, slots_.data() + index, 1, exec.stream);
  engine::wait(exec);
  return slot;
}

template <>
void BodyOrder<Cuda>::move_bodies(const Cuda& exec, State<Device>& state,
                                  const std::uint32_t* from) {
  const Index count = state.count();
  auto column = column_for(count);
  for_columns(state, state, [&]<class T>(T* to, const T*, bool /*physical*/) {
    engine::copy_bytes_on_device(column.data(), to, static_cast<std::size_t>(count) * sizeof(T),
                                 exec.stream);
    gather(exec, to, reinterpret_cast<const T*>(column.data()), from, count);
  });
  engine::Buffer<std::uint32_t, Device> now(count);  // slot by earlier slot
  engine::launch(exec, {engine::blocks_for(count, order_threads), order_threads}, invert,
                 now.data(), from, count);
  if (by_id()) {
    slots_ = std::move(now);
  } else {
    engine::Buffer<std::uint32_t, Device> slots(count);
    gather(exec, slots.data(), now.data(), slots_.data(), count);
    slots_ = std::move(slots);
  }
}

template <>
template <>
void BodyOrder<Cuda>::copy_by_id(const Cuda& exec, State<Host>& to,
                                 const State<Device>& from) const {
  const Index count = from.count();
  auto gathered = by_id() ? engine::Buffer<unsigned char, Device>() : column_for(count);
  for_columns(to, from, [&]<class T>(T* target, const T* column, bool /*physical*/) {
    if (!by_id()) {
      gather(exec, reinterpret_cast<T*>(gathered.data()), column, slots(), count);
      column = reinterpret_cast<const T*>(gathered.data());
    }
    engine::copy_to_host(target, column, count, exec.stream);
  });
  if (const int globals = from.layout().global_count(); globals > 0)
    engine::copy_to_host(to.globals(), from.globals(), globals, exec.stream);
  engine::wait(exec);
}

template <>
template <>
void BodyOrder<Cuda>::copy_by_id(const Cuda& exec, State<Device>& to,
                                 const State<Device>& from) const {
  MOTE_EXPECT(!by_id());
  for_columns(to, from, [&](auto* target, const auto* column, bool /*physical*/) {
    gather(exec, target, column, slots(), from.count());
  });
}

template <>
void BodyOrder<Cuda>::copy(const Cuda& exec, const BodyOrder& from) {
  slots_ = engine::Buffer<std::uint32_t, Device>(from.slots_.size());
  if (!by_id())
    engine::copy_bytes_on_device(slots_.data(), from.slots_.data(), slots_.bytes(), exec.stream);
}

template <>
std::string BodyOrder<Cuda>::serialize(const Cuda& exec) const {
  std::string bytes(slots_.bytes(), '\0');
  if (by_id()) return bytes;
  engine::copy_bytes_to_host(bytes.data(), slots_.data(), bytes.size(), exec.stream);
  engine::wait(exec);
  return bytes;
}

template <>
void BodyOrder<Cuda>::restore(const Cuda& exec, State<Device>& state, std::string_view bytes) {
  MOTE_EXPECT(by_id() && is_body_order(bytes, state.count()));
  if (bytes.empty()) return;
  const std::vector<std::uint32_t> from = inverse_of(slots_of(bytes));
  engine::Buffer<std::uint32_t, Device> uploaded(state.count());
  engine::copy_bytes_to_device(uploaded.data(), from.data(), from.size() * word, exec.stream);
  move_bodies(exec, state, uploaded.data());
  engine::wait(exec);
}

}  // namespace mote::sim
