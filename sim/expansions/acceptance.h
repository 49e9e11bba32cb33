#pragma once

#include <cmath>

#include "engine/platform.h"
#include "sim/expansions/expansion.h"

namespace mote::sim {

/// The test whether the expansion of a source A about its center may stand for its bodies, for a
/// target B: rho_A + rho_B < r for their radii, and E < fraction sqrt(f M_A / r^2). Here E is the
/// estimated error of the acceleration (Dehnen 2014, Comput. Astrophys. Cosmol. 1, 1, eq. 10),
///   E = 8 max(rho_A, rho_B) / (rho_A + rho_B) sum_k binom(p, k) P_{A,k} rho_B^(p-k) / r^(p+2),
/// with P_{A,k} the norm of the moments of order k, at most sum m |y|^k. f is the least sum m / r^2
/// of the bodies of B, a scale of the field that does not vanish where forces cancel. Softening
/// makes the error smaller.
///
/// Dehnen's limit is a fraction of f for every source. The errors of n sources on one side, as of a
/// core on bodies in the halo, all have one sign; with the limit here they add up to fraction f
/// n^(1/2) at most, not n. That makes the worst errors smaller, at less work for equal errors of 99
/// % of the bodies (measured: 15 % less for 10^6 bodies, 30 % for 10^5).
///
/// The fields of charges far away cancel, so that f, their sum without signs, is no scale of the
/// forces. The field of neighbours is one: f_near = |q| n^(2/3) with the density n of charges in a
/// leaf. With errors of random signs below fraction (f M_A / r^2)^(1/2) each, their squares add
/// up to fraction^2 f W, W = sum M_A / r^2. Therefore f is replaced by f_near^2 / W: the sum of all
/// errors is then below fraction f_near. M_A is then the net charge that is expected of random
/// signs.
///
/// In a periodic box, which has no edge, the fields of masses far away cancel as well, and as long
/// as matter is nearly uniform the sum of all errors has to stay below a fraction of a neighbour's
/// pull. Errors of adjacent sources then cancel in part. Therefore f is replaced by min(c g, W)^2 /
/// W. Here g is the larger of the field of neighbours at the mean density and of (M - M_mean) / s^2
/// of the cells around B of side s, M_mean the mean mass in their volume, which is about the pull
/// of a clump on what is in it or beside it. Both are softened as pairs are. The c was measured
/// (multipole_settings).
struct Acceptance {
  /// binom(p, k) P_k.
  double power[expansion::largest_order + 1];

  /// From the coefficients M_n of a cell, in units of its scale.
  template <class Real>
  MOTE_FORMULA static Acceptance of(int p, const Real* moments, double scale) {
    Acceptance a{};
    double binomial = 1, unit = 1, factorial = 1;
    for (int k = 0, n = 0; k <= p; ++k) {
      double square = 0;
      for (; n < expansion::count_of(k); ++n)
        square += expansion::tables.factorial[n] * double(moments[n]) * double(moments[n]);
      a.power[k] = binomial * unit * std::sqrt(factorial * square);
      binomial *= double(p - k) / (k + 1);
      unit *= scale;
      factorial *= k + 1;
    }
    return a;
  }

  /// For charges of either sign, whose sum may vanish: makes moments at least those of `count`
  /// charges of random signs and together `mass`, in a ball.
  MOTE_FORMULA void expect_random_signs(int p, double mass, double count, double radius) {
    double size = count > 0 ? mass / std::sqrt(count) : 0;
    double binomial = 1;
    for (int k = 0; k <= p; ++k) {
      const double expected = binomial * size * 3 / (3 + k);
      if (power[k] < expected) power[k] = expected;
      binomial *= double(p - k) / (k + 1);
      size *= radius;
    }
  }

  /// f_near of a leaf of this level with `count` charges of together `charge`, without signs:
  /// infinite if the leaf has no charge, since the field has no effect there.
  MOTE_FORMULA static double field_of_neighbours(double charge, double count, int level) {
    if (!(charge > 0)) return HUGE_VAL;
    return charge / count * std::cbrt(count * count) * std::ldexp(1.0, 2 * level);
  }

  /// g in a box of this volume: the field of neighbours at its mean density. Without mass 0.
  MOTE_FORMULA static double mean_field_of_neighbours(double mass, double count, double volume,
                                                      double squared_softening) {
    if (!(mass > 0)) return 0;
    const double distance = std::cbrt(volume / count);
    return mass / count / (distance * distance + squared_softening);
  }

  /// The pull that a cell of this level and mass adds to g.
  MOTE_FORMULA static double field_of_excess(double mass, int level, double mean_density,
                                             double squared_softening) {
    return (mass - std::ldexp(mean_density, -3 * level)) /
           (std::ldexp(1.0, -2 * level) + squared_softening);
  }

  /// f^(1/2) of masses in a periodic box from `field`, c g, and `sum`, W. The root, since squares
  /// of a deep cell overflow single precision.
  template <class T>
  MOTE_FORMULA static T root_in_periodic_box(T field, T sum) {
    const T root = engine::Number<T>::sqrt(sum);
    return field < sum ? field / root : root;
  }

  /// The test in single precision: both sides are divided so that all factors are of order
  /// one. `shape(k)`: binom(p, k) P_k / (M h^k) of the source, for k > 0 (of masses P_1 is 0), with
  /// its scale h; `root_mass`: M^(1/2); `inverse`: 1 / r; `limit`: fraction f^(1/2).
  template <class T, class Shape>
  MOTE_FORMULA static bool accepts(int p, const Shape& shape, T root_mass, T scale, T radius_a,
                                   T radius_b, T inverse, T limit) {
    using N = engine::Number<T>;
    const T sum = radius_a + radius_b, b = radius_b * inverse, a = scale * inverse;
    T error = N::multiply_add(shape(1), a, b), power = a;
    for (int k = 2; k <= p; ++k) {
      power = power * a;
      error = N::multiply_add(error, b, shape(k) * power);
    }
    const T larger = radius_a > radius_b ? radius_a : radius_b;
    return sum * inverse < T(1) && T(8) * larger * root_mass * error * inverse < limit * sum;
  }

  /// Positive if the source is accepted. `power(k)`: of the source, its mass for 0; `square`: r^2;
  /// `limit`: fraction^2 f.
  template <class T, class Power>
  MOTE_FORMULA static T margin(int p, const Power& power, T radius_a, T radius_b, T square,
                               T limit) {
    using N = engine::Number<T>;
    const T sum = radius_a + radius_b;
    T error = power(0);
    for (int k = 1; k <= p; ++k) error = N::multiply_add(error, radius_b, power(k));
    const T larger = radius_a + N::select_positive(radius_b - radius_a, radius_b - radius_a);
    error = T(8) * larger * error;
    // Squared, so that odd powers of r need no root.
    T r = square;
    for (int k = 0; k < p; ++k) r = r * square;
    return N::select_positive(square - sum * sum,
                              limit * power(0) * (sum * sum) * r - error * error);
  }
};

}  // namespace mote::sim
