#pragma once

#include "sim/contact/grains.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// The grains of a scene, and the contacts of all bodies that touch.
class GrainsPhysics final : public PhysicsBase<GrainsPhysics, Grains> {
 public:
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  void add_traits(BodyTraits&) const override;
  void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                   engine::Backend) const override;
  void add_fields(const Model&, StateLayout&) const override;
  void fill(State<engine::Host>&, engine::Index first, const Model&, FillTime) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  std::uint64_t host_bytes(const Model&, engine::Index, engine::Precision) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
  std::uint64_t state_bytes(engine::Index, engine::Precision) const override;
  double drawn_radius(std::size_t) const override { return parameters.radius; }
  std::unique_ptr<ContactFinder> contacts(const engine::Cpu&, const Model&,
                                          const State<engine::Host>&) const override;
};

PhysicsModule grains_module();

}  // namespace mote::sim
