#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/jobs.h"
#include "app/sweep/plan.h"

namespace mote::app {

/// How a sweep is done on this machine.
struct SweepRequest {
  std::filesystem::path out;
  std::optional<int> jobs;     ///< at once; by default as the cores or the GPUs allow
  std::optional<int> threads;  ///< of each
  std::optional<int> batch;    ///< small systems that step together on a GPU, in one process
  std::string devices = "all";
  bool trusted = false;
  bool quiet = false, json = false;
};

/// A plan, its jobs, and what its scene said of them.
struct CheckedSweep {
  SweepPlan plan;
  std::vector<SweepJob> jobs;
  CheckedScene scene;
};
CheckedSweep check_sweep(const std::filesystem::path& plan, const std::string& backend,
                         bool trusted);

/// Makes the folder of a sweep with plan.lua and jobs.json, or finds there what this sweep has
/// left. Throws InputError where it belongs to another one. Returns whether it was there.
bool open_sweep_folder(const std::filesystem::path& out, const CheckedSweep& sweep);

/// A claim on the folder for as long as it lives, and as long as processes that it was handed on to
/// do. Throws InputError where another sweep has it.
class SweepLock {
 public:
  /// `alone`: against every other; else against those alone.
  SweepLock(const std::filesystem::path& out, bool alone);
  ~SweepLock();
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

 private:
  int file_ = -1;
};

/// Runs what is left to do of a sweep in several processes. Exit codes: 0 all jobs are done; 3 some
/// are unhealthy; 1 some have failed or, after too many failures, were not run; 130 interrupted.
int run_sweep(const CheckedSweep& sweep, const SweepRequest& request);

/// Runs one job in this process; the exit code is that of `mote run`.
int run_one_job(const CheckedSweep& sweep, const SweepRequest& request, int number);

/// Writes results.csv from what is in the folder of a sweep.
int collect_sweep(const CheckedSweep& sweep, const SweepRequest& request);

/// The command lines of all jobs, a line each. Makes the folder.
void print_jobs(const CheckedSweep& sweep, const SweepRequest& request, const std::string& program);

/// How many jobs there are, and the first of them; with `json` all of them, an object a line.
void describe_sweep(const CheckedSweep& sweep, bool json);

/// run_words, and what this machine adds to them.
std::vector<std::string> words_here(const CheckedSweep& sweep, const SweepRequest& request);

}  // namespace mote::app
