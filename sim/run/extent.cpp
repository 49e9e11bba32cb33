#include "sim/run/extent.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mote::sim {
namespace {

constexpr engine::Index few = 64;
constexpr std::int64_t bins = 4096;
constexpr int rounds = 2;  ///< of narrowing down to one bin: 4096^2 parts of the first range

std::uint64_t finite_count(const Histogram& h) {
  std::uint64_t count = h.below + h.above;
  for (const std::uint64_t c : h.counts) count += c;
  return count;
}

}  // namespace

double quantile(Simulation& simulation, Scalar scalar, double part, engine::Vec3d center) {
  HistogramRequest request{scalar, bins, {}, center};
  Histogram h = simulation.histogram(request);
  const std::uint64_t count = finite_count(h);
  if (count == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(part * static_cast<double>(count - 1));  // counted from 0
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
    h = simulation.histogram(request);
  }
  return 0.5 * (low + high);
}

Extent extent(Simulation& simulation) {
  const bool all = simulation.count() <= few;
  const auto middle = [&](Scalar axis) {
    return all ? 0.5 * (quantile(simulation, axis, 0) + quantile(simulation, axis, 1))
               : quantile(simulation, axis, 0.5);
  };
  Extent e;
  e.center = {middle(Scalar::x), middle(Scalar::y), middle(Scalar::z)};
  const double radius = quantile(simulation, Scalar::radius, all ? 1 : 0.97, e.center);
  e.radius = radius > 0 && std::isfinite(radius) ? 1.1 * radius : 1;
  return e;
}

ValueRange color_range(Simulation& simulation, Scalar scalar) {
  const bool all = simulation.count() <= few;
  ValueRange range{quantile(simulation, scalar, all ? 0 : 0.02),
                   quantile(simulation, scalar, all ? 1 : 0.98)};
  if (!(range.low < range.high)) range = {range.low - 1, range.low + 1};
  return range;
}

}  // namespace mote::sim
