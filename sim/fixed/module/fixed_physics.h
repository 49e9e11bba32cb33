#pragma once

#include "sim/fixed/fixed.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// Parameters of fixed bodies: none, since each body says whether it is fixed.
struct FixedBodies {};

/// The fixed bodies of a scene that has some.
class FixedPhysics final : public PhysicsBase<FixedPhysics, FixedBodies> {
 public:
  const ModuleInfo& info() const override;
  void add_fields(const Model&, StateLayout& layout) const override { layout.add(fields::fixed); }
  void fill(State<engine::Host>&, engine::Index first, const Model&, FillTime) const override;
  void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                   engine::Backend) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  bool moves_resting_bodies() const override { return false; }
  bool drives(const Model&, const State<engine::Host>&) const override;
  Evaluation evaluation(const Workload& work) const override {
    return {static_cast<double>(work.bodies)};
  }
};

PhysicsModule fixed_module();

}  // namespace mote::sim
