#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"
#include "sim/scene/scene_folder.h"

namespace mote::sim {

/// Reads what scenes say of the domain and of forces between near pairs, `domain`, `lennard_jones`,
/// `coulomb` and `pairs`, and checks that they fit each other. The species are read already. `echo`
/// receives all in full.
void read_molecular(Reader& reader, const Table& scene, SceneDescription& description,
                    SceneFolder& folder, engine::Json& echo);

}  // namespace mote::sim
