#include "sim/run/registry.h"

#include "sim/field/field_force.h"
#include "sim/gravity/direct.h"
#include "sim/motion/integrator.h"

namespace mote::sim {

std::vector<ModuleInfo> modules() {
  return {DirectGravity::info(), FieldForce::info()};
}

template <>
std::vector<std::unique_ptr<Force<engine::Cpu>>> make_forces(const engine::Cpu&,
                                                             const SceneDescription& scene,
                                                             const State<engine::Host>& initial) {
  std::vector<std::unique_ptr<Force<engine::Cpu>>> forces;
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceOf<DirectGravity, engine::Cpu>>(
        DirectGravity(*scene.gravity, scene.units.gravitational, initial.count(), initial.precision())));
  if (!scene.fields.empty())
    forces.push_back(std::make_unique<ForceOf<FieldForce, engine::Cpu>>(
        FieldForce(scene.fields, gravitational_of(scene), scheme_named(scene.integrator.name)->order)));
  return forces;
}

double gravitational_of(const SceneDescription& scene) {
  return scene.gravity ? scene.gravity->constant.value_or(scene.units.gravitational)
                       : scene.units.gravitational;
}

std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count, engine::Precision precision) {
  return scene.gravity ? DirectGravity::scratch_bytes(count, precision) : 0;
}

}  // namespace mote::sim
