#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/headless.h"
#include "sim/motion/block_steps.h"
#include "sim/run/rank_needs.h"
#include "sim/scene/description.h"

namespace mote::app {

/// Evaluations of forces in a step; 1 for an integrator without stages.
double evaluations_in_step(const sim::SceneDescription& scene);

/// Several GPUs or processes that would share the bodies of a run.
struct CheckedRanks {
  int count = 0;
  bool gpus = false;                      ///< those of this process; otherwise processes
  sim::RankNeeds needs;                   ///< of each
  std::optional<double> received_a_step;  ///< from the others in a trial step, with measurements
                                          ///< [bytes]
};

/// Result of a dry run: nothing has been written.
struct CheckedRun {
  std::uint64_t steps = 0;  ///< steps of the full run
  std::string device;
  std::optional<double> seconds;                 ///< estimated wall-clock time
  double least_seconds = 0;                      ///< lower bound where there is no estimate
  double bytes = 0;                              ///< estimated size of the output
  std::string files_text;                        ///< the output, file by file
  std::optional<sim::ForceErrors> force_errors;  ///< after the trial steps
  std::optional<sim::BlockSteps> block_steps;    ///< after the trial steps
  std::optional<CheckedRanks> ranks;             ///< empty if one has all bodies
  std::vector<std::string> unchecked;            ///< checks that were skipped, and why
  std::vector<std::string> warnings;             ///< possible problems
  bool unfinished = false;                       ///< a detached thread is still stepping
  std::optional<engine::Diagnostic> failure;     ///< error of a trial step or its hooks; the run
                                                 ///< itself would fail in the same way
};

/// Repeats the checks that `mote run` makes before its first step, with the same InputError. Then
/// takes trial steps in memory with their hooks, and calls once each hook that was not due in them.
/// Bounded to a few seconds after `start`; what would take longer is skipped and reported. Writes
/// nothing. `processes`: would share the bodies, and are not started; the trial is that of one. 0:
/// this one has all.
///
/// A trial that takes longer continues in a detached thread: the caller must soon end the program
/// by std::_Exit.
CheckedRun check_run(const HeadlessRequest& request,
                     std::shared_ptr<const sim::SceneDescription> scene,
                     std::chrono::steady_clock::time_point start, int processes = 0);

}  // namespace mote::app
