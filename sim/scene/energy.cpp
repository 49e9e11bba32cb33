#include "sim/scene/energy.h"

namespace mote::sim {

std::vector<std::string> energy_notes(const SceneDescription& scene) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& what, const std::string& why) {
    notes.push_back("energy is not constant with " + what + ": " + why);
  };
  for (std::size_t i = 0; i < scene.fields.size(); ++i)
    if (const std::string why = energy_problem(scene.fields[i]); !why.empty())
      note("fields." + std::to_string(i + 1) + " (" + name_of(scene.fields[i]) + ")", why);
  if (scene.thermostat && scene.thermostat->name == "langevin")
    note("a langevin thermostat", "it exchanges energy with the bodies");
  if (scene.bonds && scene.bonds->damped()) note("damped bonds", "dashpots dissipate energy");
  if (scene.fluid) note("fluid", "viscosity, density diffusion and impacts dissipate energy");
  if (scene.soft)
    note("soft bodies",
         "enforcing constraints dissipates energy, and so do drag, damping and obstacles");
  if (scene.grains)
    note("grains", "collisions and friction dissipate energy, and moving obstacles add it");
  return notes;
}

}  // namespace mote::sim
