#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/algo/kernel_clock.h"
#include "engine/exec/policy.h"
#include "sim/molecular/pair_device.h"
#include "sim/motion/move_list.h"
#include "sim/state.h"
#include "sim/step.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// Runs many steps with short-range pair forces in one persistent kernel: list construction when
/// due, forces, kicks and drifts. Between list constructions, positions and velocities are kept in
/// cell order, so that accesses are contiguous. One grid barrier per force. Bit-identical to one
/// kernel per stage.
class PersistentPairs final : public WholeSteps {
 public:
  /// Largest number of bodies: beyond it, lists have another layout, and need more threads than the
  /// shared memory of list construction allows.
  static constexpr engine::Index largest_count = most_multi_lane_bodies;

  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// `stages` of one step: kicks, drifts and forces. `force` must outlive this.
  PersistentPairs(const engine::Cuda& exec, const State<engine::Device>& state,
                  const DevicePairForce& force, const Step& stages);
  ~PersistentPairs() override;

  bool run(const engine::Cuda& exec, State<engine::Device>& state, const StepsToTake& steps,
           engine::KernelClock& clock) override;

 private:
  template <class Real>
  struct Buffers;

  const DevicePairForce& force_;
  std::vector<Moves> moves_;
  int multiprocessors_;
  std::uint64_t next_force_ = 1;
  std::unique_ptr<Buffers<float>> single_;
  std::unique_ptr<Buffers<double>> double_;
};

}  // namespace mote::sim
