#pragma once

#include <cstdint>

#include "sim/run/hooks.h"

namespace mote::sim {

/// Fits the time step of a running simulation to what its fluid allows: `integrator.courant` of the
/// largest stable step, as FluidReport has it. Looked at every so many steps and changed as an
/// edit, so that records, rewinding and checkpoints know of it. Steps come from a ladder of about 5
/// %, and grow only where there is a further 5 % to spare: a step that wavered would be changed at
/// every look, and the two backends, which differ by rounding, would soon take other steps.
class StepControl {
 public:
  /// All three outlive this.
  StepControl(const SceneDescription& scene, Simulation& simulation, HookHost& host);

  /// Whether a scene asks for one.
  static bool wanted(const SceneDescription& scene) { return scene.integrator.courant.has_value(); }

  /// The step behind that of now at which this looks next.
  std::uint64_t next() const;
  /// Before the first step.
  void start();
  /// What is due at the step of now, which has just been reached for the first time.
  void run_due();

 private:
  void fit();

  Simulation& simulation_;
  HookHost& host_;
  double courant_, longest_;
  std::uint64_t every_;
};

/// The step to take [time] where one of `now` was taken, `stable` is the share of the largest
/// stable one, and none is to be longer than `longest`.
double fitted_step(double now, double stable, double longest);

}  // namespace mote::sim
