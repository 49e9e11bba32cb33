#include "sim/space/body_order.h"

#include <algorithm>
#include <cstring>

#include "engine/exec/parallel.h"

namespace mote::sim {

using engine::Cpu;
using engine::Host;
using engine::Index;

namespace {

constexpr std::size_t word = sizeof(std::uint32_t);

template <class T>
void gather(const Cpu& exec, T* to, const T* from, const std::uint32_t* order, Index count) {
  engine::parallel_chunks(exec.threads, count, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) to[k] = from[order[k]];
  });
}

}  // namespace

bool is_body_order(std::string_view bytes, Index count) {
  if (bytes.empty()) return true;
  if (bytes.size() != static_cast<std::size_t>(count) * word) return false;
  std::vector<bool> seen(static_cast<std::size_t>(count));
  for (const std::uint32_t slot : slots_of(bytes)) {
    if (slot >= seen.size() || seen[slot]) return false;
    seen[slot] = true;
  }
  return true;
}

std::vector<std::uint32_t> slots_of(std::string_view bytes) {
  std::vector<std::uint32_t> slots(bytes.size() / word);
  std::memcpy(slots.data(), bytes.data(), slots.size() * word);
  return slots;
}

std::vector<std::uint32_t> inverse_of(const std::vector<std::uint32_t>& slots) {
  std::vector<std::uint32_t> inverse(slots.size());
  for (std::size_t k = 0; k < slots.size(); ++k) inverse[slots[k]] = static_cast<std::uint32_t>(k);
  return inverse;
}

template <>
Index BodyOrder<Cpu>::slot(const Cpu&, Index index) const {
  return by_id() ? index : slots_[index];
}

template <>
void BodyOrder<Cpu>::move_bodies(const Cpu& exec, State<Host>& state, const std::uint32_t* from) {
  const Index count = state.count();
  engine::Buffer<unsigned char, Host> column(count * static_cast<Index>(sizeof(double)));
  for_columns(state, state, [&]<class T>(T* to, const T*, bool /*physical*/) {
    T* const old = reinterpret_cast<T*>(column.data());
    std::copy_n(to, count, old);
    gather<T>(exec, to, old, from, count);
  });
  engine::Buffer<std::uint32_t, Host> now(count), slots(count);  // now: slot by earlier slot
  for (Index k = 0; k < count; ++k) now[from[k]] = static_cast<std::uint32_t>(k);
  for (Index i = 0; i < count; ++i) slots[i] = now[slot(exec, i)];
  slots_ = std::move(slots);
}

template <>
template <>
void BodyOrder<Cpu>::copy_by_id(const Cpu& exec, State<Host>& to, const State<Host>& from) const {
  for_columns(to, from, [&](auto* target, const auto* column, bool /*physical*/) {
    if (by_id())
      std::copy_n(column, from.count(), target);
    else
      gather(exec, target, column, slots(), from.count());
  });
  std::copy_n(from.globals(), from.layout().global_count(), to.globals());
}

template <>
void BodyOrder<Cpu>::copy(const Cpu&, const BodyOrder& from) {
  slots_ = engine::Buffer<std::uint32_t, Host>(from.slots_.size());
  std::copy_n(from.slots_.data(), from.slots_.size(), slots_.data());
}

template <>
std::string BodyOrder<Cpu>::serialize(const Cpu&) const {
  return {reinterpret_cast<const char*>(slots_.data()),
          static_cast<std::size_t>(slots_.size()) * word};
}

template <>
void BodyOrder<Cpu>::restore(const Cpu& exec, State<Host>& state, std::string_view bytes) {
  MOTE_EXPECT(by_id() && is_body_order(bytes, state.count()));
  if (!bytes.empty()) move_bodies(exec, state, inverse_of(slots_of(bytes)).data());
}

}  // namespace mote::sim
