#include "sim/initial/kepler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace mote::sim {
namespace {

/// x - sin x (`sign` = -1) or sinh x - x (`sign` = +1) for x >= 0: near zero by the series, whose
/// terms after the tenth are below round-off for x < 1.
double nonlinear_part(double x, double sign) {
  if (x >= 1) return sign > 0 ? std::sinh(x) - x : x - std::sin(x);
  const double x2 = x * x;
  double term = x * x2 / 6, sum = 0;
  for (int k = 4; sum + term != sum; k += 2) {
    sum += term;
    term *= sign * x2 / (k * (k + 1));
  }
  return sum;
}

/// Root of the increasing convex function f, by Newton's method from an upper bound: the iterates
/// decrease and never pass the root. Stops when round-off ends the decrease.
template <class Function, class Slope>
double newton_from_above(double x, Function&& f, Slope&& slope) {
  for (;;) {
    const double next = x - f(x) / slope(x);
    if (!(next < x)) return x;
    x = next;
  }
}

/// 1 - cos x as 2 sin^2(x/2), without cancellation.
double versine(double x) {
  const double s = std::sin(x / 2);
  return 2 * s * s;
}

}  // namespace

double eccentric_anomaly(double e, double mean_anomaly) {
  const double reduced = std::remainder(mean_anomaly, 2 * std::numbers::pi);
  const double m = std::fabs(reduced);
  if (m == 0) return reduced;
  const double gap = 1 - e;  // exact for e > 1/2
  // M = gap E + e (E - sin E) is convex up to pi. E is below M + e, M / gap and pi.
  const double above = std::min({m + e, m / gap, std::numbers::pi});
  const double root = newton_from_above(
      above, [&](double x) { return gap * x + e * nonlinear_part(x, -1) - m; },
      [&](double x) { return gap + e * versine(x); });
  return std::copysign(root, reduced);
}

double hyperbolic_anomaly(double e, double mean_anomaly) {
  const double m = std::fabs(mean_anomaly);
  if (m == 0) return mean_anomaly;
  const double gap = e - 1;
  // M = gap F + e (sinh F - F) exceeds gap sinh F and e F^3 / 6.
  const double above = std::min(std::asinh(m / gap), std::cbrt(6 * m / e));
  const double root = newton_from_above(
      above, [&](double x) { return gap * x + e * nonlinear_part(x, 1) - m; },
      [&](double x) { return gap + 2 * e * std::sinh(x / 2) * std::sinh(x / 2); });
  return std::copysign(root, mean_anomaly);
}

OrbitState state_at_mean_anomaly(double mu, double periapsis, double e, double mean_anomaly) {
  const double gap = std::fabs(1 - e);
  const double a = periapsis / gap;  // |semi-major axis|
  const double minor = std::sqrt(gap * (1 + e)), rate = std::sqrt(mu / a);
  if (e < 1) {
    const double anomaly = eccentric_anomaly(e, mean_anomaly);
    const double s = std::sin(anomaly), v = versine(anomaly);
    const double distance = gap + e * v;  // r / a = 1 - e cos E
    return {{a * (gap - v), a * minor * s, 0},
            {-rate * s / distance, rate * minor * std::cos(anomaly) / distance, 0}};
  }
  const double anomaly = hyperbolic_anomaly(e, mean_anomaly);
  const double half = std::sinh(anomaly / 2), s = std::sinh(anomaly);
  const double v = 2 * half * half;     // cosh F - 1
  const double distance = gap + e * v;  // r / |a| = e cosh F - 1
  return {{a * (gap - v), a * minor * s, 0},
          {-rate * s / distance, rate * minor * (1 + v) / distance, 0}};
}

OrbitState state_at_true_anomaly(double mu, double periapsis, double e, double true_anomaly) {
  const double parameter = periapsis * (1 + e);
  const double c = std::cos(true_anomaly), s = std::sin(true_anomaly);
  const double distance = parameter / (1 + e * c), rate = std::sqrt(mu / parameter);
  return {{distance * c, distance * s, 0}, {-rate * s, rate * (e + c), 0}};
}

}  // namespace mote::sim
