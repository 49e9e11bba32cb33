#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads bonds and angles: `bond_kinds`, `angle_kinds`, the lists `bonds` and `angles`, and chains
/// among the bodies. Bodies and domain must have been read. `echo` receives the expanded tables.
void read_bonds(Reader& reader, const Table& scene, SceneDescription& description,
                engine::Json& echo);

}  // namespace mote::sim
