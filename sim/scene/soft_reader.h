#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads the table `soft` of a scene, and checks that it fits what was read before: grains, forces
/// of near pairs, fields and the integrator. `echo` receives it in full.
void read_soft(Reader& reader, const Table& scene, SceneDescription& description,
               engine::Json& echo);

}  // namespace mote::sim
