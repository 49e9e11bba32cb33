#pragma once

#include <cmath>
#include <cstdint>

#include "sim/molecular/rod_formula.h"
#include "sim/space/image_formula.h"
#include "sim/state.h"

/// The effect of rods on the bodies of a state, cluster by cluster, for host and device.
namespace mote::sim {

/// x_a - x_b of nearest images, in double.
template <class Real>
MOTE_HOST_DEVICE engine::Vec3d rod_separation(const RodView& view, const StateView<Real>& s,
                                              const Rod& rod) {
  const auto along = [&](double a, double b, int axis) {
    return nearest_image(a - b, view.length[axis], view.inverse[axis]);
  };
  return {along(s.x[rod.a], s.x[rod.b], 0), along(s.y[rod.a], s.y[rod.b], 1),
          along(s.z[rod.a], s.z[rod.b], 2)};
}

template <class Real>
MOTE_HOST_DEVICE engine::Vec3d rod_velocity(const StateView<Real>& s, const Rod& rod) {
  return {static_cast<double>(s.vx[rod.a]) - static_cast<double>(s.vx[rod.b]),
          static_cast<double>(s.vy[rod.a]) - static_cast<double>(s.vy[rod.b]),
          static_cast<double>(s.vz[rod.a]) - static_cast<double>(s.vz[rod.b])};
}

/// Sets the inverse masses of the rods of a cluster.
template <class Real>
MOTE_HOST_DEVICE void read_masses(const RodSystem& system, const StateView<Real>& s) {
  const auto inverse = [&](std::int32_t body, bool is_fixed) {
    return is_fixed ? 0 : 1 / static_cast<double>(s.mass[body]);
  };
  for (std::int32_t k = 0; k < system.rods; ++k) {
    const Rod& rod = system.rod[k];
    system.work[k].inverse[0] = inverse(rod.a, rod.fixed[0]);
    system.work[k].inverse[1] = inverse(rod.b, rod.fixed[1]);
  }
}

/// Adds to a vector of body i `change`, in double.
template <class Real>
MOTE_HOST_DEVICE void add_in_double(Real* x, Real* y, Real* z, std::int32_t i,
                                    engine::Vec3d change) {
  x[i] = static_cast<Real>(static_cast<double>(x[i]) + change.x);
  y[i] = static_cast<Real>(static_cast<double>(y[i]) + change.y);
  z[i] = static_cast<Real>(static_cast<double>(z[i]) + change.z);
}

/// Moves both ends of a rod by `multiplier` times its pull over their masses, in opposite
/// directions.
template <class Real>
MOTE_HOST_DEVICE void shift_ends(const StateView<Real>& s, const Rod& rod, const RodWork& work,
                                 double multiplier) {
  add_in_double(s.x, s.y, s.z, rod.a, multiplier * work.inverse[0] * work.pull);
  add_in_double(s.x, s.y, s.z, rod.b, -multiplier * work.inverse[1] * work.pull);
}
/// Changes the velocities of both ends in the same way.
template <class Real>
MOTE_HOST_DEVICE void push_ends(const StateView<Real>& s, const Rod& rod, const RodWork& work,
                                double multiplier) {
  add_in_double(s.vx, s.vy, s.vz, rod.a, multiplier * work.inverse[0] * work.pull);
  add_in_double(s.vx, s.vy, s.vz, rod.b, -multiplier * work.inverse[1] * work.pull);
}

/// After a drift over h: moves the bodies of a cluster along the directions that its rods had
/// before the drift, until all have their length, and changes velocities by the shifts over h.
/// False, without any change, if that does not converge: the rods turned too far.
template <class Real>
MOTE_HOST_DEVICE bool restore_lengths(const RodView& view, const StateView<Real>& s,
                                      const RodCluster& cluster, double h) {
  const RodSystem system(view, cluster);
  read_masses(system, s);
  for (std::int32_t k = 0; k < system.rods; ++k) {
    RodWork& work = system.work[k];
    work.apart = rod_separation(view, s, system.rod[k]);
    work.pull = work.apart - h * rod_velocity(s, system.rod[k]);
    work.multiplier = 0;
  }
  for (int iteration = 0;; ++iteration) {
    bool converged = true;
    for (std::int32_t k = 0; k < system.rods; ++k) {
      engine::Vec3d apart = system.work[k].apart;
      for (std::int32_t l = system.low(k); l <= system.high(k); ++l)
        apart += system.coupling(k, l) * system.work[l].multiplier * system.work[l].pull;
      const double square = system.rod[k].length * system.rod[k].length,
                   missing = square - dot(apart, apart);
      converged = converged && std::fabs(missing) <= rod_tolerance * square;  // false if NaN
      system.work[k].right = 0.5 * missing;
      system.set_row(k, apart);
    }
    if (converged) break;
    if (iteration == most_rod_iterations) return false;
    system.solve();
    for (std::int32_t k = 0; k < system.rods; ++k)
      system.work[k].multiplier += system.work[k].right;
  }
  for (std::int32_t k = 0; k < system.rods; ++k) {
    const RodWork& work = system.work[k];
    shift_ends(s, system.rod[k], work, work.multiplier);
    push_ends(s, system.rod[k], work, work.multiplier / h);
  }
  return true;
}

/// Sets up the equations for what `rate` of each rod's ends must be added to, so that its product
/// with x_a - x_b vanishes, and solves them: `right` is the multiplier of each rod.
template <class Real, class Rate>
MOTE_HOST_DEVICE void balance_rods(const RodView& view, const StateView<Real>& s,
                                   const RodSystem& system, const Rate& rate) {
  read_masses(system, s);
  for (std::int32_t k = 0; k < system.rods; ++k)
    system.work[k].pull = rod_separation(view, s, system.rod[k]);
  for (std::int32_t k = 0; k < system.rods; ++k) {
    system.work[k].right = -rate(system.rod[k], system.work[k].pull);
    system.set_row(k, system.work[k].pull);
  }
  system.solve();
}

/// After a kick: removes what changes lengths from the velocities of a cluster, by impulses along
/// its rods.
template <class Real>
MOTE_HOST_DEVICE void stop_stretching(const RodView& view, const StateView<Real>& s,
                                      const RodCluster& cluster) {
  const RodSystem system(view, cluster);
  balance_rods(view, s, system, [&](const Rod& rod, engine::Vec3d apart) {
    return dot(apart, rod_velocity(s, rod));
  });
  for (std::int32_t k = 0; k < system.rods; ++k)
    push_ends(s, system.rod[k], system.work[k], system.work[k].right);
}

/// Virial of the forces in the rods of a cluster, d . F [energy], from the accelerations that other
/// forces cause: with theirs, lengths have no second derivative,
///   d . (a_a - a_b) + |v_a - v_b|^2 = 0.
template <class Const>
MOTE_HOST_DEVICE double rod_virial(const RodView& view, const StateView<Const>& s,
                                   const RodCluster& cluster) {
  const RodSystem system(view, cluster);
  balance_rods(view, s, system, [&](const Rod& rod, engine::Vec3d apart) {
    const engine::Vec3d v = rod_velocity(s, rod),
                        a{static_cast<double>(s.ax[rod.a]) - static_cast<double>(s.ax[rod.b]),
                          static_cast<double>(s.ay[rod.a]) - static_cast<double>(s.ay[rod.b]),
                          static_cast<double>(s.az[rod.a]) - static_cast<double>(s.az[rod.b])};
    return dot(apart, a) + dot(v, v);
  });
  double sum = 0;
  for (std::int32_t k = 0; k < system.rods; ++k)
    sum += system.work[k].right * dot(system.work[k].pull, system.work[k].pull);
  return sum;
}

}  // namespace mote::sim
