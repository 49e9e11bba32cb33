#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sim/run/simulation.h"
#include "sim/schedule.h"

namespace mote::app {

/// Wall-clock time between checkpoints of a run that asks for none [s].
inline constexpr double default_checkpoint_wall = 600;

/// Wall-clock time since `start` [s].
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Decides when checkpoints are due, and when a run must stop to finish its files before its
/// wall-clock limit.
class CheckpointClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// `limit`: wall-clock time after `start` by which the run must have ended [s].
  CheckpointClock(const sim::CheckpointTimes& times, std::optional<double> limit,
                  Clock::time_point start, const sim::Simulation& simulation);

  /// The step at which the next checkpoint is due with these steps, or `never`.
  std::uint64_t next(const sim::Clock& ahead) const {
    return std::min(by_step_.next(ahead), by_time_.next(ahead));
  }

  /// True when the wall clock calls for a checkpoint or for the end of the run. Cheap enough to
  /// call after every step.
  bool poll();
  bool due(const sim::Clock& now) const;
  bool out_of_time() const { return out_of_time_; }

  /// Call after writing a checkpoint at this step, with the time that took.
  void on_written(const sim::Clock& now, double seconds);

 private:
  double wall_, limit_ = 0, longest_interval_ = 0, slowest_write_;
  bool out_of_time_ = false, wall_due_ = false;
  Clock::time_point start_, last_checkpoint_, last_poll_;
  sim::Recurrence by_step_, by_time_;
};

}  // namespace mote::app
