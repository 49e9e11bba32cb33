#include "sim/lua/lua_functions.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "engine/text.h"
#include "sim/lua/lua_live.h"
#include "sim/lua/lua_tables.h"
#include "sim/model/modules.h"
#include "sim/scene/generators.h"
#include "sim/scene/obstacles_reader.h"

namespace mote::sim {
namespace {

/// Pushes a copy of the table at `index`; with `deep`, copies of the tables in it too.
void push_copy(lua_State* L, int index, bool deep, int depth = 0) {
  luaL_checkstack(L, 8, "copying a table");
  if (depth > max_table_depth)
    luaL_error(L, "cannot copy a table that nests deeper than %d levels", max_table_depth);
  index = lua_absindex(L, index);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    if (deep && lua_istable(L, -2))
      push_copy(L, -2, deep, depth + 1);
    else
      lua_pushvalue(L, -2);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
}

void set_text(lua_State* L, const char* key, const char* text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

/// Returns the name of the running function; raises an error unless it was called with `arguments`
/// values, the first a table.
const char* checked_name(lua_State* L, int arguments, const char* expected) {
  const char* name = lua_tostring(L, lua_upvalueindex(1));
  if (!lua_istable(L, 1) || lua_gettop(L) != arguments)
    luaL_error(L, "%s expects %s", name, expected);
  return name;
}

/// disk { ... }: a copy of the table with its kind and its random stream.
int make_generator(lua_State* L) {
  const char* kind = checked_name(L, 1, "one table, { ... }");
  push_copy(L, 1, false);
  set_text(L, "kind", kind);
  Script& script = script_of(L);
  ++script.generator_calls;
  const Generator* generator = generator_named(kind);
  if (generator && generator->random && lua_getfield(L, -1, "stream") == LUA_TNIL) {
    lua_pushinteger(L, script.generator_calls);
    lua_setfield(L, -3, "stream");
  }
  lua_settop(L, 2);
  note_line(L, current_line(L));
  return 1;
}

/// drag { ... } and plane { ... }: a copy of the table with its kind.
int make_kind(lua_State* L) {
  const char* kind = checked_name(L, 1, "one table, { ... }");
  push_copy(L, 1, false);
  set_text(L, "kind", kind);
  note_line(L, current_line(L));
  return 1;
}

/// Pushes { kind = "group", bodies = { first argument } }.
void push_group(lua_State* L) {
  lua_newtable(L);
  set_text(L, "kind", "group");
  // A list of bodies is taken as it is; one generator or body becomes a list of one.
  lua_pushnil(L);
  const bool empty = lua_next(L, 1) == 0;
  if (!empty) lua_pop(L, 2);
  if (empty || lua_rawlen(L, 1) > 0) {
    lua_pushvalue(L, 1);
  } else {
    lua_newtable(L);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
  }
  lua_setfield(L, -2, "bodies");
  note_line(L, current_line(L));
}

/// translate(bodies, {x, y, z}) and boost(bodies, {vx, vy, vz}).
int make_moved(lua_State* L) {
  const bool boost = std::string(checked_name(L, 2, "bodies and a vector {x, y, z}")) == "boost";
  push_group(L);
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, boost ? "velocity" : "position");
  return 1;
}

/// Pushes a group with all keys of the table at 2, so that a misspelt one is reported as usual.
void push_group_of(lua_State* L) {
  push_group(L);
  for (lua_pushnil(L); lua_next(L, 2) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_settable(L, 3);
  }
}

/// Raises an error for keys of groups that this function does not set.
void refuse_keys(lua_State* L, std::initializer_list<const char*> keys, const char* expected) {
  for (const char* key : keys)
    if (lua_getfield(L, 2, key) != LUA_TNIL)
      luaL_error(L, "%s has no %s; it expects %s", lua_tostring(L, lua_upvalueindex(1)), key,
                 expected);
  lua_settop(L, 2);
}

/// rotate(bodies, { axis = {x, y, z}, angle = degrees }).
int make_rotated(lua_State* L) {
  const char* const expected = "bodies and { axis = {x, y, z}, angle = degrees }";
  checked_name(L, 2, expected);
  if (!lua_istable(L, 2) || lua_getfield(L, 2, "angle") == LUA_TNIL)
    return luaL_error(L, "rotate expects %s", expected);
  refuse_keys(L, {"bodies", "kind", "position", "velocity", "inclination", "node", "scale", "spin"},
              expected);
  push_group_of(L);
  return 1;
}

/// place(bodies, { position = , velocity = , inclination = , node = }).
int make_placed(lua_State* L) {
  const char* const expected = "bodies and { position = , velocity = , inclination = , node = }";
  checked_name(L, 2, expected);
  if (!lua_istable(L, 2)) return luaL_error(L, "place expects %s", expected);
  refuse_keys(L, {"bodies", "kind", "axis", "angle", "scale", "spin"}, expected);
  push_group_of(L);
  return 1;
}

/// scale(bodies, { length = , velocity = , mass = }) and spin(bodies, { axis = , rate = }): a group
/// with a table of this name.
int make_with_table(lua_State* L) {
  const bool scale = std::string(lua_tostring(L, lua_upvalueindex(1))) == "scale";
  const char* const expected =
      scale ? "bodies and { length = , velocity = , mass = }"
            : "bodies and { axis = {x, y, z}, rate = radians per unit of time }";
  const char* name = checked_name(L, 2, expected);
  if (!lua_istable(L, 2)) return luaL_error(L, "%s expects %s", name, expected);
  push_group(L);
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, name);
  return 1;
}

/// copy(bodies): a deep copy, which can be changed without affecting the original.
int make_copy(lua_State* L) {
  checked_name(L, 1, "bodies");
  push_copy(L, 1, true);
  note_line(L, current_line(L));
  return 1;
}

/// Reads the table of options of `param` at `index`.
Table param_options(lua_State* L, int index) {
  Table options;
  for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
    Value value = scalar_value(L, -1);
    if (lua_istable(L, -1)) {
      Table list;
      const lua_Unsigned length = lua_rawlen(L, -1);
      for (lua_Unsigned i = 1; i <= length && i <= 1000; ++i, lua_pop(L, 1)) {
        lua_rawgeti(L, -1, static_cast<lua_Integer>(i));
        list.items.push_back(scalar_value(L, -1));
      }
      value.data = std::move(list);
    }
    if (lua_type(L, -2) == LUA_TSTRING)
      options.members.push_back({lua_tostring(L, -2), std::move(value)});
    else
      options.items.push_back(std::move(value));
  }
  // Lua's order depends on addresses; problems are reported in this one.
  std::sort(options.members.begin(), options.members.end(),
            [](const Member& a, const Member& b) { return a.name < b.name; });
  return options;
}

/// Calls `param` or `live` and pushes the value to use; false when there is none.
bool push_param(lua_State* L, bool live) {
  Table options;
  if (lua_istable(L, 3))
    options = param_options(L, 3);
  else if (!lua_isnoneornil(L, 3))
    options.items.push_back(scalar_value(L, 3));
  for (int i = 4; i <= lua_gettop(L); ++i) options.items.push_back(scalar_value(L, i));
  const Value chosen = script_of(L).params.call(live, current_line(L), scalar_value(L, 1),
                                                scalar_value(L, 2), options);
  if (auto b = std::get_if<bool>(&chosen.data))
    lua_pushboolean(L, *b);
  else if (auto i = std::get_if<std::int64_t>(&chosen.data))
    lua_pushinteger(L, *i);
  else if (auto d = std::get_if<double>(&chosen.data))
    lua_pushnumber(L, *d);
  else if (auto s = chosen.text())
    lua_pushlstring(L, s->data(), s->size());
  else
    return false;
  if (chosen.param > 0) push_live(L, chosen.param);
  return true;
}

/// param("name", default, { min = , max = , unit = , doc = , choices = }), and live with the same
/// arguments.
int make_param(lua_State* L) {
  const char* const name = lua_tostring(L, lua_upvalueindex(1));
  if (script_of(L).read)
    return luaL_error(L, "%s cannot be called in hooks; call it in the scene and use the result",
                      name);
  luaL_checkstack(L, 8, "reading a parameter");
  if (push_param(L, std::strcmp(name, "live") == 0)) return 1;
  return luaL_error(L, "%s needs a usable default", name);
}

/// Kinds of obstacles and of items of modules.
std::vector<std::string> kinds_of_items() {
  std::vector<std::string> all = module_functions();
  all.insert(all.end(), obstacle_kinds().begin(), obstacle_kinds().end());
  return all;
}

/// Functions other than kinds of bodies and items.
const std::pair<const char*, lua_CFunction> scene_functions[] = {
    {"param", &make_param},      {"live", &make_param},      {"include", &include_file},
    {"translate", &make_moved},  {"boost", &make_moved},     {"rotate", &make_rotated},
    {"scale", &make_with_table}, {"spin", &make_with_table}, {"place", &make_placed},
    {"copy", &make_copy},
};
const char* const body_files[] = {"csv", "gadget", "tipsy", "xyz"};

}  // namespace

std::vector<std::string> script_names() {
  std::vector<std::string> all = LuaState::names();
  all.emplace_back("units");
  for (const auto& [name, function] : scene_functions) all.emplace_back(name);
  for (const char* file : body_files) all.emplace_back(file);
  for (const Generator& g : generators()) all.push_back(g.name);
  for (const std::string& kind : kinds_of_items()) all.push_back(kind);
  return all;
}

std::string chunk_name(std::size_t number) {
  return number == 0 ? "scene" : "scene#" + std::to_string(number);
}

bool split_message(const std::string& message, int& line, std::string& rest) {
  if (!message.starts_with("scene")) return false;
  const char* at = message.data() + 5;
  const char* const end = message.data() + message.size();
  int number = 0, own = 0;
  if (at < end && *at == '#') at = std::from_chars(at + 1, end, number).ptr;
  if (at >= end || *at != ':' || number >= max_files) return false;
  const auto [after, error] = std::from_chars(at + 1, end, own);
  if (error != std::errc() || own >= lines_per_file || end - after < 2) return false;
  line = number * lines_per_file + own;
  rest = std::string(after + 2, end);
  return true;
}

std::string message_at(int line, const std::string& text) {
  if (line <= 0) return text;
  return chunk_name(static_cast<std::size_t>(line / lines_per_file)) + ":" +
         std::to_string(line % lines_per_file) + ": " + text;
}

Script& script_of(lua_State* L) {
  return *static_cast<Script*>(LuaState::context(L));
}

/// Starts in the lower half of the range, so that counting up does not overflow.
void start_streams(lua_State* L, std::uint64_t seed) {
  script_of(L).generator_calls = static_cast<lua_Integer>(seed >> 33);
}

int current_line(lua_State* L) {
  lua_Debug frame;
  if (!lua_getstack(L, 1, &frame) || !lua_getinfo(L, "Sl", &frame) || frame.currentline <= 0)
    return 0;
  const int number =
      std::strncmp(frame.source, "=scene#", 7) == 0 ? std::atoi(frame.source + 7) : 0;
  return number * lines_per_file + std::min(frame.currentline, lines_per_file - 1);
}

void note_line(lua_State* L, int line) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, script_of(L).lines);
  lua_pushvalue(L, -2);
  lua_pushinteger(L, line);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void add_scene_functions(LuaState& lua, Script& script) {
  // Weak keys: recorded lines do not keep tables alive.
  lua_newtable(lua.get());
  lua_newtable(lua.get());
  set_text(lua.get(), "__mode", "k");
  lua_setmetatable(lua.get(), -2);
  script.lines = luaL_ref(lua.get(), LUA_REGISTRYINDEX);
  lua_newtable(lua.get());
  script.included = luaL_ref(lua.get(), LUA_REGISTRYINDEX);
  for (const Generator& g : generators())
    lua.add_function(g.name.c_str(), &make_generator, g.name.c_str());
  for (const char* file : body_files) lua.add_function(file, &make_generator, file);
  for (const std::string& kind : kinds_of_items())
    lua.add_function(kind.c_str(), &make_kind, kind.c_str());
  for (const auto& [name, function] : scene_functions) lua.add_function(name, function, name);
  add_units(lua.get());
  for (const char* table : {"units", LUA_MATHLIBNAME, LUA_STRLIBNAME, LUA_TABLIBNAME})
    refuse_missing_fields(lua.get(), table);
}

int line_of_call(lua_State* L, const Script& script) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, script.lines);
  lua_pushvalue(L, -2);
  lua_rawget(L, -2);
  const auto line = static_cast<int>(lua_tointeger(L, -1));
  lua_pop(L, 2);
  return line;
}

}  // namespace mote::sim
