#pragma once

#include <memory>

#include "sim/soft/soft.h"

namespace mote::sim {

/// SoftForce on a GPU, a kernel for each colour. What it says holds here; the bits are others.
class DeviceSoftForce {
 public:
  DeviceSoftForce(const engine::Cuda& exec, const Soft& soft, const SoftMesh& mesh,
                  const std::vector<ObstacleDescription>& obstacles,
                  const State<engine::Host>& initial,
                  const std::vector<std::uint8_t>& members = {});
  DeviceSoftForce(DeviceSoftForce&&) noexcept;
  ~DeviceSoftForce();

  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);
  /// Does not wait. Changes nothing once the record of `time` is halted or stalled.
  void constrain(const engine::Cuda& exec, State<engine::Device>& state, double h,
                 const StageTime& time);
  /// Waits.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);

 private:
  struct Memory;
  Soft soft_;
  std::vector<ColouredConstraints::Batch> batches_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace mote::sim
