#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "engine/exec/policy.h"
#include "sim/run/body_state.h"
#include "sim/run/initial_state.h"
#include "sim/state.h"

// A Machine reaches states in host memory by these functions; those on a GPU by
// sim/device/device_columns.h.
namespace mote::sim {

/// Calls of the CPU are done when they return.
inline void make_current(const engine::Cpu&) {}
inline void wait(const engine::Cpu&) {}

/// Copies all columns between states of equal layout and precision.
inline void copy_columns(const engine::Cpu&, State<engine::Host>& to,
                         const State<engine::Host>& from) {
  copy_columns(to, from, true);
}

/// Puts bodies into the memory of the steps, and into a mirror on the host where that is another.
inline void place(const engine::Cpu&, State<engine::Host>& to,
                  std::optional<State<engine::Host>>& /*mirror*/, State<engine::Host>&& from) {
  to = std::move(from);
}

/// The share of a rank, with its room for copies.
inline void place_share(const engine::Cpu&, State<engine::Host>& to, State<engine::Host>&& share) {
  to = std::move(share);
}

/// The state itself; null for one in other memory.
inline const State<engine::Host>* in_host_memory(const State<engine::Host>& state) {
  return &state;
}

/// Copies values from the memory of the state.
template <class T>
void copy_here(const engine::Cpu&, T* to, const T* from, std::size_t count) {
  std::copy_n(from, count, to);
}

/// The state of the body in a slot.
inline BodyState body_state(const engine::Cpu&, const State<engine::Host>& state,
                            engine::Index slot) {
  return body_state(state, slot);
}

}  // namespace mote::sim
