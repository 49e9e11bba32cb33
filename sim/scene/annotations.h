#pragma once

#include <string>

namespace mote::sim {

/// What scenes may hold, as annotations of the Lua language server: editors then complete keys,
/// show what they mean and mark those that are unknown. This is scenes/mote.lua; it holds no code.
std::string lua_annotations();

}  // namespace mote::sim
