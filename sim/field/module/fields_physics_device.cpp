#include "sim/field/module/fields_physics.h"

#include "sim/field/expression_device.h"
#include "sim/field/field_device.h"
#include "sim/motion/integrators.h"

namespace mote::sim {

void FieldsPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                               const State<engine::Host>& initial,
                               Forces<engine::Cuda>& forces) const {
  add_force<engine::Cuda, DeviceFieldForce>(
      forces,
      DeviceFieldForce(exec, parameters, gravitational_of(model), info_of(model.integrator).order,
                       initial.count(), initial.precision()),
      [this](DeviceFieldForce& force) { force.change(parameters); });
}

std::uint64_t FieldsPhysics::device_bytes(const Model&, engine::Index count,
                                          engine::Precision) const {
  return DeviceFieldForce::device_bytes(count);
}

DeviceSupport FieldsPhysics::device_support(const std::string& compute_capability) const {
  for (const Field& field : parameters) {
    if (!std::holds_alternative<ExpressionField>(field)) continue;
    const ExpressionSupport support = ExpressionKernels::support(compute_capability);
    const std::string by = "expressions of fields are compiled by NVRTC: ";
    return {support.problem.empty() ? "" : by + support.problem, support.remedy, support.note};
  }
  return {};
}

}  // namespace mote::sim
