#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/types.h"

namespace mote::sim {

/// What a stage does to the state.
enum class StageKind {
  force,  ///< accelerations from the positions, by every force module
  kick,   ///< velocities += fraction dt accelerations
  drift   ///< positions += fraction dt velocities
};

/// One entry of a step: data, not code, so that a planner may run the same list stage by stage, as a recorded
/// graph or inside one kernel.
struct Stage {
  StageKind kind;
  double fraction = 0;  ///< of the time step, for kick and drift
};

/// A step is this list. Invariant: the accelerations are those of the positions before the first stage and
/// after the last one.
using Step = std::vector<Stage>;

/// What went wrong inside a step: bits, because nothing is thrown there and a device cannot.
enum class Health : std::uint32_t {
  good = 0,
  not_finite = 1,    ///< a position, velocity or acceleration is infinite or NaN
  energy_drift = 2,  ///< the relative energy error passed the scene's limit
};

constexpr Health operator|(Health a, Health b) {
  return static_cast<Health>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Health all, Health bit) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(bit)) != 0;
}

/// What one or several steps did. Filled by stages and modules.
struct StepReport {
  std::uint64_t steps = 0;         ///< whole steps taken
  std::uint64_t interactions = 0;  ///< directed, over all force evaluations
  Health health = Health::good;
  std::int64_t offender = -1;  ///< id of the first body that is not healthy, or -1
};

}  // namespace mote::sim
