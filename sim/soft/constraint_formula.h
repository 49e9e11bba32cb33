#pragma once

#include <cmath>

#include "engine/math/vec.h"
#include "sim/space/obstacle_formula.h"

/// Constraints of soft bodies and their projection: extended position-based dynamics (Macklin,
/// Mueller & Chentanez 2016, Proc. Motion in Games, 49; "XPBD" below). A constraint is a function C
/// of a few positions that is zero at rest, with the energy C^2 / (2 alpha). Its compliance alpha
/// is an inverse stiffness; zero makes it rigid. Plain data, for host and device.
namespace mote::sim {

/// C and its gradients with respect to the positions of N bodies.
template <class T, int N>
struct ConstraintValue {
  T value;
  Vec3<T> gradient[N];
  bool valid;  ///< false if positions coincide so that the gradient is undefined; then skipped
};

/// C = |x_0 - x_1| - rest [length] (Mueller et al. 2007, J. Vis. Commun. Image Repr. 18, 109, 3.3).
/// 15 flops.
template <class T>
MOTE_FORMULA ConstraintValue<T, 2> distance_constraint(const Vec3<T> (&x)[2], T rest) {
  const Vec3<T> d = x[0] - x[1];
  const T length = std::sqrt(dot(d, d));
  if (!(length > 0)) return {T(0), {}, false};
  const Vec3<T> n = T(1) / length * d;
  return {length - rest, {n, T(-1) * n}, true};
}

/// C = angle - rest [radians], the dihedral angle of two triangles 0 1 2 and 1 0 3 about their
/// shared edge 0 1: zero if flat; the difference is wrapped to +-pi. Unlike a distance across the
/// edge it does not constrain lengths. Such a distance would also change only to second order in
/// the angle, so that a flat sheet would not resist small bends. Gradients: Bridson, Marino &
/// Fedkiw 2003, Proc. SCA, 28, eq. 3; the four sum to zero. 130 flops.
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
  // Coordinates of the other two corners along the edge, in units of its length.
  const T u2 = dot(x[2] - x[0], e) / square, u3 = dot(x[3] - x[0], e) / square;
  return {angle, {(u2 - 1) * g2 + (u3 - 1) * g3, (-u2) * g2 + (-u3) * g3, g2, g3}, true};
}

/// C = (x_1 - x_0) . ((x_2 - x_0) x (x_3 - x_0)) / 6 - rest [length^3], of a tetrahedron (Mueller
/// et al. 2007, 4.4). 60 flops.
template <class T>
MOTE_FORMULA ConstraintValue<T, 4> volume_constraint(const Vec3<T> (&x)[4], T rest) {
  constexpr T sixth = T(1) / T(6);
  const Vec3<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const Vec3<T> ga = sixth * cross(b, c), gb = sixth * cross(c, a), gc = sixth * cross(a, b);
  return {dot(a, ga) - rest, {T(-1) * (ga + gb + gc), ga, gb, gc}, true};
}

/// Scaled parameters of a constraint in a step.
template <class T>
struct ConstraintStep {
  T compliance;  ///< alpha / h^2
  T damping;     ///< tau / h, for a dashpot of coefficient tau / alpha, tau its time [time]
  T h;           ///< length of the step [time]
};

/// Change of the multiplier [value / (gradient^2 / mass)] of a constraint: XPBD eq. 26 with
/// alpha/h^2 = compliance and gamma = damping, for beta = tau / alpha. `moved`: gradient times the
/// displacements in this step; `weight`: sum of gradient^2 / mass, > 0. 8 flops.
template <class T>
MOTE_FORMULA T multiplier_change(const ConstraintStep<T>& step, T value, T multiplier, T moved,
                                 T weight) {
  return (-value - step.compliance * multiplier - step.damping * moved) /
         ((1 + step.damping) * weight + step.compliance);
}

/// Moves N bodies to satisfy the constraint, by XPBD eq. 17, and updates their velocities: v is (x
/// - x at the start of the step) / h before and after. `inverse_mass` is zero for pinned bodies.
/// The impulses on all bodies sum to zero up to round-off. 20 flops a body, and 10.
template <class T, int N>
MOTE_FORMULA void project(const ConstraintValue<T, N>& c, const ConstraintStep<T>& step,
                          const T (&inverse_mass)[N], T& multiplier, Vec3<T> (&x)[N],
                          Vec3<T> (&v)[N]) {
  T weight = 0, rate = 0;
  for (int k = 0; k < N; ++k) {
    weight += inverse_mass[k] * dot(c.gradient[k], c.gradient[k]);
    rate += dot(c.gradient[k], v[k]);
  }
  if (!(c.valid && weight > 0)) return;
  const T change = multiplier_change(step, c.value, multiplier, step.h * rate, weight);
  multiplier += change;
  for (int k = 0; k < N; ++k) {
    const Vec3<T> shift = (inverse_mass[k] * change) * c.gradient[k];
    x[k] += shift;
    v[k] += T(1) / step.h * shift;
  }
}

/// Spring energy of a constraint, C^2 / (2 alpha), as far as steps resolve it. `weight` w: sum of
/// gradient^2 / mass. With alpha >> h^2 w it counts fully. With alpha << h^2 w the spring
/// oscillates faster than the steps resolve and acts as a rigid constraint: its C is the residual
/// of the iteration, which exchanges no energy with the motion. In between, the fraction r^2 / (1 +
/// r^2) counts, r = alpha / (h^2 w). 0 for rigid constraints.
MOTE_HOST_DEVICE inline double constraint_energy(double value, double compliance, double weight,
                                                 double h) {
  if (!(compliance > 0)) return 0;
  const double rigid = h * h * weight, square = compliance * compliance;
  return value * value / (2 * compliance) * (square / (square + rigid * rigid));
}

/// Friction of an obstacle on a body, accumulated over the iterations of a step: Coulomb's law
/// bounds the impulse of the whole step. The first iteration has nearly all of the depth; with a
/// bound for each iteration, later ones could not undo the motion along the surface that
/// constraints cause, and resting bodies would creep.
template <class T>
struct FrictionState {
  T limit;             ///< friction coefficient times depth, the largest correction [length]
  Vec3<T> correction;  ///< applied so far [velocity]
};

/// Moves a body that is closer to an obstacle than `thickness` out to that distance, along the
/// normal, and reverses its slip along the surface in this step, up to the friction coefficient
/// times the depth: Coulomb's law for impulses (Macklin et al. 2014, ACM Trans. Graph. 33, 153, eq.
/// 24, with one coefficient). Inelastic. Returns true if the body is, or was in this step, closer
/// than `thickness`. 50 flops more than the distance.
template <class T>
MOTE_FORMULA bool push_out(const Obstacle<T>& o, T thickness, T h, FrictionState<T>& friction,
                           Vec3<T>& x, Vec3<T>& v) {
  const SurfacePoint<T> s = surface_at(o, x);
  const bool deep = s.distance < thickness;
  if (!deep && !(friction.limit > 0)) return false;
  const T depth = deep ? thickness - s.distance : T(0);
  friction.limit += o.friction * depth;
  const Vec3<T> u = v - surface_velocity(o.frame, x), before = friction.correction;
  // Slip without friction. Part of the earlier correction may have to be undone.
  Vec3<T> along = u - dot(u, s.normal) * s.normal;
  along = along - (before - dot(before, s.normal) * s.normal);
  const T slid = h * std::sqrt(dot(along, along));
  const Vec3<T> back = (slid <= friction.limit ? -h : -h * (friction.limit / slid)) * along;
  const Vec3<T> shift = depth * s.normal + (back - h * before);
  friction.correction = T(1) / h * back;
  x += shift;
  v += T(1) / h * shift;
  return true;
}

}  // namespace mote::sim
