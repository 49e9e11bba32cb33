#pragma once

#include <cmath>

#include "engine/math/vec.h"
#include "sim/space/obstacle_formula.h"

/// Constraints of soft bodies, and how they are met: extended position-based dynamics (Macklin,
/// Mueller & Chentanez 2016, Proc. Motion in Games, 49; "XPBD" below). A constraint is a function C
/// of a few places that is zero at rest, with the energy C^2 / (2 alpha); its compliance alpha is
/// the inverse of a stiffness, and zero for what does not give at all. Plain data, for host and
/// device.
namespace mote::sim {

/// C and its gradients with respect to the places of N bodies.
template <class T, int N>
struct ConstraintValue {
  T value;
  Vec3<T> gradient[N];
  bool good;  ///< false where places coincide such that there is no gradient: then nothing is to be
              ///< done
};

/// C = |x_0 - x_1| - rest [length] (Mueller et al. 2007, J. Vis. Commun. Image Repr. 18, 109, 3.3).
/// 15 operations.
template <class T>
MOTE_FORMULA ConstraintValue<T, 2> distance_constraint(const Vec3<T> (&x)[2], T rest) {
  const Vec3<T> d = x[0] - x[1];
  const T length = std::sqrt(dot(d, d));
  if (!(length > 0)) return {T(0), {}, false};
  const Vec3<T> n = T(1) / length * d;
  return {length - rest, {n, T(-1) * n}, true};
}

/// C = angle - rest [radians], of two triangles 0 1 2 and 1 0 3 about the edge 0 1 that they share:
/// zero where they are flat, and its difference to that at rest taken the shorter way round. It
/// leaves lengths alone, unlike a distance across the edge, whose change is of second order in the
/// angle at that: such a sheet would not resist small bends at all. Gradients: Bridson, Marino &
/// Fedkiw 2003, Proc. SCA, 28, eq. 3, with the sum over the four zero. 130 operations.
template <class T>
MOTE_FORMULA ConstraintValue<T, 4> bending_constraint(const Vec3<T> (&x)[4], T rest) {
  const Vec3<T> e = x[1] - x[0];
  const Vec3<T> n1 = cross(e, x[2] - x[0]), n2 = cross(x[3] - x[0], e);
  const T square = dot(e, e), s1 = dot(n1, n1), s2 = dot(n2, n2);
  if (!(square > 0 && s1 > 0 && s2 > 0)) return {T(0), {}, false};
  const T length = std::sqrt(square);
  constexpr T pi = T(3.14159265358979323846);
  T angle = std::atan2(dot(cross(n1, n2), e) / length, dot(n1, n2)) - rest;
  if (angle > pi) angle -= 2 * pi;
  if (angle < -pi) angle += 2 * pi;
  const Vec3<T> g2 = (-length / s1) * n1, g3 = (-length / s2) * n2;
  // How far along the edge the other two corners stand, in its length.
  const T u2 = dot(x[2] - x[0], e) / square, u3 = dot(x[3] - x[0], e) / square;
  return {angle, {(u2 - 1) * g2 + (u3 - 1) * g3, (-u2) * g2 + (-u3) * g3, g2, g3}, true};
}

/// C = (x_1 - x_0) . ((x_2 - x_0) x (x_3 - x_0)) / 6 - rest [length^3], of a tetrahedron (Mueller
/// et al. 2007, 4.4). 60 operations.
template <class T>
MOTE_FORMULA ConstraintValue<T, 4> volume_constraint(const Vec3<T> (&x)[4], T rest) {
  constexpr T sixth = T(1) / T(6);
  const Vec3<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const Vec3<T> ga = sixth * cross(b, c), gb = sixth * cross(c, a), gc = sixth * cross(a, b);
  return {dot(a, ga) - rest, {T(-1) * (ga + gb + gc), ga, gb, gc}, true};
}

/// What the step and the material make of a constraint.
template <class T>
struct ConstraintStep {
  T compliance;  ///< alpha / h^2
  T damping;     ///< share tau / h, tau the time of the dashpot: of strength tau / alpha [time]
  T h;           ///< length of the step [time]
};

/// Change of the multiplier [value / (gradient^2 / mass)] of a constraint: XPBD eq. 26 with
/// alpha/h^2 = compliance and gamma = damping, for beta = tau / alpha. `moved`: gradient times what
/// bodies have moved in this step; `weight`: sum of gradient^2 / mass, > 0. 8 operations.
template <class T>
MOTE_FORMULA T multiplier_change(const ConstraintStep<T>& step, T value, T multiplier, T moved,
                                 T weight) {
  return (-value - step.compliance * multiplier - step.damping * moved) /
         ((1 + step.damping) * weight + step.compliance);
}

/// Moves N bodies towards where the constraint is met, by XPBD eq. 17, and makes their velocities
/// follow: v is (x - x at the start of the step) / h before and after. `inverse_mass` is zero for
/// what is pinned. Impulses of all bodies add up to nothing but for rounding. 20 operations a body,
/// and 10.
template <class T, int N>
MOTE_FORMULA void meet(const ConstraintValue<T, N>& c, const ConstraintStep<T>& step,
                       const T (&inverse_mass)[N], T& multiplier, Vec3<T> (&x)[N],
                       Vec3<T> (&v)[N]) {
  T weight = 0, rate = 0;
  for (int k = 0; k < N; ++k) {
    weight += inverse_mass[k] * dot(c.gradient[k], c.gradient[k]);
    rate += dot(c.gradient[k], v[k]);
  }
  if (!(c.good && weight > 0)) return;
  const T change = multiplier_change(step, c.value, multiplier, step.h * rate, weight);
  multiplier += change;
  for (int k = 0; k < N; ++k) {
    const Vec3<T> shift = (inverse_mass[k] * change) * c.gradient[k];
    x[k] += shift;
    v[k] += T(1) / step.h * shift;
  }
}

/// Energy of a constraint as a spring, C^2 / (2 alpha), as far as steps follow it: of one with
/// alpha >> h^2 w, `weight` w being the sum of gradient^2 / mass, all of it. One with alpha << h^2
/// w oscillates faster than steps do: it is held and no spring. What it is off by is how far the
/// iteration has come, and the motion has not paid for it and never gets it back. In between a
/// share of r^2 / (1 + r^2), r = alpha / (h^2 w). 0 for what does not give.
MOTE_HOST_DEVICE inline double constraint_energy(double value, double compliance, double weight,
                                                 double h) {
  if (!(compliance > 0)) return 0;
  const double held = h * h * weight, square = compliance * compliance;
  return value * value / (2 * compliance) * (square / (square + held * held));
}

/// What an obstacle has done to a body so far in a step. Both grow over its iterations: Coulomb's
/// law is one for the impulses of a step. Were it one for each iteration, the first of which has
/// nearly all of the depth, later ones could not take back what constraints do along the surface,
/// and what should rest would creep.
template <class T>
struct Grip {
  T most;         ///< friction times the depth: how far friction may take back [length]
  Vec3<T> taken;  ///< what it has taken back, in velocity
};

/// Puts a body that has come closer to an obstacle than `thickness` back to that distance, along
/// the normal, and takes back what it has moved along the surface in this step, up to friction
/// times the depth: Coulomb's law for the impulses (Macklin et al. 2014, ACM Trans. Graph. 33, 153,
/// eq. 24, with one coefficient). Nothing bounces. Whether it is, or was in this step, that close.
/// 50 operations more than the distance.
template <class T>
MOTE_FORMULA bool push_out(const Obstacle<T>& o, T thickness, T h, Grip<T>& grip, Vec3<T>& x,
                           Vec3<T>& v) {
  const SurfacePoint<T> s = surface_at(o, x);
  const bool deep = s.distance < thickness;
  if (!deep && !(grip.most > 0)) return false;
  const T depth = deep ? thickness - s.distance : T(0);
  grip.most += o.friction * depth;
  const Vec3<T> u = v - surface_velocity(o.frame, x), before = grip.taken;
  // As it would slide without friction; what friction took before may have to be given back.
  Vec3<T> along = u - dot(u, s.normal) * s.normal;
  along = along - (before - dot(before, s.normal) * s.normal);
  const T slid = h * std::sqrt(dot(along, along));
  const Vec3<T> back = (slid <= grip.most ? -h : -h * (grip.most / slid)) * along;
  const Vec3<T> shift = depth * s.normal + (back - h * before);
  grip.taken = T(1) / h * back;
  x += shift;
  v += T(1) / h * shift;
  return true;
}

}  // namespace mote::sim
