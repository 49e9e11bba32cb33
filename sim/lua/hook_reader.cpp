#include "sim/lua/hook_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/lua/lua_functions.h"
#include "sim/lua/lua_tables.h"

namespace mote::sim {
namespace {

/// Limit on explicit times of on_time.
constexpr lua_Integer max_times = 100'000;

/// Reads hooks from the stack of a script and reports all problems with their lines.
class HookReader {
 public:
  HookReader(lua_State* L, const SourceMap::Node* root, Reader& reader)
      : L_(L), root_(root), reader_(reader) {}

  /// The scene's table is on top of the stack.
  std::vector<Hook> read() {
    luaL_checkstack(L_, 16, "reading hooks");
    for (std::size_t k = 0; k < hook_names().size(); ++k) {
      const std::string& name = hook_names()[k];
      if (lua_getfield(L_, -1, name.c_str()) != LUA_TNIL) {
        const SourceMap::Node::Entry* entry = root_ ? root_->key(name) : nullptr;
        const int line = entry ? entry->line : root_ ? root_->line : 0;
        member(static_cast<Hook::When>(k), name, entry ? entry->table : nullptr, line);
        lua_pushnil(L_);
        lua_setfield(L_, -3, name.c_str());
      }
      lua_pop(L_, 1);
    }
    return std::move(hooks_);
  }

 private:
  static bool scheduled(Hook::When when) {
    return when == Hook::When::step || when == Hook::When::time;
  }

  /// Reads the value of one of the names, on top of the stack, and leaves it there.
  void member(Hook::When when, const std::string& name, const SourceMap::Node* node, int line) {
    if (!scheduled(when)) return function(Hook{when, name, {}, {}}, line, name);
    if (!lua_istable(L_, -1)) return refuse(line, name, example(when));
    const auto length = static_cast<lua_Integer>(lua_rawlen(L_, -1));
    if (length == 0) return one(when, name, node, line);
    for (const Member& m : scalars(node, line).members)
      if (!m.name.starts_with("["))
        reader_.problem(m.value.line, joined_path(name, m.name),
                        "is a named key in a list of hooks", "write a list of " + example(when));
    for (lua_Integer i = 1; i <= length && i <= 1000; ++i) {
      lua_rawgeti(L_, -1, i);
      const auto* item = node ? node->item(static_cast<std::size_t>(i - 1)) : nullptr;
      const std::string numbered = name + "." + std::to_string(i);
      if (lua_istable(L_, -1))
        one(when, numbered, item ? item->table : nullptr, item ? item->line : line);
      else
        refuse(item ? item->line : line, numbered, example(when));
      lua_pop(L_, 1);
    }
  }

  /// { every = 100, run = function(sim) ... end }, on top of the stack.
  void one(Hook::When when, const std::string& name, const SourceMap::Node* node, int line) {
    Hook hook{when, name, {}, {}};
    std::vector<std::string> known{"every", "run"};
    const Table table = scalars(node, line);
    if (when == Hook::When::step) {
      reader_.members(table, line, name, step_hook_table(), hook.step, nullptr);
    } else {
      known.insert(known.begin() + 1, "at");
      reader_.members(table, line, name, time_hook_table(), hook.time, nullptr);
      // The units of the scene are not known yet.
      if (const Member* every = table.find("every"); every && every->value.text())
        reader_.problem(every->value.line, name + ".every",
                        "expected a number, got " + describe(every->value),
                        "times of hooks are numbers in the scene's unit of time");
      lua_getfield(L_, -1, "at");
      times(hook, table.find("every") != nullptr, line_of(node, "at", line));
      lua_pop(L_, 1);
    }
    reader_.unknown(table, line, name, known);
    lua_getfield(L_, -1, "run");
    if (lua_isnil(L_, -1))
      reader_.problem(line, name + ".run", "is missing", example(when));
    else
      function(std::move(hook), line_of(node, "run", line), name + ".run");
    lua_pop(L_, 1);
  }

  /// All members of the table on top, functions and tables as Unusable.
  Table scalars(const SourceMap::Node* node, int line) {
    Table table;
    for (lua_pushnil(L_); lua_next(L_, -2) != 0; lua_pop(L_, 1)) {
      const Value key = scalar_value(L_, -2);
      const std::string name = key.text() ? *key.text() : "[" + describe(key) + "]";
      table.members.push_back({name, scalar_value(L_, -1)});
      table.members.back().value.line = line_of(node, name, line);
    }
    std::sort(table.members.begin(), table.members.end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
    return table;
  }

  /// `at`, on top of the stack: a time or a list of times.
  void times(Hook& hook, bool every, int line) {
    const std::string key = hook.name + ".at";
    const char* const allowed = "times from 0 on, at = { 1, 2.5 }";
    if (lua_isnil(L_, -1)) {
      if (!every)
        reader_.problem(line, hook.name, "has neither `every` nor `at`", example(hook.when));
      return;
    }
    if (every) return reader_.problem(line, key, "conflicts with `every`", "keep one");
    if (!lua_istable(L_, -1)) {
      lua_newtable(L_);
      lua_insert(L_, -2);
      lua_rawseti(L_, -2, 1);
    }
    const auto length = static_cast<lua_Integer>(lua_rawlen(L_, -1));
    if (length > max_times)
      return reader_.problem(line, key, "has more than 100,000 times", "use every");
    for (lua_Integer i = 1; i <= length; ++i) {
      lua_rawgeti(L_, -1, i);
      const auto time = to_param_value(scalar_value(L_, -1), engine::ParamType::real);
      const double* number = time ? std::get_if<double>(&*time) : nullptr;
      const std::string given = describe(scalar_value(L_, -1));
      lua_pop(L_, 1);
      if (!number || !std::isfinite(*number) || *number < 0)
        return reader_.problem(line, key, "expected " + std::string(allowed) + ", got " + given);
      hook.time.at.push_back(*number);
    }
    if (hook.time.at.empty()) return reader_.problem(line, key, "is empty", allowed);
    std::sort(hook.time.at.begin(), hook.time.at.end());
    hook.time.at.erase(std::unique(hook.time.at.begin(), hook.time.at.end()), hook.time.at.end());
  }

  /// The function on top of the stack.
  void function(Hook hook, int line, const std::string& key) {
    if (!lua_isfunction(L_, -1) || lua_iscfunction(L_, -1))
      return refuse(line, key, "a function, function(sim) ... end");
    lua_pushvalue(L_, -1);
    hook.function = luaL_ref(L_, LUA_REGISTRYINDEX);
    hooks_.push_back(std::move(hook));
  }

  void refuse(int line, const std::string& key, const std::string& expected) {
    const char* const given = lua_iscfunction(L_, -1) ? "a built-in function" : nullptr;
    reader_.problem(
        line, key,
        "expected " + expected + ", got " + (given ? given : describe(scalar_value(L_, -1))));
  }

  static std::string example(Hook::When when) {
    return when == Hook::When::step ? "{ every = 100, run = function(sim) ... end }"
                                    : "{ every = 0.5, run = function(sim) ... end }";
  }

  static int line_of(const SourceMap::Node* node, const std::string& name, int line) {
    const SourceMap::Node::Entry* entry = node ? node->key(name) : nullptr;
    return entry ? entry->line : line;
  }

  lua_State* L_;
  const SourceMap::Node* root_;
  Reader& reader_;
  std::vector<Hook> hooks_;
};

}  // namespace

std::vector<Hook> extract_hooks(LuaState& lua, const SourceMap::Node* node, Reader& reader) {
  return HookReader(lua.get(), node, reader).read();
}

}  // namespace mote::sim
