#pragma once

#include "sim/model/modules.h"
#include "sim/molecular/charge_expansions.h"
#include "sim/molecular/pairs.h"

namespace mote::sim {

/// The pair forces of a scene: the tables lennard_jones, coulomb and pairs.
class PairsPhysics final : public PhysicsBase<PairsPhysics, PairForces> {
 public:
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  void check(const SceneReading&) const override;
  std::vector<std::string> features() const override;
  std::vector<std::string> start_warnings(const engine::Cpu&, const Model&, const Bodies& given,
                                          const State<engine::Host>&) const override;
  void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                   engine::Backend) const override;
  void add_fields(const Model&, StateLayout&) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  WholeStepLimits whole_step_limits(const engine::Cuda&, engine::Precision) const override;
  bool defines_temperature(const Model&) const override;
  std::uint64_t host_bytes(const Model&, engine::Index, engine::Precision) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
  double drawn_radius(std::size_t species) const override;
  Evaluation evaluation(const Workload&) const override;

  /// Some bodies have no other matter.
  bool has_molecules = true;

 private:
  PairTable table(const Model& model) const;
  /// All charges act on each other, by expansions.
  bool expands() const { return parameters.coulomb && parameters.coulomb->expands(); }
  double accuracy() const { return parameters.coulomb->accuracy.value_or(1e-3); }
  ChargeExpansions expansions(const Model&) const;
  /// By body index, 1 for bodies that the forces act on, else 0; empty if they act on all.
  std::vector<std::uint8_t> members(const Model&, const State<engine::Host>&) const;
  void check_species(const SceneReading&) const;
  std::vector<std::string> screening_warnings(const Model& model) const;
  void check_cutoffs(const SceneReading&) const;
};

PhysicsModule pairs_module();

}  // namespace mote::sim
