#pragma once

#include <cmath>

#include "engine/math/number.h"
#include "engine/math/vec.h"

namespace mote::sim {

/// Coefficients of a bond, in the number type of its sums. `q` below is the squared distance.
template <class T>
struct BondCoefficients {
  T stiffness;          ///< k [energy / length^2]
  T length;             ///< r0, rest length of a spring [length]
  T squared_extension;  ///< R0^2 of a FENE bond [length^2]; 0 for a spring
  T damping;            ///< c [mass / time]
};

/// Coefficients of an angle.
template <class T>
struct AngleCoefficients {
  T stiffness;     ///< k [energy]
  T rest;          ///< theta0 [rad]
  T cosine, sine;  ///< cos and sin of theta0, exact at 0 and 180 degrees
  bool straight;   ///< theta0 is 180 degrees
  bool harmonic;   ///< energy quadratic in the angle; else a cosine
};

/// True if a FENE bond has reached its extension, where the force diverges, or if q is NaN.
template <class T>
MOTE_FORMULA bool is_overstretched(const BondCoefficients<T>& c, T q) {
  return c.squared_extension > T(0) && !(q < c.squared_extension);
}

/// Force on i over distance: the force is the result times x_i - x_j. A spring, U = k/2 (r - r0)^2:
///   -k (r - r0) / r;
/// FENE (Kremer & Grest 1990, J. Chem. Phys. 92, 5057, eq. 3), U = -k/2 R0^2 ln(1 - q / R0^2):
///   -k / (1 - q / R0^2);
/// a dashpot along either: -c (v_i - v_j) . (x_i - x_j) / q, where `along` is the product
/// [length^2 / time]. Zero for coincident bodies, which define no direction, and for overstretched
/// bonds. 1 root or reciprocal and 3 flops; a dashpot 1 reciprocal and 2 more.
template <class T>
MOTE_FORMULA T bond_force(const BondCoefficients<T>& c, T q, T along) {
  using N = engine::Number<T>;
  if (!(q > T(0)) || is_overstretched(c, q)) return T(0);
  T force;
  if (c.squared_extension > T(0))
    force = -c.stiffness * c.squared_extension * N::reciprocal(c.squared_extension - q);
  else
    force = -c.stiffness * (T(1) - c.length * N::rsqrt(q));
  if (c.damping > T(0)) force = force - c.damping * along * N::reciprocal(q);
  return force;
}

/// Energy of a bond, see bond_force. In double: 1 root or logarithm and 4 flops. An overstretched
/// bond has that of a spring of the same length.
MOTE_HOST_DEVICE inline double bond_energy(const BondCoefficients<double>& c, double q) {
  if (c.squared_extension > 0)
    return is_overstretched(c, q)
               ? 0.5 * c.stiffness * q
               : -0.5 * c.stiffness * c.squared_extension * std::log1p(-q / c.squared_extension);
  const double stretch = std::sqrt(q) - c.length;
  return 0.5 * c.stiffness * stretch * stretch;
}

/// An angle between arms of length 1: sine, cosine, and the normal a x b of length |sine|.
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

/// Energy of an angle between unit vectors, either
///   U = k/2 (theta - theta0)^2 or U = k (1 - cos(theta - theta0)),
/// with theta = atan2(|a x b|, a . b), which is as accurate near 0 and 180 degrees as elsewhere. 1
/// root, 1 atan2, 16 flops.
template <class T>
MOTE_FORMULA T angle_energy(const AngleCoefficients<T>& c, engine::Vec3<T> a, engine::Vec3<T> b) {
  const Bend<T> bend = bend_of(a, b);
  if (!c.harmonic) {
    // 1 - cos(theta - theta0) = |e^(i theta) - e^(i theta0)|^2 / 2, without cancellation.
    const T dx = bend.cosine - c.cosine, dy = bend.sine - c.sine;
    return c.stiffness * T(0.5) * (dx * dx + dy * dy);
  }
  const T deviation = c.straight ? std::atan2(bend.sine, -bend.cosine)
                                 : std::atan2(bend.sine, bend.cosine) - c.rest;
  return c.stiffness * T(0.5) * deviation * deviation;
}

/// Forces on the end bodies of an angle; the force on the vertex is minus their sum.
template <class T>
struct AngleForces {
  engine::Vec3<T> first, last;
};

/// Forces from the arms x_first - x_vertex and x_last - x_vertex, perpendicular to them, so without
/// virial:
///   F_first = -U' / sin(theta) (a x n) / |x|, n = a x b
/// (Allen & Tildesley 2017, appendix C.2, in vectors).
/// If both the arms and the rest angle are straight (0 or 180 degrees), U' vanishes with the sine.
/// For other rest angles straight arms define no plane: there the force is set to zero, a jump. 3
/// roots, 1 atan2 and 1 reciprocal, 72 flops.
template <class T>
MOTE_FORMULA AngleForces<T> angle_forces(const AngleCoefficients<T>& c, engine::Vec3<T> first,
                                         engine::Vec3<T> last) {
  using N = engine::Number<T>;
  const T q1 = dot(first, first), q2 = dot(last, last);
  if (!(q1 > T(0)) || !(q2 > T(0))) return {{T(0), T(0), T(0)}, {T(0), T(0), T(0)}};
  const T u1 = N::rsqrt(q1), u2 = N::rsqrt(q2);
  const engine::Vec3<T> a = u1 * first, b = u2 * last;
  const Bend<T> bend = bend_of(a, b);
  const bool collinear = !(bend.sine > T(1e-15));
  T slope = T(0);  // U' / sin(theta); for collinear arms below round-off, or without direction
  if (!c.harmonic) {
    // k sin(theta - theta0) / sin(theta); no division if sin(theta0) = 0.
    slope = c.stiffness * c.cosine;
    if (c.sine != T(0) && !collinear)
      slope = slope - c.stiffness * bend.cosine * c.sine * N::reciprocal(bend.sine);
  } else if (!collinear) {
    const T deviation = c.straight ? -std::atan2(bend.sine, -bend.cosine)
                                   : std::atan2(bend.sine, bend.cosine) - c.rest;
    slope = c.stiffness * deviation * N::reciprocal(bend.sine);
  }
  return {-(slope * u1) * cross(a, bend.normal), -(slope * u2) * cross(bend.normal, b)};
}

}  // namespace mote::sim
