#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/exec/timing.h"
#include "engine/json_fwd.h"
#include "sim/run/plan.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// A part of the work on a scene, timed alone.
struct ScenePart {
  std::string name;            ///< "forces of gravity"
  engine::Timing timing = {};  ///< time of one call
  double per_step = 0;         ///< calls in a step; 0: not part of a step
  double interactions = 0;     ///< number per call, as the modules count them; 0 where they do not
  double limit = 0;            ///< counted_limit of interactions per second, or 0

  double seconds_per_step() const { return per_step * timing.median; }
  double rate() const { return timing.median > 0 ? interactions / timing.median : 0; }
};

/// Times steps from the present state, which is restored before each timing and at the end. Throws
/// InputError if they are unhealthy.
ScenePart time_steps(sim::Simulation& simulation, const sim::SceneDescription& scene, int repeats);

/// Times the parts of a scene from its initial state: the whole step, on the CPU the forces of each
/// module and the motion, then measurement, picture data, hash and snapshot, which runs do between
/// steps. Throws InputError if its steps are unhealthy.
struct SceneTimes {
  std::vector<ScenePart> parts;
  std::optional<sim::ForceErrors> force_errors;  ///< errors of forces in the initial state
};
SceneTimes time_scene(const sim::SceneDescription& scene, const sim::Plan& plan, int repeats);

void print_parts(const std::vector<ScenePart>& parts);
engine::Json json_of(const std::vector<ScenePart>& parts);

}  // namespace mote::app
