#pragma once

#include "sim/model/modules.h"
#include "sim/molecular/thermostat.h"

namespace mote::sim {

/// The thermostat of a scene.
class ThermostatPhysics final : public PhysicsBase<ThermostatPhysics, Thermostat> {
 public:
  using PhysicsBase::PhysicsBase;
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  bool set(std::string_view path, const engine::ParamValue& value) override;
  void add_fields(const Model&, StateLayout&) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  Step step(const Step& scheme) const override { return step_with(parameters, scheme); }
  bool conserves_momentum() const override { return sim::conserves_momentum(parameters); }
  bool scales_velocities() const override { return needs_chain(parameters); }
  bool defines_temperature(const Model&) const override { return true; }
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  std::string cause_of_long_step() const override {
    if (parameters.name != "nose_hoover") return "";
    return "the temperature is too high for the nose_hoover thermostat chain; set a smaller "
           "integrator.dt, start with bodies further apart, or use langevin until they have cooled";
  }
  bool moves_resting_bodies() const override { return parameters.name == "langevin"; }
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
  Evaluation evaluation(const Workload&) const override { return {}; }

 private:
  /// Finds the motion that is not thermal, from the initial or the restored state; all motion of a
  /// single body is.
  static Conserved conserved_by(const Model& model, const State<engine::Host>& initial);
  static std::uint64_t seed_of(const Model& model);
};

PhysicsModule thermostat_module();

}  // namespace mote::sim
