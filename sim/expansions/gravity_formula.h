#pragma once

#include "engine/math/number.h"
#include "engine/math/vec.h"

namespace mote::sim {

/// Newtonian gravity with Plummer softening (Aarseth 1963, MNRAS 126, 223; Dyer & Ip 1993, ApJ 409,
/// 60):
///   a_i = G sum_j m_j d_ij / (d_ij^2 + softening^2)^(3/2),   d_ij = x_j - x_i   [length / time^2]
///   U   = -G sum_{i<j} m_i m_j / (d_ij^2 + softening^2)^(1/2)                    [mass length^2 / time^2]
/// The functions below omit the factor G. `T` is float, double or a SIMD batch; `squared_softening`
/// may be zero.
///
/// Coincident bodies do not interact: neither a body with itself, nor two at exactly the same
/// position. With softening the formula yields zero at d = 0. Where the weight at d = 0 could be
/// infinite, a guard is needed: `coincident` if the softening is too small for the number type,
/// `unsoftened` if there is none.
enum class ZeroDistance { none, coincident, unsoftened };

/// The quantity that a kernel sums over pairs.
enum class GravityQuantity { attraction, potential };

/// Squared softening below which a guard is needed. Without it the weight at d = 0, mass /
/// softening^3, must be finite for any mass; chosen with a margin.
template <class Real>
inline constexpr Real guarded_below = sizeof(Real) == 4 ? Real(1e-16) : Real(1e-100);

template <class Real>
constexpr ZeroDistance guard_for(Real squared_softening) {
  return squared_softening == 0                    ? ZeroDistance::unsoftened
         : squared_softening < guarded_below<Real> ? ZeroDistance::coincident
                                                   : ZeroDistance::none;
}

/// x_j - x_i of positions of two floats each: for close bodies the high parts cancel exactly, and
/// the low parts add what float positions would have lost (Knuth 1997, TAOCP 2, 4.2.2; after
/// Gaburov, Harfst & Portegies Zwart 2009, New Astron. 14, 630).
template <class T>
MOTE_FORMULA engine::Vec3<T> separation(engine::Vec3<T> high_i, engine::Vec3<T> low_i,
                                        engine::Vec3<T> high_j, engine::Vec3<T> low_j) {
  return (high_j - high_i) + (low_j - low_i);
}

/// d^2 + softening^2.
template <class T>
MOTE_FORMULA T softened_square(engine::Vec3<T> d, T squared_softening) {
  using N = engine::Number<T>;
  return N::multiply_add(d.z, d.z,
                         N::multiply_add(d.y, d.y, N::multiply_add(d.x, d.x, squared_softening)));
}

/// m / (d^2 + softening^2)^(3/2), the factor of the separation.
template <ZeroDistance guard, class T>
MOTE_FORMULA T attraction_weight(engine::Vec3<T> d, T mass, T squared_softening) {
  using N = engine::Number<T>;
  if constexpr (guard == ZeroDistance::none) {
    return N::weighted_inverse_cube(mass, softened_square(d, squared_softening));
  } else {
    const T d2 = softened_square(d, T(0));
    const T r2 = guard == ZeroDistance::unsoftened ? d2 : d2 + squared_softening;
    return N::select_positive(d2, N::weighted_inverse_cube(mass, r2));
  }
}

template <class T>
MOTE_FORMULA void add_weighted(engine::Vec3<T> d, T weight, engine::Vec3<T>& a) {
  using N = engine::Number<T>;
  a.x = N::multiply_add(d.x, weight, a.x);
  a.y = N::multiply_add(d.y, weight, a.y);
  a.z = N::multiply_add(d.z, weight, a.z);
}

/// Adds to `a` the attraction by a mass at separation `d`, without G. 20 flops in the usual count;
/// 3 subtractions (in the caller), 6 fused, an inverse root, and the multiplications of its cube.
template <ZeroDistance guard, class T>
MOTE_FORMULA void add_attraction(engine::Vec3<T> d, T mass, T squared_softening,
                                 engine::Vec3<T>& a) {
  add_weighted(d, attraction_weight<guard>(d, mass, squared_softening), a);
}

/// Adds the attraction, as above, and its time derivative (Makino & Aarseth 1992, PASJ 44, 141, eq.
/// 2, with softening), at a relative velocity `v` = v_j - v_i, without G:
///   m [v - 3 (d . v) d / (d^2 + softening^2)] / (d^2 + softening^2)^(3/2)
template <ZeroDistance guard, class T>
MOTE_FORMULA void add_attraction_and_jerk(engine::Vec3<T> d, engine::Vec3<T> v, T mass,
                                          T squared_softening, engine::Vec3<T>& a,
                                          engine::Vec3<T>& jerk) {
  using N = engine::Number<T>;
  T y;
  if constexpr (guard == ZeroDistance::none) {
    y = N::rsqrt(softened_square(d, squared_softening));
  } else {
    const T d2 = softened_square(d, T(0));
    y = N::select_positive(d2, N::rsqrt(d2 + squared_softening));
  }
  const T y2 = y * y, weight = (mass * y) * y2;
  const T approach = N::multiply_add(d.z, v.z, N::multiply_add(d.y, v.y, d.x * v.x)) * (T(-3) * y2);
  add_weighted(d, weight, a);
  add_weighted(
      engine::Vec3<T>{N::multiply_add(d.x, approach, v.x), N::multiply_add(d.y, approach, v.y),
                      N::multiply_add(d.z, approach, v.z)},
      weight, jerk);
}

/// Adds to both bodies of a pair at once; `d` = x_j - x_i. One root for both: 14 operations
/// and 3 subtractions where two of the above take 26. The inverse cube is formed without a mass:
/// lengths must be scaled so that it fits the number type (in float, distances between 1e-12 and
/// 1e12).
template <ZeroDistance guard, class T>
MOTE_FORMULA void add_mutual_attraction(engine::Vec3<T> d, T mass_i, T mass_j, T squared_softening,
                                        engine::Vec3<T>& a_i, engine::Vec3<T>& a_j) {
  using N = engine::Number<T>;
  T inverse_cube;
  if constexpr (guard == ZeroDistance::none) {
    const T y = N::rsqrt(softened_square(d, squared_softening));
    inverse_cube = y * (y * y);
  } else {
    const T d2 = softened_square(d, T(0));
    const T y = N::rsqrt(guard == ZeroDistance::unsoftened ? d2 : d2 + squared_softening);
    inverse_cube = N::select_positive(d2, y * (y * y));
  }
  const T pull_i = mass_j * inverse_cube, pull_j = mass_i * inverse_cube;
  a_i.x = N::multiply_add(d.x, pull_i, a_i.x);
  a_i.y = N::multiply_add(d.y, pull_i, a_i.y);
  a_i.z = N::multiply_add(d.z, pull_i, a_i.z);
  a_j.x = N::multiply_add(d.x, -pull_j, a_j.x);
  a_j.y = N::multiply_add(d.y, -pull_j, a_j.y);
  a_j.z = N::multiply_add(d.z, -pull_j, a_j.z);
}

/// 1 / (d^2 + softening^2)^(1/2), the potential of a unit mass over -G; zero at d = 0.
template <class T>
MOTE_FORMULA T inverse_distance(engine::Vec3<T> d, T squared_softening) {
  using N = engine::Number<T>;
  const T d2 = softened_square(d, T(0));
  return N::select_positive(d2, N::rsqrt(d2 + squared_softening));
}

}  // namespace mote::sim
