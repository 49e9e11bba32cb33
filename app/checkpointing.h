#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/run/simulation.h"
#include "sim/schedule.h"

namespace mote::app {

/// Decides when checkpoints are due, and when a run must stop to finish its files before its
/// wall-clock limit.
class CheckpointClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// `limit`: wall-clock time after `start` by which the run must have ended [s].
  CheckpointClock(const sim::CheckpointTimes& times, std::optional<double> limit,
                  Clock::time_point start, const sim::Simulation& simulation);

  /// The step at which the next checkpoint is due, or `never`.
  std::uint64_t next() const { return std::min(by_step_.next(), by_time_.next()); }
  /// Recomputes the schedule after dt has changed.
  void schedule_times(const sim::Simulation& simulation);

  /// True when the wall clock calls for a checkpoint or for the end of the run. Cheap enough to
  /// call after every step.
  bool poll();
  bool due(std::uint64_t step) const;
  bool out_of_time() const { return out_of_time_; }

  /// Call after writing a checkpoint at this step, with the time that took.
  void on_written(std::uint64_t step, double seconds);

 private:
  std::optional<double> every_time_;
  double wall_, limit_ = 0, longest_interval_ = 0, slowest_write_;
  bool out_of_time_ = false, wall_due_ = false;
  Clock::time_point start_, last_checkpoint_, last_poll_;
  sim::Recurrence by_step_, by_time_;
};

}  // namespace mote::app
