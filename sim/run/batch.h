#pragma once

#include <cstdint>
#include <span>

#include "engine/exec/policy.h"
#include "sim/run/cooperative.h"
#include "sim/run/lockstep.h"

namespace mote::sim {

/// What one system of a batch is to do. All that is pointed to outlives the steps.
struct SystemSteps {
  State<engine::Device>* state;  ///< of at most `largest_system` bodies
  const DeviceDirectGravity* gravity;
  const Step* stages;  ///< as those of CooperativeSteps
  double dt;
  std::uint64_t steps;
  CooperativeSteps::Rows rows;
  DeviceRecord* record;  ///< on the device
};

/// Bodies that a system of a batch can have: each has a thread of the system's block.
inline constexpr engine::Index largest_system = 1024;

/// Whole steps of many small systems of directly summed gravity in few kernels: one block a system,
/// one thread a body, all places in the block's shared memory from the first step to the last.
/// Where a single system leaves a GPU idle, hundreds fill it. Each system gets the bits that it
/// gets alone. Leaves the records as they are afterwards in `after`; waits for that.
void step_systems(const engine::Cuda& exec, std::span<const SystemSteps> systems,
                  std::span<DeviceRecord> after);

/// The same of one system, together with those of all other jobs that come here. Waits for them.
DeviceRecord step_with_others(Lockstep& lockstep, const engine::Cuda& exec,
                              const SystemSteps& system);

/// Steps that a system of a batch should take at a time: a fraction of a second.
std::uint64_t steps_of_a_batch(engine::Index count);

}  // namespace mote::sim
