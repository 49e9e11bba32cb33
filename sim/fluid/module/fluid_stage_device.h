#pragma once

#include <variant>

#include "sim/fluid/module/fluid_tables.h"
#include "sim/mixture/mixture_device.h"
#include "sim/model/model.h"

namespace mote::sim {

/// The fluid of a scene as a force on a GPU, with the grains in it. Runs after all others.
class DeviceFluidStage {
 public:
  DeviceFluidStage(const engine::Cuda& exec, const FluidTables& fluid, const Model& model,
                   const State<engine::Host>& initial);

  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);
  void on_state_replaced(const engine::Cuda& exec, State<engine::Device>&) {
    force_.on_state_replaced(exec);
  }
  bool grow_buffers(const engine::Cuda& exec) { return force_.grow_buffers(exec); }
  double largest_step() const { return force_.largest_step(); }

 private:
  DeviceFluidForce force_;
  std::variant<std::monostate, DeviceMixtureForce<float>, DeviceMixtureForce<double>> grains_;
};

}  // namespace mote::sim
