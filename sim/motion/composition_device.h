#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/motion/integration.h"
#include "sim/motion/move_list.h"

namespace mote::sim {

/// Composition (composition.h) on a GPU, where consecutive kicks and drifts are one kernel.
class DeviceComposition final : public Integrator<engine::Cuda> {
 public:
  DeviceComposition(const Step& stages, bool velocity_dependent);
  StepTaken step(const engine::Cuda& exec, System<engine::Cuda>& system) override;
  /// Kernels of motion and most forces read the length on the device.
  bool records_length(const System<engine::Cuda>& system) const override;
  void finish_stalled(const engine::Cuda& exec, System<engine::Cuda>& system) override;
  int evaluations() const override;

 private:
  void run_moves(const engine::Cuda& exec, System<engine::Cuda>& system, std::size_t k) const;

  std::vector<Moves> moves_;
};

std::unique_ptr<Integrator<engine::Cuda>> make_device_composition(const ForceTraits& forces);

}  // namespace mote::sim
