#pragma once

#include <string>
#include <vector>

#include "sim/scene/description.h"

namespace mote::sim {

/// Why the energy of a scene need not be constant, a line for each reason; none where it is.
std::vector<std::string> energy_notes(const SceneDescription& scene);

}  // namespace mote::sim
