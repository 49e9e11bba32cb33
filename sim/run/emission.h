#pragma once

#include <cstdint>

#include "sim/run/hook_host.h"
#include "sim/run/simulation.h"
#include "sim/scene/description.h"

namespace mote::sim {

/// Emitters and drains of a scene, run between the steps of a simulation. Stateless: what they do
/// depends on the step and the present bodies only, so a resumed run has the same bodies.
class Emission {
 public:
  /// All three outlive this. Throws InputError when memory cannot hold the bodies to be emitted.
  Emission(const SceneDescription& scene, Simulation& simulation, HookHost& host);

  /// The first step after the present one at which bodies may be added or removed; `never` if none.
  std::uint64_t next() const;
  /// Runs what is due at the present step. Throws InputError when bodies cannot be added.
  void run_due();

 private:
  /// The step at which a layer leaves the emitter, or by which it has left.
  std::uint64_t step_of(const Emitter& emitter, std::uint64_t layer) const;
  /// The first layer that leaves after a step; `never` if none.
  std::uint64_t layer_after(const Emitter& emitter, std::uint64_t step) const;
  void emit(const Emitter& emitter, const State<engine::Host>& state, BodyChange& change) const;
  void drain(std::uint64_t step, const State<engine::Host>& state, BodyChange& change) const;

  const SceneDescription& scene_;
  Simulation& simulation_;
  HookHost& host_;
};

}  // namespace mote::sim
