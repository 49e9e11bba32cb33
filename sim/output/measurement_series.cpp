#include "sim/output/measurement_series.h"

#include <utility>

namespace mote::sim {

void MeasurementSeries::add(const Measurement& sample) {
  if (sample.step % every_ != 0) return;
  if (!samples_.empty() && sample.step <= samples_.back().step) return;
  samples_.push_back(sample);
  if (samples_.size() <= max_samples) return;
  every_ *= 2;
  std::erase_if(samples_, [this](const Measurement& m) { return m.step % every_ != 0; });
  ++version_;
}

void MeasurementSeries::discard_after(std::uint64_t step) {
  const std::size_t before = samples_.size();
  while (!samples_.empty() && samples_.back().step > step) samples_.pop_back();
  if (samples_.size() != before) ++version_;
}

void MeasurementSeries::update_from(const MeasurementSeries& other) {
  if (version_ != other.version_ || samples_.size() > other.samples_.size()) {
    *this = other;
    return;
  }
  samples_.insert(samples_.end(),
                  other.samples_.begin() + static_cast<std::ptrdiff_t>(samples_.size()),
                  other.samples_.end());
}

}  // namespace mote::sim
