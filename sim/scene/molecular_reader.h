#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"
#include "sim/scene/scene_folder.h"

namespace mote::sim {

/// Reads the domain and short-range forces of a scene, `domain`, `lennard_jones`, `coulomb`,
/// `pairs`, `thermostat`, `radial_distribution` and `fluid`, and checks that they are consistent.
/// Species must have been read. `echo` receives the expanded tables.
void read_molecular(Reader& reader, const Table& scene, SceneDescription& description,
                    SceneFolder& folder, engine::Json& echo);

}  // namespace mote::sim
