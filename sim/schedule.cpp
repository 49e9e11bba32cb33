#include "sim/schedule.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {

std::uint64_t step_at(double time, double dt) {
  const double exact = time / dt;
  const double nearest = std::round(exact);
  const double steps =
      std::fabs(exact - nearest) <= 1e-9 * std::fmax(1, nearest) ? nearest : std::ceil(exact);
  return steps < 1.8e19 ? static_cast<std::uint64_t>(std::fmax(0, steps)) : never;
}

std::uint64_t step_at(double time, double dt, std::uint64_t base_step, double base_time) {
  const std::uint64_t more = step_at(time - base_time, dt);
  return more > never - base_step ? never : base_step + more;
}

std::uint64_t next_of_times(std::span<const double> times, std::uint64_t step, double dt,
                            std::uint64_t base_step, double base_time) {
  const auto step_of = [&](double time) { return step_at(time, dt, base_step, base_time); };
  const auto first = std::partition_point(times.begin(), times.end(),
                                          [&](double t) { return step_of(t) <= step; });
  return first == times.end() ? never : step_of(*first);
}

Recurrence Recurrence::every_steps(std::uint64_t steps) {
  Recurrence r;
  r.steps_ = steps;
  r.advance(0);
  return r;
}

Recurrence Recurrence::every_time(double interval, double dt, std::uint64_t base_step,
                                  double base_time) {
  if (interval <= dt) return every_steps(1);  // at most once per step
  Recurrence r;
  r.interval_ = interval;
  r.dt_ = dt;
  r.base_step_ = base_step;
  r.base_time_ = base_time;
  r.advance(base_step);
  return r;
}

std::uint64_t Recurrence::occurrence(std::uint64_t k) const {
  if (steps_ > 0) return k * steps_;
  return step_at(static_cast<double>(k) * interval_, dt_, base_step_, base_time_);
}

void Recurrence::advance(std::uint64_t step) {
  if (steps_ == 0 && interval_ <= 0) return;
  // Jump close to `step`, one occurrence early since the division may round up, then advance to
  // the first one after it.
  const double time = base_time_ + static_cast<double>(step - std::min(step, base_step_)) * dt_;
  const double by_time = steps_ > 0 ? 0 : std::floor(time / interval_) - 1;
  std::uint64_t count =
      steps_ > 0 ? step / steps_ : static_cast<std::uint64_t>(std::fmax(0, by_time));
  do next_ = occurrence(++count);
  while (next_ <= step);
}

}  // namespace mote::sim
