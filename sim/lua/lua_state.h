#pragma once

#include <lua.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mote::sim {

/// Limits of a script. Work is counted in instructions and allocated bytes: both are the same on
/// every machine. The time is a last resort against work that neither shows.
struct LuaLimits {
  std::size_t memory = 160u << 20;          ///< bytes
  std::uint64_t instructions = 50'000'000;  ///< half a second
  std::chrono::milliseconds time{1000};     ///< thread CPU time
};

/// Limits of one call of a hook; memory includes all that the scene holds.
inline constexpr LuaLimits hook_limits{256u << 20, 10'000'000, std::chrono::seconds(10)};
/// Limit on the length of a text: some instructions, such as comparison, are linear in it.
inline constexpr std::size_t max_text_bytes = 8u << 20;
/// Lua's message when memory runs out or a text is too long.
inline constexpr std::string_view out_of_memory = "not enough memory";

/// A sandboxed Lua interpreter with bounded memory and work. Its environment has no files, clock,
/// system or loading of code, and nothing that runs for long without counting instructions.
/// `math.random` starts from a given seed; `pairs` visits keys in sorted order. No global state.
class LuaState {
 public:
  LuaState(const LuaLimits& limits, std::uint64_t seed, void* context);
  ~LuaState();
  LuaState(const LuaState&) = delete;
  LuaState& operator=(const LuaState&) = delete;

  lua_State* get() const { return state_; }

  /// Names of the functions and libraries that every script has.
  static std::vector<std::string> names();

  /// The context given to the constructor, for C functions of this state.
  static void* context(lua_State* state);

  /// Adds a function to the environment; `upvalue` becomes its first upvalue.
  void add_function(const char* name, lua_CFunction function, const char* upvalue = "");

  /// Compiles a chunk (text only) and runs it; messages start with "chunk_name:line:". Leaves its
  /// one result on the stack. Returns an empty string, or the error message. Afterwards memory is
  /// no longer limited, so that the result can be read without a protected call.
  std::string run(std::string_view code, const std::string& chunk_name);

  /// From inside a C function: compiles a chunk (text only) and runs it, leaving its one result on
  /// the stack. Raises errors of both.
  static void run_inside(lua_State* state, std::string_view code, const std::string& chunk_name);

  /// Calls the function below its `arguments` on the stack, with its own limits: work and time
  /// count from here, memory is that of the state. No results. Returns an empty string, or the
  /// error message.
  std::string call(int arguments, const LuaLimits& limits);
  /// Excludes `time` spent in host code from the script's time; counts it as `instructions`.
  void count_call(std::chrono::nanoseconds time, std::uint64_t instructions) {
    start_ += time;
    work_ += instructions;
  }
  bool exceeds_work_limit() const { return work_ >= limits_.instructions; }
  /// Raises an error if work or time exceed their limits; for C functions that the script calls.
  void check_limits(lua_State* state);
  /// CPU time of this thread, the clock of the limits.
  static std::chrono::nanoseconds now();
  /// Calls `function`; memory that it keeps does not count towards the script's limit.
  template <class Function>
  void run_uncounted(Function&& function) {
    lua_gc(state_, LUA_GCCOLLECT);
    const std::size_t before = used_;
    function(state_);
    lua_gc(state_, LUA_GCCOLLECT);
    uncounted_ += used_ - std::min(before, used_);
  }
  /// Seeds math.random again.
  void seed_random(std::uint64_t seed);
  /// Makes global variables and libraries read-only.
  void freeze();

 private:
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void count(lua_State* state, lua_Debug*);
  static int charge(lua_State* state);
  void open_libraries(std::uint64_t seed);
  std::string message() const;

  LuaLimits limits_;
  void* context_;
  std::chrono::nanoseconds start_;
  std::size_t used_ = 0;
  std::size_t uncounted_ = 0;  ///< part of it that is not the script's
  std::uint64_t work_ = 0;
  std::uint64_t refusal_work_ = 0;  ///< part of it: refused allocations
  int random_seed_ = LUA_NOREF;     ///< registry: math.randomseed
  lua_State* state_ = nullptr;
};

}  // namespace mote::sim
