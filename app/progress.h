#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace mote::app {

/// How a run tells where it is: one rewritten line on a terminal, a plain line at intervals into a
/// pipe, one JSON object a line with `json`, nothing when quiet.
enum class ProgressStyle { none, terminal, lines, json };

/// Seconds between what is told.
double progress_interval(ProgressStyle style);

/// What a line about progress says: the most important first, and after it what goes, from the end,
/// where a terminal is narrow.
struct ProgressWords {
  double part = 0;   ///< of the whole, for a bar
  std::string head;  ///< how far, and how long it will take
  std::vector<std::string> details = {};

  std::string text() const;
  /// With as many details as there is room for, and a bar in what is left of it.
  std::string text_in(std::size_t columns) const;
};

/// The style for standard error (terminal, lines) or standard output (json).
ProgressStyle progress_style(bool quiet, bool json);

/// One line on standard error that is written anew in its place.
class RewrittenLine {
 public:
  void show(const ProgressWords& words);
  /// Leaves the place empty.
  void clear();

 private:
  std::size_t width_ = 0;
};

class Progress {
 public:
  /// `what`: of which there are so many, step or frame.
  Progress(ProgressStyle style, std::uint64_t total_steps, std::string time_unit,
           std::string what = "step");

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
  bool counting_ = false;
  std::uint64_t first_step_ = 0, first_interactions_ = 0;  ///< a run may go on from later than its
                                                           ///< start
  std::string time_unit_, what_;
  Clock::time_point start_, printed_;
  RewrittenLine line_;
};

}  // namespace mote::app
