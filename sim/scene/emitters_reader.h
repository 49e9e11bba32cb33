#pragma once

#include "sim/scene/description.h"
#include "sim/scene/reader.h"

namespace mote::sim {

/// Reads the lists `emitters` and `drains` of a scene. Its fluid and its species must have been
/// read. `echo` receives the expanded lists.
void read_emitters(Reader& reader, const Table& scene, SceneDescription& description,
                   engine::Json& echo);

}  // namespace mote::sim
