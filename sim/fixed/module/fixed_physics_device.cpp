#include "sim/fixed/module/fixed_physics.h"

namespace mote::sim {

void FixedPhysics::add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                              Forces<engine::Cuda>& forces) const {
  add_force(forces, DeviceFixedForce());
}

}  // namespace mote::sim
