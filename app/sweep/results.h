#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/sweep/jobs.h"
#include "app/sweep/run_job.h"

namespace mote::app {

/// Number of jobs by status.
struct SweepCounts {
  int done = 0, unhealthy = 0, failed = 0, interrupted = 0, missing = 0;
  int failures() const { return failed + unhealthy; }
  /// Returns the number that counts jobs with this status.
  int& of(const std::string& status);
};

/// results.csv: one row per known job, by number, with the same columns for all; their units are in
/// results.units.json. It depends on the plan alone, not on where and how fast jobs were run, which
/// is in machines.csv. Written to a temporary file and renamed, so that readers always find it
/// complete.
class SweepResults {
 public:
  SweepResults(std::filesystem::path out, const SweepPlan& plan, const std::vector<SweepJob>& jobs,
               const CheckedScene& scene);

  void add(JobResult result);
  const JobResult* find(int number) const;
  const SweepCounts& counts() const { return counts_; }
  /// The number of finished jobs by the SIMD level, or on GPUs by the device, on which the bits of
  /// a run depend.
  std::map<std::string, int> arithmetics() const;

  /// Writes the file if there are new results and the last write was at least a second ago (longer
  /// if writing is slow).
  void write_if_due();
  /// `durable`: synced to disk on return.
  void write(bool durable = false);

 private:
  using Clock = std::chrono::steady_clock;
  std::string header() const;
  std::string row(const JobResult& result) const;
  std::string machines_text() const;
  std::filesystem::path out_;
  const std::vector<SweepJob>& jobs_;
  std::vector<SweepColumn> varied_;
  std::vector<std::string> measured_;  ///< names in JobResult::last
  engine::JsonBox units_;              ///< units of columns, by title
  std::map<int, JobResult> results_;
  std::map<int, std::string> rows_;        ///< without the data of hooks
  std::map<std::string, int> data_names_;  ///< columns for the data of hooks
  SweepCounts counts_;
  bool changed_ = false;
  Clock::time_point next_write_{};
};

/// "3, 7-9, 12": numbers in ascending order.
std::string ranges_text(const std::vector<int>& numbers);

}  // namespace mote::app
