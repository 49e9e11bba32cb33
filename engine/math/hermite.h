#pragma once

#include <cmath>

/// Cubic Hermite interpolation: the cubic through two points that has given slopes there.
namespace mote::engine {

/// A quantity and its derivative with respect to the interpolation coordinate. T: number or Vec3.
template <class T>
struct WithSlope {
  T value, slope;
};

/// Value and slope at the fraction `s` (0 to 1) of an interval of this length from `a` to `b`. The
/// error for a smooth function is at most length^4 / 384 times the maximum of its fourth
/// derivative.
template <class T>
WithSlope<T> hermite(const WithSlope<T>& a, const WithSlope<T>& b, double length, double s) {
  const double r = 1 - s;
  const T chord = b.value - a.value;
  const T value = a.value + (s * s * (3 - 2 * s)) * chord + (length * s * r * r) * a.slope +
                  (-length * s * s * r) * b.slope;
  const T slope =
      (6 * s * r / length) * chord + (r * (1 - 3 * s)) * a.slope + (s * (3 * s - 2)) * b.slope;
  return {value, slope};
}

}  // namespace mote::engine
