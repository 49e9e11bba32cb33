#pragma once

#include <cstddef>

namespace mote::engine {

/// Number<T> of one instruction set's batches, applied to arrays, so that a test compiled for any
/// processor can call it. `count` is a multiple of `width`.
template <class Real>
struct NumberLoops {
  std::size_t width;
  void (*multiply_add)(const Real* a, const Real* b, const Real* c, Real* out, std::size_t count);
  void (*rsqrt)(const Real* r2, Real* out, std::size_t count);
  void (*weighted_inverse_cube)(const Real* weight, const Real* r2, Real* out, std::size_t count);
  void (*select_positive)(const Real* test, const Real* value, Real* out, std::size_t count);
};

struct NumberSet {
  NumberLoops<float> single;
  NumberLoops<double> double_;
};

extern const NumberSet number_set_sse4_2, number_set_avx2, number_set_avx512;

}  // namespace mote::engine
