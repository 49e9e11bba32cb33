#include "app/run/checkpointing.h"

#include <algorithm>

namespace mote::app {
namespace {

double seconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

/// Assumed disk bandwidth until a checkpoint has been timed [bytes/s].
constexpr double bytes_per_second = 50e6;

}  // namespace

CheckpointClock::CheckpointClock(const sim::CheckpointTimes& times, std::optional<double> limit,
                                 Clock::time_point start, const sim::Simulation& simulation)
    : wall_(times.wall.value_or(default_checkpoint_wall)),
      limit_(limit.value_or(0)),
      slowest_write_(static_cast<double>(simulation.saved_state_bytes()) / bytes_per_second),
      start_(start),
      last_checkpoint_(Clock::now()),
      last_poll_(last_checkpoint_) {
  if (times.steps) {
    by_step_ = sim::Recurrence::every_steps(static_cast<std::uint64_t>(*times.steps));
    by_step_.advance(simulation.clock());
  }
  if (times.time) {
    by_time_ = sim::Recurrence::every_time(*times.time);
    by_time_.advance(simulation.clock());
  }
}

bool CheckpointClock::poll() {
  const auto now = Clock::now();
  longest_interval_ = std::max(longest_interval_, seconds(now - last_poll_));
  last_poll_ = now;
  if (wall_ > 0 && seconds(now - last_checkpoint_) >= wall_) wall_due_ = true;
  // One more step, a checkpoint and the final files must fit, each with a safety margin.
  if (limit_ > 0 &&
      seconds(now - start_) + 2 * longest_interval_ + 4 * slowest_write_ + 0.5 >= limit_)
    out_of_time_ = true;
  return wall_due_ || out_of_time_;
}

bool CheckpointClock::due(const sim::Clock& now) const {
  return wall_due_ || by_step_.due(now) || by_time_.due(now);
}

void CheckpointClock::on_written(const sim::Clock& now, double took) {
  by_step_.advance(now);
  by_time_.advance(now);
  wall_due_ = false;
  slowest_write_ = std::max(slowest_write_, took);
  last_checkpoint_ = last_poll_ = Clock::now();
}

}  // namespace mote::app
