#pragma once

#include <cstdint>
#include <limits>

namespace mote::sim {

/// No step.
inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The first step at or after a time from the start of equal steps of `dt`; `never` if beyond the
/// largest step number. Ratios within 1e-9 of a whole number are rounded: 36,525 days in steps of 5
/// days are 7,305 steps.
std::uint64_t step_at(double time, double dt);

/// Step and time of a simulation: equal steps since the last change of their length. Times of equal
/// steps are products, not sums: with one length from the start, step n is at n dt, bit for bit.
struct Clock {
  std::uint64_t step = 0;       ///< steps taken since the start
  std::uint64_t base_step = 0;  ///< before the first of the equal steps; <= step
  double base_time = 0;         ///< [time] at base_step
  double base_rounding = 0;     ///< [time] to be added: what sums of base_time have lost
  double dt = 0;                ///< [time], length of the steps since base_step

  double time() const { return time_of(step); }
  /// Time of a step, as if all from base_step on were of this length.
  double time_of(std::uint64_t any) const {
    return base_time +
           ((static_cast<double>(any) - static_cast<double>(base_step)) * dt + base_rounding);
  }
  /// The first step at or after a time, with steps of this length; base_step for earlier times.
  std::uint64_t step_at(double time) const;

  /// A clock at the same time, before steps of another length.
  Clock with(double length) const;
  /// Counts steps of this length.
  void take(double length, std::uint64_t steps) {
    *this = with(length);
    step += steps;
  }
  /// Counts one step of a sequence of different lengths, whose rounding errors are compensated
  /// (Kahan 1965, Comm. ACM 8, 40; as TwoSum by Knuth): the error of the time does not grow.
  void take_compensated(double length);

  bool operator==(const Clock&) const = default;
};

}  // namespace mote::sim
