#include "engine/algo/histogram.h"

#include <cmath>
#include <limits>

#include "engine/check.h"

namespace mote::engine {

bool can_bin(double low, double high, int count) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  const double range = high - low, bins = static_cast<double>(count);
  const double largest = std::max(std::fabs(low), std::fabs(high));
  // The second test excludes subnormal bin widths, which have fewer significant bits.
  return std::isfinite(range) && range >= 4 * epsilon * bins * largest &&
         range >= bins * (std::numeric_limits<double>::min() / epsilon);
}

Bins bins_over(double low, double high, int count) {
  MOTE_EXPECT(count >= 1 && count <= max_bins && can_bin(low, high, count));
  const double range = high - low, bins = static_cast<double>(count);
  return {low, high, range / bins, bins / range, count};
}

Bins bins_of_values(double smallest, double largest, int count) {
  constexpr double max = std::numeric_limits<double>::max();
  if (smallest > largest) return bins_over(0, 1, count);
  // Adding 0 turns -0 into 0: which of the two a reduction returns depends on its order.
  double low = smallest + 0.0, high = largest + 0.0;
  if (!std::isfinite(high - low)) {
    low = std::max(low, -max / 2);
    high = std::min(high, max / 2);
  } else if (!can_bin(low, high, count)) {
    const double size = std::max(std::fabs(low), std::fabs(high));
    const double half = size > 1e-280 ? size / 2 : 0.5;
    low = std::max(low - half, -max);
    high = std::min(high + half, max);
  }
  return bins_over(low, high, count);
}

}  // namespace mote::engine
