#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/algo/kernel_clock.h"
#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/gravity/direct_device.h"
#include "sim/state.h"
#include "sim/step.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// Runs many steps of directly summed gravity in one persistent kernel. Blocks exchange the
/// positions of all bodies once per force: through device memory, in packets with sequence numbers
/// (with massless bodies or little shared memory: with a grid barrier), or within one cluster whose
/// blocks keep all positions in shared memory. Bit-identical to one kernel per stage.
///
/// With ranks each device has such a kernel for its own bodies, and they exchange packets
/// (SequencedExchange). That needs ranks that are threads of one process, devices that access each
/// other's memory, and bodies that all have mass; otherwise run() returns false.
class PersistentGravity final : public WholeSteps {
 public:
  /// Largest number of bodies on this device for Stepping::cluster or Stepping::cooperative; 0 if
  /// it does not support it.
  static engine::Index largest_count(const engine::Cuda& exec, engine::Precision precision,
                                     Stepping kind);

  static std::uint64_t device_bytes(engine::Index count);

  /// `stages`: kick, drift and force up to 8 times (Leaps), then a kick. `gravity` must
  /// outlive this. Collective.
  PersistentGravity(const engine::Cuda& exec, Stepping kind, const State<engine::Device>& state,
                    const DeviceDirectGravity& gravity, const Step& stages);

  bool run(const engine::Cuda& exec, State<engine::Device>& state, const StepsToTake& steps,
           engine::KernelClock& clock) override;
  bool stores_samples() const override { return true; }
  std::uint64_t steps_per_batch() const override;
  DeviceRecord run_in_batch(engine::Lockstep& lockstep, const engine::Cuda& exec,
                            State<engine::Device>& state, const StepsToTake& steps) override;

 private:
  template <engine::Precision precision>
  bool run_on(const engine::Cuda& exec, State<engine::Device>& state, const StepsToTake& steps,
              engine::KernelClock& clock);

  bool grid_;  ///< else a cluster
  const DeviceDirectGravity& gravity_;
  Step stages_;
  engine::Index count_;
  int multiprocessors_ = 0;
  std::size_t shared_limit_ = 0;  ///< shared memory per block [bytes]
  unsigned next_sequence_ = 0;
  engine::Buffer<double, engine::Device> sources_;
  int own_first_ = 0;                           ///< number of the first own body among all
  std::optional<std::vector<double*>> others_;  ///< `sources_` of the other devices; none: out of
                                                ///< reach
};

}  // namespace mote::sim
