#pragma once

#include <string>

#include "app/sweep/results.h"
#include "app/sweep/sweep.h"

namespace mote::app {

/// How a sweep ended, for its last lines.
struct SweepEnd {
  std::string how;  ///< done, interrupted, collected, ...
  double seconds = 0, runs_per_second = 0;
  int exit_code = 0;
};

/// The last lines of a sweep: counts, the first failures and their reasons, jobs without a result.
void report_sweep(const CheckedSweep& sweep, const SweepRequest& request,
                  const SweepResults& results, const SweepEnd& end);

}  // namespace mote::app
