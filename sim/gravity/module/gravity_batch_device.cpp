#include "sim/gravity/module/gravity_batch.h"

#include <vector>

namespace mote::sim {
namespace {

/// A job's input to the batch, and its result.
struct SystemPart final : engine::Lockstep::Part {
  SystemSteps steps{};
  DeviceRecord after;
};

}  // namespace

DeviceRecord step_in_batch(engine::Lockstep& lockstep, const engine::Cuda& exec,
                           const SystemSteps& system) {
  SystemPart part;
  part.steps = system;
  lockstep.rendezvous(part, [&exec](std::span<engine::Lockstep::Part* const> all) {
    std::vector<SystemSteps> systems;
    for (const engine::Lockstep::Part* p : all)
      systems.push_back(static_cast<const SystemPart*>(p)->steps);
    std::vector<DeviceRecord> after(all.size());
    step_systems(exec, systems, after);
    for (std::size_t k = 0; k < all.size(); ++k) static_cast<SystemPart*>(all[k])->after = after[k];
  });
  return part.after;
}

}  // namespace mote::sim
