#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/run_job.h"

namespace mote::app {

/// A process that runs the jobs it is given, one by one or several together (run_together): mote
/// itself, started as `mote sweep-worker`. Jobs go to it a line of JSON for all that it is given at
/// a time, and results come back a line each, through pipes. Whatever becomes of it takes no other
/// process with it.
class Worker {
 public:
  /// What all jobs of a worker have in common.
  struct Setup {
    std::vector<std::string> words;  ///< for `mote run`: run_words and options of this machine
    std::filesystem::path out;
    std::string device;  ///< for CUDA_VISIBLE_DEVICES, or "" for what is there
  };

  /// Starts the process. Throws SystemError when that is not possible.
  explicit Worker(const Setup& setup);
  /// Ends it, at once where it is at work.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// The numbers of the jobs that it works at, and of how many of them it was given.
  const std::vector<int>& jobs() const { return jobs_; }
  std::size_t given() const { return given_; }
  /// Hands over jobs to one that has none. A process that is gone is noticed by `take`.
  void give(const std::vector<JobRequest>& jobs);
  /// What poll waits for.
  int answers() const { return from_; }
  /// Reads what has come. A result, or nothing yet; `ended` is true from when the process is gone.
  std::optional<JobResult> take();
  bool ended() const { return ended_; }
  /// After the end: "ended by signal 9 (Killed)".
  const std::string& end() const { return end_; }
  /// Sends a signal to it; SIGKILL to what it has started too.
  void signal(int number) const;
  pid_t process() const { return process_; }

 private:
  void note_end();

  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
  std::vector<int> jobs_;
  std::size_t given_ = 0;
  bool ended_ = false;
  std::string end_, received_;
};

/// The life of such a process: reads jobs from standard input until it ends, writes results. Ends
/// with `parent`.
int serve_jobs(const RunCommand& options, const std::vector<std::string>& words,
               const std::filesystem::path& out, pid_t parent);

}  // namespace mote::app
