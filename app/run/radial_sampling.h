#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/json_fwd.h"
#include "sim/output/checkpoint.h"
#include "sim/output/run_folder.h"
#include "sim/run/simulation.h"
#include "sim/schedule.h"

namespace mote::app {

/// Samples the radial distribution function during a run, if its scene requests it.
class RadialSampling {
 public:
  /// Key of json() in Checkpoint::run.
  static constexpr const char* key = "radial_distribution";

  /// `from`: the checkpoint that the run resumes from; null for a new run.
  RadialSampling(const sim::SceneDescription& scene, const sim::Checkpoint* from);

  /// The step of the next sample.
  std::uint64_t next() const { return next_; }
  /// The number of samples so far; nothing if the scene requests none.
  std::optional<std::uint64_t> samples() const;
  /// Takes a sample if one is due.
  void sample(sim::Simulation& simulation);
  /// All samples so far, for Checkpoint::run; null if the scene requests none.
  engine::Json json() const;
  void write(sim::RunFolder& folder, const engine::UnitSystem& units) const;

 private:
  /// The first step >= `step` at which a sample is due.
  std::uint64_t next_due(std::uint64_t step) const;

  std::uint64_t every_ = 1, from_ = 0, next_ = sim::never;
  std::unique_ptr<sim::RadialCounts> counts_;
};

}  // namespace mote::app
