#include "app/look/stored_scene.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/exec/parallel.h"
#include "engine/json.h"
#include "engine/log.h"
#include "sim/model/modules.h"
#include "sim/scene/read_scene.h"

namespace mote::app {
namespace {

using engine::Json;

/// True if some object within has one of the keys by which bodies are labelled.
bool has_labels(const Json& bodies) {
  if (!bodies.is_structured()) return false;
  if (bodies.is_object())
    for (const char* key : {"name", "color", "display_radius"})
      if (bodies.contains(key)) return true;
  return std::any_of(bodies.begin(), bodies.end(), has_labels);
}

}  // namespace

sim::SceneDescription stored_scene(const StoredRun& run, const sim::SnapshotMetadata& metadata,
                                   const sim::Settings& view) {
  Json kept{{"units", metadata.units.name}};
  std::vector<std::string> keys{"title", "units", "view", "species", "domain", "obstacles"};
  for (const sim::PhysicsModule& m : sim::modules())
    for (const sim::SceneKey& key : m.info().keys)
      if (m.info().is_matter ? key.type.empty() : m.info().uses_obstacles) keys.push_back(key.name);
  if (run.record->is_object() && run.record->contains("scene") &&
      (*run.record)["scene"].is_object())
    for (const std::string& key : keys)
      if (const Json& scene = (*run.record)["scene"]; scene.contains(key)) kept[key] = scene[key];
  // Without the forces, the scene would have no potential to be coloured by.
  std::string color = sim::View().color;
  if (kept.contains("view") && kept["view"].is_object() && kept["view"].contains("color")) {
    color = kept["view"]["color"].get<std::string>();
    kept["view"].erase("color");
  }
  kept["bodies"] = Json::array({Json{{"mass", 1}, {"position", {0, 0, 0}}}});
  kept["integrator"] = Json{{"dt", 1}};
  sim::SceneDescription scene =
      sim::read_scene_text((run.folder / "run.json").string(), engine::json_text(kept, 1), view);
  scene.view.color = color;
  return scene;
}

std::shared_ptr<const sim::Model> connected_model(const StoredRun& run) {
  if (!run.record->is_object() || !run.record->contains("scene")) return nullptr;
  try {
    sim::SceneDescription scene = sim::read_scene_text(
        (run.folder / "run.json").string(), engine::json_text((*run.record)["scene"], 1));
    for (sim::Physics& p : scene.physics) {
      if (!p.takes_bodies()) continue;
      sim::Bodies bodies = sim::make_bodies(scene, 1);
      p.take(bodies);
    }
    sim::BodyLinks links;
    for (const sim::Physics& p : scene.physics) p.add_links(links);
    if (links.empty()) return nullptr;
    return std::make_shared<const sim::Model>(std::move(scene));
  } catch (const std::exception& e) {
    engine::log().info("what connects the bodies is not drawn: {}", e.what());
    return nullptr;
  }
}

sim::BodyLabels labels_of(const StoredRun& run) {
  if (!run.record->is_object() || !run.record->contains("scene")) return {};
  const Json& scene = (*run.record)["scene"];
  if (!scene.is_object() || !scene.contains("bodies") || !has_labels(scene["bodies"])) return {};
  try {
    sim::Bodies bodies = sim::make_bodies(
        sim::read_scene_text((run.folder / "run.json").string(), engine::json_text(scene, 1)),
        engine::available_threads());
    return {std::move(bodies.names), std::move(bodies.looks)};
  } catch (const std::exception& e) {
    engine::log().info("names of bodies are not drawn: {}", e.what());
    return {};
  }
}

}  // namespace mote::app
