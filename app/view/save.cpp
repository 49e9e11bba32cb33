#include "app/view/save.h"

#include <algorithm>
#include <string>

#include "app/view/framing.h"
#include "engine/files.h"
#include "engine/json.h"
#include "engine/log.h"
#include "sim/scene/tables.h"
#include "sim/source/reader.h"

namespace mote::app {
namespace {

engine::Json camera_json(const render::OrbitCamera& camera, double distance) {
  return {{"distance", distance},
          {"azimuth", camera.azimuth},
          {"elevation", camera.elevation},
          {"target", {camera.target.x, camera.target.y, camera.target.z}}};
}

/// The value at a path of an expanded scene, "fields.2.linear".
engine::Json& value_at(engine::Json& scene, const std::string& path) {
  engine::Json* at = &scene;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    at = at->is_array() ? &at->at(std::stoul(name) - 1) : &(*at)[name];
    begin = end + 1;
  }
  return *at;
}

engine::Json scene_json(const WindowState& model) {
  engine::Json json = model.session->scene().expanded;
  for (const std::string& path : sim::live_paths(model.status.live)) {
    const engine::ParamValue value = sim::live_value(model.status.live, path);
    // A module that the scene has only while it acts is not saved.
    if (!json.contains(path.substr(0, path.find('.')))) continue;
    if (std::holds_alternative<std::monostate>(value)) continue;
    value_at(json, path) = sim::to_json(value);
  }
  for (const auto& [path, param] : sim::view_params()) {
    const engine::ParamValue value = param.get(model.view);
    if (!std::holds_alternative<std::monostate>(value))
      value_at(json, path) = sim::to_json(value);
    else if (path == "view.clip.normal")  // switched off here
      json["view"]["clip"].erase("normal");
  }
  json["view"]["camera"] = camera_json(model.camera.camera(), distance_to_save(model));
  const std::vector<sim::Species>& species = model.session->scene().species;
  for (std::size_t k = 0; k < species.size(); ++k) {
    const render::Look& look = model.looks.at(k + 1);
    if (look == api::looks_of(species)[k + 1]) continue;
    engine::Json& one = json["species"][species[k].name];
    one["visible"] = look.visible;
    one["size"] = look.size;
    one["brightness"] = look.brightness;
  }
  return json;
}

}  // namespace

void save_scene(WindowState& model) {
  if (!model.session) return;
  const std::filesystem::path file =
      free_name(model.session->scene().file.stem().string() + "_tuned", ".json");
  try {
    engine::write_file(file, engine::json_text(scene_json(model), 2) + "\n", true);
    const bool others = model.status.other_bodies;
    const std::string saved = "scene saved as " + file.string() +
                              (others ? ", without the bodies that were added or removed; a "
                                        "checkpoint (Ctrl+Shift+S) has them"
                                      : "");
    model.written.push_back(file);
    model.notify(saved);
    engine::log().info("{}", saved);
  } catch (const std::exception& e) {
    model.notify(e.what());
  }
}

void save_checkpoint(WindowState& model) {
  if (!model.session || model.refuse_to_change()) return;
  const std::filesystem::path file = free_name(
      model.session->scene().file.stem().string() + "_step" + std::to_string(model.status.step),
      ".h5");
  model.session->checkpoint(file);
  model.written.push_back(file);
  model.notify("checkpoint: " + file.string());
}

}  // namespace mote::app
