#pragma once

#include <cstdint>

#include "sim/run/hooks.h"

namespace mote::sim {

/// Emitters and drains of a scene, between the steps of a simulation. What they do follows from the
/// step and the bodies that are there, never from what they did before: a run that goes on from a
/// checkpoint has the same bodies.
class Emission {
 public:
  /// All three outlive this. Throws InputError when there is no room for the bodies to come.
  Emission(const SceneDescription& scene, Simulation& simulation, HookHost& host);

  /// The first step behind that of now at which something may come or go, `never` for none.
  std::uint64_t next() const;
  /// What is due at the step of now. Throws InputError when bodies cannot come.
  void run_due();

 private:
  /// At which step layer k leaves, or has left by.
  std::uint64_t step_of(const Emitter& emitter, std::uint64_t layer) const;
  /// The first layer that leaves behind a step; `never` when there is none.
  std::uint64_t layer_behind(const Emitter& emitter, std::uint64_t step) const;
  void emit(const Emitter& emitter, const State<engine::Host>& state, BodyChange& change) const;
  void drain(std::uint64_t step, const State<engine::Host>& state, BodyChange& change) const;

  const SceneDescription& scene_;
  Simulation& simulation_;
  HookHost& host_;
};

}  // namespace mote::sim
