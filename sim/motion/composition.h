#pragma once

#include <vector>

#include "sim/motion/integration.h"

namespace mote::sim {

/// Kicks, drifts and force evaluations in a fixed order, with the thermostat and the constraints of
/// modules among them: leapfrog and the higher-order compositions (scheme.h). Steps are as long as
/// proposed.
class Composition final : public Integrator<engine::Cpu> {
 public:
  /// `stages`: of a step, as for all backends (step_of); with velocity-dependent forces, kicks are
  /// separated here.
  Composition(const Step& stages, bool velocity_dependent);
  StepTaken step(const engine::Cpu& exec, System<engine::Cpu>& system) override;

 private:
  Step stages_;
  std::vector<double> elapsed_fractions_;
};

/// Leapfrog and the compositions of higher order.
std::vector<IntegratorInfo> compositions();

}  // namespace mote::sim
