#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/motion/motion_formula.h"
#include "sim/step.h"

namespace mote::sim {

/// Consecutive kicks and drifts of a step, fused into one GPU kernel, then thermostat or
/// constraints.
struct Moves {
  struct Move {
    StageKind kind;
    double h;  ///< [time]
  };
  std::vector<Move> moves;
  double thermostat = 0;  ///< [time] over which the thermostat acts after the moves; 0: none
  double constrain = 0;   ///< [time] of the drift after which constraints are applied; 0: none
  double elapsed_fraction = 0;  ///< of the step, before these moves
  bool first = false;   ///< first moves of a step: halt if the step before recorded an error
  bool clears = false;  ///< a force follows: clear accelerations and spin rates
  bool last = false;  ///< last moves of a step: count it, record the first body that is not finite
};

/// The stages of a step grouped into moves, split at forces, thermostats and constraints.
std::vector<Moves> moves_of(const Step& step, double dt);

/// Kicks and drifts as a kernel argument, with their durations in the precision of the state.
template <class Real>
struct MoveList {
  static constexpr int capacity = 4;
  int count = 0;
  bool drifts[capacity] = {};
  Real h[capacity] = {};
};

/// Applies the moves to a position and a velocity, numbers or vectors. `transport`: a velocity that
/// drifts add to `velocity` (of fluids), or null.
template <class Value, class Real>
MOTE_FORMULA void kick_drift(const MoveList<Real>& list, Value& position, Value& velocity,
                             const Value& acceleration, const Value* transport = nullptr) {
  for (int k = 0; k < list.count; ++k)
    if (list.drifts[k]) {
      position = drift(position, velocity, list.h[k]);
      if (transport) position = drift(position, *transport, list.h[k]);
    } else {
      velocity = kick(velocity, acceleration, list.h[k]);
    }
}

/// Applies the kicks alone, to a quantity with a rate of change: a density, a spin.
template <class Real>
MOTE_FORMULA void kick_only(const MoveList<Real>& list, Real& value, Real rate) {
  for (int k = 0; k < list.count; ++k)
    if (!list.drifts[k]) value = kick(value, rate, list.h[k]);
}

/// Throws length_error for more than MoveList::capacity moves.
template <class Real>
MoveList<Real> move_list(const std::vector<Moves::Move>& moves) {
  MoveList<Real> list;
  if (moves.size() > static_cast<std::size_t>(list.capacity))
    throw std::length_error("one kernel fuses at most " + std::to_string(list.capacity) +
                            " kicks and drifts, not " + std::to_string(moves.size()));
  for (const Moves::Move& move : moves) {
    list.drifts[list.count] = move.kind == StageKind::drift;
    list.h[list.count++] = static_cast<Real>(move.h);
  }
  return list;
}

}  // namespace mote::sim
