#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads the table `soft` of a scene and checks it against what was read before: grains, domain,
/// fluid, fields, thermostat and integrator. `echo` receives the expanded table.
void read_soft(Reader& reader, const Table& scene, SceneDescription& description,
               engine::Json& echo);

}  // namespace mote::sim
