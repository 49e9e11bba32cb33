#include "sim/field/field_device.h"
#include "sim/gravity/direct_device.h"
#include "sim/run/registry.h"

namespace mote::sim {

template <>
std::vector<std::unique_ptr<Force<engine::Cuda>>> make_forces(const engine::Cuda& exec,
                                                              const SceneDescription& scene,
                                                              const State<engine::Host>& initial) {
  std::vector<std::unique_ptr<Force<engine::Cuda>>> forces;
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceOf<DeviceDirectGravity, engine::Cuda>>(
        DeviceDirectGravity(exec, *scene.gravity, scene.units.gravitational, initial)));
  if (!scene.fields.empty())
    forces.push_back(std::make_unique<ForceOf<DeviceFieldForce, engine::Cuda>>(
        DeviceFieldForce(exec, scene.fields, gravitational_of(scene),
                         scheme_named(scene.integrator.name)->order, initial.count(), initial.precision())));
  return forces;
}

FieldSupport device_field_support(const SceneDescription& scene) {
  for (const Field& field : scene.fields) {
    if (!std::holds_alternative<ExpressionField>(field)) continue;
    const ExpressionSupport support = ExpressionKernels::support();
    return {support.problem, support.remedy, support.note};
  }
  return {};
}

std::uint64_t device_force_bytes(const SceneDescription& scene, engine::Index count,
                                 engine::Precision precision) {
  return (scene.gravity ? DeviceDirectGravity::device_bytes(count, precision) : 0) +
         (scene.fields.empty() ? 0 : DeviceFieldForce::device_bytes(count));
}

}  // namespace mote::sim
