#pragma once

#include <cstdint>
#include <vector>

#include "sim/measure/measurement.h"

namespace mote::sim {

/// Rows of measurements for plots: thinned when there are many, cut off where the past was given
/// up.
class Rows {
 public:
  /// Rows above which every second is left out.
  static constexpr std::size_t most = 8192;

  /// Steps between rows, at the start `every`; doubles when rows are thinned.
  explicit Rows(std::uint64_t every = 1) : every_(every) {}
  std::uint64_t every() const { return every_; }

  /// Rows that are there already, or that do not fall on a multiple of every(), are not added
  /// again.
  void add(const Measurement& row);
  /// Forgets what lies behind a step.
  void cut(std::uint64_t step);

  const std::vector<Measurement>& all() const { return rows_; }
  /// Goes up when rows that were there have changed, and not only new ones were added.
  std::uint64_t version() const { return version_; }

  /// Makes this equal to another one, copying only what is new where that is enough.
  void follow(const Rows& other);

 private:
  std::uint64_t every_, version_ = 0;
  std::vector<Measurement> rows_;
};

}  // namespace mote::sim
