#pragma once

#include <iterator>

#include "engine/math/number.h"

namespace mote::sim {

/// Coefficients of a pair of species, in the number type of pair terms, computed once from the
/// parameters. `q` below is the squared distance.
template <class T>
struct PairCoefficients {
  T repulsion;         ///< 4 epsilon sigma^12 [energy length^12]
  T attraction;        ///< 4 epsilon sigma^6 [energy length^6]
  T squared_cutoff;    ///< Lennard-Jones cutoff, squared [length^2]
  T shift;             ///< subtracted from its energy [energy]
  T switch_from;       ///< squared distance where switching begins [length^2]
  T switch_scale;      ///< 1 / (squared_cutoff - switch_from)^3
  T charges;           ///< product of the charges, times Coulomb's constant [energy length]
  T squared_electric;  ///< squared Coulomb cutoff [length^2]
  T field;             ///< k of the reaction field [1 / length^3]
  T screening;         ///< 1 / screening length [1 / length]
  T electric_shift;    ///< c of the reaction field, or e^(-screening r) / r at the cutoff [1 /
                       ///< length]
};

/// The coefficients in another number type; `to` converts one number.
template <class Out, class T, class To>
inline PairCoefficients<Out> converted(const PairCoefficients<T>& c, const To& to) {
  return {to(c.repulsion),   to(c.attraction),   to(c.squared_cutoff), to(c.shift),
          to(c.switch_from), to(c.switch_scale), to(c.charges),        to(c.squared_electric),
          to(c.field),       to(c.screening),    to(c.electric_shift)};
}

/// Potentials between charges.
enum class Electric { none, reaction_field, yukawa };

/// Terms of a pair, a compile-time constant of the loops, which are compiled for each of these.
struct PairTerms {
  bool switched = false;  ///< Lennard-Jones smoothly switched to zero
  Electric electric = Electric::none;
  bool operator==(const PairTerms&) const = default;
};
inline constexpr PairTerms all_pair_terms[] = {
    {false, Electric::none}, {false, Electric::reaction_field}, {false, Electric::yukawa},
    {true, Electric::none},  {true, Electric::reaction_field},  {true, Electric::yukawa}};
inline constexpr int pair_terms_count = static_cast<int>(std::size(all_pair_terms));

/// Energy of a pair, and force over distance, -2 dU/dq: the force on i is `force` (x_i - x_j).
template <class T>
struct PairTerm {
  T energy, force;
};

/// Lennard & Jones 1931: U = 4 epsilon ((sigma/r)^12 - (sigma/r)^6), with u = 1/q
///   U = (A u^3 - B) u^3, -2 dU/dq = (12 A u^3 - 6 B) u^4.
/// Smoothly switched, U S with the polynomial of Brooks et al. 1983 (J. Comput. Chem. 4, 187, eq.
/// 13) in q between a = switch_from and b = squared_cutoff:
///   S = (b - q)^2 (b + 2 q - 3 a) / (b - a)^3, dS/dq = 6 (b - q) (a - q) / (b - a)^3.
/// Zero at and beyond the cutoff. 1 reciprocal and 9 flops, of which the force alone needs 6;
/// switched 15 more.
template <bool switched, class T>
MOTE_FORMULA PairTerm<T> lennard_jones(const PairCoefficients<T>& c, T q) {
  using N = engine::Number<T>;
  const T u = N::reciprocal(q);
  const T u2 = u * u, u3 = u2 * u;
  T energy = N::multiply_add(c.repulsion, u3, -c.attraction) * u3;
  T force = N::multiply_add(T(12) * c.repulsion, u3, T(-6) * c.attraction) * (u2 * u2);
  if constexpr (switched) {
    const T inside = c.squared_cutoff - q;  // positive inside the cutoff
    const T from = N::select_positive(q - c.switch_from, q - c.switch_from);  // below, S = 1 and
                                                                              // dS/dq = 0
    const T width = c.squared_cutoff - c.switch_from;
    const T rest = width - from;  // b - q, at most the width
    const T s = rest * rest * (width + T(2) * from) * c.switch_scale;
    const T ds = T(12) * rest * from * c.switch_scale;  // -2 dS/dq
    force = N::multiply_add(force, s, energy * ds);
    energy = energy * s;
    return {N::select_positive(inside, energy), N::select_positive(inside, force)};
  } else {
    const T inside = c.squared_cutoff - q;
    return {N::select_positive(inside, energy - c.shift), N::select_positive(inside, force)};
  }
}

/// Coulomb potential with a cutoff and a reaction field of the medium beyond (Barker & Watts 1973;
/// Tironi et al. 1995, J. Chem. Phys. 102, 5451, eqs. 6 and 10): U = C (1/r + k r^2 - c), -2 dU/dq
/// = C (1/r^3 - 2 k). 1 root and 7 flops.
template <class T>
MOTE_FORMULA PairTerm<T> reaction_field(const PairCoefficients<T>& c, T q) {
  using N = engine::Number<T>;
  const T u = N::rsqrt(q);
  const T energy = c.charges * (N::multiply_add(c.field, q, u) - c.electric_shift);
  const T force = c.charges * N::multiply_add(u, u * u, T(-2) * c.field);
  const T inside = c.squared_electric - q;
  return {N::select_positive(inside, energy), N::select_positive(inside, force)};
}

/// The screened Coulomb potential of Yukawa (1935, Proc. Phys.-Math. Soc. Jpn. 17, 48), shifted to
/// zero at the cutoff: U = C (e^(-s r) / r - c), -2 dU/dq = C e^(-s r) (1/r + s) / r^2. 1 root, 1
/// exponential and 9 flops.
template <class T>
MOTE_FORMULA PairTerm<T> yukawa(const PairCoefficients<T>& c, T q) {
  using N = engine::Number<T>;
  const T u = N::rsqrt(q);
  const T screened = N::exp(-c.screening * (q * u)) * u;
  const T energy = c.charges * (screened - c.electric_shift);
  const T force = c.charges * screened * (u * (u + c.screening));
  const T inside = c.squared_electric - q;
  return {N::select_positive(inside, energy), N::select_positive(inside, force)};
}

template <PairTerms terms, class T>
MOTE_FORMULA PairTerm<T> pair_term(const PairCoefficients<T>& c, T q) {
  const PairTerm<T> core = lennard_jones<terms.switched>(c, q);
  if constexpr (terms.electric == Electric::none) {
    return core;
  } else {
    PairTerm<T> electric;
    if constexpr (terms.electric == Electric::reaction_field) electric = reaction_field(c, q);
    if constexpr (terms.electric == Electric::yukawa) electric = yukawa(c, q);
    return {core.energy + electric.energy, core.force + electric.force};
  }
}

}  // namespace mote::sim
