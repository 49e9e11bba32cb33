#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/json_fwd.h"
#include "sim/run/simulation.h"
#include "sim/schedule.h"

namespace mote::app {

/// Errors of the forces at a step.
struct ForceErrorSample {
  sim::ForceErrors errors;
  std::uint64_t step = 0;
  double time = 0;
};

/// The last sample of a run, and the one with the largest error of 99 % of the forces.
struct SampledForceErrors {
  ForceErrorSample last, largest;
  std::uint64_t samples = 0;
};

/// Samples the errors of forces that have some on purpose: at the start and the end of a run, and
/// in between so rarely that it costs about a hundredth (sim::steps_between_error_samples). Changes
/// no bit of the run.
class ForceErrorSampling {
 public:
  /// Key of json() in Checkpoint::run.
  static constexpr const char* key = "force_errors";

  /// `before`: json() of the run that is resumed at this step; null for a new one.
  ForceErrorSampling(const sim::Simulation& simulation, const engine::Json& before);

  /// The step of the next sample.
  std::uint64_t next() const { return next_; }
  /// Takes a sample if one is due, and warns of the first that misses what was asked.
  void sample(sim::Simulation& simulation);
  /// Takes one of the end, unless there is one already.
  void finish(sim::Simulation& simulation);
  /// Empty for forces whose errors are round-off, and before the first sample.
  const std::optional<SampledForceErrors>& sampled() const { return sampled_; }
  /// The samples for Checkpoint::run; null without any.
  engine::Json json() const;

 private:
  void take(sim::Simulation& simulation);

  std::uint64_t next_ = 0;
  std::optional<SampledForceErrors> sampled_;
  bool warned_ = false;
};

engine::Json force_errors_json(const sim::ForceErrors& errors);
/// The errors of the last sample, with its step, the number of samples and "largest": the largest
/// p99 with its step and time.
engine::Json force_errors_json(const SampledForceErrors& sampled);
/// "median 2e-05, 90 % ...".
std::string force_errors_text(const sim::ForceErrors& errors);
/// The warning if they miss what was asked, or "".
std::string force_errors_warning(const ForceErrorSample& sample);

}  // namespace mote::app
