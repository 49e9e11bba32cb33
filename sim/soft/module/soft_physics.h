#pragma once

#include <memory>

#include "sim/model/modules.h"
#include "sim/soft/soft.h"

namespace mote::sim {

/// The soft bodies of a scene.
class SoftPhysics final : public PhysicsBase<SoftPhysics, Soft> {
 public:
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  void check(const SceneReading&) const override;
  std::vector<std::string> features() const override;
  void add_traits(BodyTraits& traits) const override { traits.constraints = true; }
  void take(Bodies& made) override;
  bool takes_bodies() const override { return true; }
  void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                   engine::Backend) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  Step step(const Step& scheme) const override { return step_with(parameters, scheme); }
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  bool drives(const Model&, const State<engine::Host>&) const override;
  bool energy_depends_on_step() const override { return true; }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_pairs() const override;
  engine::Index most_joined() const override { return 14; }  // reached in blocks of tetrahedra
  std::uint64_t host_bytes(const Model&, engine::Index, engine::Precision) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
  /// Half of the thickness is the radius of contacts, with which bodies of a mixed scene are drawn.
  double drawn_radius(std::size_t species) const override {
    return species == 0 ? parameters.thickness : 0.5 * parameters.thickness;
  }
  void add_links(BodyLinks&) const override;

 private:
  std::shared_ptr<const SoftMesh> mesh_;  ///< constraints by body id; null until bodies are taken
};

PhysicsModule soft_module();

}  // namespace mote::sim
