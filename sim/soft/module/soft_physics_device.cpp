#include "sim/soft/module/soft_physics.h"

#include "sim/model/matter.h"
#include "sim/soft/soft_device.h"

namespace mote::sim {

void SoftPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                             const State<engine::Host>& initial,
                             Forces<engine::Cuda>& forces) const {
  add_force(forces, DeviceSoftForce(exec, parameters, *mesh_, model.obstacles, initial,
                                    members_of(model, initial, *this)));
}

}  // namespace mote::sim
