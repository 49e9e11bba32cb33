#pragma once

#include <exception>
#include <map>
#include <optional>
#include <string>

#include "sim/run/hooks.h"
#include "sim/run/roster.h"
#include "sim/scene/lua_state.h"

namespace mote::sim {

/// What the value `sim` of a hook works on.
struct HookSim {
  LuaState& lua;
  const SceneDescription& scene;
  Simulation& simulation;
  HookHost& host;
  int data = LUA_NOREF;                      ///< registry: the table sim.data
  std::optional<Measurement> measured = {};  ///< of the present call
  HookVerdict verdict = {};
  bool over = false;                              ///< no step follows
  std::exception_ptr trouble = nullptr;           ///< of the machine: no script can handle it
  std::map<std::string, std::uint32_t> ids = {};  ///< of named bodies, once it was asked for one
  BodyIds ids_of = nullptr;                       ///< the bodies that these are
  BodyChange pending = {};  ///< what was added and removed and is not in the simulation yet;
                            ///< removed ids rise
  int pending_line = 0;     ///< of the scene, where that was asked for last
  std::size_t logged = 0;   ///< bytes of sim:log
  std::int64_t edits = 0;   ///< parameters that sim:set has changed
};

/// Bytes that sim:log writes for a scene that is not trusted.
inline constexpr std::size_t most_logged_bytes = 16u << 20;
/// Changes of parameters that such a scene makes: each stands in the log, and in every checkpoint
/// from there on.
inline constexpr std::int64_t most_edits = 100'000;

/// Pushes a new `sim`. It has the fields
/// - step, time, dt, count; energy, energy_error and the other columns of series.csv, measured when
/// one is first asked for;
///   data, a table of plain values;
/// - the methods body, add, remove, get, set, row, snapshot, picture, log, stop and fail.
/// Returns where it keeps its target: null there makes it refuse everything, for a run that is
/// over.
HookSim** push_sim(HookSim& target);

}  // namespace mote::sim
