#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/sweep/checked_sweep.h"
#include "app/sweep/results.h"

namespace mote::app {

/// How the jobs of a sweep are divided between the tasks of a job array.
using TaskJobs = std::vector<std::vector<int>>;

/// Divides jobs between tasks in turn, since neighbouring jobs of a plan take similar times.
/// `seconds`: the time that a job is expected to take. By default there are 64 tasks; fewer where
/// these would take less than 10 s, since a scheduler needs seconds for each; more where they would
/// take over half an hour.
TaskJobs divide_jobs(const std::vector<int>& jobs, double seconds, const SweepTask& task);

/// Prints the script of the job array that would be submitted. `program`: the path of mote.
void print_script(const CheckedSweep& sweep, const SweepRequest& request,
                  const std::string& program);

/// Whether jobs of the sweep in a folder were submitted to Slurm.
bool was_submitted(const std::filesystem::path& out);

/// The number of jobs by status, from what they have left in the folder of the sweep.
SweepCounts count_jobs(const std::filesystem::path& out);

/// Submits the remaining jobs of a sweep as a job array of Slurm, and a job after it that collects
/// results.csv. `sbatch`: further options of sbatch. Throws InputError if jobs of this sweep are
/// still queued or running, SystemError if Slurm is missing or refuses.
int submit_sweep(const CheckedSweep& sweep, const SweepRequest& request, const std::string& program,
                 const std::string& sbatch);

}  // namespace mote::app
