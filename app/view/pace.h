#pragma once

#include <cstdint>

namespace mote::app {

/// How many steps are due so that simulation time passes at a wanted rate of the clock's. What
/// cannot be done in time is not made up for. All times of the clock are seconds from any start.
class Pace {
 public:
  /// `counted`: where there is a rate, seconds are those that pass() lets pass, whatever the clock
  /// says.
  explicit Pace(bool counted = false) : counted_(counted) {}

  /// Simulation time a second; 0: no limit.
  void set_rate(double rate);
  double rate() const { return rate_; }

  /// The clock starts to count from here.
  void start(double now, double time);
  /// Steps of `dt` that are due when the simulation stands at `time`; the largest number without a
  /// limit.
  std::uint64_t due(double now, double time, double dt);
  /// Where seconds are counted: so many pass, and the steps of `dt` that fall into them become due.
  /// The same seconds make the same steps, however these are sliced.
  void pass(double seconds, double dt);
  /// So many steps were taken of those that were due.
  void took(std::uint64_t steps);
  /// Seconds until the next step is due; 0 when one is.
  double wait(double now, double time, double dt) const;
  /// Whether steps could not be taken as fast as wanted lately.
  bool limited() const { return limited_; }

 private:
  bool counts() const { return counted_ && rate_ > 0; }

  bool counted_;
  double rate_ = 0, start_ = 0, time_ = 0;
  bool limited_ = false;
  double owed_ = 0;        ///< simulation time that is less than a step, where seconds are counted
  std::uint64_t due_ = 0;  ///< and steps
};

/// Speeds over about the last second of the clock.
class SpeedMeter {
 public:
  void add(std::uint64_t steps, std::uint64_t interactions, double time, double stepping);
  /// The clock has come to here, in seconds.
  void tick(double now);
  double steps() const { return per_second(steps_); }
  double interactions() const { return per_second(interactions_); }
  double time() const { return per_second(time_); }
  double busy() const { return per_second(stepping_); }

 private:
  double per_second(double sum) const { return seconds_ > 0 ? sum / seconds_ : 0; }
  double steps_ = 0, interactions_ = 0, time_ = 0, stepping_ = 0, seconds_ = 0, last_ = -1;
};

}  // namespace mote::app
