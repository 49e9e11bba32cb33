#pragma once

#include <string>

namespace mote::sim {

/// The schema of scenes as annotations for the Lua language server: editors complete keys, show
/// their meaning and mark unknown ones. This is scenes/mote.lua; it contains no code.
std::string lua_annotations();

}  // namespace mote::sim
