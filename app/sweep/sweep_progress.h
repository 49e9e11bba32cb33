#pragma once

#include <chrono>
#include <string>

#include "app/run/progress.h"
#include "app/sweep/results.h"

namespace mote::app {

/// Reports the progress of a sweep, in the styles of Progress.
class SweepProgress {
 public:
  /// `before`: number of jobs already finished.
  SweepProgress(ProgressStyle style, int total, int before);

  /// Reports if the interval has passed.
  void update(const SweepCounts& counts, int running);
  /// Reports a job that has ended.
  void job(const JobResult& result);
  void finish() { line_.clear(); }
  double seconds() const;
  /// Jobs per second, without those finished before.
  double rate(const SweepCounts& counts) const;

 private:
  using Clock = std::chrono::steady_clock;
  ProgressStyle style_;
  int total_, before_;
  Clock::time_point start_, printed_;
  RewrittenLine line_;
};

}  // namespace mote::app
