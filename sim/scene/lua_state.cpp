#include "sim/scene/lua_state.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace mote::sim {
namespace {

constexpr int instructions_a_count = 100'000;

const char* const allowed_base[] = {"assert", "error",    "ipairs",   "next", "pairs",
                                    "pcall",  "select",   "tonumber", "tostring", "type"};
/// Functions of the allowed libraries that a scene must not have: compiled code, and the seed of the clock.
const struct {
  const char *library, *function;
} removed[] = {{"string", "dump"}, {"math", "randomseed"}};

}  // namespace

LuaState::LuaState(const LuaLimits& limits, std::uint64_t seed, void* context)
    : limits_(limits), context_(context) {
  state_ = lua_newstate(&allocate, this);
  if (!state_) throw std::bad_alloc();
  *static_cast<LuaState**>(lua_getextraspace(state_)) = this;
  open_libraries(seed);
  lua_sethook(state_, &count, LUA_MASKCOUNT, instructions_a_count);
}

LuaState::~LuaState() { lua_close(state_); }

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
  if (new_size > before && lua.used_ - before + new_size > lua.limits_.memory) return nullptr;
  void* fresh = std::realloc(block, new_size);
  if (fresh) lua.used_ += new_size - before;
  return fresh;
}

void LuaState::count(lua_State* state, lua_Debug*) {
  auto& lua = **static_cast<LuaState**>(lua_getextraspace(state));
  lua.executed_ += instructions_a_count;
  if (lua.executed_ < lua.limits_.instructions) return;
  // From here on every instruction asks again, so that pcall cannot swallow the end.
  lua_sethook(state, &count, LUA_MASKCOUNT, 1);
  luaL_error(state, "the script ran for too long; is there an endless loop?");
}

void LuaState::open_libraries(std::uint64_t seed) {
  lua_State* L = state_;
  const luaL_Reg libraries[] = {{LUA_GNAME, luaopen_base},
                                {LUA_TABLIBNAME, luaopen_table},
                                {LUA_STRLIBNAME, luaopen_string},
                                {LUA_MATHLIBNAME, luaopen_math}};
  lua_newtable(L);  // the environment
  for (const luaL_Reg& library : libraries) {
    luaL_requiref(L, library.name, library.func, 0);
    if (std::strcmp(library.name, LUA_GNAME) != 0) lua_setfield(L, -2, library.name);
    else lua_pop(L, 1);
  }
  for (const char* name : allowed_base) {
    lua_getglobal(L, name);
    lua_setfield(L, -2, name);
  }
  lua_getfield(L, -1, "math");
  lua_getfield(L, -1, "randomseed");
  lua_pushinteger(L, static_cast<lua_Integer>(seed));
  lua_call(L, 1, 0);
  lua_pop(L, 1);
  for (const auto& r : removed) {
    lua_getfield(L, -1, r.library);
    lua_pushnil(L);
    lua_setfield(L, -2, r.function);
    lua_pop(L, 1);
  }
  environment_ = luaL_ref(L, LUA_REGISTRYINDEX);
}

void LuaState::add_function(const char* name, lua_CFunction function, const char* upvalue) {
  lua_rawgeti(state_, LUA_REGISTRYINDEX, environment_);
  lua_pushstring(state_, upvalue);
  lua_pushcclosure(state_, function, 1);
  lua_setfield(state_, -2, name);
  lua_pop(state_, 1);
}

std::string LuaState::run(const std::string& text, const std::string& chunk_name) {
  const std::string name = "@" + chunk_name;
  int status = luaL_loadbufferx(state_, text.data(), text.size(), name.c_str(), "t");
  if (status == LUA_OK) {
    lua_rawgeti(state_, LUA_REGISTRYINDEX, environment_);
    lua_setupvalue(state_, -2, 1);
    status = lua_pcall(state_, 0, 1, 0);
  }
  if (status == LUA_OK) return "";
  const char* message = lua_tostring(state_, -1);
  return message ? message : "the script failed with an error that is no text";
}

}  // namespace mote::sim
