#include "sim/field/field_device.h"
#include "sim/gravity/direct_device.h"
#include "sim/molecular/bond_device.h"
#include "sim/molecular/pair_device.h"
#include "sim/molecular/thermostat_device.h"
#include "sim/run/fluid_stage_device.h"
#include "sim/run/grain_stage_device.h"
#include "sim/run/registry.h"
#include "sim/scene/matter.h"
#include "sim/soft/soft_device.h"
#include "sim/space/neighbours.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;

/// Updates the neighbour lists that short-range forces share, before these run.
class DeviceNeighbourUpdate {
 public:
  explicit DeviceNeighbourUpdate(std::shared_ptr<DeviceNeighbours> neighbours)
      : neighbours_(std::move(neighbours)) {}
  void run(const Cuda& exec, State<Device>& state, const StageTime& time, StepReport& report) {
    neighbours_->update(exec, state, time.record);
    report.interactions += listed_pairs_;
  }
  double potential_energy(const Cuda&, const State<Device>&) { return 0; }
  void on_state_replaced(const Cuda& exec, State<Device>& state) {
    neighbours_->invalidate(exec);
    neighbours_->update(exec, state);
  }
  bool grow_buffers(const Cuda& exec) {
    const bool grown = neighbours_->grow_buffers(exec);
    listed_pairs_ = neighbours_->statistics(exec).total;
    return grown;
  }

 private:
  std::shared_ptr<DeviceNeighbours> neighbours_;
  std::uint64_t listed_pairs_ = 0;
};

}  // namespace

template <>
std::vector<std::unique_ptr<Force<engine::Cuda>>> make_forces(const engine::Cuda& exec,
                                                              const SceneDescription& scene,
                                                              const State<engine::Host>& initial) {
  std::vector<std::unique_ptr<Force<engine::Cuda>>> forces;
  // Before the neighbour lists, as on the CPU.
  if (scene.grains)
    forces.push_back(std::make_unique<ForceAdapter<DeviceGrainStage, Cuda>>(
        DeviceGrainStage(exec, scene, initial)));
  if (scene.pairs) {
    const PairTable table = table_of(*scene.pairs, scene.units.coulomb());
    const std::vector<std::uint8_t> members = members_of_pairs(scene, initial);
    const auto neighbours = std::make_shared<DeviceNeighbours>(
        exec, domain_of(scene), list_cutoff(domain_of(scene), table.cutoff), table.skin,
        NeighbourListSetup{.count = initial.count(),
                           .selected = members.empty() ? nullptr : &members},
        initial.precision());
    forces.push_back(std::make_unique<ForceAdapter<DeviceNeighbourUpdate, Cuda>>(
        DeviceNeighbourUpdate(neighbours)));
    forces.push_back(std::make_unique<ForceAdapter<DevicePairForce, Cuda>>(
        DevicePairForce(exec, table, neighbours, initial.count(), initial.precision())));
  }
  if (scene.bonds)
    forces.push_back(std::make_unique<ForceAdapter<DeviceBondForce, Cuda>>(
        DeviceBondForce(exec, *scene.bonds, domain_of(scene), initial)));
  if (scene.gravity)
    forces.push_back(std::make_unique<ForceAdapter<DeviceDirectGravity, engine::Cuda>>(
        DeviceDirectGravity(exec, *scene.gravity, scene.units.gravitational, initial)));
  if (!scene.fields.empty())
    forces.push_back(
        std::make_unique<ForceAdapter<DeviceFieldForce, engine::Cuda>>(DeviceFieldForce(
            exec, scene.fields, gravitational_of(scene), scheme_named(scene.integrator.name)->order,
            initial.count(), initial.precision())));
  // After all forces on fluid or walls, as on the CPU. Also after grains, which may stall: the
  // rates with which pressure is extrapolated can be read only once.
  if (scene.fluid)
    forces.push_back(std::make_unique<ForceAdapter<DeviceFluidStage, Cuda>>(
        DeviceFluidStage(exec, scene, initial)));
  if (scene.soft)  // after all others: it clears their accelerations of pinned bodies
    forces.push_back(std::make_unique<ForceAdapter<DeviceSoftForce, engine::Cuda>>(
        DeviceSoftForce(exec, *scene.soft, *scene.soft_mesh, scene.obstacles, initial,
                        members_of(scene, initial, Matter::soft))));
  return forces;
}

FieldSupport device_field_support(const SceneDescription& scene,
                                  const std::string& compute_capability) {
  for (const Field& field : scene.fields) {
    if (!std::holds_alternative<ExpressionField>(field)) continue;
    const ExpressionSupport support = ExpressionKernels::support(compute_capability);
    return {support.problem, support.remedy, support.note};
  }
  return {};
}

namespace {

std::uint64_t grain_bytes(const SceneDescription& scene, engine::Index count,
                          engine::Precision precision) {
  // The most constrained neighbours of a soft body's node are those in blocks of tetrahedra: 14.
  const engine::Index exempt = scene.soft ? 14 : 0;
  return precision == engine::Precision::single
             ? DeviceContactForce<float>::device_bytes(count, exempt)
             : DeviceContactForce<double>::device_bytes(count, exempt);
}

std::uint64_t fluid_bytes(const SceneDescription& scene, engine::Index count,
                          engine::Precision precision) {
  const std::uint64_t alone = DeviceFluidForce::device_bytes(*scene.fluid, count, precision);
  if (!scene.grains) return alone;
  return alone + (precision == engine::Precision::single
                      ? DeviceMixtureForce<float>::device_bytes(count)
                      : DeviceMixtureForce<double>::device_bytes(count));
}

}  // namespace

std::uint64_t device_force_bytes(const SceneDescription& scene, engine::Index count,
                                 engine::Precision precision) {
  return (scene.gravity ? DeviceDirectGravity::device_bytes(count, precision) : 0) +
         (scene.pairs ? DeviceNeighbours::device_bytes({count}, precision) +
                            DevicePairForce::device_bytes(count)
                      : 0) +
         (scene.bonds ? DeviceBondForce::device_bytes(*scene.bonds) : 0) +
         (scene.fluid ? fluid_bytes(scene, count, precision) : 0) +
         (scene.grains ? grain_bytes(scene, count, precision) : 0) +
         (scene.soft
              ? soft_bytes(count) +
                    friction_state_bytes(*scene.soft, most_walls * scene.obstacles.size(), count)
              : 0) +
         (scene.thermostat ? DeviceThermostat::device_bytes(count) : 0) +
         (scene.fields.empty() ? 0 : DeviceFieldForce::device_bytes(count));
}

}  // namespace mote::sim
