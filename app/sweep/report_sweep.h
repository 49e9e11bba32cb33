#pragma once

#include <string>

#include "app/sweep/checked_sweep.h"
#include "app/sweep/results.h"

namespace mote::app {

/// How a sweep ended.
struct SweepEnd {
  std::string how;  ///< done, interrupted, collected, ...
  double seconds = 0, runs_per_second = 0;
  int exit_code = 0;
};

/// Prints the summary of a sweep: counts, the first failures, jobs without a result.
void report_sweep(const CheckedSweep& sweep, const SweepRequest& request,
                  const SweepResults& results, const SweepEnd& end);

}  // namespace mote::app
