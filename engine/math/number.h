#pragma once

#include <cmath>

#include "engine/platform.h"

namespace mote::engine {

/// The few operations that formulas need and that differ between number types. A formula is written once,
/// over `Number<T>`; float and double are here, SIMD batches in number_simd.h.
template <class T>
struct Number {
  /// a * b + c; fused where the hardware does it in one instruction, rounded twice otherwise.
  MOTE_FORMULA static T multiply_add(T a, T b, T c) { return a * b + c; }

  /// r2^(-1/2). `r2` > 0.
  MOTE_FORMULA static T inverse_root(T r2) { return T(1) / std::sqrt(r2); }

  /// weight r2^(-3/2), in an order that neither overflows nor underflows early. `r2` > 0.
  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = inverse_root(r2);
    return (weight * y) * (y * y);
  }

  /// `value` where `test` > 0, otherwise zero, whatever `value` is (infinite and NaN included).
  MOTE_FORMULA static T where_positive(T test, T value) { return test > T(0) ? value : T(0); }
};

#if MOTE_ON_GPU

/// On a GPU fused operations are the natural ones, and roots start from the hardware's approximation.
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
  MOTE_FORMULA static float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }

  /// Within 2 units of the last place (PTX ISA, rsqrt.approx.f32). Takes subnormal numbers for zero: their
  /// inverse cube would not be finite anyway.
  MOTE_FORMULA static float inverse_root(float r2) {
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(r2));
    return y;
  }
};

template <>
struct Number<double> : GpuNumber<double> {
  MOTE_FORMULA static double multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }

  /// One step of third order (Householder's, with h = 1 - r2 y^2: y' = y (1 + h/2 + 3 h^2/8)) from the
  /// hardware's 20 bits or more leaves about one unit of the last place.
  MOTE_FORMULA static double inverse_root(double r2) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(r2));
    const double h = __fma_rn(-r2, y * y, 1.0);
    return __fma_rn(__fma_rn(0.375, h, 0.5), h * y, y);
  }
};

#endif

}  // namespace mote::engine
