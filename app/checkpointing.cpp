#include "app/checkpointing.h"

#include <algorithm>

namespace mote::app {
namespace {

double seconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

/// Default wall-clock time between checkpoints [s].
constexpr double default_wall = 600;
/// Assumed disk bandwidth until a checkpoint has been timed [bytes/s].
constexpr double bytes_per_second = 50e6;

}  // namespace

CheckpointClock::CheckpointClock(const sim::CheckpointTimes& times, std::optional<double> limit,
                                 Clock::time_point start, const sim::Simulation& simulation)
    : every_time_(times.time),
      wall_(times.wall.value_or(default_wall)),
      limit_(limit.value_or(0)),
      slowest_write_(static_cast<double>(simulation.saved_state_bytes()) / bytes_per_second),
      start_(start),
      last_checkpoint_(Clock::now()),
      last_poll_(last_checkpoint_) {
  if (times.steps) {
    by_step_ = sim::Recurrence::every_steps(static_cast<std::uint64_t>(*times.steps));
    by_step_.advance(simulation.step());
  }
  schedule_times(simulation);
}

void CheckpointClock::schedule_times(const sim::Simulation& simulation) {
  if (!every_time_) return;
  const sim::Clockwork& clock = simulation.clockwork();
  by_time_ =
      sim::Recurrence::every_time(*every_time_, simulation.dt(), clock.base_step, clock.base_time);
  by_time_.advance(simulation.step());
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

bool CheckpointClock::due(std::uint64_t step) const {
  return wall_due_ || by_step_.due(step) || by_time_.due(step);
}

void CheckpointClock::on_written(std::uint64_t step, double took) {
  by_step_.advance(step);
  by_time_.advance(step);
  wall_due_ = false;
  slowest_write_ = std::max(slowest_write_, took);
  last_checkpoint_ = last_poll_ = Clock::now();
}

}  // namespace mote::app
