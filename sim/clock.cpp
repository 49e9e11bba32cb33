#include "sim/clock.h"

#include <cmath>

namespace mote::sim {

std::uint64_t step_at(double time, double dt) {
  if (!(time > 0)) return 0;
  const double exact = time / dt;
  const double nearest = std::round(exact);
  const double steps =
      std::fabs(exact - nearest) <= 1e-9 * std::fmax(1, nearest) ? nearest : std::ceil(exact);
  return steps < 1.8e19 ? static_cast<std::uint64_t>(steps) : never;
}

std::uint64_t Clock::step_at(double time) const {
  const std::uint64_t more = sim::step_at(time - base_time, dt);
  return more > never - base_step ? never : base_step + more;
}

Clock Clock::with(double length) const {
  if (length == dt) return *this;
  return {step, step, time(), 0, length};
}

void Clock::take_compensated(double length) {
  const double more = static_cast<double>(step - base_step) * dt + base_rounding,
               sum = base_time + more, part = sum - base_time,
               lost = (base_time - (sum - part)) + (more - part);
  *this = {step + 1, step, sum, lost, length};
}

}  // namespace mote::sim
