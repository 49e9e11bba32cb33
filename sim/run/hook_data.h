#pragma once

#include <lua.hpp>

#include <cstddef>
#include <string>

#include "engine/json_fwd.h"

namespace mote::sim {

/// Values that a script keeps, as JSON and back, exactly: numbers keep every bit and whether they
/// are whole. Only plain values: true, false, numbers, text in UTF-8, lists, and tables whose keys
/// are texts. Numbers that are not finite become {"": "inf"}, {"": "-inf"}, {"": "nan"}. Throws
/// InputError with the path of what cannot be kept ("data.a.2").
engine::Json kept_json(lua_State* L, int index, const std::string& path);

/// Pushes what such a JSON stands for. Throws InputError or Json::exception when it is none.
void push_kept(lua_State* L, const engine::Json& json, int depth = 0);

/// Bytes of JSON text above which data is refused.
inline constexpr std::size_t most_kept_bytes = 1u << 20;

}  // namespace mote::sim
