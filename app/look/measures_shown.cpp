#include "app/look/measures_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/json.h"
#include "sim/model/modules.h"

namespace mote::app {
namespace {

using engine::Json;

/// The name of the energy error, as in the panel of the window.
std::string name_of_error(bool constant) {
  return constant ? "energy error" : "energy lost or gained";
}

/// True if a domain, as run.json has it, is periodic along an axis.
bool is_periodic(const Json& scene) {
  const Json domain = scene.value("domain", Json());
  if (!domain.is_object()) return false;
  const auto text = [&](const char* key) {
    return domain.contains(key) && domain[key].is_string() ? domain[key].get<std::string>() : "";
  };
  for (const char* axis : {"x", "y", "z"})
    if ((text(axis).empty() ? text("boundary") : text(axis)) == "periodic") return true;
  return false;
}

/// True if bodies attract each other.
bool has_gravity(const sim::Model& scene) {
  return std::any_of(scene.physics.begin(), scene.physics.end(),
                     [](const sim::Physics& p) { return p.info().has_potentials; });
}

/// True if the bodies of a scene, as run.json has it, attract each other.
bool has_gravity(const Json& scene) {
  for (const sim::PhysicsModule& m : sim::modules())
    if (m.info().has_potentials)
      for (const sim::SceneKey& key : m.info().keys)
        if (scene.contains(key.name)) return true;
  return false;
}

}  // namespace

std::string energy_given_text(double given, double energy) {
  constexpr double rounding = 1e-9;
  if (!(std::abs(given) > rounding * std::abs(energy))) return "";
  return fmt::format("given {:.3g} from outside, ", given);
}

MeasuresShown measures_shown(const sim::Model& scene) {
  const sim::Domain domain = sim::domain_of(scene);
  const bool periodic = domain.periodic[0] || domain.periodic[1] || domain.periodic[2];
  return {name_of_error(sim::energy_notes(scene).empty()), has_gravity(scene) && !periodic};
}

MeasuresShown measures_shown(const Json& record) {
  MeasuresShown shown{name_of_error(true)};
  if (!record.is_object()) return shown;
  shown.energy_error = name_of_error(!record.contains("notes"));
  if (record.contains("scene") && record["scene"].is_object())
    shown.of_clusters = has_gravity(record["scene"]) && !is_periodic(record["scene"]);
  return shown;
}

}  // namespace mote::app
