#pragma once

#include <cmath>
#include <limits>

#include "engine/math/number.h"
#include "engine/math/vec.h"
#include "sim/space/ball_formula.h"

/// Forces and torques of grains that touch: soft spheres (Cundall & Strack 1979, Geotechnique 29,
/// 47). The normal n points from a grain to its partner, the overlap is how much closer they are
/// than the sum of their radii. Everything is odd in n and in relative velocities, and even in what
/// both bring: seen from the partner, each number comes out with its sign turned, bit for bit.
namespace mote::sim {

using engine::Vec3;

/// Constants of a material, for one number type.
template <class T>
struct ContactLaw {
  bool hertz;    ///< or springs that do not depend on the overlap
  T normal;      ///< E* [pressure], or the stiffness of the spring [force / length]
  T tangential;  ///< 8 G* [pressure], or the stiffness
  /// Of the dashpots along the normal and the surface, by the root of the reduced mass, of a Hertz
  /// contact times its width: twice their share of critical damping times the root of a stiffness,
  /// where that width is 1, and of 2/7 along the surface.
  T normal_damping, tangential_damping;
  T friction;          ///< Coulomb's coefficient
  T rolling_friction;  ///< lever of the rolling resistance, in reduced radii
  T rolling_damping;   ///< share of critical damping
  T adhesion;          ///< 2 pi work of adhesion [force / length]
};

/// How a grain and its partner stand to each other. Reduced: a b / (a + b), or what the grain has
/// where the partner is an obstacle, which is flat and of infinite mass.
template <class T>
struct ContactGeometry {
  Vec3<T> normal;
  T overlap;         ///< > 0 [length]
  Vec3<T> velocity;  ///< of the partner's surface relative to the grain's, where they touch
  Vec3<T> spin;      ///< angular velocity of the grain relative to its partner [1 / time]
  T mass, radius;    ///< reduced
  T inertia;         ///< reduced, of rolling about the contact; 7/5 m r^2 for a grain
};

/// What a contact remembers.
template <class T>
struct ContactSpring {
  Vec3<T> tangential;  ///< elastic force on the grain along the surface
  Vec3<T> rolling;     ///< elastic torque on the grain against rolling
  T stiffness;         ///< tangential stiffness when that force was set
};

template <class T>
struct ContactLoad {
  Vec3<T> force;   ///< on the grain
  Vec3<T> torque;  ///< on the grain, of the rolling resistance alone: that of the force has a lever
  T push;          ///< normal force without adhesion, > 0 apart [force]
  Vec3<T> tangential;  ///< part of the force
  T energy;            ///< of the springs, and of adhesion with its sign
};

/// Share of critical damping of a linear spring that gives back this share of the speed:
/// e = exp(-pi d / sqrt(1 - d^2)). For e = 0 its limit, 1.
MOTE_FORMULA double damping_of_restitution(double e) {
  if (!(e > 0)) return 1;
  const double l = std::log(e);
  return -l / std::sqrt(9.869604401089358 + l * l);
}

/// Factor on the above for a Hertz contact whose dashpot goes with the root of its stiffness
/// (Tsuji, Tanaka & Ishida 1992, Powder Technol. 71, 239), such that the restitution is that same
/// number at every speed: sqrt(5/6), of 2 d sqrt(S m) with S = dF/d overlap (Antypov & Elliott
/// 2011, EPL 94, 50004, eq. 16).
inline constexpr double hertz_damping = 0.9128709291752769;

/// Duration of a collision of a linear spring: pi / (w sqrt(1 - d^2)), w^2 = stiffness / mass; mass
/// is the reduced one.
MOTE_FORMULA double linear_contact_time(double stiffness, double mass, double damping) {
  return 3.141592653589793 / std::sqrt(stiffness / mass * (1 - damping * damping));
}

/// Greatest overlap (15 m v^2 / (16 sqrt(R) E*))^(2/5) and duration 2.9432 overlap / v of a Hertz
/// collision at speed v without damping (Hertz 1882; Johnson 1985, Contact Mechanics, 11.4); mass
/// and radius are reduced.
MOTE_FORMULA double hertz_overlap(double modulus, double mass, double radius, double speed) {
  return std::pow(15 * mass * speed * speed / (16 * std::sqrt(radius) * modulus), 0.4);
}
MOTE_FORMULA double hertz_contact_time(double modulus, double mass, double radius, double speed) {
  return 2.943275184 * hertz_overlap(modulus, mass, radius, speed) / speed;
}

namespace contact {

// Products and sums of products in the order in which a GPU fuses them: still odd in each of their
// vectors.
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

/// Approximate roots and reciprocals take smaller squares for zero.
template <class T>
inline constexpr T smallest_square = std::numeric_limits<T>::min();

/// a b / (a + b); neither the product nor its rounding depends on who is first.
template <class T>
MOTE_FORMULA T reduced(T a, T b) {
  const T lower = a < b ? a : b, higher = a < b ? b : a;
  return lower * (higher * engine::Number<T>::reciprocal(a + b));
}

template <class T>
MOTE_FORMULA Vec3<T> along_surface(Vec3<T> v, Vec3<T> n) {
  return plus(v, -fused_dot(v, n), n);
}

/// A vector that lay in an old tangent plane, in the new one and as long as it was (Luding 2008,
/// Granular Matter 10, 235, 3.2).
template <class T>
MOTE_FORMULA Vec3<T> into_plane(Vec3<T> v, Vec3<T> n) {
  using N = engine::Number<T>;
  const Vec3<T> in = along_surface(v, n);
  const T was = fused_dot(v, v), is = fused_dot(in, in);
  if (is >= smallest_square<T>) return N::root(was * N::reciprocal(is)) * in;
  return in;  // right to second order in the turn
}

/// Makes a vector that is longer than `most` as long as that, and says whether it was.
template <class T>
MOTE_FORMULA bool shorten(Vec3<T>& v, T most) {
  const T squared = fused_dot(v, v);
  if (!(squared > most * most)) return false;
  v = (squared >= smallest_square<T> ? most * engine::Number<T>::inverse_root(squared) : T(0)) * v;
  return true;
}

}  // namespace contact

/// The load on a grain, with its spring advanced by h, zero to leave it. Some 100 operations, 180
/// with rolling resistance.
///
/// Normal: linear F = k overlap, or Hertz F = 4/3 E* sqrt(R) overlap^(3/2); a dashpot that pulls
/// too as the grains part, or restitution would not be what is asked for; adhesion 2 pi w R while
/// they touch (Derjaguin, Muller & Toporov 1975, J. Colloid Interface Sci. 53, 314). Tangential: a
/// spring that creeps along when the force passes friction times the push (Luding 2008, eq. 15 to
/// 17; for Hertz the stiffness 8 G* sqrt(R overlap) of Mindlin 1949, J. Appl. Mech. 16, 259, for
/// increments, and a force that shrinks with the stiffness as the grains part, Thornton, Cummins &
/// Cleary 2013, Powder Technol. 233, 30, or cycles would make energy). Rolling: a spring of
/// stiffness 2.25 S (rolling_friction R)^2 with a dashpot, up to the torque rolling_friction R
/// push, beyond which the spring follows and the dashpot is off (Ai et al. 2011, Powder Technol.
/// 206, 269, type C).
template <class T>
MOTE_FORMULA ContactLoad<T> contact_load(const ContactLaw<T>& law, const ContactGeometry<T>& g, T h,
                                         ContactSpring<T>& spring) {
  using N = engine::Number<T>;
  const Vec3<T> n = g.normal;
  const T width = law.hertz ? N::root(g.radius * g.overlap) : T(1);
  const T stiffness = law.hertz ? 2 * law.normal * width : law.normal;
  const T elastic = (law.hertz ? T(2) / 3 : T(1)) * stiffness * g.overlap;
  const T damped = N::root(law.hertz ? width * g.mass : g.mass);
  const T approach = -contact::fused_dot(g.velocity, n);
  const T push = N::multiply_add(law.normal_damping * damped, approach, elastic);
  const T pressed = push > 0 ? push : T(0);
  const T pull = law.adhesion * g.radius;
  ContactLoad<T> load{};
  load.push = push;
  load.energy = (law.hertz ? T(0.4) : T(0.5)) * elastic * g.overlap - pull * g.overlap;

  const T tangential = law.tangential * width;
  const Vec3<T> slip = contact::plus(g.velocity, approach, n);
  Vec3<T> s = contact::into_plane(spring.tangential, n);
  if (spring.stiffness > tangential) s = tangential * N::reciprocal(spring.stiffness) * s;
  s = contact::plus(s, tangential * h, slip);
  const Vec3<T> dashpot = (law.tangential_damping * damped) * slip;
  load.tangential = s + dashpot;
  const T limit = law.friction * pressed;
  if (contact::shorten(load.tangential, limit)) {
    s = load.tangential - dashpot;
    contact::shorten(s, limit);
  }
  spring.tangential = s;
  spring.stiffness = tangential;
  load.force = contact::plus(load.tangential, pull - push, n);
  load.energy += dot(s, s) / (2 * tangential);

  if (law.rolling_friction > 0) {
    const T lever = law.rolling_friction * g.radius, most = lever * pressed;
    const T rolling = T(2.25) * stiffness * lever * lever;
    const Vec3<T> turn = contact::along_surface(g.spin, n);
    Vec3<T> m = contact::plus(contact::into_plane(spring.rolling, n), -rolling * h, turn);
    contact::shorten(m, most);
    load.torque = spring.rolling = m;
    // At the limit also where the spring of the last step is looked at, which no step has moved on.
    if (contact::fused_dot(m, m) < T(0.9999) * (most * most))
      load.torque = contact::plus(
          m, -2 * law.rolling_damping * (N::root(rolling) * N::root(g.inertia)), turn);
    load.energy += dot(m, m) / (2 * rolling);
  }
  return load;
}

/// Two grains. `d`: from one to the other, not zero; levers end in the middle of the overlap, so
/// that together they are as long as d and the torques of both leave the angular momentum alone. 60
/// operations.
template <class T>
struct GrainState {
  Vec3<T> velocity, spin;
  T mass, radius;
};

template <class T>
struct GrainContact {
  ContactGeometry<T> geometry;
  T lever;  ///< of the force on the grain, along the normal [length]
};

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

/// What a contact turns the grain with.
template <class T>
MOTE_FORMULA Vec3<T> torque_of(const GrainContact<T>& c, const ContactLoad<T>& load) {
  return contact::plus(load.torque, c.lever, contact::fused_cross(c.geometry.normal, load.force));
}

/// The same at any distance: grains at one place push each other along x, the `lower` of the two to
/// its lower side.
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

/// A grain and a surface at a distance less than its radius, whose normal points out of the solid,
/// and which moves with `surface` where they touch and turns with `turn`.
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
