#include "app/view/playback_rate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mote::app {
namespace {

/// Largest lag of the simulation behind the clock [s]; a larger backlog is dropped.
constexpr double catch_up_limit = 0.1;

}  // namespace

void PlaybackRate::set_rate(double rate) {
  rate_ = rate;
  limited_ = false;
}

void PlaybackRate::start(double now, double time) {
  start_ = now;
  time_ = time;
  limited_ = false;
  remainder_ = 0;
  due_ = 0;
}

void PlaybackRate::advance_clock(double seconds, double dt) {
  if (!paced_by_script()) return;
  remainder_ += rate_ * seconds;
  // Round-off must not defer a step when frames last a whole number of steps.
  const double steps = std::floor(remainder_ / dt + 1e-9);
  remainder_ = std::max(0.0, remainder_ - steps * dt);
  due_ += static_cast<std::uint64_t>(std::min(steps, 1e18));
}

void PlaybackRate::consume(std::uint64_t steps) {
  due_ -= std::min(due_, steps);
}

std::uint64_t PlaybackRate::due(double now, double time, double dt) {
  if (rate_ <= 0) return std::numeric_limits<std::uint64_t>::max();
  if (paced_by_script()) return due_;
  double lag = time_ + rate_ * (now - start_) - time;
  if (lag > std::max(catch_up_limit * rate_, 1.5 * dt)) {
    limited_ = true;
    lag = std::max(catch_up_limit * rate_, dt);
    start_ = now;
    time_ = time;
    return static_cast<std::uint64_t>(std::max(1.0, std::floor(lag / dt)));
  }
  if (lag < 0.5 * catch_up_limit * rate_) limited_ = false;
  return lag < dt ? 0 : static_cast<std::uint64_t>(lag / dt);
}

double PlaybackRate::wait_seconds(double now, double time, double dt) const {
  if (rate_ <= 0) return 0;
  if (paced_by_script()) return due_ > 0 ? 0 : 3600;
  return std::max(0.0, (time + dt - time_) / rate_ - (now - start_));
}

void SpeedMeter::add(std::uint64_t steps, std::uint64_t interactions, double time,
                     double stepping) {
  steps_ += static_cast<double>(steps);
  interactions_ += static_cast<double>(interactions);
  time_ += time;
  stepping_ += stepping;
}

void SpeedMeter::tick(double now) {
  const double seconds = last_ < 0 ? 0 : now - last_;
  last_ = now;
  const double kept = std::exp(-seconds / 0.7);
  for (double* sum : {&steps_, &interactions_, &time_, &stepping_, &seconds_}) *sum *= kept;
  seconds_ += seconds;
}

}  // namespace mote::app
