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

/// Bounds of one scene's script. Work is counted in instructions, and in bytes of memory taken:
/// both are the same on every machine. The time is a last resort against work that neither shows.
struct LuaLimits {
  std::size_t memory = 160u << 20;          ///< bytes
  std::uint64_t instructions = 50'000'000;  ///< half a second
  std::chrono::milliseconds time{1000};  ///< of the thread's processor, whatever else the machine
                                         ///< does
};

/// Of one call of a hook; memory is that of the whole script, with all that its scene holds.
inline constexpr LuaLimits limits_of_a_hook{256u << 20, 10'000'000, std::chrono::seconds(10)};
/// A text is no longer than this: some instructions, such as comparing two, go through all of it.
inline constexpr std::size_t longest_text = 8u << 20;
/// What the script says where it finds no memory, or makes a longer text.
inline constexpr std::string_view out_of_memory = "not enough memory";

/// One Lua interpreter with bounded memory and work, and an environment that is built from nothing:
/// no files, no clock, no system, no loading of code, nothing that can run for long without an
/// instruction being counted; `math.random` starts from a given seed and `pairs` goes in the order
/// of the keys. Owns everything, no global state.
class LuaState {
 public:
  LuaState(const LuaLimits& limits, std::uint64_t seed, void* context);
  ~LuaState();
  LuaState(const LuaState&) = delete;
  LuaState& operator=(const LuaState&) = delete;

  lua_State* get() const { return state_; }

  /// Names of the functions and libraries that every script has.
  static std::vector<std::string> names();

  /// What was handed to the constructor, from inside a C function of this state.
  static void* context(lua_State* state);

  /// Adds a function to the environment; `upvalue` is text that it finds as its first upvalue.
  void add_function(const char* name, lua_CFunction function, const char* upvalue = "");

  /// Compiles a chunk (text only) and runs it; messages start with "chunk_name:line:". Leaves its
  /// one result on the stack. Returns an empty string, or the error message. Afterwards memory is
  /// no longer limited, so that the result can be read without a protected call.
  std::string run(std::string_view code, const std::string& chunk_name);

  /// From inside a C function: compiles a chunk (text only) and runs it, leaving its one result on
  /// the stack. Raises the error of either.
  static void run_inside(lua_State* state, std::string_view code, const std::string& chunk_name);

  /// Calls the function that lies below its `arguments` on the stack, within bounds of its own:
  /// work and time count from here, memory is that of the whole state. No results. Returns an empty
  /// string, or the error message.
  std::string call(int arguments, const LuaLimits& limits);
  /// What the program itself does inside a call takes no time of the script's, and counts as so
  /// many instructions.
  void count_call(std::chrono::nanoseconds time, std::uint64_t instructions) {
    start_ += time;
    work_ += instructions;
  }
  bool has_worked_too_much() const { return work_ >= limits_.instructions; }
  /// From inside a C function that the script called: raises an error when the script has done or
  /// taken too much.
  void check_limits(lua_State* state);
  /// The clock of these limits: processor time of this thread.
  static std::chrono::nanoseconds now();
  /// What this takes of memory, and keeps for good, counts for none of the script's.
  template <class Function>
  void outside_of_limits(Function&& function) {
    lua_gc(state_, LUA_GCCOLLECT);
    const std::size_t before = used_;
    function(state_);
    lua_gc(state_, LUA_GCCOLLECT);
    uncounted_ += used_ - std::min(before, used_);
  }
  /// Where math.random goes on from.
  void seed_random(std::uint64_t seed);
  /// From now on neither global variables nor the libraries can be changed.
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
  std::size_t uncounted_ = 0;  ///< of them, what is not the script's
  std::uint64_t work_ = 0;
  std::uint64_t work_of_refusals_ = 0;  ///< part of it: looking for memory that is not there
  int random_seed_ = LUA_NOREF;         ///< registry: math.randomseed
  lua_State* state_ = nullptr;
};

}  // namespace mote::sim
