#pragma once

#include <cmath>

#include "engine/platform.h"

namespace mote::engine {

/// The few operations that formulas need and that differ between number types. A formula is written
/// once, over `Number<T>`; float and double are here, SIMD batches in number_simd.h.
template <class T>
struct Number {
  /// a * b + c; fused where the hardware does it in one instruction, rounded twice otherwise.
  MOTE_FORMULA static T multiply_add(T a, T b, T c) { return a * b + c; }

  /// r2^(-1/2). `r2` > 0.
  MOTE_FORMULA static T inverse_root(T r2) { return T(1) / std::sqrt(r2); }

  /// Square root of a. `a` >= 0.
  MOTE_FORMULA static T root(T a) { return std::sqrt(a); }

  /// 1 / a. `a` is not zero.
  MOTE_FORMULA static T reciprocal(T a) { return T(1) / a; }

  /// weight r2^(-3/2), in an order that neither overflows nor underflows early. `r2` > 0.
  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = inverse_root(r2);
    return (weight * y) * (y * y);
  }

  /// `value` where `test` > 0, otherwise zero, whatever `value` is (infinite and NaN included).
  MOTE_FORMULA static T where_positive(T test, T value) { return test > T(0) ? value : T(0); }
};

#if MOTE_ON_GPU

/// On a GPU fused operations are the natural ones, and roots start from the hardware's
/// approximation.
template <class T>
struct GpuNumber {
  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = Number<T>::inverse_root(r2);
    return (weight * y) * (y * y);
  }
  MOTE_FORMULA static T where_positive(T test, T value) { return test > T(0) ? value : T(0); }
};

template <>
struct Number<float> : GpuNumber<float> {
  /// Within 1 unit of the last place (PTX ISA, sqrt.approx.f32). Takes subnormal numbers for zero.
  MOTE_FORMULA static float root(float a) {
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
    return y;
  }
  /// Within 1 unit of the last place (PTX ISA, rcp.approx.f32).
  MOTE_FORMULA static float reciprocal(float a) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
    return y;
  }
  MOTE_FORMULA static float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }

  /// Within 2 units of the last place (PTX ISA, rsqrt.approx.f32). Takes subnormal numbers for
  /// zero: their inverse cube would not be finite anyway.
  MOTE_FORMULA static float inverse_root(float r2) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(r2));
    return y;
  }
};

template <>
struct Number<double> : GpuNumber<double> {
  MOTE_FORMULA static double root(double a) { return std::sqrt(a); }
  /// The hardware's 20 bits or more, and Newton's step with one more term.
  MOTE_FORMULA static double reciprocal(double a) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    const double e = __fma_rn(-a, y, 1.0);
    return __fma_rn(__fma_rn(e, e, e), y, y);
  }
  MOTE_FORMULA static double multiply_add(double a, double b, double c) {
    return __fma_rn(a, b, c);
  }

  /// One step of third order (Householder's, with h = 1 - r2 y^2: y' = y (1 + h/2 + 3 h^2/8)) from
  /// the hardware's 20 bits or more leaves about one unit of the last place.
  MOTE_FORMULA static double inverse_root(double r2) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(r2));
    const double h = __fma_rn(-r2, y * y, 1.0);
    return __fma_rn(__fma_rn(0.375, h, 0.5), h * y, y);
  }
};

#endif

/// The whole number that is nearest to a b, which is far below 2^22 in size, by two additions that
/// round. T: float or double.
template <class T>
MOTE_FORMULA T nearest_whole(T a, T b) {
  // 1.5 x 2^23 and 1.5 x 2^52: numbers around it are a whole one apart.
  constexpr T half_way = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);
  return Number<T>::multiply_add(a, b, half_way) - half_way;
}

}  // namespace mote::engine
