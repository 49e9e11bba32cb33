#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "engine/check.h"
#include "engine/exec/policy.h"
#include "engine/exec/stream.h"
#include "engine/memory/device_memory.h"
#include "sim/ranks/copies.h"
#include "sim/run/body_state.h"
#include "sim/state.h"

// A Machine reaches states in the memory of a GPU by these functions; those in host memory by
// sim/run/host_memory.h.
namespace mote::sim {

/// Copies all columns between states of equal layout and precision, of which at least one is on the
/// device. Does not wait.
template <class To, class From>
void copy_columns(const engine::Cuda& exec, State<To>& to, const State<From>& from) {
  const auto copy = [&](void* target, const void* source, std::size_t bytes) {
    if constexpr (std::is_same_v<From, engine::Host>)
      engine::copy_bytes_to_device(target, source, bytes, exec.stream);
    else if constexpr (std::is_same_v<To, engine::Host>)
      engine::copy_bytes_to_host(target, source, bytes, exec.stream);
    else
      engine::copy_bytes_on_device(target, source, bytes, exec.stream);
  };
  for_columns(to, from, [&](auto* target, const auto* source, bool /*physical*/) {
    copy(target, source, static_cast<std::size_t>(to.count()) * sizeof *source);
  });
  if (const int globals = to.layout().global_count(); globals > 0)
    copy(to.globals(), from.globals(), static_cast<std::size_t>(globals) * sizeof(double));
}

/// Puts bodies into the memory of the steps, and keeps them as the mirror on the host.
inline void place(const engine::Cuda& exec, State<engine::Device>& to,
                  std::optional<State<engine::Host>>& mirror, State<engine::Host>&& from) {
  mirror = std::move(from);
  to = State<engine::Device>(mirror->count(), mirror->precision(), mirror->layout());
  copy_columns(exec, to, *mirror);
}

/// The share of a rank, with its room for copies.
inline void place_share(const engine::Cuda& exec, State<engine::Device>& to,
                        State<engine::Host>&& share) {
  const Copies copies = share.copies();
  to = State<engine::Device>(share.count(), share.precision(), share.layout(), copies,
                             share.complete_copies());
  copy_columns(exec, to, share);
  for_static_columns(to, std::as_const(share), [&](auto* target, const auto* source) {
    engine::copy_bytes_to_device(target - copies.before, source - copies.before,
                                 static_cast<std::size_t>(share.all()) * sizeof *source,
                                 exec.stream);
  });
  forget_copies(exec, to);
  engine::wait(exec);
}

/// None: the state is in other memory.
inline const State<engine::Host>* in_host_memory(const State<engine::Device>&) {
  return nullptr;
}

/// Copies values from the memory of the state. Waits.
template <class T>
void copy_here(const engine::Cuda& exec, T* to, const T* from, std::size_t count) {
  engine::copy_bytes_to_host(to, from, count * sizeof(T), exec.stream);
  engine::wait(exec);
}

/// The state of the body in a slot. Waits.
inline BodyState body_state(const engine::Cuda& exec, const State<engine::Device>& state,
                            engine::Index slot) {
  State<engine::Host> one(1, state.precision());
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    engine::copy_bytes_to_host(to, from, bytes, exec.stream);
  };
  copy(one.id(), state.id() + slot, sizeof(std::uint32_t));
  one.visit([&]<class Real>(StateView<Real> t) {
    state.visit([&]<class FromReal>(StateView<FromReal> f) {
      if constexpr (std::is_same_v<const Real, FromReal>) {
        for (std::size_t k = 0; k < t.common().size(); ++k)
          copy(t.common()[k], f.common()[k] + slot, sizeof(Real));
      }
    });
  });
  engine::wait(exec);
  return body_state(one, 0);
}

}  // namespace mote::sim
