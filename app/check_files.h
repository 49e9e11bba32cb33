#pragma once

#include <string>

#include "app/headless_run.h"

namespace mote::app {

/// What is known of a run that was tried.
struct RunAhead {
  double steps = 0;           ///< that it takes
  double seconds = 0;         ///< that they take
  double rows = 0;            ///< bytes of rows of hooks
  double hook_snapshots = 0;  ///< snapshots of hooks
};

/// Files that a run will leave, by estimate: what is deflated counts whole, and pictures are not
/// counted.
struct FilesOfRun {
  double bytes = 0;
  std::string words;  ///< "3 snapshots of 1.2 MiB, ..."
};
FilesOfRun files_of_run(const HeadlessRequest& request, const sim::SceneDescription& scene,
                        const sim::Plan& plan, const Times& times, const RunAhead& ahead);

}  // namespace mote::app
