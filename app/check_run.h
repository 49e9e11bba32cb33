#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/headless.h"
#include "sim/scene/description.h"

namespace mote::app {

/// What a look at a run found, before anything of it is written.
struct CheckedRun {
  std::uint64_t steps = 0;                       ///< of the whole run
  std::string where;                             ///< it computes
  std::optional<double> seconds;                 ///< that it will take, by estimate
  double at_least = 0;                           ///< seconds, where that is all that is known
  double bytes = 0;                              ///< that it will leave on the disk, by estimate
  std::string files;                             ///< what these are
  std::vector<std::string> left_out;             ///< what was not looked at, and why
  std::vector<std::string> warnings;             ///< what may go wrong
  bool unfinished = false;                       ///< a thread goes on with it
  std::optional<engine::Diagnostic> ends_badly;  ///< the first steps or a hook in them: so the run
                                                 ///< itself ends
};

/// Does what `mote run` does before its first step, and refuses what that refuses, with the same
/// InputError. Then takes the first steps in memory, with their hooks, and calls hooks that were
/// not due by then once each. All of it in some seconds from `start` on: what would take longer is
/// left out, and said. Nothing is written.
///
/// What takes longer goes on in a detached thread: the caller ends the program soon, by std::_Exit.
CheckedRun check_run(const HeadlessRequest& request,
                     std::shared_ptr<const sim::SceneDescription> scene,
                     std::chrono::steady_clock::time_point start);

}  // namespace mote::app
