#pragma once

#include <vector>

#include "sim/fluid/module/fluid_tables.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// The fluid of a scene with its walls, emitters and drains.
class FluidPhysics final : public PhysicsBase<FluidPhysics, FluidTables> {
 public:
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  void check(const SceneReading&) const override;
  std::vector<std::string> features() const override;
  bool claims(std::size_t species) const override { return parameters.is_wall(species); }
  std::vector<std::string> start_warnings(const engine::Cpu&, const Model&, const Bodies& given,
                                          const State<engine::Host>&) const override;
  void add_fields(const Model&, StateLayout&) const override;
  void fill(State<engine::Host>&, engine::Index first, const Model&, FillTime) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  std::string cause_of_long_step() const override {
    return "the flow has become too fast; set a smaller integrator.dt, or let integrator.courant "
           "choose it, or set a larger fluid.largest_speed, which makes sound faster, with a dt "
           "for that";
  }
  bool drives(const Model&, const State<engine::Host>&) const override;
  std::unique_ptr<BodyEvents> body_events(const Model&) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
  double drawn_radius(std::size_t) const override { return 0.5 * parameters.spacing; }
  std::optional<SpeciesRadii> species_radii(const Model&) const override;
  bool is_liquid() const override { return true; }
};

PhysicsModule fluid_module();

}  // namespace mote::sim
