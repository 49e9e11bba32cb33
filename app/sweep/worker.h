#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/run_job.h"

namespace mote::app {

/// A worker process, `mote sweep-worker`, that runs jobs one by one or in batches (run_batch).
/// Batches are sent to it through a pipe, one line of JSON each; results return through another,
/// one line per job. Its failure does not affect other processes.
class Worker {
 public:
  /// Common to all jobs of a worker.
  struct Setup {
    std::vector<std::string> words;  ///< worker_arguments
    std::filesystem::path out;
    std::string device;  ///< value of CUDA_VISIBLE_DEVICES; "": unchanged
  };

  /// Starts the process. Throws SystemError if that fails.
  explicit Worker(const Setup& setup);
  /// Ends the process; kills it if it is running jobs.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Numbers of the unfinished jobs, and size of the last batch.
  const std::vector<int>& jobs() const { return jobs_; }
  std::size_t assigned() const { return assigned_; }
  /// Assigns jobs to an idle worker. next_result() detects a process that has exited.
  void assign(const std::vector<JobRequest>& jobs);
  /// File descriptor for poll().
  int result_pipe() const { return result_pipe_; }
  /// Reads available data and returns the next result, if complete. Sets `ended` once the process
  /// has exited.
  std::optional<JobResult> next_result();
  bool ended() const { return ended_; }
  /// How the process ended: "killed by signal 9 (Killed)".
  const std::string& end() const { return end_; }
  /// Sends a signal to the process; SIGKILL also to its children.
  void signal(int number) const;
  pid_t process() const { return process_; }

 private:
  void reap();

  pid_t process_ = -1;
  int job_pipe_ = -1, result_pipe_ = -1;
  std::vector<int> jobs_;
  std::size_t assigned_ = 0;
  bool ended_ = false;
  std::string end_, received_;
};

/// Main loop of a worker: reads jobs from standard input to its end and writes results. Exits when
/// `parent` does.
int serve_jobs(const RunCommand& options, const std::vector<std::string>& words,
               const std::filesystem::path& out, pid_t parent);

}  // namespace mote::app
