#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/checked_sweep.h"

namespace mote::app {

/// Reads a plan and checks its jobs. `elsewhere`: they run on other machines, which may have a GPU
/// where this one has none.
CheckedSweep check_sweep(const std::filesystem::path& plan, const std::string& backend,
                         bool trusted, bool elsewhere = false);

/// Creates the folder of a sweep with plan.lua and jobs.json, or opens an existing one of the same
/// sweep. Returns true if it existed. Throws InputError if it belongs to another sweep.
bool open_sweep_folder(const std::filesystem::path& out, const CheckedSweep& sweep);

/// Locks the folder for its own lifetime and that of the processes that inherit it. Throws
/// InputError if another sweep holds the lock.
class SweepLock {
 public:
  /// `alone`: an exclusive lock; otherwise a shared one.
  SweepLock(const std::filesystem::path& out, bool alone);
  ~SweepLock();
  SweepLock(const SweepLock&) = delete;
  SweepLock& operator=(const SweepLock&) = delete;

 private:
  int file_ = -1;
};

/// Runs the remaining jobs of a sweep in several processes. Exit codes: 0 all jobs are done; 3 some
/// are unhealthy; 1 some failed or, after too many failures, were not run; 130 interrupted.
///
/// With SweepRequest::only, runs those jobs beside other processes that run others, on this machine
/// or another: each job leaves its result in its own folder, and no table is written
/// (collect_sweep).
int run_sweep(const CheckedSweep& sweep, const SweepRequest& request);

/// Runs one job in this process; the exit code is that of `mote run`.
int run_one_job(const CheckedSweep& sweep, const SweepRequest& request, int number);

/// Reads job numbers such as "7", "3-40" and "3-40,57" of a plan with so many jobs, ascending.
/// Throws InputError if there are others.
std::vector<int> read_job_list(const std::string& text, std::size_t jobs);

/// Writes results.csv from the runs in the folder of a sweep.
int collect_sweep(const CheckedSweep& sweep, const SweepRequest& request);

/// Prints the command lines of all jobs, one per line. Creates the folder.
void print_jobs(const CheckedSweep& sweep, const SweepRequest& request, const std::string& program);

/// Prints the number of jobs and the first ones; with `json` all of them, one object per line.
void describe_sweep(const CheckedSweep& sweep, bool json);

/// run_arguments, plus the options of this machine.
std::vector<std::string> worker_arguments(const CheckedSweep& sweep, const SweepRequest& request);

}  // namespace mote::app
