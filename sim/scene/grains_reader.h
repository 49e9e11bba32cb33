#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads the table `grains` of a scene and checks it against what was read before: domain, fluid,
/// fields, thermostat and integrator. `echo` receives the expanded table.
void read_grains(Reader& reader, const Table& scene, SceneDescription& description,
                 engine::Json& echo);

}  // namespace mote::sim
