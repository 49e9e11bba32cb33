#include <algorithm>
#include <utility>

#include "engine/text.h"
#include "sim/lua/hook_reader.h"
#include "sim/lua/lua_functions.h"
#include "sim/lua/lua_live.h"
#include "sim/lua/lua_message.h"
#include "sim/lua/lua_tables.h"
#include "sim/source/scanner.h"
#include "sim/source/source.h"
#include "sim/source/source_map.h"

namespace mote::sim {
namespace {

/// Limit on the values of a scene. A table that is referenced several times counts each time.
constexpr int most_lua_values = 1'500'000;
/// Limit on the bytes of its texts, which count in the same way.
constexpr std::size_t max_text = 32u << 20;

/// Converts the Lua value on top of the stack into a Value, with lines from the source map where it
/// has them.
class Converter {
 public:
  Converter(lua_State* L, const Script& script) : L_(L), script_(script) {}

  Value convert(const SourceMap::Node* node, int line) {
    if (++values_ > most_lua_values)
      throw engine::InputError(script_.files.front(), "the scene has more than 1,500,000 values",
                               "put bodies into a csv file");
    if (!lua_istable(L_, -1)) {
      // In a hook a live value would be that of the start.
      Value value = is_live(L_, -1) && !script_.read ? live_value(L_, -1) : scalar_value(L_, -1);
      value.line = line;
      if (value.text() && (text_ += value.text()->size()) > max_text)
        throw engine::InputError(script_.files.front(),
                                 "the texts of the scene are longer than 32 MiB");
      return value;
    }
    const void* identity = lua_topointer(L_, -1);
    if (std::find(open_.begin(), open_.end(), identity) != open_.end())
      return {Unusable{"a table that contains itself"}, line};
    if (open_.size() > max_table_depth) return {Unusable{"a table that nests too deep"}, line};
    luaL_checkstack(L_, 8, "reading a table");
    if (const int made = line_of_call(L_, script_); made > 0) {
      node = node_of_call(made);
      line = made % lines_per_file == 0 && node ? node->line : made;
    }
    open_.push_back(identity);
    Value value{read_table(node, line), line};
    open_.pop_back();
    return value;
  }

 private:
  /// The text of a table made by a call: after the name of the function, or an included file.
  const SourceMap::Node* node_of_call(int made) {
    const auto number = static_cast<std::size_t>(made / lines_per_file);
    const SourceMap* map = number < script_.maps.size() ? script_.maps[number].get() : nullptr;
    if (!map) return nullptr;
    if (made % lines_per_file == 0) return map->root();
    lua_getfield(L_, -1, "kind");
    const Value kind = scalar_value(L_, -1);
    lua_pop(L_, 1);
    return map->made_by(kind.text() ? *kind.text() : "", made);
  }

  Value child(const SourceMap::Node::Entry* entry, int line) {
    return entry ? convert(entry->table, entry->line) : convert(nullptr, line);
  }

  Table read_table(const SourceMap::Node* node, int line) {
    Table table;
    const auto length = static_cast<lua_Integer>(lua_rawlen(L_, -1));
    table.items.reserve(static_cast<std::size_t>(length));
    for (lua_Integer i = 1; i <= length; ++i) {
      lua_rawgeti(L_, -1, i);
      table.items.push_back(
          child(node ? node->item(static_cast<std::size_t>(i - 1)) : nullptr, line));
      lua_pop(L_, 1);
    }
    for (lua_pushnil(L_); lua_next(L_, -2) != 0; lua_pop(L_, 1)) {
      if (lua_isinteger(L_, -2) && lua_tointeger(L_, -2) >= 1 && lua_tointeger(L_, -2) <= length)
        continue;
      const Value key = scalar_value(L_, -2);
      const std::string name = key.text() ? *key.text() : "[" + describe(key) + "]";
      table.members.push_back({name, child(node ? node->key(name) : nullptr, line)});
    }
    std::sort(table.members.begin(), table.members.end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
    return table;
  }

  lua_State* L_;
  const Script& script_;
  std::vector<const void*> open_;  // tables being read
  int values_ = 0;
  std::size_t text_ = 0;
};

}  // namespace

Value table_value(lua_State* L, const Script& script, int line) {
  return Converter(L, script).convert(nullptr, line);
}

engine::InputError script_error(const std::vector<std::string>& files, const std::string& message,
                                const std::vector<SceneParam>& params) {
  std::string problem = message.substr(0, message.find('\n'));
  if (problem == out_of_memory)
    return {files.front(),
            "the script takes more than " + engine::bytes_text(LuaLimits().memory) +
                " of memory, or makes a text of more than " + engine::bytes_text(max_text_bytes),
            "store less at a time; use a generator or a csv file for many bodies"};
  int line = 0;
  if (std::string rest; split_message(problem, line, rest)) problem = rest;
  const auto [what, remedy] = explain_message(problem, params);
  return {location_of(line, files), what, remedy};
}

namespace {

/// The interpreter of a scene and the state that its functions share; hooks keep them alive.
struct Interpreter {
  Interpreter(const SceneSource& source, const Settings& settings,
              std::vector<engine::Diagnostic>& problems, const LuaLimits& limits,
              std::uint64_t seed)
      : files(source.files),
        folder(source.file.parent_path(), source.trust, SceneFolder::KeepContents::yes,
               source.included),
        script(files, folder, settings, problems),
        lua(limits, seed, &script) {
    std::error_code ignored;
    script.including = {std::filesystem::weakly_canonical(source.file, ignored).string()};
    script.length = source.text.size();
    add_scene_functions(lua, script);
  }
  std::vector<std::string> files;
  SceneFolder folder;
  Script script;
  LuaState lua;
};

SceneHooks hooks_of(const std::shared_ptr<Interpreter>& interpreter, const SourceMap::Node* root,
                    std::vector<engine::Diagnostic>& problems) {
  Reader reader(interpreter->files, nullptr, problems);
  SceneHooks hooks{extract_hooks(interpreter->lua, root, reader), nullptr, interpreter->files};
  if (!hooks.empty()) hooks.script = {interpreter, &interpreter->lua};
  return hooks;
}

/// The text of a file of the scene, by its number.
std::string_view text_of(const Interpreter& interpreter, const SceneSource& source,
                         std::size_t number) {
  if (number == 0) return source.code();
  for (const SceneFile& file : interpreter.folder.kept())
    if ((source.file.parent_path() / file.path).lexically_normal() ==
        std::filesystem::path(interpreter.files[number]).lexically_normal())
      return file.text;
  return {};
}

/// The error of a script. If its text ends too soon, reports the open bracket instead.
engine::InputError error_of(const Interpreter& interpreter, const SceneSource& source,
                            const std::string& message) {
  int line = 0;
  std::string rest;
  if (message.ends_with("near <eof>") && split_message(message, line, rest) &&
      !rest.starts_with("unfinished")) {
    const auto number = static_cast<std::size_t>(line / lines_per_file);
    const Token open = unclosed_bracket(text_of(interpreter, source, number), SceneLanguage::lua);
    if (open.kind == Token::Kind::symbol)
      return {location_of(static_cast<int>(number) * lines_per_file + open.line, interpreter.files),
              unclosed_text(open)};
  }
  return script_error(interpreter.files, message, interpreter.script.params.params());
}

/// Ends reading; only hooks are called from here on.
void close(Interpreter& interpreter, const std::vector<Hook>& hooks) {
  lua_settop(interpreter.lua.get(), 0);
  interpreter.script.read = true;
  std::vector<int> functions;
  for (const Hook& hook : hooks) functions.push_back(hook.function);
  interpreter.lua.run_uncounted([&](lua_State* L) {
    interpreter.script.shared = std::make_unique<SharedValues>(L, functions);
  });
  interpreter.lua.freeze();
}

}  // namespace

void read_lua(SceneSource& source, Settings settings, std::vector<engine::Diagnostic>& problems) {
  LuaLimits limits;
  if (source.trust == Trust::yes) limits = {limits.memory, UINT64_MAX, std::chrono::hours(10000)};
  const auto seed = settings.find("seed");
  const Value seed_value =
      seed == settings.end() ? Value{std::int64_t{1}} : parse_typed(seed->second);
  const auto* seed_number = std::get_if<std::int64_t>(&seed_value.data);
  const auto interpreter =
      std::make_shared<Interpreter>(source, settings, problems, limits,
                                    seed_number ? static_cast<std::uint64_t>(*seed_number) : 1);
  LuaState& lua = interpreter->lua;
  Script& script = interpreter->script;

  if (const std::string message = lua.run(source.code(), chunk_name(0)); !message.empty())
    throw error_of(*interpreter, source, message);
  if (!lua_istable(lua.get(), -1))
    throw engine::InputError(
        source.files.front(),
        "returns " + describe(scalar_value(lua.get(), -1)) + " instead of a table",
        "a scene ends with: return { ... }");
  script.maps.resize(interpreter->files.size());
  script.maps[0] = std::make_unique<SourceMap>(source.code(), SceneLanguage::lua);
  for (const auto& map : script.maps)
    if (map) report_repeated_keys(*map, interpreter->files, problems);
  const SourceMap& map = *script.maps[0];
  source.hooks = hooks_of(interpreter, map.root(), problems);
  source.root = Converter(lua.get(), script).convert(map.root(), map.root() ? map.root()->line : 0);
  source.params = script.params.params();
  source.unused = script.params.unused();
  source.files = interpreter->files;
  source.read = interpreter->folder.files();
  source.included = interpreter->folder.kept();
  if (!source.hooks.empty()) close(*interpreter, source.hooks.all);
}

}  // namespace mote::sim
