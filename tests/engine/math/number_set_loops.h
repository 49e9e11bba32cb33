#pragma once

#include "engine/math/number_simd.h"
#include "tests/engine/math/number_set.h"

namespace mote::engine {

/// The loops of one batch type, all constant expressions: no code for an instruction set runs at
/// program start.
template <class T>
struct LoopsOf {
  using N = Number<T>;
  using Real = typename T::value_type;

  static void multiply_add(const Real* a, const Real* b, const Real* c, Real* out,
                           std::size_t count) {
    for (std::size_t i = 0; i < count; i += T::size) {
      const T sum = N::multiply_add(T::load_unaligned(a + i), T::load_unaligned(b + i),
                                    T::load_unaligned(c + i));
      sum.store_unaligned(out + i);
    }
  }
  static void rsqrt(const Real* r2, Real* out, std::size_t count) {
    for (std::size_t i = 0; i < count; i += T::size)
      N::rsqrt(T::load_unaligned(r2 + i)).store_unaligned(out + i);
  }
  static void weighted_inverse_cube(const Real* weight, const Real* r2, Real* out,
                                    std::size_t count) {
    for (std::size_t i = 0; i < count; i += T::size) {
      const T cube =
          N::weighted_inverse_cube(T::load_unaligned(weight + i), T::load_unaligned(r2 + i));
      cube.store_unaligned(out + i);
    }
  }
  static void select_positive(const Real* test, const Real* value, Real* out, std::size_t count) {
    for (std::size_t i = 0; i < count; i += T::size)
      N::select_positive(T::load_unaligned(test + i), T::load_unaligned(value + i))
          .store_unaligned(out + i);
  }

  static constexpr NumberLoops<Real> loops{T::size, multiply_add, rsqrt, weighted_inverse_cube,
                                           select_positive};
};

template <class Single, class Double>
inline constexpr NumberSet number_set_of{LoopsOf<Single>::loops, LoopsOf<Double>::loops};

}  // namespace mote::engine
