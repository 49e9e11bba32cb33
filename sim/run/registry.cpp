#include "sim/run/registry.h"

#include "sim/gravity/direct.h"

namespace mote::sim {

std::vector<ModuleInfo> modules() {
  return {DirectGravity::info()};
}

template <>
std::vector<std::unique_ptr<Force<engine::Cpu>>> make_forces(const engine::Cpu&,
                                                             const SceneDescription& scene,
                                                             const State<engine::Host>& initial) {
  std::vector<std::unique_ptr<Force<engine::Cpu>>> forces;
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceOf<DirectGravity, engine::Cpu>>(
        DirectGravity(*scene.gravity, scene.units.gravitational, initial.count(), initial.precision())));
  return forces;
}

std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count, engine::Precision precision) {
  return scene.gravity ? DirectGravity::scratch_bytes(count, precision) : 0;
}

}  // namespace mote::sim
