#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/step.h"

namespace mote::sim {

/// Consecutive kicks and drifts of a step, fused into one GPU kernel, and the work that follows
/// them.
struct Moves {
  struct Move {
    StageKind kind;
    double h;  ///< [time]
  };
  std::vector<Move> moves;
  double thermostat = 0;  ///< [time] over which the thermostat acts after the moves; 0: none
  double constrain = 0;   ///< [time] of the drift after which constraints are applied; 0: none
  double elapsed_fraction = 0;  ///< of the step, at the positions before the moves
  bool first = false;   ///< of a step: halts if the previous step left a body that is not finite
  bool clears = false;  ///< a force follows: accelerations = 0
  bool last = false;    ///< of a step: counts it and records the first body that is not finite
};

/// The stages of a step grouped into moves, split at forces, thermostats and constraints.
std::vector<Moves> moves_of(const Step& step, double dt);

/// Consecutive kicks and drifts as a kernel argument, with factors in the state's number type.
template <class Real>
struct MoveList {
  static constexpr int most = 4;
  int count = 0;
  bool drifts[most] = {};
  Real h[most] = {};
};

/// Throws length_error for more than MoveList::most moves.
template <class Real>
MoveList<Real> move_list(const std::vector<Moves::Move>& moves) {
  MoveList<Real> list;
  if (moves.size() > static_cast<std::size_t>(list.most))
    throw std::length_error("one kernel fuses at most " + std::to_string(list.most) +
                            " kicks and drifts, not " + std::to_string(moves.size()));
  for (const Moves::Move& move : moves) {
    list.drifts[list.count] = move.kind == StageKind::drift;
    list.h[list.count++] = static_cast<Real>(move.h);
  }
  return list;
}

}  // namespace mote::sim
