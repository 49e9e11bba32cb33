#pragma once

#include <string>
#include <vector>

#include "sim/scene/description.h"

namespace mote::sim {

/// Reasons why the energy of a scene need not be constant, one line each; empty if it is conserved.
std::vector<std::string> energy_notes(const SceneDescription& scene);

}  // namespace mote::sim
