#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace mote::sim {

inline constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The first step at or after a simulation time. Ratios within 1e-9 of a whole number are rounded:
/// 36,525 days in steps of 5 days are 7,305 steps.
std::uint64_t step_at(double time, double dt);

/// The same in a run with steps of `dt` since `base_step` at `base_time`; `never` if beyond the
/// largest step number.
std::uint64_t step_at(double time, double dt, std::uint64_t base_step, double base_time);

/// The first step after `step` that reaches one of the (increasing) times; `never` if none. Steps
/// are `dt` long since `base_step` at `base_time`.
std::uint64_t next_of_times(std::span<const double> times, std::uint64_t step, double dt,
                            std::uint64_t base_step, double base_time);

/// Recurring events of a run, as step numbers: every n steps, or at multiples of a simulation time,
/// rounded up to the next step. Steps are never shortened for an output.
class Recurrence {
 public:
  Recurrence() = default;
  static Recurrence every_steps(std::uint64_t steps);
  /// In a run with steps of `dt` since `base_step` at `base_time`; events start there.
  static Recurrence every_time(double interval, double dt, std::uint64_t base_step = 0,
                               double base_time = 0);

  /// The next step at which the event is due; `never` if none.
  std::uint64_t next() const { return next_; }
  bool due(std::uint64_t step) const { return step >= next_; }
  /// Moves to the first occurrence after `step`, forwards or backwards.
  void advance(std::uint64_t step);

 private:
  std::uint64_t occurrence(std::uint64_t k) const;

  std::uint64_t steps_ = 0;
  double interval_ = 0, dt_ = 0, base_time_ = 0;
  std::uint64_t base_step_ = 0;
  std::uint64_t next_ = never;
};

}  // namespace mote::sim
