#pragma once

#include <string>
#include <vector>

#include "sim/field/fields.h"
#include "sim/model/modules.h"

namespace mote::sim {

/// The external fields of a scene.
class FieldsPhysics final : public PhysicsBase<FieldsPhysics, std::vector<Field>> {
 public:
  using PhysicsBase::PhysicsBase;
  const ModuleInfo& info() const override;
  std::vector<PhysicsParam> params() const override;
  bool set(std::string_view path, const engine::ParamValue& value) override;
  std::vector<std::string> features() const override;
  void check_start(const engine::Cpu&, const Model&, const State<engine::Host>&,
                   engine::Backend) const override;
  void add_forces(const engine::Cpu&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cpu>&) const override;
  void add_forces(const engine::Cuda&, const Model&, const State<engine::Host>&,
                  Forces<engine::Cuda>&) const override;
  engine::Vec3d uniform_acceleration() const override;
  std::vector<EnergyEffect> energy_effects(const Model&) const override;
  DeviceSupport device_support(const std::string& compute_capability) const override;
  std::uint64_t device_bytes(const Model&, engine::Index, engine::Precision) const override;
};

PhysicsModule fields_module();

}  // namespace mote::sim
