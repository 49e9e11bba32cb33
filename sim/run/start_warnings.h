#pragma once

#include <string>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/initial/bodies.h"
#include "sim/scene/description.h"
#include "sim/state.h"

namespace mote::sim {

/// Warnings about an initial state that is valid but probably unintended, a line each: those of the
/// modules, of a lattice that overlaps its own periodic images, and of bodies far outside the
/// domain. `given`: the bodies before rounding to the state's precision.
std::vector<std::string> start_warnings(const engine::Cpu& exec, const SceneDescription& scene,
                                        const Bodies& given, const State<engine::Host>& state);

}  // namespace mote::sim
