#include "sim/molecular/module/pairs_physics.h"

#include <algorithm>

#include "engine/exec/together.h"
#include "sim/molecular/module/persistent_pairs.h"
#include "sim/molecular/pair_device.h"
#include "sim/space/neighbours.h"
#include "sim/space/neighbours_device.h"

namespace mote::sim {
namespace {

/// Updates the neighbour lists that short-range forces share, before these run.
class DeviceNeighbourUpdate {
 public:
  explicit DeviceNeighbourUpdate(std::shared_ptr<DeviceNeighbours> neighbours)
      : neighbours_(std::move(neighbours)) {}
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report) {
    neighbours_->update(exec, state, time.record);
    report.interactions += listed_pairs_;
  }
  void on_state_replaced(const engine::Cuda& exec, State<engine::Device>& state) {
    neighbours_->invalidate(exec);
    neighbours_->update(exec, state);
  }
  bool grow_buffers(const engine::Cuda& exec) {
    const bool grown = neighbours_->grow_buffers(exec);
    listed_pairs_ = neighbours_->fetched().total;
    return grown;
  }

 private:
  std::shared_ptr<DeviceNeighbours> neighbours_;
  std::uint64_t listed_pairs_ = 0;
};

/// On a GPU, where they take whole steps.
class PairsOnDevice final : public ForceAdapter<DevicePairForce, engine::Cuda> {
 public:
  using ForceAdapter::ForceAdapter;
  std::unique_ptr<WholeSteps> whole_steps(const engine::Cuda& exec,
                                          const State<engine::Device>& state, const Step& stages,
                                          Stepping) override {
    return std::make_unique<PersistentPairs>(exec, state, module(), stages);
  }
};

}  // namespace

void PairsPhysics::add_forces(const engine::Cuda& exec, const Model& model,
                              const State<engine::Host>& initial,
                              Forces<engine::Cuda>& forces) const {
  const PairTable table = this->table(model);
  const Domain domain = domain_of(model);
  const std::vector<std::uint8_t> selected = members(model, initial);
  const auto neighbours = std::make_shared<DeviceNeighbours>(
      exec, domain, list_cutoff(domain, table.cutoff), table.skin,
      NeighbourListSetup{.count = initial.count(),
                         .selected = selected.empty() ? nullptr : &selected},
      initial.precision());
  add_force(forces, DeviceNeighbourUpdate(neighbours));
  forces.push_back(std::make_unique<PairsOnDevice>(
      DevicePairForce(exec, table, neighbours, initial.count(), initial.precision())));
  if (expands()) expansions(model).add_forces(exec, initial, forces);
}

WholeStepLimits PairsPhysics::whole_step_limits(const engine::Cuda& exec, engine::Precision) const {
  if (expands()) return {};
  if (engine::cooperative_multiprocessors(exec) > 0)
    return {.cooperative = PersistentPairs::largest_count};
  return {};
}

std::uint64_t PairsPhysics::device_bytes(const Model& model, engine::Index count,
                                         engine::Precision precision) const {
  std::uint64_t bytes =
      DeviceNeighbours::device_bytes({count}, precision) + DevicePairForce::device_bytes(count) +
      PersistentPairs::device_bytes(std::min(count, PersistentPairs::largest_count), precision);
  if (expands()) bytes += expansions(model).device_bytes(count, precision);
  return bytes;
}

}  // namespace mote::sim
