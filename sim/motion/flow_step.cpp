#include "sim/motion/flow_step.h"

#include <algorithm>
#include <cmath>

namespace mote::sim {
namespace {

/// Lengths per factor of two, 3 to 6 % apart.
constexpr double rungs = 16;
/// Margin required before steps become longer.
constexpr double margin = 1.05;
constexpr double min_fraction = 1e-3;  ///< shortest step as a fraction of the longest

/// The largest rung not above `step`.
double rung_below(double step) {
  int exponent = 0;
  const double mantissa = std::frexp(step, &exponent);  // 0.5 to 1
  return std::ldexp(std::floor(2 * rungs * mantissa) / (2 * rungs), exponent);
}

}  // namespace

double flow_step(double now, double stable, double longest) {
  const auto limited = [&](double step) { return step >= longest ? longest : rung_below(step); };
  double step = limited(stable);
  if (step > now) step = std::max(now, limited(stable / margin));
  return std::max(step, min_fraction * longest);
}

}  // namespace mote::sim
