#pragma once

#include <string>

#include "app/run/headless_run.h"

namespace mote::app {

/// Size of a full run, extrapolated from its trial steps.
struct RunEstimate {
  double steps = 0;
  double time = 0;            ///< at its end [time]
  double seconds = 0;         ///< wall-clock time
  double table_bytes = 0;     ///< size of tables written by hooks
  double hook_snapshots = 0;  ///< snapshots written by hooks
};

/// Estimated output of a run. Compressed data count at full size; pictures are not counted.
struct OutputEstimate {
  double bytes = 0;
  std::string text;  ///< "3 snapshots of 1.2 MiB, ..."
};
OutputEstimate estimate_output(const HeadlessRequest& request, const sim::SceneDescription& scene,
                               const sim::Plan& plan, const Times& times, const RunEstimate& run);

}  // namespace mote::app
