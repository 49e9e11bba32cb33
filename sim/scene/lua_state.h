#pragma once

#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mote::sim {

/// Bounds of one scene's script.
struct LuaLimits {
  std::size_t memory = 256u << 20;           ///< bytes
  std::uint64_t instructions = 500'000'000;  ///< a few seconds
};

/// One Lua interpreter with bounded memory and work, and an environment that is built from nothing: no files, no
/// clock, no system, no loading of code; `math.random` starts from a given seed. Owns everything, no global state.
class LuaState {
 public:
  LuaState(const LuaLimits& limits, std::uint64_t seed, void* context);
  ~LuaState();
  LuaState(const LuaState&) = delete;
  LuaState& operator=(const LuaState&) = delete;

  lua_State* get() const { return state_; }

  /// What was handed to the constructor, from inside a C function of this state.
  static void* context(lua_State* state);

  /// Adds a function to the environment; `upvalue` is text that it finds as its first upvalue.
  void add_function(const char* name, lua_CFunction function, const char* upvalue = "");

  /// Compiles a chunk (text only) and runs it in the environment; leaves its one result on the stack. Returns an
  /// empty string, or the error message.
  std::string run(const std::string& text, const std::string& chunk_name);

 private:
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void count(lua_State* state, lua_Debug*);
  void open_libraries(std::uint64_t seed);

  LuaLimits limits_;
  void* context_;
  std::size_t used_ = 0;
  std::uint64_t executed_ = 0;
  int environment_ = LUA_NOREF;
  lua_State* state_ = nullptr;
};

}  // namespace mote::sim
