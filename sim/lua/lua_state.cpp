#include "sim/lua/lua_state.h"

#include <locale.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <limits>
#include <new>

#include "sim/lua/lua_library.h"

namespace mote::sim {
namespace {

/// Instructions between two checks of the limits.
constexpr int instructions_per_check = 100;
/// Allocating this many bytes counts as one instruction.
constexpr std::size_t bytes_per_instruction = 64;
/// A refused allocation counts as this many instructions plus the memory in use: Lua then runs a
/// full garbage collection.
constexpr std::uint64_t refusal_work = 20'000;

/// The functions of a library that scenes may use. Omitted are those that read files or code (load,
/// dofile, require, string.dump), change the meaning of values (setmetatable), or can run without
/// end inside one call (patterns, table.move).
struct Library {
  const char* name;
  lua_CFunction open;
  std::initializer_list<std::string_view> allowed;
};

const Library libraries[] = {
    {LUA_GNAME,
     luaopen_base,
     {"assert", "error", "ipairs", "next", "pairs", "pcall", "select", "tonumber", "tostring",
      "type"}},
    {LUA_MATHLIBNAME,
     luaopen_math,
     {"abs",  "acos",   "asin", "atan",       "ceil", "cos",        "deg",  "exp",  "floor",
      "fmod", "huge",   "log",  "maxinteger", "max",  "mininteger", "min",  "modf", "pi",
      "rad",  "random", "sin",  "sqrt",       "tan",  "tointeger",  "type", "ult"}},
    {LUA_STRLIBNAME,
     luaopen_string,
     {"byte", "char", "format", "len", "lower", "rep", "reverse", "sub", "upper"}},
    {LUA_TABLIBNAME, luaopen_table, {"concat", "insert", "pack", "remove", "sort", "unpack"}}};

/// Replacements of Lua functions. pairs and next visit keys in sorted order: Lua's depends on
/// addresses, and a scene must make the same bodies every time. Keys that are tables or functions
/// have no other order and raise an error. The others cost more than their few instructions and
/// report that to `charge`: string.rep of an empty text would loop n times inside one call,
/// thousands of values slow every instruction that passes them on, and sorting without a comparison
/// would compare long texts for minutes inside one call.
const char* const prelude_name = "=mote";
const char* const prelude = R"(
local charge, sort = ...
local raw, type, error, rep, call = next, type, error, string.rep, pcall
local unpack, byte, limit = table.unpack, string.byte, 1000
local ordered = { boolean = true, number = true, string = true }
local function before(a, b)
  local x, y = type(a), type(b)
  if x ~= y then return x < y end
  if x == "boolean" then return not a and b end
  return a < b
end
local function check_key(k, name)
  if not ordered[type(k)] then
    error(name .. " expects keys that are numbers, text, true or false; a " .. type(k) .. " has no order", 3)
  end
end
-- The state of the iteration is a table, so that a hook that stores it is detected.
local function next_in_order(from)
  if type(from) ~= "table" then error("the results of pairs are for a loop only: for k, v in pairs(t) do", 2) end
  from.last = from.last + 1
  local k = from.keys[from.last]
  if k ~= nil then return k, from.of[k] end
end
function pairs(t)
  if type(t) ~= "table" then error("pairs expects a table, got " .. type(t), 2) end
  local keys = {}
  for k in raw, t do
    check_key(k, "pairs")
    keys[#keys + 1] = k
  end
  charge(20 * #keys)
  sort(keys, before)
  return next_in_order, { keys = keys, last = 0, of = t }
end
function next(t, k)
  if type(t) ~= "table" then error("next expects a table, got " .. type(t), 2) end
  local found
  for key in raw, t do
    check_key(key, "next")
    if (k == nil or before(k, key)) and (found == nil or before(key, found)) then found = key end
  end
  if found == nil then return nil end
  return found, t[found]
end
function pcall(...)
  charge(1000)
  return call(...)
end
function table.sort(t, order)
  if type(t) ~= "table" then error("table.sort expects a table, got " .. type(t), 2) end
  charge(20 * #t)
  return sort(t, order or function(a, b) return a < b end)
end
function table.unpack(t, i, j)
  if type(t) ~= "table" then error("table.unpack expects a table, got " .. type(t), 2) end
  i, j = i or 1, j or #t
  if j - i >= limit then error("table.unpack returns at most 1000 values", 2) end
  return unpack(t, i, j)
end
function string.byte(s, i, j)
  if type(s) ~= "string" then error("string.byte expects text, got " .. type(s), 2) end
  i = i or 1
  j = j or i
  if i < 0 then i = #s + i + 1 end
  if j < 0 then j = #s + j + 1 end
  if j - i >= limit then error("string.byte returns at most 1000 values", 2) end
  return byte(s, i, j)
end
function string.rep(s, n, separator)
  if type(s) ~= "string" or type(n) ~= "number" then error("string.rep expects text and a number", 2) end
  if s == "" and (separator or "") == "" then return "" end
  return rep(s, n, separator)
end
)";

/// Removes every field of the table on top of the stack that is not allowed.
void keep_only(lua_State* L, const Library& library) {
  for (lua_pushnil(L); lua_next(L, -2) != 0;) {
    lua_pop(L, 1);
    const std::string_view key = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    if (std::find(library.allowed.begin(), library.allowed.end(), key) != library.allowed.end())
      continue;
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
}

/// Raises the error of an assignment to a read-only table.
int refuse_assignment(lua_State* L) {
  return luaL_error(L, "'%s' cannot be assigned during a run; keep values in sim.data",
                    lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2));
}

/// Moves the fields of the table on top of the stack into another one, its __index, so that every
/// assignment is to a new field and refused. The other table inherits the metatable, which handles
/// missing fields.
void make_read_only(lua_State* L) {
  lua_newtable(L);
  if (lua_getmetatable(L, -2)) lua_setmetatable(L, -2);
  for (lua_pushnil(L); lua_next(L, -3) != 0;) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  for (lua_pushnil(L); lua_next(L, -3) != 0;) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -5);
  }
  lua_createtable(L, 0, 2);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, &refuse_assignment);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
}

}  // namespace

LuaState::LuaState(const LuaLimits& limits, std::uint64_t seed, void* context)
    : limits_(limits), context_(context), start_(now()) {
  state_ = lua_newstate(&allocate, this);
  if (!state_) throw std::bad_alloc();
  *static_cast<LuaState**>(lua_getextraspace(state_)) = this;
  open_libraries(seed);
  lua_sethook(state_, &count, LUA_MASKCOUNT, instructions_per_check);
}

std::chrono::nanoseconds LuaState::now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

LuaState::~LuaState() {
  lua_close(state_);
}

std::vector<std::string> LuaState::names() {
  std::vector<std::string> all;
  for (const Library& library : libraries)
    if (library.open == luaopen_base)
      all.insert(all.end(), library.allowed.begin(), library.allowed.end());
    else
      all.emplace_back(library.name);
  return all;
}

void* LuaState::context(lua_State* state) {
  return (*static_cast<LuaState**>(lua_getextraspace(state)))->context_;
}

void* LuaState::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& lua = *static_cast<LuaState*>(self);
  const std::size_t before = block ? old_size : 0;
  if (new_size == 0) {
    std::free(block);
    lua.used_ -= before;
    return nullptr;
  }
  // The old_size of a new block is its type.
  const bool long_text = !block && old_size == LUA_TSTRING && new_size > max_text_bytes;
  if (long_text ||
      (new_size > before && lua.used_ - lua.uncounted_ - before + new_size > lua.limits_.memory)) {
    const std::uint64_t work = refusal_work + lua.used_ / bytes_per_instruction;
    lua.work_ += work;
    if (!long_text) lua.refusal_work_ += work;
    return nullptr;
  }
  void* fresh = std::realloc(block, new_size);
  if (!fresh) return nullptr;
  lua.used_ += new_size - before;
  lua.work_ += new_size / bytes_per_instruction;
  return fresh;
}

void LuaState::count(lua_State* state, lua_Debug*) {
  auto& lua = **static_cast<LuaState**>(lua_getextraspace(state));
  lua.work_ += instructions_per_check;
  lua.check_limits(state);
}

void LuaState::check_limits(lua_State* state) {
  if (work_ < limits_.instructions && now() - start_ < limits_.time) return;
  // From here on every instruction checks again, so that pcall cannot catch the error for good.
  lua_sethook(state, &count, LUA_MASKCOUNT, 1);
  // Repeated garbage collection near the memory limit is not a loop of the script.
  if (refusal_work_ > limits_.instructions / 2) {
    lua_pushlstring(state, out_of_memory.data(), out_of_memory.size());
    lua_error(state);
  }
  // In a debug hook, level 0 is the running function; for the prelude, use its caller's line.
  lua_Debug frame;
  int level = 0;
  for (; lua_getstack(state, level, &frame) != 0; ++level) {
    lua_getinfo(state, "Sl", &frame);
    if (frame.currentline > 0 && std::strcmp(frame.source, prelude_name) != 0) break;
  }
  luaL_where(state, level);
  lua_pushliteral(state, "the script ran for too long; is there an endless loop?");
  lua_concat(state, 2);
  lua_error(state);
}

int LuaState::charge(lua_State* state) {
  auto& lua = **static_cast<LuaState**>(lua_getextraspace(state));
  lua.work_ += static_cast<std::uint64_t>(lua_tonumber(state, 1));
  lua.check_limits(state);
  return 0;
}

void LuaState::open_libraries(std::uint64_t seed) {
  lua_State* L = state_;
  for (const Library& library : libraries) {
    luaL_requiref(L, library.name, library.open, 1);
    if (lua_getfield(L, -1, "randomseed") != LUA_TNIL) {
      random_seed_ = luaL_ref(L, LUA_REGISTRYINDEX);
      seed_random(seed);
    } else {
      lua_pop(L, 1);
    }
    keep_only(L, library);
    lua_pop(L, 1);
  }
  lua_register(L, "tostring", &plain_tostring);
  lua_getglobal(L, LUA_STRLIBNAME);
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, &plain_format, 1);
  lua_setfield(L, -2, "format");
  lua_pop(L, 1);
  luaL_loadbuffer(L, prelude, std::strlen(prelude), prelude_name);
  lua_pushcfunction(L, &charge);
  lua_pushcfunction(L, &stable_sort);
  lua_call(L, 2, 0);
}

namespace {

/// Sets the locale "C" for this thread: Lua's comparison and formatting depend on the locale.
class CLocale {
 public:
  CLocale() : before_(uselocale(c_locale())) {}
  ~CLocale() { uselocale(before_); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  static locale_t c_locale() {
    static const locale_t only = newlocale(LC_ALL_MASK, "C", nullptr);
    return only;
  }
  locale_t before_;
};

}  // namespace

void LuaState::add_function(const char* name, lua_CFunction function, const char* upvalue) {
  lua_pushstring(state_, upvalue);
  lua_pushcclosure(state_, function, 1);
  lua_setglobal(state_, name);
}

std::string LuaState::run(std::string_view code, const std::string& chunk_name) {
  const CLocale locale;
  const std::string name = "=" + chunk_name;
  int status = luaL_loadbufferx(state_, code.data(), code.size(), name.c_str(), "t");
  if (status == LUA_OK) status = lua_pcall(state_, 0, 1, 0);
  limits_.memory = std::numeric_limits<std::size_t>::max();
  return status == LUA_OK ? "" : message();
}

std::string LuaState::call(int arguments, const LuaLimits& limits) {
  const CLocale locale;
  limits_ = limits;
  work_ = refusal_work_ = 0;
  start_ = now();
  lua_sethook(state_, &count, LUA_MASKCOUNT, instructions_per_check);
  const int status = lua_pcall(state_, arguments, 0, 0);
  limits_.memory = std::numeric_limits<std::size_t>::max();
  if (status == LUA_OK) return "";
  const std::string text = message();
  lua_pop(state_, 1);
  return text;
}

void LuaState::seed_random(std::uint64_t seed) {
  lua_rawgeti(state_, LUA_REGISTRYINDEX, random_seed_);
  lua_pushinteger(state_, static_cast<lua_Integer>(seed));
  lua_call(state_, 1, 0);
}

void LuaState::freeze() {
  lua_pushglobaltable(state_);
  std::vector<const char*> tables{"units"};
  for (const Library& library : libraries) tables.push_back(library.name);
  for (const char* table : tables) {
    if (lua_getfield(state_, -1, table) == LUA_TTABLE && !lua_rawequal(state_, -1, -2))
      make_read_only(state_);
    lua_pop(state_, 1);
  }
  make_read_only(state_);
  lua_pop(state_, 1);
}

/// The text of the error on top of the stack.
std::string LuaState::message() const {
  const char* text = lua_tostring(state_, -1);
  const std::string message = text ? text : "the script failed with an error that is not text";
  // Line numbers of the prelude mean nothing to a user.
  const std::string inner = std::string(prelude_name + 1) + ":";
  return message.starts_with(inner) ? message.substr(message.find(": ") + 2) : message;
}

void LuaState::run_inside(lua_State* state, std::string_view code, const std::string& chunk_name) {
  const std::string name = "=" + chunk_name;
  if (luaL_loadbufferx(state, code.data(), code.size(), name.c_str(), "t") != LUA_OK)
    lua_error(state);
  lua_call(state, 0, 1);
}

}  // namespace mote::sim
