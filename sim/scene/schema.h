#pragma once

#include <string>

#include "engine/json_fwd.h"

namespace mote::sim {

/// The reference of scene files as Markdown: every table and key with type, unit, range, default
/// and help. This is docs/scenes.md.
std::string schema_markdown();

/// The reference as data, for editors and tools.
engine::Json schema_json();

}  // namespace mote::sim
