#pragma once

#include "sim/hand/hand.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// The hand of a scene, which is also made while it runs.
class HandPhysics final : public PhysicsBase<HandPhysics, Hand> {
 public:
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  bool set(std::string_view path, const engine::ParamValue& value) override;
  bool acts() const override { return parameters.stiffness > 0; }
  /// It pulls to the nearest image of the point, which is no reason to have a domain.
  bool uses_domain() const override { return true; }
  bool works_from_outside() const override { return acts(); }
  /// Its damping is that of velocities within the step.
  void add_fields(const Model&, StateLayout& layout) const override {
    layout.stores_accelerations = true;
  }
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  void check_step(const Model&, double dt) const override;
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  Evaluation evaluation(const Workload& work) const override {
    return {static_cast<double>(work.bodies)};
  }
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override {
    return sizeof(Impulse);
  }
};

PhysicsModule hand_module();

}  // namespace mote::sim
