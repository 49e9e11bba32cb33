#include "sim/gravity/module/gravity_physics.h"

#include <algorithm>

#include "sim/expansions/multipole_device.h"
#include "sim/gravity/direct_device.h"
#include "sim/gravity/module/gravity_batch.h"
#include "sim/gravity/module/persistent_gravity.h"
#include "sim/gravity/module/sampled_gravity.h"
#include "sim/motion/integrators.h"

namespace mote::sim {
namespace {

/// On a GPU, where it takes whole steps.
class GravityOnDevice final : public ForceAdapter<DeviceDirectGravity, engine::Cuda> {
 public:
  using ForceAdapter::ForceAdapter;
  std::unique_ptr<WholeSteps> whole_steps(const engine::Cuda& exec,
                                          const State<engine::Device>& state, const Step& stages,
                                          Stepping kind) override {
    return std::make_unique<PersistentGravity>(exec, kind, state, module(), stages);
  }
  std::unique_ptr<SampledMeasurement> sampled_measurement(const engine::Cuda& exec,
                                                          const State<engine::Device>& state,
                                                          std::size_t simulations) override {
    if (state.count() <= SampledGravity::largest_count && state.layout().fields.empty())
      return std::make_unique<SampledGravity>(state.count(), state.precision(),
                                              module().softening(), module().gravitational(),
                                              SampledGravity::bytes_for(simulations, exec));
    return nullptr;
  }
};

}  // namespace

void GravityPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                                const State<engine::Host>& initial,
                                Forces<engine::Cuda>& forces) const {
  const GravitySolver chosen =
      solver({initial.count(), engine::Backend::cuda, initial.precision()});
  if (chosen.multipole) {
    DeviceMultipoleSolver multipole(*chosen.multipole, parameters.softening,
                                    parameters.constant.value_or(model.units.gravitational),
                                    initial, periodic ? domain_of(model) : Domain{});
    if (forces.empty()) multipole.be_first();
    add_force<engine::Cuda, DeviceMultipoleSolver>(
        forces, std::move(multipole),
        [this](DeviceMultipoleSolver& gravity) { gravity.change_softening(parameters.softening); });
  } else {
    forces.push_back(std::make_unique<GravityOnDevice>(
        DeviceDirectGravity(exec, parameters, model.units.gravitational, initial),
        [this](DeviceDirectGravity& gravity) { gravity.change(parameters); }));
  }
}

WholeStepLimits GravityPhysics::whole_step_limits(const engine::Cuda& exec,
                                                  engine::Precision precision) const {
  if (periodic || parameters.solver == "multipole") return {};
  const auto limit = [&](Stepping kind) {
    return std::min(PersistentGravity::largest_count(exec, precision, kind),
                    DeviceDirectGravity::gather_limit());
  };
  return {limit(Stepping::cluster), limit(Stepping::cooperative), largest_system};
}

std::uint64_t GravityPhysics::device_bytes(const Model& model, engine::Index count,
                                           engine::Precision precision) const {
  const GravitySolver chosen = solver({count, engine::Backend::cuda, precision});
  if (chosen.multipole)
    return DeviceMultipoleSolver::device_bytes(count, *chosen.multipole, periodic, false,
                                               precision);
  std::uint64_t bytes = DeviceDirectGravity::device_bytes(count, precision);
  if (info_of(model.integrator).block_steps) bytes += ChosenDirectForces::device_bytes(count);
  if (model.physics.size() > 1) return bytes;
  bytes += PersistentGravity::device_bytes(std::min(count, DeviceDirectGravity::gather_limit()));
  if (count <= SampledGravity::largest_count)
    bytes += SampledGravity::device_bytes(count, precision);
  return bytes;
}

}  // namespace mote::sim
