#pragma once

#include <memory>

#include "engine/json_fwd.h"
#include "sim/run/checkpoint.h"
#include "sim/run/run_folder.h"
#include "sim/run/schedule.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// Samples of the radial distribution function on the way of a run; nothing where its scene wants
/// none.
class RadialSampling {
 public:
  /// Of json() in Checkpoint::run.
  static constexpr const char* key = "radial_distribution";

  /// `from`: the checkpoint that the run goes on from; null for a new one.
  RadialSampling(const sim::SceneDescription& scene, const sim::Checkpoint* from);

  /// The step of the next sample.
  std::uint64_t next() const { return next_; }
  /// Takes one where it is due.
  void look(sim::Simulation& simulation);
  /// All samples so far, for Checkpoint::run. Null for nothing.
  engine::Json json() const;
  void write(sim::RunFolder& folder, const engine::UnitSystem& units) const;

 private:
  /// The first step at or behind this one that a sample is due at.
  std::uint64_t due_from(std::uint64_t step) const;

  std::uint64_t every_ = 1, from_ = 0, next_ = sim::never;
  std::unique_ptr<sim::RadialCounts> counts_;
};

}  // namespace mote::app
