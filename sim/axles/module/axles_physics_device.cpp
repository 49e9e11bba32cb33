#include "sim/axles/module/axles_physics.h"

#include <functional>

namespace mote::sim {

void AxlesPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                              const State<engine::Host>&, Forces<engine::Cuda>& forces) const {
  const std::vector<std::string> names = solid_names(model.obstacles);
  add_force(forces, DeviceAxlesForce(exec, axles_by_solid(names, parameters.all)),
            std::function([this, names, exec](DeviceAxlesForce& force) {
              force.change(exec, axles_by_solid(names, parameters.all));
            }));
}

}  // namespace mote::sim
