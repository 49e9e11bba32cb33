#pragma once

#include <xsimd/xsimd.hpp>

#include "engine/math/number.h"

namespace mote::engine {

namespace simd {

/// a * b + c, fused where the instruction set allows. xsimd 8.1 multiplies and adds separately with
/// AVX-512, at half the speed.
template <class T>
MOTE_FORMULA T fused(T a, T b, T c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 64 && sizeof(typename T::value_type) == 4)
    return T(_mm512_fmadd_ps(a, b, c));
  else if constexpr (sizeof(T) == 64)
    return T(_mm512_fmadd_pd(a, b, c));
  else
#endif
    return xsimd::fma(a, b, c);
}

/// c - a * b, fused likewise.
template <class T>
MOTE_FORMULA T fused_negative(T a, T b, T c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 64 && sizeof(typename T::value_type) == 4)
    return T(_mm512_fnmadd_ps(a, b, c));
  else if constexpr (sizeof(T) == 64)
    return T(_mm512_fnmadd_pd(a, b, c));
  else
#endif
    return xsimd::fnma(a, b, c);
}

}  // namespace simd

/// SIMD batches. Include only in files that are compiled for one instruction set.
///
/// Inverse roots in single precision start from the processor's approximation, with relative error
/// d of at most 2^-14 with AVX-512 and 1.5 2^-12 with older sets, and take one Newton step. That
/// leaves 3/2 d^2 in `rsqrt`, 15/2 d^2 in `weighted_inverse_cube`, and round-off: 1e-7 and 4e-7
/// with AVX-512, 3.3e-7 and 1.5e-6 with older sets (2e-7 and 7e-7 as measured). `r2` must be a
/// normal number (the approximation of older sets treats subnormal numbers as zero), and below 2e38
/// in the cube. In double, AVX-512 starts from 14 bits and takes one fourth-order step, which
/// leaves little more than round-off; older sets use division and square root.
template <class Arch>
struct Number<xsimd::batch<float, Arch>> {
  using T = xsimd::batch<float, Arch>;

  MOTE_FORMULA static T exp(T a) { return xsimd::exp(a); }

  MOTE_FORMULA static T reciprocal(T a) { return T(1.0f) / a; }

  MOTE_FORMULA static T multiply_add(T a, T b, T c) { return simd::fused(a, b, c); }

  MOTE_FORMULA static T approximate_rsqrt(T r2) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 64)
      return T(_mm512_rsqrt14_ps(r2));
    else
#endif
      return xsimd::rsqrt(r2);
  }

  MOTE_FORMULA static T rsqrt(T r2) {
    const T y = approximate_rsqrt(r2);
    const T e = simd::fused_negative(r2 * y, y, T(1.0f));
    return simd::fused(y * T(0.5f), e, y);
  }

  /// The constants of the Newton step for the cube, s (t - r2 y^2) with s = 3/2 and t = 5/3.
  /// Rounded to floats, these would make every cube too small by 6e-8 on average, a bias that shows
  /// as a drift of the energy. The neighbouring floats used here satisfy s (t - 1) = 1 more
  /// accurately and compensate for the truncated terms: the mean error is below 2e-9 (with older
  /// sets it depends on the processor's approximation).
  static constexpr float cube_factor = sizeof(T) == 64 ? 0x1.7ffff4p+0f : 0x1.7fffecp+0f;
  static constexpr float cube_term = sizeof(T) == 64 ? 0x1.aaaab0p+0f : 0x1.aaaab4p+0f;

  /// m y^3 (5/2 - 3/2 r2 y^2): a Newton step for the cube itself. The factor 3/2 is applied to the
  /// weight, so a loop over sources multiplies it in once for all targets.
  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = approximate_rsqrt(r2);
    const T y2 = y * y;
    const T correction = simd::fused_negative(r2, y2, T(cube_term));
    return (weight * T(cube_factor) * y) * (y2 * correction);
  }

  MOTE_FORMULA static T select_positive(T test, T value) {
    return xsimd::select(test > T(0.0f), value, T(0.0f));
  }
};

template <class Arch>
struct Number<xsimd::batch<double, Arch>> {
  using T = xsimd::batch<double, Arch>;

  MOTE_FORMULA static T exp(T a) { return xsimd::exp(a); }

  MOTE_FORMULA static T reciprocal(T a) { return T(1.0) / a; }

  MOTE_FORMULA static T multiply_add(T a, T b, T c) { return simd::fused(a, b, c); }

  /// With e = 1 - r2 y^2: r2^(-1/2) = y (1 - e)^(-1/2) = y (1 + e/2 + 3/8 e^2 + 5/16 e^3 + O(e^4)),
  /// and |e| < 2^-13 leaves 35/128 e^4 < 2^-53.
  MOTE_FORMULA static T rsqrt(T r2) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 64) {
      const T y(_mm512_rsqrt14_pd(r2));
      const T e = simd::fused_negative(r2 * y, y, T(1.0));
      const T series = simd::fused(simd::fused(T(0.3125), e, T(0.375)), e, T(0.5));
      return simd::fused(y * e, series, y);
    } else
#endif
      return T(1.0) / xsimd::sqrt(r2);
  }

  MOTE_FORMULA static T weighted_inverse_cube(T weight, T r2) {
    const T y = rsqrt(r2);
    return (weight * y) * (y * y);
  }

  MOTE_FORMULA static T select_positive(T test, T value) {
    return xsimd::select(test > T(0.0), value, T(0.0));
  }
};

}  // namespace mote::engine
