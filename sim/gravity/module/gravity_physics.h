#pragma once

#include "sim/gravity/direct.h"
#include "sim/gravity/solver.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// Gravity of a scene.
class GravityPhysics final : public PhysicsBase<GravityPhysics, Gravity> {
 public:
  using PhysicsBase::PhysicsBase;
  const ModuleInfo& info() const override;
  bool periodic = false;            ///< along all axes, so that images of all bodies attract
  bool in_periodic_domain = false;  ///< the domain is periodic along at least one axis

  std::vector<PhysicsParam> params() const override;
  void check(const SceneReading&) const override;
  bool uses_domain() const override { return in_periodic_domain; }
  void add_fields(const Model&, StateLayout&) const override;
  bool set(std::string_view path, const engine::ParamValue& value) override;
  void set_context(const Model&, MakeContext&) const override;
  std::vector<std::string> start_warnings(const engine::Cpu&, const Model&, const Bodies& given,
                                          const State<engine::Host>&) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  WholeStepLimits whole_step_limits(const engine::Cuda&, engine::Precision) const override;
  std::optional<double> gravitational() const override { return parameters.constant; }
  std::string accuracy_advice() const override { return "a larger softening"; }
  std::string cause_of_not_finite() const override {
    return parameters.softening > 0
               ? ""
               : "two bodies collided without softening: set gravity.softening, or a smaller dt";
  }
  std::uint64_t host_bytes(const Model&, engine::Index, engine::Precision) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
  Evaluation evaluation(const Workload&) const override;
  std::vector<std::string> features() const override;
  double seconds_of_forces(const engine::Cpu&, engine::Precision, engine::Index) const override;

 private:
  /// The only place where direct sums or expansions are chosen: forces, costs and memory ask it.
  GravitySolver solver(const Workload&) const;
};

PhysicsModule gravity_module();

}  // namespace mote::sim
