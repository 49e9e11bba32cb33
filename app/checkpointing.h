#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/run/schedule.h"
#include "sim/run/simulation.h"

namespace mote::app {

/// When checkpoints are due, and when a run must end to be whole before its wall-clock limit.
class CheckpointClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// `limit`: seconds from `start` on until the run must have ended.
  CheckpointClock(const sim::CheckpointTimes& times, std::optional<double> limit,
                  Clock::time_point start, const sim::Simulation& simulation);

  /// The step at which one is due, `never` for none.
  std::uint64_t next() const { return std::min(by_step_.next(), by_time_.next()); }
  /// Anew, when the step was changed.
  void schedule_times(const sim::Simulation& simulation);

  /// Cheap to ask after every step: whether it is time for one by the clock, or to end.
  bool interrupts();
  bool due(std::uint64_t step) const;
  bool over() const { return over_; }

  /// One was written at this step, which took so long.
  void written(std::uint64_t step, double seconds);

 private:
  std::optional<double> every_time_;
  double wall_, limit_ = 0, longest_ = 0, slowest_write_;
  bool over_ = false, by_wall_ = false;
  Clock::time_point start_, last_, asked_;
  sim::Recurrence by_step_, by_time_;
};

}  // namespace mote::app
