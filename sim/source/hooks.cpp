#include "sim/source/hooks.h"
#include "engine/json.h"

namespace mote::sim {

using engine::Json;
using engine::param;
using engine::ParamTable;

const ParamTable<StepHook>& step_hook_table() {
  static const ParamTable<StepHook> table{
      "on_step",
      "A table whose function `run` is called between steps, at every step whose number is "
      "a multiple of `every`; or a list of such tables. Only in scenes in Lua.",
      {param(&StepHook::every, {.name = "every",
                                .help = "steps between calls",
                                .minimum = 1,
                                .maximum = 1e15,
                                .required = true})}};
  return table;
}

// Its list of times, `at`, is read by hook_reader.
const ParamTable<TimeHook>& time_hook_table() {
  static const ParamTable<TimeHook> table{
      "on_time",
      "A table whose function `run` is called between steps, at the first step at or after each of "
      "its times; or a list of such tables. Only in scenes in Lua.",
      {param(&TimeHook::every, {.name = "every",
                                .help = "at every multiple of this time; either this or `at`",
                                .unit = "time",
                                .minimum = 0,
                                .minimum_excluded = true})}};
  return table;
}

const std::vector<std::string>& hook_names() {
  static const std::vector<std::string> names{"on_start", "on_step", "on_time", "on_end",
                                              "on_unhealthy"};
  return names;
}

Json hooks_json(const SceneHooks& hooks) {
  Json list = Json::array();
  for (const Hook& hook : hooks.all) {
    Json json{{"hook", hook.name}};
    if (hook.when == Hook::When::step) json["every"] = hook.step.every;
    if (hook.time.every) json["every"] = *hook.time.every;
    if (!hook.time.at.empty()) json["at"] = hook.time.at;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace mote::sim
