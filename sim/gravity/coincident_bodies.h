#pragma once

#include "engine/exec/policy.h"
#include "engine/types.h"
#include "sim/state.h"

namespace mote::sim {

/// Bodies at one position, which exert no force on each other without softening.
struct CoincidentBodies {
  engine::Index pairs = 0;              ///< k bodies at one position count as k - 1
  engine::Index first = 0, second = 0;  ///< of the pair with the lowest index
};

/// Pairs of bodies at one position of which at least one has mass.
CoincidentBodies find_coincident(const engine::Cpu& exec, const State<engine::Host>& state);

}  // namespace mote::sim
