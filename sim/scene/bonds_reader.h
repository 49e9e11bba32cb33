#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads what ties bodies together: `bond_kinds`, `angle_kinds`, the lists `bonds` and `angles`,
/// and chains among the bodies, which are read already, as is the domain. `echo` receives it in
/// full.
void read_bonds(Reader& reader, const Table& scene, SceneDescription& description,
                engine::Json& echo);

}  // namespace mote::sim
