#pragma once

#include <cstdint>
#include <vector>

#include "sim/measure/measurement.h"

namespace mote::sim {

/// Measurements for plots: decimated when there are many, truncated when steps are discarded.
class MeasurementSeries {
 public:
  /// Above this size every second sample is dropped.
  static constexpr std::size_t max_samples = 8192;

  /// Steps between samples, initially `every`; doubles at each decimation.
  explicit MeasurementSeries(std::uint64_t every = 1) : every_(every) {}
  std::uint64_t every() const { return every_; }

  /// Ignores samples of steps already present, and of steps that are no multiple of every().
  void add(const Measurement& sample);
  /// Drops samples after a step.
  void discard_after(std::uint64_t step);

  const std::vector<Measurement>& all() const { return samples_; }
  /// Incremented when earlier samples changed, not when samples are appended.
  std::uint64_t version() const { return version_; }

  /// Makes this equal to `other`, copying only new samples where possible.
  void update_from(const MeasurementSeries& other);

 private:
  std::uint64_t every_, version_ = 0;
  std::vector<Measurement> samples_;
};

}  // namespace mote::sim
