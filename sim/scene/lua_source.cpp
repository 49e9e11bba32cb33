#include <algorithm>

#include "engine/text.h"
#include "sim/scene/generators.h"
#include "sim/scene/lua_state.h"
#include "sim/scene/param_call.h"
#include "sim/scene/source.h"
#include "sim/scene/source_map.h"

namespace mote::sim {
namespace {

/// Tables nest no deeper than this: what does is a cycle, or a mistake.
constexpr int deepest = 32;

/// What the functions of a scene share.
struct Script {
  std::string file;
  ParamCalls params;
  int lines = LUA_NOREF;  ///< registry: which table was made at which line
  lua_Integer made = 0;   ///< generators called so far: numbers their random streams
};

Script& script_of(lua_State* L) { return *static_cast<Script*>(LuaState::context(L)); }

int current_line(lua_State* L) {
  lua_Debug frame;
  if (!lua_getstack(L, 1, &frame) || !lua_getinfo(L, "l", &frame)) return 0;
  return frame.currentline > 0 ? frame.currentline : 0;
}

/// Remembers the line of the call that made the table on top of the stack.
void note_line(lua_State* L) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, script_of(L).lines);
  lua_pushvalue(L, -2);
  lua_pushinteger(L, current_line(L));
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

/// Pushes a copy of the table at `index`; with `deep`, copies of the tables in it too.
void push_copy(lua_State* L, int index, bool deep, int depth = 0) {
  luaL_checkstack(L, 8, "copying a table");
  if (depth > deepest) luaL_error(L, "cannot copy a table that nests deeper than %d levels", deepest);
  index = lua_absindex(L, index);
  lua_newtable(L);
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pushvalue(L, -2);
    if (deep && lua_istable(L, -2)) push_copy(L, -2, deep, depth + 1);
    else lua_pushvalue(L, -2);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  }
}

void set_text(lua_State* L, const char* key, const char* text) {
  lua_pushstring(L, text);
  lua_setfield(L, -2, key);
}

/// disk { ... }: the same table with its kind and its random stream written into it.
int make_generator(lua_State* L) {
  const char* kind = lua_tostring(L, lua_upvalueindex(1));
  if (!lua_istable(L, 1)) return luaL_error(L, "%s expects a table: %s { ... }", kind, kind);
  push_copy(L, 1, false);
  set_text(L, "kind", kind);
  Script& script = script_of(L);
  ++script.made;
  const Generator* generator = generator_named(kind);
  if (generator && generator->random && lua_getfield(L, -1, "stream") == LUA_TNIL) {
    lua_pushinteger(L, script.made);
    lua_setfield(L, -3, "stream");
  }
  lua_settop(L, 2);
  note_line(L);
  return 1;
}

/// Pushes { kind = "group", bodies = { first argument } }.
void push_group(lua_State* L, const char* name) {
  if (!lua_istable(L, 1)) luaL_error(L, "%s expects bodies as its first argument", name);
  lua_newtable(L);
  set_text(L, "kind", "group");
  // A list of bodies is taken as it is; one generator or body becomes a list of one.
  if (lua_rawlen(L, 1) > 0) {
    lua_pushvalue(L, 1);
  } else {
    lua_newtable(L);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
  }
  lua_setfield(L, -2, "bodies");
  note_line(L);
}

/// translate(bodies, {x, y, z}) and boost(bodies, {vx, vy, vz}).
int make_moved(lua_State* L) {
  const bool boost = std::string(lua_tostring(L, lua_upvalueindex(1))) == "boost";
  push_group(L, boost ? "boost" : "translate");
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, boost ? "velocity" : "position");
  return 1;
}

/// rotate(bodies, { axis = {x, y, z}, angle = degrees }).
int make_rotated(lua_State* L) {
  if (!lua_istable(L, 2)) return luaL_error(L, "rotate expects { axis = {x, y, z}, angle = degrees } behind the bodies");
  push_group(L, "rotate");
  for (const char* key : {"axis", "angle"}) {
    lua_getfield(L, 2, key);
    lua_setfield(L, -2, key);
  }
  return 1;
}

/// copy(bodies): the same bodies once more, to be changed or moved without touching the first.
int make_copy(lua_State* L) {
  if (!lua_istable(L, 1)) return luaL_error(L, "copy expects bodies");
  push_copy(L, 1, true);
  note_line(L);
  return 1;
}

Value scalar(lua_State* L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: return {lua_toboolean(L, index) != 0, 0};
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) return {static_cast<std::int64_t>(lua_tointeger(L, index)), 0};
      return {lua_tonumber(L, index), 0};
    case LUA_TSTRING: {
      std::size_t length = 0;
      const char* text = lua_tolstring(L, index, &length);
      return {std::string(text, length), 0};
    }
    case LUA_TNIL: return {};
    default: return {Unusable{std::string("a ") + luaL_typename(L, index)}, 0};
  }
}

/// param("name", default, { min = , max = , unit = , doc = , choices = }).
int make_param(lua_State* L) {
  Script& script = script_of(L);
  Table options;
  if (lua_istable(L, 3)) {
    lua_pushnil(L);
    while (lua_next(L, 3)) {
      if (lua_type(L, -2) == LUA_TSTRING) {
        Value value = scalar(L, -1);
        if (lua_istable(L, -1)) {
          Table list;
          for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL && i < 1000; ++i, lua_pop(L, 1))
            list.items.push_back(scalar(L, -1));
          lua_pop(L, 1);
          value.data = std::move(list);
        }
        options.members.push_back({lua_tostring(L, -2), std::move(value)});
      }
      lua_pop(L, 1);
    }
  }
  const Value chosen = script.params.call(current_line(L), scalar(L, 1), scalar(L, 2), options);
  if (auto b = std::get_if<bool>(&chosen.data)) lua_pushboolean(L, *b);
  else if (auto i = std::get_if<std::int64_t>(&chosen.data)) lua_pushinteger(L, *i);
  else if (auto d = std::get_if<double>(&chosen.data)) lua_pushnumber(L, *d);
  else if (auto s = chosen.text()) lua_pushlstring(L, s->data(), s->size());
  else return luaL_error(L, "param cannot go on without a usable default");
  return 1;
}

/// Turns the Lua value on top of the stack into a Value, giving lines from the text where it can be followed.
class Converter {
 public:
  Converter(lua_State* L, const SourceMap& map, int lines) : L_(L), map_(map), lines_(lines) {}

  Value convert(const SourceMap::Node* node, int line, int depth) {
    if (!lua_istable(L_, -1)) {
      Value value = scalar(L_, -1);
      value.line = line;
      return value;
    }
    if (depth > deepest) return {Unusable{"a table that contains itself, or nests too deep"}, line};
    luaL_checkstack(L_, 8, "reading a table");
    if (const int made = line_of_call(); made > 0) {
      // Made by a call: its text is behind the name of the function, not here.
      lua_getfield(L_, -1, "kind");
      const std::string kind = lua_isstring(L_, -1) ? lua_tostring(L_, -1) : "";
      lua_pop(L_, 1);
      node = map_.made_by(kind, made);
      line = made;
    }
    Value value{read_table(node, line, depth), line};
    return value;
  }

 private:
  int line_of_call() {
    lua_rawgeti(L_, LUA_REGISTRYINDEX, lines_);
    lua_pushvalue(L_, -2);
    lua_rawget(L_, -2);
    const auto line = static_cast<int>(lua_tointeger(L_, -1));
    lua_pop(L_, 2);
    return line;
  }

  Table read_table(const SourceMap::Node* node, int line, int depth) {
    Table table;
    const lua_Integer length = static_cast<lua_Integer>(lua_rawlen(L_, -1));
    table.items.reserve(static_cast<std::size_t>(length));
    for (lua_Integer i = 1; i <= length; ++i) {
      lua_rawgeti(L_, -1, i);
      const auto* entry = node ? node->item(static_cast<std::size_t>(i - 1)) : nullptr;
      table.items.push_back(convert(entry ? entry->table : nullptr, entry ? entry->line : line, depth + 1));
      lua_pop(L_, 1);
    }
    lua_pushnil(L_);
    while (lua_next(L_, -2)) {
      if (lua_isinteger(L_, -2) && lua_tointeger(L_, -2) >= 1 && lua_tointeger(L_, -2) <= length) {
        lua_pop(L_, 1);
        continue;
      }
      const std::string name =
          lua_type(L_, -2) == LUA_TSTRING ? lua_tostring(L_, -2) : "[" + describe(scalar(L_, -2)) + "]";
      const auto* entry = node ? node->key(name) : nullptr;
      table.members.push_back(
          {name, convert(entry ? entry->table : nullptr, entry ? entry->line : line, depth + 1)});
      lua_pop(L_, 1);
    }
    std::sort(table.members.begin(), table.members.end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
    return table;
  }

  lua_State* L_;
  const SourceMap& map_;
  int lines_;
};

/// "scenes/a.lua:7: message" of the interpreter as place and problem.
engine::InputError script_error(const std::string& file, const std::string& message) {
  const std::string prefix = file + ":";
  if (message.compare(0, prefix.size(), prefix) != 0) return {file, message};
  const auto end = message.find(": ", prefix.size());
  if (end == std::string::npos) return {file, message};
  std::string problem = message.substr(end + 2);
  if (const auto trace = problem.find('\n'); trace != std::string::npos) problem.resize(trace);
  return {message.substr(0, end), problem};
}

}  // namespace

void read_lua(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems) {
  Script script{source.file.string(), ParamCalls(source.file.string(), settings, problems)};
  const auto seed = settings.find("seed");
  const Value seed_value = seed == settings.end() ? Value{std::int64_t{1}} : parse_typed(seed->second);
  const auto* seed_number = std::get_if<std::int64_t>(&seed_value.data);
  LuaState lua({}, seed_number ? static_cast<std::uint64_t>(*seed_number) : 1, &script);
  lua_State* L = lua.get();
  lua_newtable(L);
  script.lines = luaL_ref(L, LUA_REGISTRYINDEX);
  lua.add_function("param", &make_param);
  for (const Generator& g : generators()) lua.add_function(g.name.c_str(), &make_generator, g.name.c_str());
  lua.add_function("csv", &make_generator, "csv");
  lua.add_function("translate", &make_moved, "translate");
  lua.add_function("boost", &make_moved, "boost");
  lua.add_function("rotate", &make_rotated);
  lua.add_function("copy", &make_copy);

  if (const std::string message = lua.run(source.text, script.file); !message.empty())
    throw script_error(script.file, message);
  if (!lua_istable(L, -1))
    throw engine::InputError(script.file, "returns " + describe(scalar(L, -1)) + " instead of a table",
                             "a scene ends with: return { ... }");
  const SourceMap map(source.text);
  source.root = Converter(L, map, script.lines).convert(map.root(), map.root() ? map.root()->line : 1, 0);
  source.params = script.params.params();
  source.unused = script.params.unused();
}

}  // namespace mote::sim
