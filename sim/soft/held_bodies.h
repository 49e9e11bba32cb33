#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/soft/constraint_formula.h"
#include "sim/soft/soft_mesh.h"
#include "sim/state.h"

namespace mote::sim {

/// Pointers to the constraints of bodies; what meeting one of them, and keeping one body off
/// obstacles, reads and writes, on host and device alike. No two constraints of one colour, and no
/// two bodies, share anything that is written.
template <class Real>
struct HeldView {
  const Constraint* constraints;  ///< their bodies are columns
  const double* inverse_mass;     ///< by column; 0 for what is pinned or not soft
  Real* multipliers;              ///< by constraint, of the step under way
  Real damping;                   ///< tau [time]
  Real h;                         ///< of the step [time]
  Grip<Real>* grips;  ///< of the step under way: those of all bodies on the first obstacle, and so
                      ///< on; null: of one iteration
};

/// C of a constraint of N bodies at x.
template <class T>
MOTE_FORMULA ConstraintValue<T, 2> value_of(ConstraintKind, const Vec3<T> (&x)[2], T rest) {
  return distance_constraint(x, rest);
}
template <class T>
MOTE_FORMULA ConstraintValue<T, 4> value_of(ConstraintKind kind, const Vec3<T> (&x)[4], T rest) {
  return kind == ConstraintKind::bending ? bending_constraint(x, rest) : volume_constraint(x, rest);
}

/// Meets constraint i, of N bodies. `first`: of the iterations of a step, whose multipliers begin
/// at zero.
template <int N, class Real>
MOTE_HOST_DEVICE void meet_held(const HeldView<Real>& held, const StateView<Real>& s, std::size_t i,
                                bool first) {
  const Constraint& c = held.constraints[i];
  Vec3<Real> x[N], v[N];
  Real w[N];
  for (int k = 0; k < N; ++k) {
    const std::uint32_t b = c.body[k];
    x[k] = {s.x[b], s.y[b], s.z[b]}, v[k] = {s.vx[b], s.vy[b], s.vz[b]};
    w[k] = static_cast<Real>(held.inverse_mass[b]);
  }
  const ConstraintStep<Real> step{static_cast<Real>(c.compliance) / (held.h * held.h),
                                  held.damping / held.h, held.h};
  Real multiplier = first ? Real(0) : held.multipliers[i];
  meet(value_of(c.kind, x, static_cast<Real>(c.rest)), step, w, multiplier, x, v);
  held.multipliers[i] = multiplier;
  for (int k = 0; k < N; ++k) {
    const std::uint32_t b = c.body[k];
    s.x[b] = x[k].x, s.y[b] = x[k].y, s.z[b] = x[k].z;
    s.vx[b] = v[k].x, s.vy[b] = v[k].y, s.vz[b] = v[k].z;
  }
}

/// Keeps a body off all obstacles. `first`: of the iterations of a step, before which nothing has
/// been done to it.
template <class Real>
MOTE_HOST_DEVICE void push_out_body(const HeldView<Real>& held, const StateView<Real>& s,
                                    std::size_t i, const Obstacle<Real>* obstacles, int count,
                                    Real thickness, bool first) {
  if (!(held.inverse_mass[i] > 0)) return;
  Vec3<Real> x{s.x[i], s.y[i], s.z[i]}, v{s.vx[i], s.vy[i], s.vz[i]};
  bool touched = false;
  for (int k = 0; k < count; ++k) {
    Grip<Real>* const kept =
        held.grips ? held.grips + static_cast<std::size_t>(k) * s.count + i : nullptr;
    Grip<Real> grip = kept && !first ? *kept : Grip<Real>{};
    touched = push_out(obstacles[k], thickness, held.h, grip, x, v) || touched;
    if (kept) *kept = grip;
  }
  if (!touched) return;
  s.x[i] = x.x, s.y[i] = x.y, s.z[i] = x.z;
  s.vx[i] = v.x, s.vy[i] = v.y, s.vz[i] = v.z;
}

/// Takes back what turns a soft body: it has no spin. Where bodies have none, nothing.
template <class Real>
MOTE_HOST_DEVICE void keep_from_turning(const StateView<Real>& s, std::size_t i) {
  if (!s.column(Extra::spin_rate_x)) return;
  s.column(Extra::spin_rate_x)[i] = s.column(Extra::spin_rate_y)[i] =
      s.column(Extra::spin_rate_z)[i] = 0;
}

/// Velocity of a body in air, `kept` of it behind a step.
template <class Real>
MOTE_HOST_DEVICE void slow_body(const HeldView<Real>& held, const StateView<Real>& s, std::size_t i,
                                Real kept) {
  if (held.inverse_mass[i] > 0) s.vx[i] *= kept, s.vy[i] *= kept, s.vz[i] *= kept;
}

/// Energy of a constraint, in double [energy], as far as steps of h follow it. `Const`: float or
/// double, const or not.
template <int N, class Const>
MOTE_HOST_DEVICE double energy_of_held(const Constraint& c, const double* inverse_mass,
                                       const StateView<Const>& s, double h) {
  Vec3<double> x[N];
  for (int k = 0; k < N; ++k) {
    const std::uint32_t b = c.body[k];
    x[k] = {static_cast<double>(s.x[b]), static_cast<double>(s.y[b]), static_cast<double>(s.z[b])};
  }
  const ConstraintValue<double, N> value = value_of(c.kind, x, c.rest);
  double weight = 0;
  for (int k = 0; k < N; ++k)
    weight += inverse_mass[c.body[k]] * dot(value.gradient[k], value.gradient[k]);
  return constraint_energy(value.value, c.compliance, weight, h);
}

}  // namespace mote::sim
