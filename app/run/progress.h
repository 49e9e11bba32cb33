#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/units.h"
#include "sim/motion/block_steps.h"

namespace mote::app {

/// How progress is reported: one rewritten line on a terminal, a plain line at intervals to a pipe,
/// one JSON object per line with `json`, nothing when quiet.
enum class ProgressStyle { none, terminal, lines, json };

/// Time between reports [s].
double progress_interval(ProgressStyle style);

/// One progress report. On a narrow terminal, details are dropped from the end.
struct ProgressText {
  double fraction = 0;  ///< done, for the progress bar
  std::string head;     ///< progress and remaining time
  std::vector<std::string> details = {};

  std::string text() const;
  /// At most `columns` wide: as many details as fit, then a bar if there is space for one.
  std::string fitted(std::size_t columns) const;
};

/// The style for standard error (terminal, lines) or standard output (json).
ProgressStyle progress_style(bool quiet, bool json);

/// A line on standard error that overwrites itself.
class RewrittenLine {
 public:
  void show(const ProgressText& words);
  void clear();

 private:
  std::size_t width_ = 0;
};

class Progress {
 public:
  /// `units`: of the times; outlive this. `what`: the unit that is counted, step or frame.
  Progress(ProgressStyle style, std::uint64_t total_steps, const engine::UnitSystem& units,
           std::string what = "step");

  /// Reports if the interval has passed. Cheap enough to call after every step.
  void update(std::uint64_t step, double time, std::uint64_t interactions);
  /// Reports these too: steps of bodies that have their own, if there are such.
  void set_block_steps(std::function<std::optional<sim::BlockSteps>()> of) {
    block_steps_ = std::move(of);
  }
  /// Call when the end of the run has moved.
  void set_total(std::uint64_t total_steps) { total_ = total_steps; }
  /// Clears the rewritten line.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  void print(std::uint64_t step, double time, std::uint64_t interactions, double seconds);

  ProgressStyle style_;
  std::uint64_t total_;
  bool counting_ = false;
  std::uint64_t first_step_ = 0, first_interactions_ = 0;  ///< nonzero for a resumed run
  const engine::UnitSystem& units_;
  std::string what_;
  Clock::time_point start_, printed_;
  RewrittenLine line_;
  std::function<std::optional<sim::BlockSteps>()> block_steps_;
};

}  // namespace mote::app
