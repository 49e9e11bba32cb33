#pragma once

#include <cstdint>

#include "sim/run/simulation.h"
#include "sim/scene/description.h"
#include "sim/script/hook_host.h"

namespace mote::sim {

/// Adapts the time step of a running simulation to its fluid: `integrator.courant` times the
/// largest stable step of FluidReport. Checked every n steps and changed by an edit, so that
/// run.json, rewinding and checkpoints include it. Step sizes are quantized to a ladder of about 5
/// % and increase only with a margin of 5 %: otherwise the step would fluctuate at every check, and
/// the backends, which differ by round-off, would soon take different steps.
class StepControl {
 public:
  /// All three outlive this.
  StepControl(const SceneDescription& scene, Simulation& simulation, HookHost& host);

  /// True if the scene has an adaptive step.
  static bool enabled(const SceneDescription& scene) {
    return scene.integrator.courant.has_value();
  }

  /// The first step after the present one at which the step size is checked.
  std::uint64_t next() const;
  /// Before the first step.
  void start();
  /// Checks the step size if due at the present step, just reached for the first time.
  void run_due();

 private:
  void adapt();

  Simulation& simulation_;
  HookHost& host_;
  double courant_, longest_;
  std::uint64_t every_;
};

/// The next step size [time] after one of `now`. `stable`: the largest stable one times the Courant
/// factor; `longest`: upper limit.
double adapted_step(double now, double stable, double longest);

}  // namespace mote::sim
