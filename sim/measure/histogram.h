#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/algo/histogram.h"
#include "engine/exec/policy.h"
#include "sim/measure/scalars.h"

namespace mote::sim {

/// Which histogram is wanted.
struct HistogramRequest {
  struct Range {
    double low, high;
  };
  Scalar scalar = Scalar::speed;
  std::int64_t bins = 100;       ///< 1 to engine::most_bins
  std::optional<Range> range{};  ///< nothing: from the smallest to the largest finite value
  engine::Vec3d center{};        ///< of radii
};

/// How many bodies have a scalar in which bin; all bodies are counted somewhere.
struct Histogram {
  Scalar scalar;
  engine::Bins bins;
  std::vector<std::uint64_t> counts;  ///< of the bins
  std::uint64_t below = 0, above = 0, not_finite = 0;
};

/// Reads SCALAR[:BINS[:LOW:HIGH]], one for each text. Throws InputError with all that is wrong; the
/// places are
/// "`option` text". A scalar may be there once: its file has its name.
std::vector<HistogramRequest> read_histograms(const std::vector<std::string>& texts,
                                              const std::string& option);

/// Throws InputError when the number of bins or the range cannot be.
void check(const HistogramRequest& request);

/// Counts on the CPU. The result is exact, whatever the number of threads.
Histogram histogram(const engine::Cpu& exec, const State<engine::Host>& state,
                    const HistogramRequest& request);

/// A histogram out of the range of its values (used where none is given) and the counts of all
/// slots.
engine::Bins bins_for(const HistogramRequest& request, double smallest, double largest);
Histogram histogram_of(const HistogramRequest& request, const engine::Bins& bins,
                       std::vector<std::uint64_t> slots);

/// "histogram_speed.csv".
std::string file_name(const ScalarInfo& scalar);
/// Comma-separated values: low edge, high edge, count, under a header with units.
std::string csv_text(const Histogram& histogram, const engine::UnitSystem& units);

}  // namespace mote::sim
