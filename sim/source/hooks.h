#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/json_fwd.h"
#include "engine/params.h"

namespace mote::sim {

class LuaState;

/// on_step: runs at every step whose number is a multiple of `every`.
struct StepHook {
  std::int64_t every = 1;
};
/// on_time: runs at the first step at or after each multiple of `every`, or each time of `at`.
struct TimeHook {
  std::optional<double> every;  ///< [time]
  std::vector<double> at;       ///< [time], rising; empty with `every`
};

const engine::ParamTable<StepHook>& step_hook_table();
const engine::ParamTable<TimeHook>& time_hook_table();

/// A function of a scene that runs between steps.
struct Hook {
  enum class When { start, step, time, end, unhealthy };
  When when;
  std::string name;   ///< name in the scene: "on_step", or "on_step.2" in a list
  StepHook step;      ///< settings of on_step
  TimeHook time;      ///< settings of on_time
  int function = -1;  ///< the function itself, in the registry of the script
};

/// The hooks of a scene in a fixed order (start, step, time, end, unhealthy), and the script that
/// holds their functions. Copies share the script, which serves one run and one thread at a time.
struct SceneHooks {
  std::vector<Hook> all;
  std::shared_ptr<LuaState> script;
  std::vector<std::string> files = {};  ///< the scene and what it included, for messages

  bool empty() const { return all.empty(); }
};

/// "on_start", "on_step", "on_time", "on_end", "on_unhealthy".
const std::vector<std::string>& hook_names();

/// [{ "hook": "on_step", "every": 100 }, ...]: the hooks without their functions.
engine::Json hooks_json(const SceneHooks& hooks);

}  // namespace mote::sim
