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

}  // namespace mote::engine
