#include "sim/lua/lua_shared.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mote::sim {
namespace {

/// A key as text: name, 3, true.
std::string key_text(lua_State* L, int index) {
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TSTRING) {
    std::size_t length = 0;
    const char* const text = lua_tolstring(L, index, &length);
    return {text, std::min<std::size_t>(length, 64)};
  }
  if (lua_type(L, index) != LUA_TNUMBER && lua_type(L, index) != LUA_TBOOLEAN)
    return luaL_typename(L, index);
  std::string text = luaL_tolstring(L, index, nullptr);
  lua_pop(L, 1);
  return text;
}

/// Bitwise equality: 1 differs from 1.0, and nan equals nan.
bool same(lua_State* L, int a, int b) {
  if (lua_type(L, a) != LUA_TNUMBER) return lua_rawequal(L, a, b) != 0;
  if (lua_type(L, b) != LUA_TNUMBER || lua_isinteger(L, a) != lua_isinteger(L, b)) return false;
  if (lua_isinteger(L, a)) return lua_tointeger(L, a) == lua_tointeger(L, b);
  const double x = lua_tonumber(L, a), y = lua_tonumber(L, b);
  return std::memcmp(&x, &y, sizeof(x)) == 0;
}

}  // namespace

/// Traverses everything reachable from hooks, breadth first. Stack: the set of known holders, the
/// list of holders, their copies.
class SharedReader {
 public:
  SharedReader(lua_State* L, SharedValues& values) : L_(L), values_(values) {
    luaL_checkstack(L, 32, "reading what hooks share");
    for (int i = 0; i < 3; ++i) lua_newtable(L);
    copies_ = lua_gettop(L), holders_ = copies_ - 1, known_ = copies_ - 2;
  }

  void read(const std::vector<int>& functions) {
    read_globals();
    for (const int function : functions) {
      lua_rawgeti(L_, LUA_REGISTRYINDEX, function);
      add(-1, "");
    }
    for (std::size_t next = 0; next < values_.holders_.size(); ++next) {
      lua_rawgeti(L_, holders_, static_cast<lua_Integer>(next + 1));
      if (values_.holders_[next].function)
        read_function(static_cast<int>(next));
      else
        read_table(static_cast<int>(next));
      lua_pop(L_, 1);
    }
    values_.copies_ = luaL_ref(L_, LUA_REGISTRYINDEX);
    values_.originals_ = luaL_ref(L_, LUA_REGISTRYINDEX);
    lua_pop(L_, 1);
  }

 private:
  /// Pops the value on top of the stack and records it if it is a new table or function of the
  /// scene.
  void add(int owner, std::string name) {
    const bool function = is_function_of_scene();
    const bool table = lua_istable(L_, -1);
    // Tables with a metatable belong to mote; scripts cannot change them.
    const bool own = table && lua_getmetatable(L_, -1) != 0;
    if (own) lua_pop(L_, 1);
    lua_pushvalue(L_, -1);
    const bool known = lua_rawget(L_, known_) != LUA_TNIL;
    lua_pop(L_, 1);
    if ((!function && !table) || own || known) return lua_pop(L_, 1);
    values_.holders_.push_back({owner, std::move(name), function, 0});
    const auto number = static_cast<lua_Integer>(values_.holders_.size());
    lua_pushvalue(L_, -1);
    lua_pushboolean(L_, 1);
    lua_rawset(L_, known_);
    lua_rawseti(L_, holders_, number);
  }

  /// The function on top of the stack.
  void read_function(int holder) {
    const int function = lua_gettop(L_);
    lua_newtable(L_);
    int n = 0;
    while (const char* const name = lua_getupvalue(L_, function, n + 1)) {
      lua_pushvalue(L_, -1);
      lua_rawseti(L_, function + 1, ++n);
      add(holder, name);
    }
    keep(holder, n);
  }

  /// Global variables themselves are frozen.
  void read_globals() {
    lua_pushglobaltable(L_);
    const int table = lua_gettop(L_);
    lua_pushvalue(L_, table);
    lua_pushboolean(L_, 1);
    lua_rawset(L_, known_);
    add_members(-1, table);
    lua_pop(L_, 1);
  }

  /// Checks the value on top of the stack; built-in functions share no state.
  bool is_function_of_scene() {
    if (!lua_isfunction(L_, -1) || lua_iscfunction(L_, -1)) return false;
    lua_Debug about;
    lua_pushvalue(L_, -1);
    lua_getinfo(L_, ">S", &about);
    return std::strncmp(about.source, "=scene", 6) == 0;
  }

  /// The table on top of the stack.
  void read_table(int holder) {
    const int table = lua_gettop(L_);
    lua_newtable(L_);
    int n = 0;
    for (lua_pushnil(L_); lua_next(L_, table) != 0; ++n) {
      lua_pushvalue(L_, -2);
      lua_insert(L_, -2);
      lua_rawset(L_, table + 1);
    }
    keep(holder, n);
    add_members(holder, table);
  }

  /// Adds the tables and functions in a table, sorted by name: Lua's order depends on addresses.
  void add_members(int holder, int table) {
    std::vector<std::pair<std::string, int>> found;  // names, and indices into `list`
    lua_newtable(L_);
    const int list = lua_gettop(L_);
    for (lua_pushnil(L_); lua_next(L_, table) != 0; lua_pop(L_, 1)) {
      if (!lua_istable(L_, -1) && !lua_isfunction(L_, -1)) continue;
      lua_pushvalue(L_, -1);
      lua_rawseti(L_, list, static_cast<lua_Integer>(found.size() + 1));
      found.emplace_back(key_text(L_, -2), static_cast<int>(found.size() + 1));
    }
    std::sort(found.begin(), found.end());
    for (auto& [name, index] : found) {
      lua_rawgeti(L_, list, index);
      add(holder, std::move(name));
    }
    lua_settop(L_, list - 1);
  }

  /// Pops the copy on top of the stack and stores it.
  void keep(int holder, int count) {
    values_.holders_[static_cast<std::size_t>(holder)].count = count;
    lua_rawseti(L_, copies_, holder + 1);
  }

  lua_State* L_;
  SharedValues& values_;
  int known_ = 0, holders_ = 0, copies_ = 0;
};

SharedValues::SharedValues(lua_State* L, const std::vector<int>& functions) {
  SharedReader(L, *this).read(functions);
}

/// "limits.most"; of deep paths only the last names.
std::string SharedValues::path_of(int holder, const std::string& key) const {
  std::string path = key;
  for (int depth = 0; holder >= 0; ++depth) {
    const Holder& h = holders_[static_cast<std::size_t>(holder)];
    if (h.function || h.name.empty()) break;
    if (depth == 6) return "..." + path;
    path = h.name + "." + path;
    holder = h.owner;
  }
  return path;
}

/// Stack: the table and its copy.
void SharedValues::changes_of_table(lua_State* L, int holder,
                                    std::vector<std::string>& found) const {
  const int now = lua_gettop(L) - 1, then = now + 1;
  int n = 0;
  for (lua_pushnil(L); lua_next(L, now) != 0; ++n) {
    lua_pushvalue(L, -2);
    lua_rawget(L, then);
    if (!same(L, -2, -1))
      found.push_back(path_of(holder, key_text(L, -3)) + " of the scene was changed");
    lua_pop(L, 2);
  }
  if (n == holders_[static_cast<std::size_t>(holder)].count) return;
  for (lua_pushnil(L); lua_next(L, then) != 0; lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    if (lua_rawget(L, now) == LUA_TNIL)
      found.push_back(path_of(holder, key_text(L, -3)) + " of the scene was changed");
    lua_pop(L, 1);
  }
}

/// Stack: the function and a copy of its upvalues.
void SharedValues::changes_of_function(lua_State* L, int holder,
                                       std::vector<std::string>& found) const {
  const int now = lua_gettop(L) - 1, then = now + 1;
  for (int i = 1; i <= holders_[static_cast<std::size_t>(holder)].count; ++i) {
    const char* const name = lua_getupvalue(L, now, i);
    lua_rawgeti(L, then, i);
    if (!same(L, -2, -1))
      found.push_back("the local variable '" + std::string(name) + "' of the scene was assigned");
    lua_pop(L, 2);
  }
}

std::string SharedValues::changed(lua_State* L) const {
  luaL_checkstack(L, 16, "comparing what hooks share");
  const int top = lua_gettop(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, originals_);
  lua_rawgeti(L, LUA_REGISTRYINDEX, copies_);
  std::vector<std::string> found;
  for (int k = 0; k < static_cast<int>(holders_.size()); ++k) {
    lua_rawgeti(L, top + 1, k + 1);
    lua_rawgeti(L, top + 2, k + 1);
    if (holders_[static_cast<std::size_t>(k)].function)
      changes_of_function(L, k, found);
    else
      changes_of_table(L, k, found);
    lua_settop(L, top + 2);
  }
  lua_settop(L, top);
  return found.empty() ? "" : *std::min_element(found.begin(), found.end());
}

}  // namespace mote::sim
