#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>

#include "sim/run/body_ids.h"
#include "sim/run/simulation.h"
#include "sim/scene/description.h"
#include "sim/scene/lua_state.h"
#include "sim/script/hook_host.h"

namespace mote::sim {

/// The target of the Lua value `sim` that hooks get.
struct HookSim {
  LuaState& lua;
  const SceneDescription& scene;
  Simulation& simulation;
  HookHost& host;
  int data = LUA_NOREF;                      ///< registry reference of the table sim.data
  std::optional<Measurement> measured = {};  ///< cached for the present call
  HookVerdict verdict = {};
  bool finished = false;                          ///< no more steps
  std::exception_ptr exception = nullptr;         ///< not an InputError: ends the run
  std::map<std::string, std::uint32_t> ids = {};  ///< by name; filled at the first lookup
  BodyIds ids_of = nullptr;                       ///< the bodies for which `ids` was filled
  BodyChange pending = {};                        ///< not applied yet; removed ids increase
  int pending_line = 0;                           ///< of the scene, of the latest such change
  std::size_t logged = 0;                         ///< bytes written by sim:log
  std::int64_t edits = 0;                         ///< parameters changed by sim:set
};

/// Limit on the output of sim:log in an untrusted scene [bytes].
inline constexpr std::size_t max_logged_bytes = 16u << 20;
/// Limit on parameter changes in such a scene: each is logged, and stored in every later
/// checkpoint.
inline constexpr std::int64_t max_edits = 100'000;

}  // namespace mote::sim
