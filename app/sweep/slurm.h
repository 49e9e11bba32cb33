#pragma once

#include <filesystem>
#include <string>

#include "app/sweep/checked_sweep.h"
#include "app/sweep/results.h"

namespace mote::app {

/// Submits the remaining jobs of a sweep as a job array of Slurm, and a job after it that collects
/// results.csv. By default there are 64 tasks; fewer where these would take less than 10 s, more
/// where they would take over half an hour, or half their limit. `program`: the path of mote;
/// `sbatch`: further options of sbatch. Throws InputError if jobs of this sweep are still queued or
/// running, SystemError if Slurm is missing or refuses.
int submit_sweep(const CheckedSweep& sweep, const SweepRequest& request, const std::string& program,
                 const std::string& sbatch);

/// Prints the script of the array that would be submitted.
void print_script(const CheckedSweep& sweep, const SweepRequest& request,
                  const std::string& program, const std::string& sbatch);

/// Whether jobs of the sweep in a folder were submitted to Slurm.
bool was_submitted(const std::filesystem::path& out);

/// The number of jobs by status, from what they have left in the folder of the sweep.
SweepCounts count_jobs(const std::filesystem::path& out);

}  // namespace mote::app
