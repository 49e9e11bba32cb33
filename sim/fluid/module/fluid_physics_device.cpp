#include "sim/fluid/module/fluid_physics.h"

#include "sim/fluid/module/fluid_stage.h"
#include "sim/fluid/module/fluid_stage_device.h"
#include "sim/model/matter.h"

namespace mote::sim {

void FluidPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                              const State<engine::Host>& initial,
                              Forces<engine::Cuda>& forces) const {
  add_force(forces, DeviceFluidStage(exec, parameters, model, initial));
}

std::uint64_t FluidPhysics::device_bytes(const Model& model, engine::Index count,
                                         engine::Precision precision) const {
  const std::uint64_t alone = DeviceFluidForce::device_bytes(parameters, count, precision);
  if (!grains_in(model)) return alone;
  return alone + (precision == engine::Precision::single
                      ? DeviceMixtureForce<float>::device_bytes(count)
                      : DeviceMixtureForce<double>::device_bytes(count));
}

}  // namespace mote::sim
