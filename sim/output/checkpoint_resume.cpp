#include <algorithm>
#include <utility>

#include "engine/json.h"
#include "engine/log.h"
#include "engine/machine.h"
#include "sim/output/checkpoint.h"
#include "sim/scene/read_scene.h"
#include "sim/source/param_call.h"
#include "sim/source/reader.h"

namespace mote::sim {
namespace {

using engine::Json;

/// By id what a checkpoint has by index.
template <class T>
std::vector<T> by_id(const Checkpoint& checkpoint, const std::vector<T>& by_index) {
  std::vector<T> all;
  if (by_index.empty()) return all;
  const std::uint32_t* const ids = checkpoint.state->id();
  all.resize(std::size_t{ids[checkpoint.state->count() - 1]} + 1);
  for (std::size_t i = 0; i < by_index.size(); ++i) all[ids[i]] = by_index[i];
  return all;
}

/// Scene parameters from the metadata of a checkpoint, which has only names, values and live paths.
std::vector<SceneParam> params_of(const Checkpoint& checkpoint) {
  std::vector<SceneParam> params;
  for (const auto& [name, json] : checkpoint.parameters->items()) {
    SceneParam p{{.name = name, .help = ""}, engine::ParamType::real, {}, {}};
    if (json.is_boolean()) p.type = engine::ParamType::boolean, p.value = json.get<bool>();
    if (json.is_number_integer())
      p.type = engine::ParamType::integer, p.value = json.get<std::int64_t>();
    if (json.is_number_float()) p.value = json.get<double>();
    if (json.is_string()) p.type = engine::ParamType::text, p.value = json.get<std::string>();
    p.standard = p.value;
    if (checkpoint.live_names->contains(name)) {
      p.live = true;
      p.paths = checkpoint.live_names->at(name).get<std::vector<std::string>>();
    }
    params.push_back(std::move(p));
  }
  return params;
}

/// The hooks of the scene's script, run with the files stored in the checkpoint. Trust is never
/// taken from the file, which may come from another user.
SceneHooks hooks_of(const Checkpoint& checkpoint, const SceneDescription& scene, Trust trust) {
  if (checkpoint.hook_data.is_null() || checkpoint.scene_file.extension() != ".lua") return {};
  Settings settings{{"seed", std::to_string(scene.head.seed)}};
  for (const SceneParam& p : params_of(checkpoint)) settings[p.info.name] = param_setting(p.value);
  std::vector<engine::Diagnostic> problems;
  try {
    SceneSource source = read_scene_source(checkpoint.scene_file, checkpoint.scene_text, settings,
                                           trust, problems, checkpoint.files);
    if (problems.empty()) return std::move(source.hooks);
  } catch (const engine::InputError& e) {
    problems = e.diagnostics();
  }
  if (checkpoint.trusted && trust == Trust::no)
    problems.push_back({checkpoint.file.string(), "", "its run was started with --trust",
                        "if you trust its script, give --trust again"});
  throw engine::InputError(std::move(problems));
}

}  // namespace

SceneDescription scene_of(const Checkpoint& checkpoint, Trust trust) {
  SceneDescription scene = read_scene_text(checkpoint.file.string() + ".json", checkpoint.scene);
  scene.file = checkpoint.scene_file;
  scene.text = checkpoint.scene_text;
  scene.params = params_of(checkpoint);
  apply(checkpoint.live, scene);
  scene.trust = trust;
  scene.restored = checkpoint.state;
  for (const SceneFile& file : checkpoint.files)
    if (file.path.extension() == ".lua" && !file.hash) scene.included.push_back(file);
  scene.hooks = hooks_of(checkpoint, scene, trust);
  scene.has_hooks = !scene.hooks.empty();
  if (std::any_of(scene.physics.begin(), scene.physics.end(),
                  [](const Physics& p) { return p.takes_bodies(); })) {
    Bodies initial = make_bodies(scene, 1);  // some may have been removed since
    for (Physics& p : scene.physics) p.take(initial);
  }
  scene.bodies = {{checkpoint.state->count(), {}}};
  return scene;
}

RunOptions options_of(const Checkpoint& checkpoint, RunOptions options) {
  using engine::Backend;
  if (options.precision && *options.precision != checkpoint.precision)
    throw engine::InputError("--precision " + std::string(engine::name_of(*options.precision)),
                             "the state in " + checkpoint.file.string() + " is in " +
                                 std::string(engine::name_of(checkpoint.precision)) + " precision",
                             "leave the option out");
  options.precision = checkpoint.precision;
  const bool free = options.backend == Backend::automatic && !options.device &&
                    options.devices.empty() && options.stepping == Stepping::automatic;
  if (free && checkpoint.backend == Backend::cpu) options.backend = Backend::cpu;
  if (free && checkpoint.backend == Backend::cuda) {
    if (engine::cuda_info().problem.empty())
      options.backend = Backend::cuda;
    else
      engine::log().warn(
          "{} was written on {}, which is not available here: results will agree to round-off, not "
          "bit for bit",
          checkpoint.file.string(), checkpoint.device);
  }
  const auto& levels = engine::supported_simd_levels();
  if (!options.simd && std::find(levels.begin(), levels.end(), checkpoint.simd) != levels.end())
    options.simd = checkpoint.simd;
  return options;
}

std::unique_ptr<Simulation> open_checkpoint(const Checkpoint& checkpoint,
                                            const RunOptions& options) {
  const SceneDescription scene = scene_of(checkpoint);
  return open_checkpoint(checkpoint, scene, make_plan(scene, options_of(checkpoint, options)));
}

std::unique_ptr<Simulation> open_checkpoint(const Checkpoint& checkpoint,
                                            const SceneDescription& scene, const Plan& plan) {
  std::unique_ptr<Simulation> simulation = open_simulation(scene, plan);
  simulation->resume(*checkpoint.state, checkpoint.run_clock, checkpoint.live, checkpoint.hidden);
  simulation->set_labels(
      {by_id(checkpoint, checkpoint.names), by_id(checkpoint, checkpoint.looks)});
  return simulation;
}

}  // namespace mote::sim
