#include "sim/run/extent.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/exec/parallel.h"

namespace mote::sim {
namespace {

constexpr engine::Index exact_extent_bodies = 64;
constexpr std::int64_t bins = 4096;
constexpr int rounds = 2;  ///< of dividing one bin into `bins`: down to 1/4096^3 of the range

std::uint64_t finite_count(const Histogram& h) {
  std::uint64_t count = h.below + h.above;
  for (const std::uint64_t c : h.counts) count += c;
  return count;
}

/// The number of bodies, and how to make histograms of them.
struct HistogramSource {
  engine::Index count;
  std::function<Histogram(const HistogramRequest&)> histogram;
};

/// The source of values of a computed scalar, which are found once for all of its histograms.
HistogramSource source_of(std::span<const double> computed) {
  return {static_cast<engine::Index>(computed.size()), [=](const HistogramRequest& request) {
            return histogram(engine::Cpu{engine::available_threads()}, computed, request);
          }};
}

HistogramSource source_of(Simulation& simulation) {
  return {simulation.count(),
          [&](const HistogramRequest& request) { return simulation.histogram(request); }};
}

HistogramSource source_of(const State<engine::Host>& state) {
  return {state.count(), [&](const HistogramRequest& request) {
            return histogram(engine::Cpu{engine::available_threads()}, state, request);
          }};
}

double quantile(const HistogramSource& bodies, const Quantity& scalar, double fraction,
                engine::Vec3d center = {}) {
  HistogramRequest request{scalar, bins, {}, center};
  Histogram h = bodies.histogram(request);
  const std::uint64_t count = finite_count(h);
  if (count == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(fraction * static_cast<double>(count - 1));
  double low = h.bins.low, high = h.bins.high;
  for (int round = 0;; ++round) {
    std::uint64_t before = h.below;
    int bin = 0;
    while (bin + 1 < h.bins.count && before + h.counts[static_cast<std::size_t>(bin)] <= rank)
      before += h.counts[static_cast<std::size_t>(bin++)];
    low = h.bins.edge(bin);
    high = h.bins.edge(bin + 1);
    if (round == rounds || !engine::can_bin(low, high, static_cast<int>(bins))) break;
    request.range = HistogramRequest::Range{low, high};
    h = bodies.histogram(request);
  }
  const double middle = 0.5 * (low + high);
  return std::abs(middle) < high - low ? 0 : middle;  // exactly 0 for bodies at rest
}

Extent extent_of(const HistogramSource& bodies) {
  const bool all = bodies.count <= exact_extent_bodies;
  const auto middle = [&](Scalar axis) {
    return all ? 0.5 * (quantile(bodies, axis, 0) + quantile(bodies, axis, 1))
               : quantile(bodies, axis, 0.5);
  };
  Extent e;
  e.center = {middle(Scalar::x), middle(Scalar::y), middle(Scalar::z)};
  const double radius = quantile(bodies, Scalar::radius, all ? 1 : 0.97, e.center);
  e.radius = radius > 0 && std::isfinite(radius) ? 1.1 * radius : 1;
  return e;
}

/// Whether values from `low` may be negative. Coordinates and potentials may, and so may
/// expressions, unless none is: a length by an expression has the colours of a length by its name.
bool is_signed(Scalar scalar, double low) {
  return scalar == Scalar::x || scalar == Scalar::y || scalar == Scalar::z ||
         scalar == Scalar::potential || (scalar == Scalar::expression && low < 0);
}

ValueRange color_range_of(const HistogramSource& bodies, const Quantity& scalar) {
  const bool all = bodies.count <= exact_extent_bodies;
  const double low = quantile(bodies, scalar, all ? 0 : 0.02),
               high = quantile(bodies, scalar, all ? 1 : 0.98);
  return range_around(low, high, is_signed(scalar.kind, low));
}

}  // namespace

ValueRange range_around(double low, double high, bool negative) {
  // A spread of rounding errors, as of bodies that fall together, is none.
  const bool constant = !(high - low > 1e-3 * std::max(std::abs(low), std::abs(high)));
  if (negative) {
    const double margin = low != 0 ? std::abs(low) : 1;
    return constant ? ValueRange{low - margin, low + margin, true} : ValueRange{low, high, false};
  }
  if (constant) return {0, low > 0 ? 2 * low : 1, true};
  return {low < 0.5 * high ? 0 : low, high, false};
}

double quantile(Simulation& simulation, const Quantity& scalar, double fraction,
                engine::Vec3d center) {
  return quantile(source_of(simulation), scalar, fraction, center);
}

Extent extent(Simulation& simulation) {
  return extent_of(source_of(simulation));
}

Extent extent(const State<engine::Host>& state) {
  return extent_of(source_of(state));
}

ValueRange color_range(Simulation& simulation, const Quantity& scalar) {
  if (!is_computed(scalar.kind)) return color_range_of(source_of(simulation), scalar);
  const std::vector<double> values = simulation.computed(scalar);
  return color_range_of(source_of(values), scalar);
}

ValueRange color_range(const State<engine::Host>& state, const Quantity& scalar,
                       std::span<const double> computed) {
  return color_range_of(is_computed(scalar.kind) ? source_of(computed) : source_of(state), scalar);
}

}  // namespace mote::sim
