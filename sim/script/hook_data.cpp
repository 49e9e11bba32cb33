#include "sim/script/hook_data.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "engine/check.h"
#include "engine/json.h"
#include "engine/text.h"
#include "sim/lua/lua_functions.h"
#include "sim/source/reader.h"

namespace mote::sim {
namespace {

using engine::Json;

class Serializer {
 public:
  explicit Serializer(lua_State* L) : L_(L) {}

  Json value(int index, const std::string& path, int depth) {
    luaL_checkstack(L_, 8, "storing data");
    switch (lua_type(L_, index)) {
      case LUA_TBOOLEAN:
        return lua_toboolean(L_, index) != 0;
      case LUA_TNUMBER:
        return number(index);
      case LUA_TSTRING:
        return text(index, path);
      case LUA_TTABLE:
        if (depth > max_table_depth) reject(path, "nests too deep, or contains itself");
        return table(lua_absindex(L_, index), path, depth);
      default:
        reject(path, std::string("holds a ") + luaL_typename(L_, index));
    }
  }

 private:
  [[noreturn]] static void reject(const std::string& path, const std::string& problem) {
    throw engine::InputError(
        path, problem + ", which cannot be stored",
        "sim.data can hold true, false, numbers, text, lists and tables with text keys");
  }

  /// A rough count, to reject a huge table early.
  void count_bytes(std::size_t bytes, const std::string& path) {
    bytes_ += bytes;
    if (bytes_ > max_data_bytes)
      throw engine::InputError(path, "sim.data holds more than 1 MiB",
                               "write tables to files with sim:row");
  }

  Json number(int index) {
    count_bytes(2, "sim.data");
    if (lua_isinteger(L_, index)) return static_cast<std::int64_t>(lua_tointeger(L_, index));
    const double d = lua_tonumber(L_, index);
    if (std::isfinite(d)) return d;
    return Json{{"", std::isnan(d) ? "nan" : d > 0 ? "inf" : "-inf"}};
  }

  Json text(int index, const std::string& path) {
    std::size_t length = 0;
    const char* const bytes = lua_tolstring(L_, index, &length);
    count_bytes(length + 3, path);
    if (!engine::is_utf8({bytes, length})) reject(path, "holds text that is not UTF-8");
    return std::string(bytes, length);
  }

  Json table(int index, const std::string& path, int depth) {
    const auto length = static_cast<lua_Integer>(lua_rawlen(L_, index));
    Json out = length > 0 ? Json::array() : Json::object();
    for (lua_Integer i = 1; i <= length; ++i) {
      lua_rawgeti(L_, index, i);
      out.push_back(value(-1, path + "." + std::to_string(i), depth + 1));
      lua_pop(L_, 1);
    }
    std::map<std::string, Json> members;  // sorted: the order in a table depends on addresses
    for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
      if (length > 0 && lua_isinteger(L_, -2) && lua_tointeger(L_, -2) >= 1 &&
          lua_tointeger(L_, -2) <= length)
        continue;
      if (lua_type(L_, -2) != LUA_TSTRING || length > 0 || lua_rawlen(L_, -2) == 0)
        reject(path, "is neither a list nor a table with text keys");
      const std::string name = text(-2, path).get<std::string>();
      members[name] = value(-1, path + "." + name, depth + 1);
    }
    for (auto& [name, json] : members) out[name] = std::move(json);
    return out;
  }

  lua_State* L_;
  std::size_t bytes_ = 0;
};

double number_named(const std::string& word) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return word == "inf"    ? infinity
         : word == "-inf" ? -infinity
                          : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Json data_json(lua_State* L, int index, const std::string& path) {
  const int top = lua_gettop(L);
  try {
    return Serializer(L).value(index, path, 0);
  } catch (...) {
    lua_settop(L, top);
    throw;
  }
}

void push_data(lua_State* L, const Json& json, int depth) {
  if (depth > max_table_depth + 1) throw engine::InputError("sim.data", "nests too deep");
  luaL_checkstack(L, 8, "data");
  if (json.is_boolean()) return lua_pushboolean(L, json.get<bool>());
  if (json.is_number_integer()) return lua_pushinteger(L, json.get<std::int64_t>());
  if (json.is_number()) return lua_pushnumber(L, json.get<double>());
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    lua_pushlstring(L, text.data(), text.size());
    return;
  }
  if (json.is_object() && json.size() == 1 && json.contains(""))
    return lua_pushnumber(L, number_named(json[""].get<std::string>()));
  lua_newtable(L);
  lua_Integer i = 0;
  for (const auto& [name, member] : json.items()) {
    if (json.is_array()) {
      push_data(L, member, depth + 1);
      lua_rawseti(L, -2, ++i);
    } else {
      lua_pushlstring(L, name.data(), name.size());
      push_data(L, member, depth + 1);
      lua_rawset(L, -3);
    }
  }
}

}  // namespace mote::sim
