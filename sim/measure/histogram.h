#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/algo/histogram.h"
#include "engine/exec/policy.h"
#include "sim/measure/scalars.h"

namespace mote::sim {

struct HistogramRequest {
  struct Range {
    double low, high;
  };
  Quantity scalar = Scalar::speed;
  std::int64_t bins = 100;       ///< 1 to engine::max_bins
  std::optional<Range> range{};  ///< default: from the smallest to the largest finite value
  engine::Vec3d center{};        ///< origin of radii
};

/// Number of bodies by scalar; every body is in a bin, below, above or not finite.
struct Histogram {
  Quantity scalar;
  engine::Bins bins;
  std::vector<std::uint64_t> counts;  ///< number of bodies in each bin
  std::uint64_t below = 0, above = 0, not_finite = 0;
};

/// Parses SCALAR[:BINS[:LOW:HIGH]] for each text. Throws InputError with all errors, located at
/// "`option` text". SCALAR is a name or an expression, which is checked for a scene (check_scalar).
/// Each may occur once: it names the file.
std::vector<HistogramRequest> read_histograms(const std::vector<std::string>& texts,
                                              const std::string& option);

/// Throws InputError for an invalid number of bins or range.
void check(const HistogramRequest& request);

/// Counts on the CPU. Exact for any number of threads. Not for computed scalars. With ranks, which
/// all call it, counts the bodies of all.
Histogram histogram(const engine::Cpu& exec, const State<engine::Host>& state,
                    const HistogramRequest& request);
/// The histogram of the values of a computed scalar.
Histogram histogram(const engine::Cpu& exec, std::span<const double> computed,
                    const HistogramRequest& request);

/// Bins over the requested range, or from `smallest` to `largest` by default; and a histogram from
/// the counts of all counters: bins, below, above, not finite.
engine::Bins bins_for(const HistogramRequest& request, double smallest, double largest);
Histogram histogram_of(const HistogramRequest& request, const engine::Bins& bins,
                       std::vector<std::uint64_t> slots);

/// "histogram_speed.csv"; of an expression letters, digits, points and underscores, with _ for
/// others: "histogram_sqrt_x_2_y_2.csv".
std::string file_name(const ScalarInfo& scalar);
/// Comma-separated values: low edge, high edge, count, under a header with units.
std::string csv_text(const Histogram& histogram, const engine::UnitSystem& units);

}  // namespace mote::sim
