#pragma once

#include <lua.hpp>

#include <cstddef>
#include <string>

#include "engine/json_fwd.h"

namespace mote::sim {

/// Converts values of a script to JSON that push_data restores exactly, including bits and the
/// integer subtype of numbers. Plain values only: true, false, numbers, UTF-8 text, lists, and
/// tables with text keys. Non-finite numbers become {"": "inf"}, {"": "-inf"}, {"": "nan"}. Throws
/// InputError with the path of an unsupported value ("data.a.2").
engine::Json data_json(lua_State* L, int index, const std::string& path);

/// Pushes the value of such JSON. Throws InputError or Json::exception when it is malformed.
void push_data(lua_State* L, const engine::Json& json, int depth = 0);

/// Limit on the size of data as JSON text [bytes].
inline constexpr std::size_t max_data_bytes = 1u << 20;

}  // namespace mote::sim
