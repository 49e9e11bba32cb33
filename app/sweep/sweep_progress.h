#pragma once

#include <chrono>
#include <string>

#include "app/progress.h"
#include "app/sweep/results.h"

namespace mote::app {

/// Tells how far a sweep is, in the styles of Progress.
class SweepProgress {
 public:
  /// `before`: jobs that earlier sweeps have finished.
  SweepProgress(ProgressStyle style, int total, int before);

  /// Cheap; writes only when it is time to.
  void update(const SweepCounts& counts, int running);
  /// A job has ended.
  void job(const JobResult& result);
  void finish() { line_.clear(); }
  double seconds() const;
  /// Jobs a second that were run now.
  double rate(const SweepCounts& counts) const;

 private:
  using Clock = std::chrono::steady_clock;
  ProgressStyle style_;
  int total_, before_;
  Clock::time_point start_, printed_;
  RewrittenLine line_;
};

}  // namespace mote::app
