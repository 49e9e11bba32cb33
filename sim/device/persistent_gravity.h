#pragma once

#include <cstdint>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/device/kernel_clock.h"
#include "sim/device/persistent_steps.h"
#include "sim/gravity/direct_device.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Runs many steps of directly summed gravity in one persistent kernel. Blocks exchange the
/// positions of all bodies once per force: through device memory, in packets with sequence numbers
/// (with massless bodies or little shared memory: with a grid barrier), or within one cluster whose
/// blocks keep all positions in shared memory. Bit-identical to one kernel per stage.
class PersistentGravity {
 public:
  enum class Kind { grid, cluster };

  /// Largest number of bodies on this device; 0 if it does not support this kind.
  static engine::Index largest_count(const engine::Cuda& exec, engine::Precision precision,
                                     Kind kind);

  static std::uint64_t device_bytes(engine::Index count);

  /// `stages`: kick, drift and force up to `largest_force_count` times, then a kick. `gravity` must
  /// outlive this.
  PersistentGravity(const engine::Cuda& exec, Kind kind, const State<engine::Device>& state,
                    const DeviceDirectGravity& gravity, const Step& stages);

  using Samples = StepSamples;

  /// Starts `steps` steps of `dt`; does not wait. Adds the steps taken, and the first non-finite
  /// body, to the record. False if the device refuses to launch so many co-resident blocks; 0 steps
  /// test this.
  bool run(const engine::Cuda& exec, State<engine::Device>& state, double dt, std::uint64_t steps,
           const Samples& samples, DeviceRecord* record, KernelClock& clock);

 private:
  template <engine::Precision precision>
  bool run_on(const engine::Cuda& exec, State<engine::Device>& state, double dt,
              std::uint64_t steps, const Samples& samples, DeviceRecord* record,
              KernelClock& clock);

  Kind kind_;
  const DeviceDirectGravity& gravity_;
  Step stages_;
  int multiprocessors_ = 0;
  std::size_t shared_limit_ = 0;  ///< shared memory per block [bytes]
  unsigned next_sequence_ = 0;
  engine::Buffer<double, engine::Device> sources_;
};

}  // namespace mote::sim
