#pragma once

#include "sim/model/modules.h"
#include "sim/molecular/bonds.h"

namespace mote::sim {

/// The bonds and angles of a scene, along chains too.
class BondsPhysics final : public PhysicsBase<BondsPhysics, BondForces> {
 public:
  using PhysicsBase::PhysicsBase;
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  std::vector<std::string> features() const override;
  void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                   engine::Backend) const override;
  void add_fields(const Model&, StateLayout&) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  Step step(const Step& scheme) const override;
  std::string cause_of_long_step() const override;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_pairs() const override;
  engine::Index most_joined() const override;
  void add_links(BodyLinks&) const override;
  std::uint64_t host_bytes(const Model&, engine::Index, engine::Precision) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
};

PhysicsModule bonds_module();

}  // namespace mote::sim
