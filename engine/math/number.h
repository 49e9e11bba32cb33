#pragma once

#include <cmath>

#include "engine/platform.h"

namespace mote::engine {

/// Operations of formulas that differ between number types. A formula is written once, over
/// `Number<T>`: float and double are here, SIMD batches in number_simd.h.
template <class T>
struct Number {
  /// a * b + c; fused where the hardware has an instruction for it, rounded twice otherwise.
  MOTE_FORMULA static T multiply_add(T a, T b, T c) { return a * b + c; }

  /// r2^(-1/2). `r2` > 0.
  MOTE_FORMULA static T rsqrt(T r2) { return T(1) / std::sqrt(r2); }

  /// `a` >= 0.
  MOTE_FORMULA static T sqrt(T a) { return std::sqrt(a); }

  /// e^a. `a` <= 0.
  MOTE_FORMULA static T exp(T a) { return std::exp(a); }

  /// 1 / a. `a` is not zero.
  MOTE_FORMULA static T reciprocal(T a) { return T(1) / a; }

  /// weight r2^(-3/2), in an order that avoids premature overflow and underflow. `r2` > 0.
  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = rsqrt(r2);
    return (weight * y) * (y * y);
  }

  /// `value` where `test` > 0, otherwise zero, even if `value` is infinite or NaN.
  MOTE_FORMULA static T select_positive(T test, T value) { return test > T(0) ? value : T(0); }
};

#if MOTE_ON_GPU

/// On a GPU operations are fused, and roots start from the hardware's approximation.
template <class T>
struct GpuNumber {
  MOTE_FORMULA static T exp(T a) { return std::exp(a); }
  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = Number<T>::rsqrt(r2);
    return (weight * y) * (y * y);
  }
  MOTE_FORMULA static T select_positive(T test, T value) { return test > T(0) ? value : T(0); }
};

template <>
struct Number<float> : GpuNumber<float> {
  /// Within 1 ULP (PTX ISA, sqrt.approx.f32). Flushes subnormal inputs to zero.
  MOTE_FORMULA static float sqrt(float a) {
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
    return y;
  }
  /// Within 1 ULP (PTX ISA, rcp.approx.f32).
  MOTE_FORMULA static float reciprocal(float a) {
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(a));
    return y;
  }
  MOTE_FORMULA static float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }

  /// Within 2 ULPs (PTX ISA, rsqrt.approx.f32). Flushes subnormal inputs to zero: their inverse
  /// cube would not be finite anyway.
  MOTE_FORMULA static float rsqrt(float r2) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(r2));
    return y;
  }
};

template <>
struct Number<double> : GpuNumber<double> {
  MOTE_FORMULA static double sqrt(double a) { return std::sqrt(a); }
  /// The hardware's approximation (20 bits or more) and a Newton step with one more term.
  MOTE_FORMULA static double reciprocal(double a) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
    const double e = __fma_rn(-a, y, 1.0);
    return __fma_rn(__fma_rn(e, e, e), y, y);
  }
  MOTE_FORMULA static double multiply_add(double a, double b, double c) {
    return __fma_rn(a, b, c);
  }

  /// One third-order Householder step, y' = y (1 + h/2 + 3 h^2/8) with h = 1 - r2 y^2, from the
  /// hardware's approximation (20 bits or more) leaves an error of about one ULP.
  MOTE_FORMULA static double rsqrt(double r2) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(r2));
    const double h = __fma_rn(-r2, y * y, 1.0);
    return __fma_rn(__fma_rn(0.375, h, 0.5), h * y, y);
  }
};

#endif

/// a b rounded to the nearest integer, for |a b| well below 2^22, by adding and subtracting a large
/// constant. T: float or double.
template <class T>
MOTE_FORMULA T nearest_integer(T a, T b) {
  // 1.5 x 2^23 and 1.5 x 2^52, where the spacing of floating-point numbers is 1.
  constexpr T shift = sizeof(T) == 4 ? T(12582912.0) : T(6755399441055744.0);
  return Number<T>::multiply_add(a, b, shift) - shift;
}

}  // namespace mote::engine
