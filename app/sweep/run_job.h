#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/commands/run_command.h"
#include "app/sweep/jobs.h"
#include "engine/json_fwd.h"

namespace mote::app {

/// How a job stands.
struct JobResult {
  int job = 0;
  /// done, unhealthy, failed, interrupted; and of folders that are gathered: running, missing.
  std::string status = "missing";
  std::string reason;  ///< in one line: why it failed, is unhealthy, or was stopped by its scene
  /// What run.json says of the final state and of the time it took, by the names of columns.
  engine::JsonBox last;
  engine::JsonBox data;  ///< what hooks keep that is no table
  int exit_code = 0;     ///< of `mote run`, where it ran in this process

  bool finished() const { return status == "done" || status == "unhealthy"; }
};

engine::Json to_json(const JobResult& result);
JobResult job_result(const engine::Json& json);

/// What a folder of a run, and the reason that may stand beside it, say of a job.
JobResult gather_job(const std::filesystem::path& out, int number);

/// A job as a process gets it: words are those behind `mote run SCENE ...`.
struct JobRequest {
  int number = 0;
  std::vector<std::string> settings;  ///< setting_words of the job
  std::string keep = "all";
};

/// The options of runs out of run_words.
RunCommand read_run_words(std::vector<std::string> words);

/// Runs one job from its beginning or, where an earlier run of it has left a checkpoint, from
/// there, into its folder in `out`. `options` are common to all jobs of the sweep, and `words` the
/// same as text for the record. Never throws: what goes wrong is the result, and stands in
/// failure_file. A job that is finished already is not run again.
JobResult run_job(const RunCommand& options, const std::vector<std::string>& words,
                  const JobRequest& job, const std::filesystem::path& out);

/// The same with several jobs at once: each as run_job runs it, in a thread of its own, of which
/// one at a time is awake; what small systems step on a GPU, they step in one kernel
/// (sim/run/lockstep.h). Calls `done` with each result when it is there, never from two threads at
/// once.
void run_together(const RunCommand& options, const std::vector<std::string>& words,
                  const std::vector<JobRequest>& jobs, const std::filesystem::path& out,
                  const std::function<void(const JobResult&)>& done);

/// Jobs of which a process can have the files open at once, as far as run_together wants to go.
int most_together();

/// Writes down why a job failed.
void note_failure(const std::filesystem::path& out, const JobResult& result);

}  // namespace mote::app
