#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/jobs.h"
#include "app/sweep/plan.h"

namespace mote::app {

/// Options of a sweep on this machine.
struct SweepRequest {
  std::filesystem::path out;
  std::optional<int> jobs;     ///< worker processes; default: by the number of cores or GPUs
  std::optional<int> threads;  ///< threads of each run
  std::optional<int> batch;    ///< small systems that one process steps together on a GPU
  std::string devices = "all";
  std::string backend = {};  ///< overrides the plan; "": does not
  /// Only these jobs, ascending, whose results others collect; empty: all.
  std::vector<int> only = {};
  bool trusted = false;
  bool quiet = false, json = false;
};

/// A plan, its jobs, and the result of checking them against the scene.
struct CheckedSweep {
  SweepPlan plan;
  std::vector<SweepJob> jobs;
  CheckedScene scene;
};

}  // namespace mote::app
