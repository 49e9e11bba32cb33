#pragma once

#include <cstdint>
#include <span>

#include "engine/exec/lockstep.h"
#include "engine/exec/policy.h"
#include "sim/gravity/direct_device.h"
#include "sim/state.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// Largest number of bodies of a system of a batch: each has a thread of the system's block.
inline constexpr engine::Index largest_system = 1024;

/// Work of one system of a batch. The pointers must stay valid until the steps are done.
struct SystemSteps {
  State<engine::Device>* state;  ///< of at most `largest_system` bodies
  const DeviceDirectGravity* gravity;
  const Step* stages;  ///< as those of PersistentGravity
  StepsToTake steps;
};

/// Steps many small systems of directly summed gravity in a few kernels: one block per system, one
/// thread per body, all positions in the block's shared memory from the first step to the last. A
/// single such system leaves a GPU idle; hundreds fill it. The results are bit-identical to those
/// of each system stepped alone. Copies the final records to `after`; waits.
void step_systems(const engine::Cuda& exec, std::span<const SystemSteps> systems,
                  std::span<DeviceRecord> after);

/// Steps one system in a batch with those of all other jobs (engine::Lockstep::rendezvous). Waits.
DeviceRecord step_in_batch(engine::Lockstep& lockstep, const engine::Cuda& exec,
                           const SystemSteps& system);

/// Steps per batch kernel, so that it takes a fraction of a second.
std::uint64_t steps_per_batch(engine::Index count);

}  // namespace mote::sim
