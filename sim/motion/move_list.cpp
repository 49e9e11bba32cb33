#include "sim/motion/move_list.h"

namespace mote::sim {

std::vector<Moves> moves_of(const Step& step, double dt) {
  std::vector<Moves> all(1);
  all.back().first = true;
  const std::vector<double> elapsed = elapsed_fractions(step);
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Stage& stage = step[i];
    if (stage.kind == StageKind::force) {
      all.back().clears = true;
      all.emplace_back().elapsed_fraction = elapsed[i];
    } else if (stage.kind == StageKind::thermostat) {
      all.back().thermostat = stage.fraction * dt;
      all.emplace_back().elapsed_fraction = elapsed[i];
    } else if (stage.kind == StageKind::constrain) {
      all.back().constrain = stage.fraction * dt;
      all.emplace_back().elapsed_fraction = elapsed[i];
    } else {
      all.back().moves.push_back({stage.kind, stage.fraction * dt});
    }
  }
  all.back().last = true;
  return all;
}

}  // namespace mote::sim
