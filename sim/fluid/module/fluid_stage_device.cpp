#include "sim/fluid/module/fluid_stage_device.h"

#include "engine/exec/parallel.h"
#include "sim/fluid/module/fluid_stage.h"
#include "sim/model/matter.h"

namespace mote::sim {

DeviceFluidStage::DeviceFluidStage(const engine::Cuda& exec, const FluidTables& fluid,
                                   const Model& model, const State<engine::Host>& initial)
    : force_(exec, fluid, domain_of(model), uniform_acceleration(model),
             fluid_kinds(fluid, model, initial), initial.precision(), 0,
             fluid_obstacles(fluid, model, engine::available_threads())) {
  const Physics* const grains = grains_in(model);
  if (!grains) return;
  initial.visit([&]<class Real>(const StateView<const Real>&) {
    grains_.emplace<DeviceMixtureForce<Real>>(exec, fluid, domain_of(model),
                                              fluid_kinds(fluid, model, initial),
                                              members_of(model, initial, *grains));
  });
}

void DeviceFluidStage::run(const engine::Cuda& exec, State<engine::Device>& state,
                           const StageTime& time, StepReport& report) {
  if (std::holds_alternative<std::monostate>(grains_)) return force_.run(exec, state, time, report);
  state.visit([&]<class Real>(const StateView<Real>& s) {
    auto& grains = std::get<DeviceMixtureForce<Real>>(grains_);
    force_.update(exec, s, time);
    const DeviceCellView<Real> cells = force_.cells<Real>();
    force_.accelerate(exec, s, solids_of(state), time, grains.porosities(exec, s, cells));
    force_.check_step_size(exec, s, time, grains.run(exec, s, cells, time.record), report);
  });
}

double DeviceFluidStage::potential_energy(const engine::Cuda& exec,
                                          const State<engine::Device>& state) {
  if (std::holds_alternative<std::monostate>(grains_)) return force_.potential_energy(exec, state);
  // Modifies cells and data in cell order only; the state is read.
  return const_cast<State<engine::Device>&>(state).visit([&]<class Real>(const StateView<Real>& s) {
    auto& grains = std::get<DeviceMixtureForce<Real>>(grains_);
    force_.update_positions(exec, s);
    return force_.internal_energy(exec, s,
                                  grains.porosities(exec, s, force_.cells<Real>()).porosity);
  });
}

}  // namespace mote::sim
