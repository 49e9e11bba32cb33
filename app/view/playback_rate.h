#pragma once

#include <cstdint>

namespace mote::app {

/// Number of steps due for simulation time to pass at a given rate of the clock. A backlog beyond a
/// limit is dropped. Clock times are in seconds, from any origin.
class PlaybackRate {
 public:
  /// `scripted`: with a rate set, only advance_clock() lets time pass.
  explicit PlaybackRate(bool scripted = false) : scripted_(scripted) {}

  /// Simulation time per second; 0: no limit.
  void set_rate(double rate);
  double rate() const { return rate_; }

  /// Starts to measure from here.
  void start(double now, double time);
  /// Steps of `dt` due when the simulation is at `time`; the largest integer without a limit.
  std::uint64_t due(double now, double time, double dt);
  /// Scripted: the steps of `dt` within so many seconds become due. Slicing does not change their
  /// number.
  void advance_clock(double seconds, double dt);
  /// Subtracts completed steps from those due.
  void consume(std::uint64_t steps);
  /// Time until the next step is due [s]; 0 when one is.
  double wait_seconds(double now, double time, double dt) const;
  /// Whether stepping has recently been slower than the rate.
  bool limited() const { return limited_; }

 private:
  bool paced_by_script() const { return scripted_ && rate_ > 0; }

  bool scripted_;
  double rate_ = 0, start_ = 0, time_ = 0;
  bool limited_ = false;
  double remainder_ = 0;   ///< scripted: simulation time due, less than a step
  std::uint64_t due_ = 0;  ///< scripted: steps due
};

/// Speeds averaged over about the last second, with exponential weights.
class SpeedMeter {
 public:
  void add(std::uint64_t steps, std::uint64_t interactions, double time, double stepping);
  /// Advances to a clock time [s].
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
