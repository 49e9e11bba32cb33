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
    note("a langevin thermostat", "it gives and takes energy");
  if (scene.bonds && scene.bonds->damped()) note("damped bonds", "dashpots take energy");
  if (scene.fluid) note("fluid", "viscosity, diffusion of density and impacts take energy");
  if (scene.soft)
    note("soft bodies",
         "steps that meet constraints take energy, and so do drag, damping and obstacles");
  if (scene.grains)
    note("grains", "they lose energy where they bounce and rub, and obstacles that move give it");
  return notes;
}

}  // namespace mote::sim
