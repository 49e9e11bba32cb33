#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>

#include "sim/lua/lua_state.h"
#include "sim/run/body_ids.h"
#include "sim/run/simulation.h"
#include "sim/scene/description.h"
#include "sim/script/hook_host.h"

namespace mote::sim {

/// State of the Lua object `sim` that hooks receive.
struct HookSim {
  LuaState& lua;
  const SceneDescription& scene;
  Simulation& simulation;
  HookHost& host;
  int data = LUA_NOREF;                      ///< registry reference of the table sim.data
  std::optional<Measurement> measured = {};  ///< cached during a call of a hook
  HookVerdict verdict = {};
  bool finished = false;                          ///< no steps follow: bodies cannot change
  std::exception_ptr exception = nullptr;         ///< other than InputError; ends the run
  std::map<std::string, std::uint32_t> ids = {};  ///< ids of named bodies; filled when needed
  BodyIds ids_of = nullptr;                       ///< the bodies for which `ids` was filled
  BodyChange pending = {};                        ///< not applied yet; removed ids ascend
  int pending_line = 0;                           ///< line of the script of the latest such change
  std::size_t logged = 0;                         ///< bytes written by sim:log
  std::int64_t edits = 0;                         ///< number by sim:set, since the scene was opened
};

/// Limit on the output of sim:log in an untrusted scene [bytes].
inline constexpr std::size_t max_logged_bytes = 16u << 20;
/// Limit on parameter changes in such a scene: each is logged, and stored in every later
/// checkpoint.
inline constexpr std::int64_t max_edits = 100'000;

}  // namespace mote::sim
