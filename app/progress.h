#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace mote::app {

/// How a run tells where it is: one rewritten line on a terminal, a plain line at intervals into a pipe, one
/// JSON object a line with `json`, nothing when quiet.
enum class ProgressStyle { none, terminal, lines, json };

/// Seconds between what is told.
double progress_interval(ProgressStyle style);

/// "[====    ]" for a part of the whole.
std::string progress_bar(double part);

/// The style for standard error (terminal, lines) or standard output (json).
ProgressStyle progress_style(bool quiet, bool json);

/// One line on standard error that is written anew in its place.
class RewrittenLine {
 public:
  void show(std::string line);
  /// Leaves the place empty.
  void clear();

 private:
  std::size_t width_ = 0;
};

class Progress {
 public:
  /// `what`: of which there are so many, step or frame.
  Progress(ProgressStyle style, std::uint64_t total_steps, std::string time_unit, std::string what = "step");

  /// Cheap to call after every step; writes only when it is time to.
  void update(std::uint64_t step, double time, std::uint64_t interactions);
  /// The end has moved.
  void expect(std::uint64_t total_steps) { total_ = total_steps; }
  /// Ends the rewritten line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::uint64_t step, double time, std::uint64_t interactions, double seconds);

  ProgressStyle style_;
  std::uint64_t total_;
  std::string time_unit_, what_;
  Clock::time_point start_, printed_;
  RewrittenLine line_;
};

}  // namespace mote::app
