#include "sim/motion/move_list.h"

#include <stdexcept>
#include <string>

namespace mote::sim {

std::vector<Moves> moves_of(const Step& step) {
  std::vector<Moves> all(1);
  all.back().first = true;
  const std::vector<double> elapsed = elapsed_fractions(step);
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Stage& stage = step[i];
    if (stage.kind == StageKind::force) {
      all.back().clears = true;
      all.emplace_back().elapsed_fraction = elapsed[i];
    } else if (stage.kind == StageKind::thermostat) {
      all.back().thermostat = stage.fraction;
      all.emplace_back().elapsed_fraction = elapsed[i];
    } else if (stage.kind == StageKind::constrain) {
      all.back().constrain = stage.fraction;
      all.emplace_back().elapsed_fraction = elapsed[i];
    } else {
      all.back().moves.push_back({stage.kind, stage.fraction});
    }
  }
  all.back().last = true;
  return all;
}

MoveFractions move_fractions(const std::vector<Moves::Move>& moves) {
  MoveFractions list;
  if (moves.size() > static_cast<std::size_t>(list.capacity))
    throw std::length_error("one kernel fuses at most " + std::to_string(list.capacity) +
                            " kicks and drifts, not " + std::to_string(moves.size()));
  for (const Moves::Move& move : moves) {
    list.drifts[list.count] = move.kind == StageKind::drift;
    list.fraction[list.count++] = move.fraction;
  }
  return list;
}

}  // namespace mote::sim
