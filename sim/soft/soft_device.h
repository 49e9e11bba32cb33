#pragma once

#include <memory>

#include "sim/soft/soft.h"

namespace mote::sim {

/// SoftForce on a GPU, one kernel a colour: the same contract, but not the same bits.
class DeviceSoftForce {
 public:
  DeviceSoftForce(const engine::Cuda& exec, const Soft& soft, const SoftMesh& mesh,
                  const std::vector<ObstacleDescription>& obstacles,
                  const State<engine::Host>& initial,
                  const std::vector<std::uint8_t>& members = {});
  DeviceSoftForce(DeviceSoftForce&&) noexcept;
  ~DeviceSoftForce();

  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);
  /// Asynchronous. Does nothing once the record of `time` is halted or stalled.
  void constrain(const engine::Cuda& exec, State<engine::Device>& state, double h,
                 const StageTime& time);
  /// Synchronises the stream.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);

 private:
  struct Buffers;
  Soft soft_;
  std::vector<ColouredConstraints::Batch> batches_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mote::sim
