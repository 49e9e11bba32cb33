#include "sim/lua/lua_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "engine/quantity.h"
#include "engine/text.h"

namespace mote::sim {
namespace {

/// units.km_s(220) is "220 km/s", and units.kpc { 1, 2, 3 } a list of three.
int make_quantity(lua_State* L) {
  const char* unit = lua_tostring(L, lua_upvalueindex(1));
  const auto push = [&](int index) {
    const Value number = scalar_value(L, index);
    double value = 0;
    if (auto i = std::get_if<std::int64_t>(&number.data))
      value = static_cast<double>(*i);
    else if (auto d = std::get_if<double>(&number.data))
      value = *d;
    else
      luaL_error(L, "units expect a number or a list of numbers, got %s", describe(number).c_str());
    if (!std::isfinite(value)) luaL_error(L, "units expect a finite number");
    lua_pushstring(L, (engine::number_text(value) + " " + unit).c_str());
  };
  if (!lua_istable(L, 1)) return push(1), 1;
  const auto length = static_cast<lua_Integer>(lua_rawlen(L, 1));
  lua_newtable(L);
  for (lua_Integer i = 1; i <= length; ++i) {
    lua_rawgeti(L, 1, i);
    push(-1);
    lua_rawseti(L, 2, i);
    lua_settop(L, 2);
  }
  return 1;
}

/// Functions that these libraries have in standard Lua.
constexpr std::string_view omitted_functions[] = {
    "find", "match", "gmatch", "gsub", "dump", "pack", "unpack", "packsize", "move", "randomseed"};

/// Raises an error for a field that a table of mote lacks, such as units.kmm, instead of returning
/// nil.
int refuse_field(lua_State* L) {
  if (lua_type(L, 2) != LUA_TSTRING) return 0;
  luaL_where(L, 1);
  {  // lua_error runs no destructors
    std::vector<std::string> known;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1))
      if (lua_type(L, -2) == LUA_TSTRING) known.emplace_back(lua_tostring(L, -2));
    std::sort(known.begin(), known.end());
    const std::string name = lua_tostring(L, 2), table = lua_tostring(L, lua_upvalueindex(1));
    const bool omitted = std::find(std::begin(omitted_functions), std::end(omitted_functions),
                                   name) != std::end(omitted_functions);
    const std::string remedy = omitted ? "scenes do not have it: see docs/scenes.md"
                                       : engine::did_you_mean(name, known, "it has: ");
    lua_pushstring(L, (table + " has no " + engine::quoted(name) + "; " + remedy).c_str());
  }
  lua_concat(L, 2);
  return lua_error(L);
}

/// "table", or the name of a userdata of mote.
std::string type_of(lua_State* L, int index) {
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return luaL_typename(L, index);
  const std::string name = luaL_tolstring(L, -1, nullptr);
  lua_pop(L, 1);
  lua_pop(L, 1);
  return name;
}

}  // namespace

void add_units(lua_State* L) {
  lua_newtable(L);
  const auto add = [&](const std::string& name, const std::string& unit) {
    lua_pushstring(L, unit.c_str());
    lua_pushcclosure(L, &make_quantity, 1);
    lua_setfield(L, -2, name.c_str());
  };
  for (const engine::NamedUnit& u : engine::named_units()) add(u.name, u.name);
  for (const char* quotient :
       {"m/s", "cm/s", "km/s", "au/day", "au/yr", "pc/Myr", "kpc/Gyr", "deg/day", "rad/s"}) {
    std::string name = quotient;
    name[name.find('/')] = '_';
    add(name, quotient);
  }
  lua_setglobal(L, "units");
}

void refuse_missing_fields(lua_State* L, const char* table) {
  lua_getglobal(L, table);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, table);
  lua_pushcclosure(L, &refuse_field, 1);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

Value scalar_value(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN:
      return {lua_toboolean(L, index) != 0, 0};
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) return {static_cast<std::int64_t>(lua_tointeger(L, index)), 0};
      return {lua_tonumber(L, index), 0};
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* text = lua_tolstring(L, index, &length);
      return {std::string(text, length), 0};
    }
    case LUA_TNONE:
    case LUA_TNIL:
      return {};
    default:
      return {Unusable{std::string("a ") + type_of(L, index)}, 0};
  }
}

}  // namespace mote::sim
