#include "sim/schedule.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mote::sim {

Recurrence Recurrence::every_steps(std::uint64_t steps) {
  Recurrence r;
  r.steps_ = steps;
  r.index_ = 1;
  return r;
}

Recurrence Recurrence::every_time(double interval) {
  Recurrence r;
  r.interval_ = interval;
  r.index_ = 1;
  return r;
}

Recurrence Recurrence::at_times(std::vector<double> times) {
  Recurrence r;
  r.times_ = std::move(times);
  return r;
}

std::uint64_t Recurrence::next(const Clock& ahead) const {
  const bool each_step = interval_ > 0 && interval_ <= ahead.dt;
  return std::max(each_step ? after_ + 1 : occurrence(index_, ahead), ahead.step + 1);
}

bool Recurrence::due(const Clock& taken) const {
  if (interval_ > 0 && interval_ <= taken.dt) return taken.step > after_;  // at most once a step
  return occurrence(index_, taken) <= taken.step;
}

std::uint64_t Recurrence::occurrence(std::uint64_t k, const Clock& clock) const {
  if (steps_ > 0) return k > never / steps_ ? never : k * steps_;
  if (interval_ > 0) return clock.step_at(static_cast<double>(k) * interval_);
  return k < times_.size() ? clock.step_at(times_[k]) : never;
}

std::vector<double> Recurrence::times_until(double end) const {
  std::vector<double> all;
  if (steps_ > 0) return all;
  for (std::uint64_t k = index_;; ++k) {
    if (interval_ <= 0 && k >= times_.size()) return all;
    const double time = interval_ > 0 ? static_cast<double>(k) * interval_ : times_[k];
    if (time > end) return all;
    all.push_back(time);
  }
}

void Recurrence::advance(const Clock& taken) {
  const auto passed = [&](std::uint64_t k) { return occurrence(k, taken) <= taken.step; };
  after_ = taken.step;
  if (steps_ > 0) {
    index_ = taken.step / steps_ + 1;
  } else if (interval_ > 0) {
    // Jump close to the present, one occurrence early since the division may round up; with several
    // in a step, its error is less than a step.
    const bool several = interval_ <= taken.dt;
    const double jump = std::fmax(1, std::floor(taken.time() / interval_) + (several ? 1 : -1));
    index_ = jump < 1.8e19 ? static_cast<std::uint64_t>(jump) : never;
    while (!several && index_ < never && passed(index_)) ++index_;
  } else {
    const auto first = std::partition_point(times_.begin(), times_.end(), [&](double time) {
      return taken.step_at(time) <= taken.step;
    });
    index_ = static_cast<std::uint64_t>(first - times_.begin());
  }
}

}  // namespace mote::sim
