#include <algorithm>
#include <utility>

#include "engine/text.h"
#include "sim/scene/hook_reader.h"
#include "sim/scene/lua_functions.h"
#include "sim/scene/source.h"
#include "sim/scene/source_map.h"

namespace mote::sim {
namespace {

/// What Lua calls the scene in its messages: its path would be shortened.
const char* const chunk_name = "scene";
/// A scene has no more values than this. Tables that stand in several places count as often.
constexpr int most_values = 5'000'000;

/// Turns the Lua value on top of the stack into a Value, giving lines from the text where it can be followed.
class Converter {
 public:
  Converter(lua_State* L, const SourceMap& map, const Script& script) : L_(L), map_(map), script_(script) {}

  Value convert(const SourceMap::Node* node, int line) {
    if (++values_ > most_values)
      throw engine::InputError(script_.file, "the scene has more than 5,000,000 values",
                               "put bodies into a csv file");
    if (!lua_istable(L_, -1)) {
      Value value = scalar_value(L_, -1);
      value.line = line;
      return value;
    }
    const void* identity = lua_topointer(L_, -1);
    if (std::find(open_.begin(), open_.end(), identity) != open_.end())
      return {Unusable{"a table that contains itself"}, line};
    if (open_.size() > deepest_table) return {Unusable{"a table that nests too deep"}, line};
    luaL_checkstack(L_, 8, "reading a table");
    if (const int made = line_of_call(L_, script_); made > 0) {
      // Made by a call: its text is behind the name of the function, not here.
      lua_getfield(L_, -1, "kind");
      const Value kind = scalar_value(L_, -1);
      lua_pop(L_, 1);
      node = map_.made_by(kind.text() ? *kind.text() : "", made);
      line = made;
    }
    open_.push_back(identity);
    Value value{read_table(node, line), line};
    open_.pop_back();
    return value;
  }

 private:
  Value child(const SourceMap::Node::Entry* entry, int line) {
    return entry ? convert(entry->table, entry->line) : convert(nullptr, line);
  }

  Table read_table(const SourceMap::Node* node, int line) {
    Table table;
    const auto length = static_cast<lua_Integer>(lua_rawlen(L_, -1));
    table.items.reserve(static_cast<std::size_t>(length));
    for (lua_Integer i = 1; i <= length; ++i) {
      lua_rawgeti(L_, -1, i);
      table.items.push_back(child(node ? node->item(static_cast<std::size_t>(i - 1)) : nullptr, line));
      lua_pop(L_, 1);
    }
    for (lua_pushnil(L_); lua_next(L_, -2) != 0; lua_pop(L_, 1)) {
      if (lua_isinteger(L_, -2) && lua_tointeger(L_, -2) >= 1 && lua_tointeger(L_, -2) <= length) continue;
      const Value key = scalar_value(L_, -2);
      const std::string name = key.text() ? *key.text() : "[" + describe(key) + "]";
      table.members.push_back({name, child(node ? node->key(name) : nullptr, line)});
    }
    std::sort(table.members.begin(), table.members.end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
    return table;
  }

  lua_State* L_;
  const SourceMap& map_;
  const Script& script_;
  std::vector<const void*> open_;  // tables that are being read
  int values_ = 0;
};

}  // namespace

engine::InputError script_error(const std::string& file, const std::string& message) {
  const std::string prefix = std::string(chunk_name) + ":";
  std::string problem = message.substr(0, message.find('\n'));
  if (problem == "not enough memory")
    return {file, "the script takes more than " + engine::bytes_text(LuaLimits().memory),
            "make many bodies with a generator or a csv file"};
  if (!problem.starts_with(prefix)) return {file, problem};
  const auto end = problem.find(": ", prefix.size());
  if (end == std::string::npos) return {file, problem};
  return {file + ":" + problem.substr(prefix.size(), end - prefix.size()), problem.substr(end + 2)};
}

namespace {

/// The interpreter of a scene and what its functions share: both live on where the scene has hooks.
struct Interpreter {
  Interpreter(const std::string& file, const Settings& settings, std::vector<engine::Diagnostic>& problems,
              std::uint64_t seed)
      : script{file, ParamCalls(file, settings, problems)}, lua({}, seed, &script) {
    add_scene_functions(lua, script);
  }
  Script script;
  LuaState lua;
};

SceneHooks hooks_of(const std::shared_ptr<Interpreter>& interpreter, const SourceMap::Node* root,
                    std::vector<engine::Diagnostic>& problems) {
  Reader reader(interpreter->script.file, nullptr, problems);
  SceneHooks hooks{take_hooks(interpreter->lua, root, reader), nullptr};
  if (!hooks.empty()) hooks.script = {interpreter, &interpreter->lua};
  return hooks;
}

/// Ends the reading: what follows are calls of hooks.
void close(Interpreter& interpreter) {
  lua_settop(interpreter.lua.get(), 0);
  interpreter.script.read = true;
  interpreter.lua.freeze();
}

}  // namespace

void read_lua(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems) {
  const std::string file = source.file.string();
  const auto seed = settings.find("seed");
  const Value seed_value = seed == settings.end() ? Value{std::int64_t{1}} : parse_typed(seed->second);
  const auto* seed_number = std::get_if<std::int64_t>(&seed_value.data);
  const auto interpreter = std::make_shared<Interpreter>(
      file, settings, problems, seed_number ? static_cast<std::uint64_t>(*seed_number) : 1);
  LuaState& lua = interpreter->lua;
  const Script& script = interpreter->script;

  if (const std::string message = lua.run(source.code(), chunk_name); !message.empty())
    throw script_error(file, message);
  if (!lua_istable(lua.get(), -1))
    throw engine::InputError(file, "returns " + describe(scalar_value(lua.get(), -1)) + " instead of a table",
                             "a scene ends with: return { ... }");
  const SourceMap map(source.code(), SceneLanguage::lua);
  note_repeated_keys(map, file, problems);
  source.hooks = hooks_of(interpreter, map.root(), problems);
  source.root = Converter(lua.get(), map, script).convert(map.root(), map.root() ? map.root()->line : 0);
  source.params = script.params.params();
  source.unused = script.params.unused();
  if (!source.hooks.empty()) close(*interpreter);
}

}  // namespace mote::sim
