#include "sim/hand/module/hand_physics.h"

#include <functional>

#include "sim/hand/hand_device.h"

namespace mote::sim {

void HandPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                             const State<engine::Host>&, Forces<engine::Cuda>& forces) const {
  add_force(forces, DeviceHandForce(exec, parameters, domain_of(model)),
            std::function([this](DeviceHandForce& force) { force.change(parameters); }));
}

}  // namespace mote::sim
