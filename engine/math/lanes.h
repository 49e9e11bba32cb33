#pragma once

#include <cstdint>

#include "engine/platform.h"

namespace mote::engine {

/// Loads and stores of a number type: a SIMD batch has `width` lanes, a plain number one.
template <class T>
struct Lanes {
  using Real = typename T::value_type;
  static constexpr std::int64_t width = static_cast<std::int64_t>(T::size);
  MOTE_FORMULA static T load(const Real* p) { return T::load_unaligned(p); }
  MOTE_FORMULA static void store(Real* p, T v) { v.store_unaligned(p); }
  /// 0, 1, 2, ... in the lanes.
  MOTE_FORMULA static T indices() {
    Real i[width];
    for (std::int64_t k = 0; k < width; ++k) i[k] = static_cast<Real>(k);
    return load(i);
  }
};
template <class Real_>
struct PlainLanes {
  using Real = Real_;
  static constexpr std::int64_t width = 1;
  MOTE_FORMULA static Real load(const Real* p) { return *p; }
  MOTE_FORMULA static void store(Real* p, Real v) { *p = v; }
  MOTE_FORMULA static Real indices() { return 0; }
};
template <>
struct Lanes<float> : PlainLanes<float> {};
template <>
struct Lanes<double> : PlainLanes<double> {};

}  // namespace mote::engine
