#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads the table `grains` of a scene, and checks that it fits what was read before: domain,
/// fields, forces of near pairs and the integrator. `echo` receives it in full.
void read_grains(Reader& reader, const Table& scene, SceneDescription& description,
                 engine::Json& echo);

}  // namespace mote::sim
