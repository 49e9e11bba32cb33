#include "sim/molecular/module/thermostat_physics.h"

#include "sim/molecular/thermostat_device.h"

namespace mote::sim {

void ThermostatPhysics::add_forces(const engine::Cuda&, const Model& model,
                                   const State<engine::Host>& initial,
                                   Forces<engine::Cuda>& forces) const {
  add_force<engine::Cuda, DeviceThermostat>(
      forces,
      DeviceThermostat(parameters, seed_of(model), conserved_by(model, initial), initial.count()),
      [this](DeviceThermostat& thermostat) { thermostat.change(parameters); });
}

std::uint64_t ThermostatPhysics::device_bytes(const Model&, engine::Index count,
                                              engine::Precision) const {
  return DeviceThermostat::device_bytes(count);
}

}  // namespace mote::sim
