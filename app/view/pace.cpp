#include "app/view/pace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mote::app {
namespace {

/// What the simulation may be behind the clock, seconds; beyond, the clock gives way.
constexpr double patience = 0.1;

}  // namespace

void Pace::set_rate(double rate) {
  rate_ = rate;
  limited_ = false;
}

void Pace::start(double now, double time) {
  start_ = now;
  time_ = time;
  limited_ = false;
  owed_ = 0;
  due_ = 0;
}

void Pace::pass(double seconds, double dt) {
  if (!counts()) return;
  owed_ += rate_ * seconds;
  // A whole number of steps a picture must not wait for the next one because of a rounding.
  const double steps = std::floor(owed_ / dt + 1e-9);
  owed_ = std::max(0.0, owed_ - steps * dt);
  due_ += static_cast<std::uint64_t>(std::min(steps, 1e18));
}

void Pace::took(std::uint64_t steps) {
  due_ -= std::min(due_, steps);
}

std::uint64_t Pace::due(double now, double time, double dt) {
  if (rate_ <= 0) return std::numeric_limits<std::uint64_t>::max();
  if (counts()) return due_;
  double behind = time_ + rate_ * (now - start_) - time;
  if (behind > std::max(patience * rate_, 1.5 * dt)) {
    limited_ = true;
    behind = std::max(patience * rate_, dt);
    start_ = now;
    time_ = time;
    return static_cast<std::uint64_t>(std::max(1.0, std::floor(behind / dt)));
  }
  if (behind < 0.5 * patience * rate_) limited_ = false;
  return behind < dt ? 0 : static_cast<std::uint64_t>(behind / dt);
}

double Pace::wait(double now, double time, double dt) const {
  if (rate_ <= 0) return 0;
  if (counts()) return due_ > 0 ? 0 : 3600;
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
