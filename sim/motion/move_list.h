#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/motion/motion.h"

namespace mote::sim {

/// Consecutive kicks and drifts as kernels read them, with their factors in the state's number
/// type.
template <class Real>
struct MoveList {
  static constexpr int most = 4;
  int count = 0;
  bool drifts[most] = {};
  Real h[most] = {};
};

/// Throws length_error when there are more than a list has room for.
template <class Real>
MoveList<Real> move_list(const std::vector<Moves::Move>& moves) {
  MoveList<Real> list;
  if (moves.size() > static_cast<std::size_t>(list.most))
    throw std::length_error("a GPU takes up to " + std::to_string(list.most) +
                            " kicks and drifts at once, not " + std::to_string(moves.size()));
  for (const Moves::Move& move : moves) {
    list.drifts[list.count] = move.kind == StageKind::drift;
    list.h[list.count++] = static_cast<Real>(move.h);
  }
  return list;
}

}  // namespace mote::sim
