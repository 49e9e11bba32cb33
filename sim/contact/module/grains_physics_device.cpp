#include "sim/contact/module/grains_physics.h"

#include <algorithm>

#include "sim/contact/module/grain_force_device.h"

namespace mote::sim {

void GrainsPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                               const State<engine::Host>& initial,
                               Forces<engine::Cuda>& forces) const {
  add_force(forces, DeviceGrainForces(exec, parameters, model, initial));
}

std::uint64_t GrainsPhysics::device_bytes(const Model& model, engine::Index count,
                                          engine::Precision precision) const {
  engine::Index exempt = 0;
  for (const Physics& p : model.physics) exempt = std::max(exempt, p.most_joined());
  const bool solids = !solid_names(model.obstacles).empty();
  return precision == engine::Precision::single
             ? DeviceContactForce<float>::device_bytes(count, exempt, solids)
             : DeviceContactForce<double>::device_bytes(count, exempt, solids);
}

}  // namespace mote::sim
