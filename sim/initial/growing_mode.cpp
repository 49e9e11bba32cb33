#include "sim/initial/growing_mode.h"

#include <cmath>

#include "engine/check.h"

namespace mote::sim {

double growing_rate(double expansion) {
  MOTE_EXPECT(expansion >= 0 && expansion <= 1);
  const double x = 1 - expansion * expansion;  // R / (largest R) = sin^2(eta / 2)
  if (x < 0.2) {
    // The terms of D cancel. Expanded, D ~ x 2F1(1, 2; 7/2; x), and the rate is h dlnD/dlnx; 24
    // terms are enough for 1e-16.
    double term = 1, sum = 0, slope = 0;
    for (int k = 0; k < 24; ++k) {
      sum += term, slope += (k + 1) * term;
      term *= (k + 2) / (k + 3.5) * x;
    }
    return expansion * slope / sum;
  }
  // dlnD/dt = dlnD/deta sin(eta / 2), in units of the critical rate.
  const double eta = 2 * std::acos(expansion);
  const double s = std::sin(eta), c = std::cos(eta), d = 1 - c;
  const double growth = (5 + c) / d - 3 * eta * s / (d * d);
  const double slope = (-6 * s - 3 * s - 3 * eta * c) / (d * d) + 6 * eta * s * s / (d * d * d);
  return std::sin(eta / 2) * slope / growth;
}

}  // namespace mote::sim
