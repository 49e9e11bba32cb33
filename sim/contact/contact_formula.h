#pragma once

#include <cmath>
#include <limits>

#include "engine/math/number.h"
#include "engine/math/vec.h"
#include "sim/space/ball_formula.h"

/// Contact forces and torques of soft spheres (Cundall & Strack 1979, Geotechnique 29,
/// 47). The normal n points from a grain to its partner; the overlap is the sum of the radii minus
/// the distance. All results are odd in n and the relative velocities, and symmetric in the
/// properties of the two: computed for the partner, they have the opposite sign, bit for bit.
namespace mote::sim {

using engine::Vec3;

/// Constants of a material, for one number type.
template <class T>
struct ContactLaw {
  bool hertz;    ///< false: linear springs
  T normal;      ///< E* [pressure], or the spring stiffness [force / length]
  T tangential;  ///< 8 G* [pressure], or the stiffness
  /// Dashpot coefficients over the root of the reduced mass (Hertz: of mass times contact width):
  /// twice the damping ratio times the root of the stiffness (Hertz: at width 1), of 2/7 of it
  /// along the surface.
  T normal_damping, tangential_damping;
  T friction;          ///< Coulomb's coefficient
  T rolling_friction;  ///< lever of the rolling resistance over the reduced radius
  T rolling_damping;   ///< fraction of critical damping
  T adhesion;          ///< 2 pi work of adhesion [force / length]
};

/// Geometry and relative motion of a grain and its partner. Reduced quantities are a b / (a + b);
/// against an obstacle, which is flat and of infinite mass, they are those of the grain.
template <class T>
struct ContactGeometry {
  Vec3<T> normal;
  T overlap;         ///< > 0 [length]
  Vec3<T> velocity;  ///< surface velocity of the partner relative to the grain, at the contact
  Vec3<T> spin;      ///< angular velocity of the grain relative to the partner [1 / time]
  T mass, radius;    ///< reduced
  T inertia;         ///< reduced, for rolling about the contact; 7/5 m r^2 for a grain
};

/// Contact history.
template <class T>
struct ContactSpring {
  Vec3<T> tangential;  ///< elastic force on the grain along the surface
  Vec3<T> rolling;     ///< elastic torque on the grain against rolling
  T stiffness;         ///< tangential stiffness when `tangential` was set
};

template <class T>
struct ContactResult {
  Vec3<T> force;  ///< on the grain
  /// on the grain, by rolling resistance alone; `force` adds its own with the lever
  Vec3<T> torque;
  T push;              ///< normal force without adhesion, > 0: repulsive [force]
  Vec3<T> tangential;  ///< part of `force` along the surface
  T energy;            ///< energy of springs and adhesion; that of adhesion is negative
};

/// Damping ratio d of a linear spring with restitution e = exp(-pi d / sqrt(1 - d^2)); the limit 1
/// for e = 0.
MOTE_FORMULA double damping_of_restitution(double e) {
  if (!(e > 0)) return 1;
  const double l = std::log(e);
  return -l / std::sqrt(9.869604401089358 + l * l);
}

/// Factor on damping_of_restitution() for a Hertz contact whose dashpot scales with the root of its
/// stiffness (Tsuji, Tanaka & Ishida 1992, Powder Technol. 71, 239), which makes the restitution
/// independent of speed: sqrt(5/6), of 2 d sqrt(S m) with S = dF/d overlap (Antypov & Elliott 2011,
/// EPL 94, 50004, eq. 16).
inline constexpr double hertz_damping = 0.9128709291752769;

/// Collision time of a linear spring: pi / (w sqrt(1 - d^2)), w^2 = stiffness / mass, mass reduced.
MOTE_FORMULA double linear_contact_time(double stiffness, double mass, double damping) {
  return 3.141592653589793 / std::sqrt(stiffness / mass * (1 - damping * damping));
}

/// Largest overlap (15 m v^2 / (16 sqrt(R) E*))^(2/5) and duration 2.9432 overlap / v of a Hertz
/// collision at speed v without damping (Hertz 1882; Johnson 1985, Contact Mechanics, 11.4); mass
/// and radius are reduced.
MOTE_FORMULA double hertz_overlap(double modulus, double mass, double radius, double speed) {
  return std::pow(15 * mass * speed * speed / (16 * std::sqrt(radius) * modulus), 0.4);
}
MOTE_FORMULA double hertz_contact_time(double modulus, double mass, double radius, double speed) {
  return 2.943275184 * hertz_overlap(modulus, mass, radius, speed) / speed;
}

namespace contact {

// Dot and cross products in the order in which a GPU fuses them; odd in each vector.
template <class T>
MOTE_FORMULA T fused_dot(Vec3<T> a, Vec3<T> b) {
  using N = engine::Number<T>;
  return N::multiply_add(a.z, b.z, N::multiply_add(a.y, b.y, a.x * b.x));
}
template <class T>
MOTE_FORMULA Vec3<T> fused_cross(Vec3<T> a, Vec3<T> b) {
  using N = engine::Number<T>;
  return {N::multiply_add(a.y, b.z, -(a.z * b.y)), N::multiply_add(a.z, b.x, -(a.x * b.z)),
          N::multiply_add(a.x, b.y, -(a.y * b.x))};
}
/// v + s a.
template <class T>
MOTE_FORMULA Vec3<T> plus(Vec3<T> v, T s, Vec3<T> a) {
  using N = engine::Number<T>;
  return {N::multiply_add(s, a.x, v.x), N::multiply_add(s, a.y, v.y), N::multiply_add(s, a.z, v.z)};
}

/// Approximate roots and reciprocals flush smaller squares to zero.
template <class T>
inline constexpr T smallest_square = std::numeric_limits<T>::min();

/// a b / (a + b), bitwise symmetric in a and b.
template <class T>
MOTE_FORMULA T reduced(T a, T b) {
  const T lower = a < b ? a : b, higher = a < b ? b : a;
  return lower * (higher * engine::Number<T>::reciprocal(a + b));
}

template <class T>
MOTE_FORMULA Vec3<T> along_surface(Vec3<T> v, Vec3<T> n) {
  return plus(v, -fused_dot(v, n), n);
}

/// Rotates a vector from an old tangent plane into the new one, keeping its length (Luding 2008,
/// Granular Matter 10, 235, 3.2).
template <class T>
MOTE_FORMULA Vec3<T> rotate_into_plane(Vec3<T> v, Vec3<T> n) {
  using N = engine::Number<T>;
  const Vec3<T> in = along_surface(v, n);
  const T before = fused_dot(v, v), after = fused_dot(in, in);
  if (after >= smallest_square<T>) return N::sqrt(before * N::reciprocal(after)) * in;
  return in;  // accurate to second order in the rotation
}

/// Limits the length of a vector. Returns whether it was longer.
template <class T>
MOTE_FORMULA bool limit_length(Vec3<T>& v, T most) {
  const T squared = fused_dot(v, v);
  if (!(squared > most * most)) return false;
  v = (squared >= smallest_square<T> ? most * engine::Number<T>::rsqrt(squared) : T(0)) * v;
  return true;
}

}  // namespace contact

/// Contact force on a grain. Advances the spring by h; h = 0 leaves it. About 100 operations, 180
/// with rolling resistance.
///
/// Normal: linear F = k overlap, or Hertz F = 4/3 E* sqrt(R) overlap^(3/2); a dashpot, attractive
/// too as the grains separate, as the restitution requires; adhesion 2 pi w R during contact
/// (Derjaguin, Muller & Toporov 1975, J. Colloid Interface Sci. 53, 314). Tangential: a spring that
/// slips when the force exceeds friction times `push` (Luding 2008, eq. 15 to 17; for Hertz the
/// stiffness 8 G* sqrt(R overlap) of Mindlin 1949, J. Appl. Mech. 16, 259, in increments, and a
/// force scaled down with the stiffness as the grains separate, Thornton, Cummins & Cleary 2013,
/// Powder Technol. 233, 30: otherwise cycles would create energy). Rolling: a spring of
/// stiffness 2.25 S (rolling_friction R)^2 with a dashpot, up to the torque rolling_friction R
/// push, beyond which the spring slips and the dashpot is off (Ai et al. 2011, Powder Technol. 206,
/// 269, type C).
template <class T>
MOTE_FORMULA ContactResult<T> evaluate_contact(const ContactLaw<T>& law,
                                               const ContactGeometry<T>& g, T h,
                                               ContactSpring<T>& spring) {
  using N = engine::Number<T>;
  const Vec3<T> n = g.normal;
  const T width = law.hertz ? N::sqrt(g.radius * g.overlap) : T(1);
  const T stiffness = law.hertz ? 2 * law.normal * width : law.normal;
  const T elastic = (law.hertz ? T(2) / 3 : T(1)) * stiffness * g.overlap;
  const T damped = N::sqrt(law.hertz ? width * g.mass : g.mass);
  const T approach = -contact::fused_dot(g.velocity, n);
  const T push = N::multiply_add(law.normal_damping * damped, approach, elastic);
  const T pressed = push > 0 ? push : T(0);
  const T pull = law.adhesion * g.radius;
  ContactResult<T> result{};
  result.push = push;
  result.energy = (law.hertz ? T(0.4) : T(0.5)) * elastic * g.overlap - pull * g.overlap;

  const T tangential = law.tangential * width;
  const Vec3<T> slip = contact::plus(g.velocity, approach, n);
  Vec3<T> s = contact::rotate_into_plane(spring.tangential, n);
  if (spring.stiffness > tangential) s = tangential * N::reciprocal(spring.stiffness) * s;
  s = contact::plus(s, tangential * h, slip);
  const Vec3<T> dashpot = (law.tangential_damping * damped) * slip;
  result.tangential = s + dashpot;
  const T limit = law.friction * pressed;
  if (contact::limit_length(result.tangential, limit)) {
    s = result.tangential - dashpot;
    contact::limit_length(s, limit);
  }
  spring.tangential = s;
  spring.stiffness = tangential;
  result.force = contact::plus(result.tangential, pull - push, n);
  result.energy += dot(s, s) / (2 * tangential);

  if (law.rolling_friction > 0) {
    const T lever = law.rolling_friction * g.radius, most = lever * pressed;
    const T rolling = T(2.25) * stiffness * lever * lever;
    const Vec3<T> turn = contact::along_surface(g.spin, n);
    Vec3<T> m = contact::plus(contact::rotate_into_plane(spring.rolling, n), -rolling * h, turn);
    contact::limit_length(m, most);
    result.torque = spring.rolling = m;
    // The tolerance keeps a spring at the limit when it is evaluated with h = 0.
    if (contact::fused_dot(m, m) < T(0.9999) * (most * most))
      result.torque = contact::plus(
          m, -2 * law.rolling_damping * (N::sqrt(rolling) * N::sqrt(g.inertia)), turn);
    result.energy += dot(m, m) / (2 * rolling);
  }
  return result;
}

/// State of a grain that contacts depend on.
template <class T>
struct GrainState {
  Vec3<T> velocity, spin;
  T mass, radius;
};

template <class T>
struct GrainContact {
  ContactGeometry<T> geometry;
  T lever;  ///< lever of the force on the grain, along the normal [length]
};

/// Contact of two grains. `d`: separation from i to j, not zero. Levers end in the middle of the
/// overlap: their sum is |d|, so that the torques conserve angular momentum. 60 operations.
template <class T>
MOTE_FORMULA GrainContact<T> contact_of_grains(Vec3<T> d, T distance, const GrainState<T>& i,
                                               const GrainState<T>& j) {
  GrainContact<T> c;
  ContactGeometry<T>& g = c.geometry;
  using N = engine::Number<T>;
  g.normal = N::reciprocal(distance) * d;
  g.overlap = (i.radius + j.radius) - distance;
  c.lever = i.radius - T(0.5) * g.overlap;
  const T lever_j = j.radius - T(0.5) * g.overlap;
  g.velocity = (j.velocity - i.velocity) -
               contact::fused_cross(c.lever * i.spin + lever_j * j.spin, g.normal);
  g.spin = i.spin - j.spin;
  g.mass = contact::reduced(i.mass, j.mass);
  g.radius = contact::reduced(i.radius, j.radius);
  g.inertia = contact::reduced(T(1.4) * i.mass * (i.radius * i.radius),
                               T(1.4) * j.mass * (j.radius * j.radius));
  return c;
}

/// Total torque of a contact on the grain.
template <class T>
MOTE_FORMULA Vec3<T> torque_of(const GrainContact<T>& c, const ContactResult<T>& result) {
  return contact::plus(result.torque, c.lever,
                       contact::fused_cross(c.geometry.normal, result.force));
}

/// The contact of grains at any distance: grains at the same position repel along x, the `lower`
/// one towards -x.
template <class T>
MOTE_FORMULA GrainContact<T> contact_of_touching(Vec3<T> d, T distance, bool lower,
                                                 const GrainState<T>& i, const GrainState<T>& j) {
  if (distance > 0) return contact_of_grains(d, distance, i, j);
  GrainContact<T> c = contact_of_grains(Vec3<T>{lower ? T(1) : T(-1), 0, 0}, T(1), i, j);
  c.geometry.overlap = i.radius + j.radius;
  c.geometry.velocity = j.velocity - i.velocity;
  c.lever = 0;
  return c;
}

/// Contact of a grain with a surface closer than its radius. `normal` points out of the solid,
/// `surface` is its velocity at the contact point, `turn` its angular velocity.
template <class T>
MOTE_FORMULA GrainContact<T> contact_of_surface(Vec3<T> normal, T distance, Vec3<T> surface,
                                                Vec3<T> turn, const GrainState<T>& i) {
  GrainContact<T> c;
  ContactGeometry<T>& g = c.geometry;
  g.normal = T(-1) * normal;
  g.overlap = i.radius - distance;
  c.lever = distance;
  g.velocity = (surface - i.velocity) - contact::fused_cross(c.lever * i.spin, g.normal);
  g.spin = i.spin - turn;
  g.mass = i.mass;
  g.radius = i.radius;
  g.inertia = T(1.4) * i.mass * (i.radius * i.radius);
  return c;
}

}  // namespace mote::sim
