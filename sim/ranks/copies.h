#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "engine/exec/policy.h"
#include "sim/division.h"
#include "sim/ranks/column_exchange.h"
#include "sim/state.h"

// Movements of bodies between ranks. States are in the memory of the backend, `Exec`; functions
// that are collective are called by every rank. On a GPU they wait for processes alone.
namespace mote::sim {

/// Calls `use(to, from)` with the pointers to each column that changes with the set of bodies
/// alone, which copies always have. Precisions and layouts are equal.
template <class To, class From, class Use>
void for_static_columns(State<To>& to, const State<From>& from, Use&& use) {
  use(to.id(), from.id());
  if (to.with_species()) use(to.species(), from.species());
  to.visit([&](const auto& t) {
    from.visit([&](const auto& f) {
      if constexpr (std::is_convertible_v<decltype(t.mass), decltype(f.mass)>) use(t.mass, f.mass);
    });
  });
}

/// Makes the columns of copies NaN, which they are unless they are received.
template <class Exec>
void forget_copies(const Exec& exec, State<typename Exec::Space>& state) {
  const auto fill = [&](auto* column, engine::Index count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof *column;
    if (bytes == 0) return;
    if constexpr (std::is_same_v<typename Exec::Space, engine::Host>)
      std::memset(column, 0xff, bytes);
    else
      engine::fill_bytes(column, 0xff, bytes, exec.stream);
  };
  const auto forget = [&](auto* column, const Copies& copies) {
    fill(column - copies.before, copies.before);
    fill(column + state.count(), copies.after);
  };
  state.visit([&]<class Real>(StateView<Real> s) {
    Real *const positions[] = {s.x, s.y, s.z}, *const others[] = {s.vx, s.vy, s.vz,
                                                                  s.ax, s.ay, s.az};
    const Copies complete = state.complete_copies();
    for (Real* const column : positions) forget(column, state.copies());
    for (Real* const column : others) forget(column, complete);
    for (int k = 0; k < s.field_count; ++k) forget(s.field_column[k], complete);
  });
}

/// Returns the share of a rank in all bodies of a simulation, with accelerations: its own bodies,
/// the static columns of copies, and room for their other columns.
State<engine::Host> share_of(const State<engine::Host>& bodies, const Division& division, int rank);

/// Copies the own bodies of all ranks, which are in host memory, to every rank. Collective.
void gather_bodies(engine::Ranks& ranks, State<engine::Host>& to, const State<engine::Host>& own,
                   const Division& division);
/// Copies the own bodies of all ranks to rank 0 alone: `to` is null on others. Collective.
void gather_on_first(engine::Ranks& ranks, State<engine::Host>* to, const State<engine::Host>& own,
                     const Division& division);

/// Receives the positions of all copies, and if `moving` their velocities, for an evaluation of
/// forces. Collective.
template <class Exec>
void receive_positions(const Exec& exec, State<typename Exec::Space>& state,
                       const Division& division, bool moving = false) {
  MOTE_EXPECT(!moving || state.complete_copies().before == state.copies().before);
  ColumnExchange<Exec> exchange(exec, division);
  state.visit([&]<class Real>(StateView<Real> s) {
    Real* const columns[6] = {s.x, s.y, s.z, s.vx, s.vy, s.vz};
    for (int k = 0; k < (moving ? 6 : 3); ++k)
      exchange.add(columns[k] - state.copies().before, Wanted::held);
  });
  exchange.run();
}

/// The result of `use()`, during which the bodies of Division::summed, complete but for
/// accelerations, are in the place of own ones, and all copies have positions: for energies and
/// other sums over bodies. Copies are forgotten after it. Without a division (null) the bodies are
/// what they are. Collective.
template <class Exec, class Use>
auto with_summed_bodies(const Exec& exec, State<typename Exec::Space>& state,
                        const Division* division, Use&& use) {
  if (!division) return use();
  const int rank = exec.ranks->rank();
  ColumnExchange<Exec> exchange(exec, *division);
  state.visit([&]<class Real>(StateView<Real> s) {
    const engine::Index before = state.copies().before;
    Real *const positions[3] = {s.x, s.y, s.z}, *const velocities[3] = {s.vx, s.vy, s.vz};
    for (Real* column : positions) exchange.add(column - before, Wanted::held);
    for (Real* column : velocities) exchange.add(column - before, Wanted::summed);
    for (int k = 0; k < s.field_count; ++k)
      exchange.add(s.field_column[k] - before, Wanted::summed);
  });
  exchange.run();
  const engine::Range own = division->own(rank), summed = division->summed(rank);
  state.choose(summed.count(), division->about(rank, summed));
  auto result = use();
  state.choose(own.count(), division->about(rank, own));
  forget_copies(exec, state);
  return result;
}

}  // namespace mote::sim
