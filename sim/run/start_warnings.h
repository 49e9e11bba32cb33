#pragma once

#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/initial/bodies.h"
#include "sim/scene/description.h"
#include "sim/state.h"

namespace mote::sim {

/// What is allowed in a start and hardly meant, a line each: bodies with mass at one place where
/// gravity has no softening, a lattice that lies in its own periodic images, molecules at rest of
/// which no pair is within the cutoff. `given`: the bodies as they were before their numbers became
/// those of the state.
std::vector<std::string> start_warnings(const engine::Cpu& exec, const SceneDescription& scene,
                                        const Bodies& given, const State<engine::Host>& state);

}  // namespace mote::sim
