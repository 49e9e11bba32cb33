#include "app/run/replay.h"

#include "engine/check.h"
#include "engine/files.h"
#include "engine/json.h"
#include "sim/scene/read_scene.h"

namespace mote::app {

using engine::Json;

bool Replay::had_hooks() const {
  return record_->contains("hooks");
}

Replay::Replay(const std::filesystem::path& file) : file_(file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored))
    throw engine::InputError("--replay " + file.string(), "no such file",
                             "name the run.json of a run");
  try {
    record_ = engine::parse_json(engine::read_file(file));
  } catch (const Json::exception&) {
    record_ = nullptr;
  }
  if (!record_->is_object() || !record_->contains("scene") || !record_->contains("state_hash"))
    throw engine::InputError("--replay " + file.string(), "is not the run.json of a run",
                             "every run writes one to its folder");
}

/// A string of run.json, or "" if there is none.
std::string Replay::text(const char* key) const {
  return record_->contains(key) && (*record_)[key].is_string() ? (*record_)[key].get<std::string>()
                                                               : "";
}

void Replay::complete(HeadlessRequest& request, const sim::Stop& stop) const {
  const bool endless = !stop.time && !stop.steps;
  if ((request.scene.empty() || endless) && !request.until && !request.steps &&
      record_->contains("steps") && (*record_)["steps"].is_number_unsigned())
    request.steps = (*record_)["steps"].get<std::int64_t>();
  if (!request.scene.empty()) return;
  sim::RunOptions& options = request.options;
  if (!options.precision) options.precision = engine::precision_named(text("precision"));
  const bool free = options.backend == engine::Backend::automatic && !options.device &&
                    options.devices.empty() && options.stepping == sim::Stepping::automatic;
  if (free) options.backend = engine::backend_named(text("backend")).value_or(options.backend);
  if (!options.simd && options.backend == engine::Backend::cpu)
    options.simd = engine::simd_level_named(text("simd"));
}

sim::SceneDescription Replay::scene(const sim::Settings& settings) const {
  if (record_->contains("continued_from"))
    throw engine::InputError("--replay " + file_.string(),
                             "this run continued a checkpoint, whose bodies are not in run.json",
                             "`mote verify " + file_.parent_path().string() + "` repeats it");
  // run.json has the initial bodies and changes by hand, but not the functions that added others.
  if (record_->contains("bodies_at_end") && had_hooks())
    throw engine::InputError(
        "--replay " + file_.string(),
        "hooks of this run may have added or removed bodies, and run.json does not store these",
        "name the scene, too: mote run SCENE.lua --replay " + file_.string());
  // A name with the extension of scenes in JSON, whatever the file is called.
  const std::string name = file_.string() + (file_.extension() == ".json" ? "" : ".json");
  return sim::read_scene_text(name, engine::json_text((*record_)["scene"], 1), settings);
}

std::vector<sim::Edit> Replay::edits(const sim::SceneDescription& scene) const {
  if (!record_->contains("edits")) return {};
  std::vector<sim::Edit> edits =
      sim::read_edits((*record_)["edits"], file_.string(), live_of(scene));
  sim::check_body_changes(edits, scene, file_.string());
  return edits;
}

}  // namespace mote::app
