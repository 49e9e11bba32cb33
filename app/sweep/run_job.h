#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/commands/run_command.h"
#include "app/sweep/jobs.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// Status and result of a job.
struct JobResult {
  int job = 0;
  /// done, unhealthy, failed, interrupted; from gather_job also running, missing.
  std::string status = "missing";
  std::string reason;  ///< one line: why it failed, is unhealthy, or was stopped by its scene
  /// Final measurements and timings of run.json, by column name.
  engine::JsonBox last;
  engine::JsonBox data;  ///< scalar data stored by hooks
  int exit_code = 0;     ///< exit code of `mote run`, if it ran in this process

  bool finished() const { return status == "done" || status == "unhealthy"; }
};

engine::Json to_json(const JobResult& result);
JobResult job_result(const engine::Json& json);

/// The status of a job, from its run folder and its failure file.
JobResult gather_job(const std::filesystem::path& out, int number);

/// A job as sent to a worker.
struct JobRequest {
  int number = 0;
  std::vector<std::string> settings;  ///< setting_arguments of the job
  std::string keep = "all";
};

/// Parses the result of run_arguments.
RunCommand parse_run_arguments(std::vector<std::string> words);

/// Runs one job in its folder in `out`, resuming from a checkpoint if an earlier run of it left
/// one. `options` are common to all jobs of the sweep; `words` are the same as text, for run.json.
/// Never throws: errors are returned in the result and written to failure_file. A finished job is
/// not run again.
JobResult run_job(const RunCommand& options, const std::vector<std::string>& words,
                  const JobRequest& job, const std::filesystem::path& out);

/// Runs several jobs together, each as run_job does in its own thread, only one of which is awake
/// at a time. Small systems on a GPU are stepped in one kernel (engine/exec/lockstep.h). Calls
/// `done` with each result as it becomes available, never from two threads at once.
void run_batch(const RunCommand& options, const std::vector<std::string>& words,
               const std::vector<JobRequest>& jobs, const std::filesystem::path& out,
               const std::function<void(const JobResult&)>& done);

/// Largest number of jobs for run_batch, limited by the open files of a process.
int max_batch();

/// Writes the reason of a failed job to its failure_file.
void write_failure(const std::filesystem::path& out, const JobResult& result);

}  // namespace mote::app
