#pragma once

#include <cstdint>
#include <vector>

#include "sim/clock.h"

namespace mote::sim {

/// Recurring events of a run: every n steps, at multiples of a simulation time or at given times.
/// Those by time happen at the first step at or after it: steps are never shortened for an output.
/// Which step that is, the clock tells; where the length of steps varies, only once it is reached.
class Recurrence {
 public:
  Recurrence() = default;
  static Recurrence every_steps(std::uint64_t steps);
  static Recurrence every_time(double interval);
  /// `times` increase.
  static Recurrence at_times(std::vector<double> times);

  /// The step after the present one at which the event is due, if the steps ahead are those of this
  /// clock; `never` if none.
  std::uint64_t next(const Clock& ahead) const;
  /// True if the event is due at the present step of a clock of the steps taken.
  bool due(const Clock& taken) const;
  /// Times of the next occurrences up to `end`, of those by time.
  std::vector<double> times_until(double end) const;
  /// Moves to the first occurrence after the present step, forwards or backwards. Those of one step
  /// are one.
  void advance(const Clock& taken);

 private:
  std::uint64_t occurrence(std::uint64_t k, const Clock& clock) const;

  std::uint64_t steps_ = 0;    ///< 0: by time
  double interval_ = 0;        ///< [time]; 0: by the list
  std::vector<double> times_;  ///< [time]
  std::uint64_t index_ = 0;    ///< of the next occurrence
  std::uint64_t after_ = 0;    ///< step of the last one, or of the start
};

}  // namespace mote::sim
