#include "sim/molecular/module/bonds_physics.h"

#include "sim/molecular/bond_device.h"
#include "sim/molecular/rod_device.h"

namespace mote::sim {

void BondsPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                              const State<engine::Host>& initial,
                              Forces<engine::Cuda>& forces) const {
  const BondForces flexible = parameters.flexible();
  if (!flexible.bonds.empty() || !flexible.angles.empty())
    add_force(forces, DeviceBondForce(exec, flexible, domain_of(model), initial));
  if (parameters.any_rigid())
    add_force(forces, DeviceRodForce(exec, parameters, domain_of(model), initial));
}

std::uint64_t BondsPhysics::device_bytes(const Model&, engine::Index, engine::Precision) const {
  return DeviceBondForce::device_bytes(parameters) + DeviceRodForce::device_bytes(parameters);
}

}  // namespace mote::sim
