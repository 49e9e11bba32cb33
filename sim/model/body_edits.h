#pragma once

#include <string>

#include "engine/json_fwd.h"
#include "sim/model/body_events.h"

namespace mote::sim {

/// {"removed": [17], "added": {"mass": [..], "position": [[x, y, z], ..], "velocity": ..,
/// "radius": .., "species": .., "fixed": .., "names": ..}}; what is empty is left out. Numbers
/// round-trip exactly.
engine::Json body_change_json(const BodyChange& change);

/// Reads it back. `key`: of the object, for messages. Throws InputError with all problems at once.
BodyChange read_body_change(const engine::Json& json, const std::string& key);

}  // namespace mote::sim
