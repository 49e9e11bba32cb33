#pragma once

#include <optional>
#include <vector>

#include "sim/motion/motion_formula.h"
#include "sim/step.h"

namespace mote::sim {

/// Consecutive kicks and drifts of a step, fused into one GPU kernel, then thermostat or
/// constraints.
struct Moves {
  struct Move {
    StageKind kind;
    double fraction;  ///< duration as a fraction of the time step
  };
  std::vector<Move> moves;
  double thermostat = 0;  ///< fraction over which the thermostat acts after the moves; 0: none
  /// Fraction of the drift after which constraints are applied, 0 after kicks; or none are.
  std::optional<double> constrain = {};
  double elapsed_fraction = 0;  ///< fraction of the step before these moves
  bool first = false;   ///< first moves of a step: halt if the step before recorded an error
  bool clears = false;  ///< a force follows: clear accelerations and other summed rates
  bool last = false;  ///< last moves of a step: count it, record the first body that is not finite
};

/// The stages of a step grouped into moves, split at forces, thermostats and constraints.
std::vector<Moves> moves_of(const Step& step);

/// Kicks and drifts as a kernel argument, in fractions of a step whose length the kernel reads.
struct MoveFractions {
  static constexpr int capacity = 4;
  int count = 0;
  bool drifts[capacity] = {};
  double fraction[capacity] = {};
};

/// Moves with their durations, in the precision of the state.
template <class Real>
struct MoveList {
  int count = 0;
  bool drifts[MoveFractions::capacity] = {};
  Real h[MoveFractions::capacity] = {};
};

/// Duration of move k.
template <class Real>
MOTE_FORMULA Real duration_of(const MoveFractions& moves, int k, double dt) {
  return static_cast<Real>(moves.fraction[k] * dt);
}

template <class Real>
MOTE_FORMULA MoveList<Real> move_list(const MoveFractions& moves, double dt) {
  MoveList<Real> list;
  list.count = moves.count;
  for (int k = 0; k < moves.count; ++k) {
    list.drifts[k] = moves.drifts[k];
    list.h[k] = duration_of<Real>(moves, k, dt);
  }
  return list;
}

/// Applies the moves to a position and a velocity.
template <class Value, class Real>
MOTE_FORMULA void kick_drift(const MoveList<Real>& list, Value& position, Value& velocity,
                             const Value& acceleration) {
  for (int k = 0; k < list.count; ++k)
    if (list.drifts[k])
      position = drift(position, velocity, list.h[k]);
    else
      velocity = kick(velocity, acceleration, list.h[k]);
}

/// Throws length_error for more than MoveFractions::capacity moves.
MoveFractions move_fractions(const std::vector<Moves::Move>& moves);

}  // namespace mote::sim
