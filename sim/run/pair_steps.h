#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/molecular/pair_device.h"
#include "sim/motion/motion.h"
#include "sim/run/kernel_clock.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Many whole steps of bodies with forces of near pairs in one kernel: lists where they are due,
/// forces, kicks and drifts. Places and velocities stand in the order of cells from one listing to
/// the next, so that each step reads and writes them side by side, and blocks wait for each other
/// once a force. The bits are those of one kernel a stage.
class PairSteps {
 public:
  /// Bodies that can be stepped so: many have other lists, and need more threads than listing
  /// leaves room for.
  static constexpr engine::Index largest_count = few_listed;

  static std::uint64_t device_bytes(engine::Index count, engine::Precision precision);

  /// `moves` are those of a step, with a force behind each but the last. Both outlive this.
  PairSteps(const engine::Cuda& exec, engine::Index count, engine::Precision precision,
            const DevicePairForce& force, const std::vector<Moves>& moves);
  PairSteps(PairSteps&&) noexcept;
  ~PairSteps();

  /// Starts `steps` > 0 steps; does not wait. Adds those taken to the record, and the first body
  /// that is not finite.
  void run(const engine::Cuda& exec, State<engine::Device>& state, std::uint64_t steps,
           DeviceRecord* record, KernelClock& clock);

 private:
  template <class Real>
  struct Columns;

  const DevicePairForce& force_;
  const std::vector<Moves>& moves_;
  int multiprocessors_;
  std::uint64_t next_force_ = 1;
  std::unique_ptr<Columns<float>> single_;
  std::unique_ptr<Columns<double>> full_;
};

}  // namespace mote::sim
