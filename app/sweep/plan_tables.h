#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/params.h"

namespace mote::app {

/// The scalar keys of a plan.
struct PlanHead {
  std::string scene;
  std::int64_t seed = 1, repeats = 1;
  std::optional<std::int64_t> max_failures;
};

/// Options of each run, named as those of `mote run`.
struct SweepRun {
  std::optional<std::int64_t> steps, series_steps, snapshot_steps;
  /// End of the run, and time between snapshots, as typed: "10" or "10 Myr"; "" for none.
  std::string time, snapshot_time;
  std::string backend = "auto";
  std::optional<std::string> precision, checkpoint_final;
  std::string keep = "all";  ///< all or summary
};

/// A SweepTask is what each task of a job array asks of Slurm, named as the options of sbatch.
struct SweepTask {
  std::string partition, account, memory, time;  ///< "": the cluster's defaults
  std::int64_t cpus = 1, gpus = 0;
  std::optional<std::int64_t> tasks, at_once;
};

/// The subtables of a plan.
inline constexpr const char* plan_parts[] = {"set", "grid", "list", "random", "latin_hypercube",
                                             "run", "slurm"};

/// The keys of random and latin_hypercube besides their axes.
struct SamplesHead {
  std::int64_t samples = 0;
};

/// The keys of a range besides min and max.
struct SpanOptions {
  std::int64_t count = 2;
  bool log = false, whole = false;
};

const engine::ParamTable<PlanHead>& plan_table();
const engine::ParamTable<SweepRun>& run_table();
const engine::ParamTable<SweepTask>& slurm_table();
const engine::ParamTable<SamplesHead>& samples_table();
/// `grid`: includes `count`.
const engine::ParamTable<SpanOptions>& span_table(bool grid);

/// Limit on the tasks of a job array, which clusters have by default.
inline constexpr std::int64_t max_tasks = 1000;
/// Limit on the number of jobs of a sweep.
inline constexpr std::int64_t max_jobs = 1'000'000;

}  // namespace mote::app
