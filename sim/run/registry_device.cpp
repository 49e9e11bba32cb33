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
  return forces;
}

std::uint64_t device_force_bytes(const SceneDescription& scene, engine::Index count,
                                 engine::Precision precision) {
  return scene.gravity ? DeviceDirectGravity::device_bytes(count, precision) : 0;
}

}  // namespace mote::sim
