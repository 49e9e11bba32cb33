#pragma once

#include "sim/lua/lua_state.h"
#include "sim/source/hooks.h"
#include "sim/source/reader.h"
#include "sim/source/source_map.h"

namespace mote::sim {

/// Moves the hooks out of the scene's table, which is on top of the stack, leaving plain data.
/// `node`: the table in the text, or null. Functions go into the registry of the script.
std::vector<Hook> extract_hooks(LuaState& lua, const SourceMap::Node* node, Reader& reader);

}  // namespace mote::sim
