#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/soft/constraint_formula.h"
#include "sim/soft/soft_mesh.h"
#include "sim/state.h"

namespace mote::sim {

/// Constraints of bodies, for host and device. Non-owning. The projections of different constraints
/// of one colour write to disjoint memory; so do the obstacle corrections of different bodies.
template <class Real>
struct ConstraintView {
  const Constraint* constraints;  ///< bodies by index
  const double* inverse_mass;     ///< indexed by body; 0 for pinned bodies and those not soft
  Real* multipliers;              ///< one per constraint, of the current step
  Real damping;                   ///< tau [time]
  Real h;                         ///< length of the step [time]
  /// [obstacle][body], of the current step; null with one iteration a step.
  FrictionState<Real>* friction;
};

/// Evaluates the constraint function C for N bodies at x.
template <class T>
MOTE_FORMULA ConstraintValue<T, 2> constraint_value(ConstraintKind, const Vec3<T> (&x)[2], T rest) {
  return distance_constraint(x, rest);
}
template <class T>
MOTE_FORMULA ConstraintValue<T, 4> constraint_value(ConstraintKind kind, const Vec3<T> (&x)[4],
                                                    T rest) {
  return kind == ConstraintKind::bending ? bending_constraint(x, rest) : volume_constraint(x, rest);
}

/// Projects constraint i, of N bodies. `first`: in the first iteration of a step, where multipliers
/// start from zero.
template <int N, class Real>
MOTE_HOST_DEVICE void project_constraint(const ConstraintView<Real>& view, const StateView<Real>& s,
                                         std::size_t i, bool first) {
  const Constraint& c = view.constraints[i];
  Vec3<Real> x[N], v[N];
  Real w[N];
  for (int k = 0; k < N; ++k) {
    const std::uint32_t b = c.body[k];
    x[k] = {s.x[b], s.y[b], s.z[b]}, v[k] = {s.vx[b], s.vy[b], s.vz[b]};
    w[k] = static_cast<Real>(view.inverse_mass[b]);
  }
  const ConstraintStep<Real> step{static_cast<Real>(c.compliance) / (view.h * view.h),
                                  view.damping / view.h, view.h};
  Real multiplier = first ? Real(0) : view.multipliers[i];
  project(constraint_value(c.kind, x, static_cast<Real>(c.rest)), step, w, multiplier, x, v);
  view.multipliers[i] = multiplier;
  for (int k = 0; k < N; ++k) {
    const std::uint32_t b = c.body[k];
    s.x[b] = x[k].x, s.y[b] = x[k].y, s.z[b] = x[k].z;
    s.vx[b] = v[k].x, s.vy[b] = v[k].y, s.vz[b] = v[k].z;
  }
}

/// Keeps a body outside all obstacles, with friction. `first`: in the first iteration of a step,
/// where friction starts from zero.
template <class Real>
MOTE_HOST_DEVICE void push_out_body(const ConstraintView<Real>& view, const StateView<Real>& s,
                                    std::size_t i, const Obstacle<Real>* obstacles, int count,
                                    Real thickness, bool first) {
  if (!(view.inverse_mass[i] > 0)) return;
  Vec3<Real> x{s.x[i], s.y[i], s.z[i]}, v{s.vx[i], s.vy[i], s.vz[i]};
  bool touched = false;
  for (int k = 0; k < count; ++k) {
    FrictionState<Real>* const stored =
        view.friction ? view.friction + static_cast<std::size_t>(k) * s.count + i : nullptr;
    FrictionState<Real> friction = stored && !first ? *stored : FrictionState<Real>{};
    touched = push_out(obstacles[k], thickness, view.h, friction, x, v) || touched;
    if (stored) *stored = friction;
  }
  if (!touched) return;
  s.x[i] = x.x, s.y[i] = x.y, s.z[i] = x.z;
  s.vx[i] = v.x, s.vy[i] = v.y, s.vz[i] = v.z;
}

/// Zeroes the angular acceleration of a soft body: these do not rotate. Does nothing where the
/// state has no such columns.
template <class Real>
MOTE_HOST_DEVICE void clear_spin_rate(const VectorColumns<Real>& spin_rate, std::size_t i) {
  if (!spin_rate[0]) return;
  spin_rate[0][i] = spin_rate[1][i] = spin_rate[2][i] = 0;
}

/// Scales the velocity of a body by `factor`, the effect of air drag over a step.
template <class Real>
MOTE_HOST_DEVICE void apply_air_drag(const ConstraintView<Real>& view, const StateView<Real>& s,
                                     std::size_t i, Real factor) {
  if (view.inverse_mass[i] > 0) s.vx[i] *= factor, s.vy[i] *= factor, s.vz[i] *= factor;
}

/// Energy of a constraint that steps of h resolve (constraint_energy) [energy], in double. `Const`:
/// float or double, const or not.
template <int N, class Const>
MOTE_HOST_DEVICE double energy_of_constraint(const Constraint& c, const double* inverse_mass,
                                             const StateView<Const>& s, double h) {
  Vec3<double> x[N];
  for (int k = 0; k < N; ++k) {
    const std::uint32_t b = c.body[k];
    x[k] = {static_cast<double>(s.x[b]), static_cast<double>(s.y[b]), static_cast<double>(s.z[b])};
  }
  const ConstraintValue<double, N> value = constraint_value(c.kind, x, c.rest);
  double weight = 0;
  for (int k = 0; k < N; ++k)
    weight += inverse_mass[c.body[k]] * dot(value.gradient[k], value.gradient[k]);
  return constraint_energy(value.value, c.compliance, weight, h);
}

}  // namespace mote::sim
