#pragma once

#include "sim/axles/axles.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// The solids of a scene that has named obstacles, and their axles.
class AxlesPhysics final : public PhysicsBase<AxlesPhysics, Axles> {
 public:
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  bool set(std::string_view path, const engine::ParamValue& value) override;
  void add_fields(const Model&, StateLayout& layout) const override;
  void fill(State<engine::Host>&, engine::Index first, const Model&, FillTime) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  bool moves_resting_bodies() const override { return false; }
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  Evaluation evaluation(const Workload&) const override { return {}; }
};

PhysicsModule axles_module();

}  // namespace mote::sim
