#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/device/kernel_clock.h"
#include "sim/molecular/pair_device.h"
#include "sim/motion/motion.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Runs many steps with short-range pair forces in one persistent kernel: list construction when
/// due, forces, kicks and drifts. Between list constructions, positions and velocities are kept in
/// cell order, so that accesses are contiguous. One grid barrier per force. Bit-identical to one
/// kernel per stage.
class PersistentPairs {
 public:
  /// Largest number of bodies: beyond it, lists have another layout, and need more threads than the
  /// shared memory of list construction allows.
  static constexpr engine::Index largest_count = most_multi_lane_bodies;

  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// `moves` of one step, with a force after each but the last. `force` and `moves` must outlive
  /// this.
  PersistentPairs(const engine::Cuda& exec, engine::Index count, engine::Precision precision,
                  const DevicePairForce& force, const std::vector<Moves>& moves);
  PersistentPairs(PersistentPairs&&) noexcept;
  ~PersistentPairs();

  /// Starts `steps` > 0 steps of `dt`; does not wait. Adds the steps taken, and the first
  /// non-finite body, to the record.
  void run(const engine::Cuda& exec, State<engine::Device>& state, double dt, std::uint64_t steps,
           DeviceRecord* record, KernelClock& clock);

 private:
  template <class Real>
  struct Buffers;

  const DevicePairForce& force_;
  const std::vector<Moves>& moves_;
  int multiprocessors_;
  std::uint64_t next_force_ = 1;
  std::unique_ptr<Buffers<float>> single_;
  std::unique_ptr<Buffers<double>> double_;
};

}  // namespace mote::sim
