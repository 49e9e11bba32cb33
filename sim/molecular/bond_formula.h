#pragma once

#include <cmath>

#include "engine/math/number.h"
#include "engine/math/vec.h"

namespace mote::sim {

/// What a bond needs, in the number type that it is summed in; `q` below is the squared distance.
template <class T>
struct BondCoefficients {
  T stiffness;          ///< k [energy / length^2]
  T length;             ///< r0, of a spring at rest [length]
  T squared_extension;  ///< R0^2 of a FENE bond [length^2]; 0 for a spring
  T damping;            ///< c [mass / time]
};

/// What an angle needs.
template <class T>
struct AngleCoefficients {
  T stiffness;     ///< k [energy]
  T rest;          ///< theta0, radians; measured from the straight angle where `straight`
  T cosine, sine;  ///< of theta0, exactly 1, -1 and 0 where it is 0 or 180 degrees
  bool straight;   ///< theta0 is 180 degrees
  bool harmonic;   ///< in the angle; else in its cosine
};

/// A FENE bond that is as long as it can be, or longer, or no number: there is no force that could
/// hold it.
template <class T>
MOTE_FORMULA bool is_overstretched(const BondCoefficients<T>& c, T q) {
  return c.squared_extension > T(0) && !(q < c.squared_extension);
}

/// The force on i over its distance from j: the force is that times x_i - x_j. A spring, U = k/2 (r
/// - r0)^2:
///   -k (r - r0) / r;
/// FENE (Kremer & Grest 1990, J. Chem. Phys. 92, 5057, eq. 3), U = -k/2 R0^2 ln(1 - q / R0^2):
///   -k / (1 - q / R0^2);
/// a dashpot along either: -c (v_i - v_j) . (x_i - x_j) / q, where `along` is the product of the
/// two [length^2 / time]. Two bodies at one place have no direction, and feel nothing;
/// overstretched bonds pull no more. 1 root or reciprocal and 3 flops; a dashpot 1 reciprocal and 2
/// more.
template <class T>
MOTE_FORMULA T bond_force(const BondCoefficients<T>& c, T q, T along) {
  using N = engine::Number<T>;
  if (!(q > T(0)) || is_overstretched(c, q)) return T(0);
  T force;
  if (c.squared_extension > T(0))
    force = -c.stiffness * c.squared_extension * N::reciprocal(c.squared_extension - q);
  else
    force = -c.stiffness * (T(1) - c.length * N::inverse_root(q));
  if (c.damping > T(0)) force = force - c.damping * along * N::reciprocal(q);
  return force;
}

/// Energy of a bond, see there. In double: 1 root or logarithm and 4 flops. Of what is
/// overstretched: that of a spring as long.
MOTE_HOST_DEVICE inline double bond_energy(const BondCoefficients<double>& c, double q) {
  if (c.squared_extension > 0)
    return is_overstretched(c, q)
               ? 0.5 * c.stiffness * q
               : -0.5 * c.stiffness * c.squared_extension * std::log1p(-q / c.squared_extension);
  const double stretch = std::sqrt(q) - c.length;
  return 0.5 * c.stiffness * stretch * stretch;
}

/// An angle with its arms of length 1: its sine and cosine, and the normal a x b of length |sine|.
template <class T>
struct Bend {
  T sine, cosine;
  engine::Vec3<T> normal;
};
template <class T>
MOTE_FORMULA Bend<T> bend_of(engine::Vec3<T> a, engine::Vec3<T> b) {
  const engine::Vec3<T> normal = cross(a, b);
  return {std::sqrt(dot(normal, normal)), dot(a, b), normal};
}

/// Energy of an angle between arms of length 1, either
///   U = k/2 (theta - theta0)^2 or U = k (1 - cos(theta - theta0)),
/// with theta = atan2(|a x b|, a . b), which is as precise near 0 and 180 degrees as anywhere. 1
/// root, 1 atan2, 16 flops.
template <class T>
MOTE_FORMULA T angle_energy(const AngleCoefficients<T>& c, engine::Vec3<T> a, engine::Vec3<T> b) {
  const Bend<T> bend = bend_of(a, b);
  if (!c.harmonic) {
    // 1 - cos x = 2 sin^2(x/2) by |e^(i theta) - e^(i theta0)|^2 / 2, which does not cancel.
    const T dx = bend.cosine - c.cosine, dy = bend.sine - c.sine;
    return c.stiffness * T(0.5) * (dx * dx + dy * dy);
  }
  const T off = c.straight ? std::atan2(bend.sine, -bend.cosine)
                           : std::atan2(bend.sine, bend.cosine) - c.rest;
  return c.stiffness * T(0.5) * off * off;
}

/// Forces on the ends of an angle; the body at its vertex feels minus their sum.
template <class T>
struct AngleForces {
  engine::Vec3<T> first, last;
};

/// Of the arms x_first - x_vertex and x_last - x_vertex, at right angles to them, so that they have
/// no virial:
///   F_first = -U' / sin(theta) (a x n) / |x|, n = a x b (Allen & Tildesley 2017, appendix C.2, in vectors).
/// Where arms and the angle at rest are straight (0 or 180 degrees) U' goes to zero with the sine.
/// For other angles at rest straight arms have no plane to bend in: the force is zero there, and
/// jumps. 3 roots, 1 atan2 and 1 reciprocal, 72 flops.
template <class T>
MOTE_FORMULA AngleForces<T> angle_forces(const AngleCoefficients<T>& c, engine::Vec3<T> first,
                                         engine::Vec3<T> last) {
  using N = engine::Number<T>;
  const T q1 = dot(first, first), q2 = dot(last, last);
  if (!(q1 > T(0)) || !(q2 > T(0))) return {{T(0), T(0), T(0)}, {T(0), T(0), T(0)}};
  const T u1 = N::inverse_root(q1), u2 = N::inverse_root(q2);
  const engine::Vec3<T> a = u1 * first, b = u2 * last;
  const Bend<T> bend = bend_of(a, b);
  const bool in_line = !(bend.sine > T(1e-15));
  T steep = T(0);  // U' / sin(theta); in line what it makes is less than rounding, or has no
                   // direction
  if (!c.harmonic) {
    // k sin(theta - theta0) / sin(theta); without a sine of theta0 nothing is divided.
    steep = c.stiffness * c.cosine;
    if (c.sine != T(0) && !in_line)
      steep = steep - c.stiffness * bend.cosine * c.sine * N::reciprocal(bend.sine);
  } else if (!in_line) {
    const T off = c.straight ? -std::atan2(bend.sine, -bend.cosine)
                             : std::atan2(bend.sine, bend.cosine) - c.rest;
    steep = c.stiffness * off * N::reciprocal(bend.sine);
  }
  return {-(steep * u1) * cross(a, bend.normal), -(steep * u2) * cross(bend.normal, b)};
}

}  // namespace mote::sim
