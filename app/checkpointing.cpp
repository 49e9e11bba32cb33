#include "app/checkpointing.h"

#include <algorithm>

namespace mote::app {
namespace {

double seconds(std::chrono::steady_clock::duration span) {
  return std::chrono::duration<double>(span).count();
}

/// Whoever asks for nothing loses no more than this.
constexpr double usual_wall = 600;
/// Until one was written: what a disk takes at least.
constexpr double bytes_a_second = 50e6;

}  // namespace

CheckpointClock::CheckpointClock(const sim::CheckpointTimes& times, std::optional<double> limit,
                                 Clock::time_point start, const sim::Simulation& simulation)
    : every_time_(times.time),
      wall_(times.wall.value_or(usual_wall)),
      limit_(limit.value_or(0)),
      slowest_write_(static_cast<double>(simulation.kept_bytes()) / bytes_a_second),
      start_(start),
      last_(Clock::now()),
      asked_(last_) {
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

bool CheckpointClock::interrupts() {
  const auto now = Clock::now();
  longest_ = std::max(longest_, seconds(now - asked_));
  asked_ = now;
  if (wall_ > 0 && seconds(now - last_) >= wall_) by_wall_ = true;
  // Another step, a checkpoint and the files of the end must fit, each with room to spare.
  if (limit_ > 0 && seconds(now - start_) + 2 * longest_ + 4 * slowest_write_ + 0.5 >= limit_)
    over_ = true;
  return by_wall_ || over_;
}

bool CheckpointClock::due(std::uint64_t step) const {
  return by_wall_ || by_step_.due(step) || by_time_.due(step);
}

void CheckpointClock::written(std::uint64_t step, double took) {
  by_step_.advance(step);
  by_time_.advance(step);
  by_wall_ = false;
  slowest_write_ = std::max(slowest_write_, took);
  last_ = asked_ = Clock::now();
}

}  // namespace mote::app
