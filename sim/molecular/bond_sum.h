#pragma once

#include <cstdint>

#include "sim/molecular/bonds.h"
#include "sim/space/image_formula.h"
#include "sim/state.h"

namespace mote::sim {

/// Input of bond sums: pointers into the memory of the backend.
template <class T>
struct BondView {
  std::int32_t count;        ///< length of `body`
  const std::int32_t* body;  ///< bodies, as in BondLists
  const std::int32_t* bond_begin;
  const std::int32_t* angle_begin;
  const BondEntry* bond;
  const AngleEntry* angle;
  const BondCoefficients<T>* bond_kind;
  const AngleCoefficients<T>* angle_kind;
  T length[3], inverse[3];  ///< lengths of periodic axes and their inverses, zero along others
};

/// Minimum-image separation x_i - x_j.
template <class T, class Real>
MOTE_FORMULA engine::Vec3<T> bond_separation(const BondView<T>& view, const StateView<Real>& s,
                                             std::int32_t i, std::int32_t j) {
  return {nearest_image(T(s.x[i]) - T(s.x[j]), view.length[0], view.inverse[0]),
          nearest_image(T(s.y[i]) - T(s.y[j]), view.length[1], view.inverse[1]),
          nearest_image(T(s.z[i]) - T(s.z[j]), view.length[2], view.inverse[2])};
}

/// (v_i - v_j) . d [length^2 / time], for dashpots.
template <class T, class Real>
MOTE_FORMULA T velocity_dot_separation(const StateView<Real>& s, std::int32_t i, std::int32_t j,
                                       engine::Vec3<T> d) {
  return dot(
      engine::Vec3<T>{T(s.vx[i]) - T(s.vx[j]), T(s.vy[i]) - T(s.vy[j]), T(s.vz[i]) - T(s.vz[j])},
      d);
}

/// Force of all bonds and angles on the body of a slot, summed in the order of the lists. Partners
/// compute the same numbers with opposite signs, so that their forces cancel to the last bit.
template <class T>
struct BondSum {
  engine::Vec3<T> force;
  bool overstretched;
};
template <class T, class Real>
MOTE_FORMULA BondSum<T> bond_sum(const BondView<T>& view, const StateView<Real>& s,
                                 std::int32_t slot) {
  const std::int32_t i = view.body[slot];
  BondSum<T> sum{{T(0), T(0), T(0)}, false};
  for (std::int32_t k = view.bond_begin[slot]; k < view.bond_begin[slot + 1]; ++k) {
    const BondEntry entry = view.bond[k];
    const BondCoefficients<T> c = view.bond_kind[entry.kind];
    const engine::Vec3<T> d = bond_separation<T>(view, s, i, entry.partner);
    const T q = dot(d, d);
    const T along = c.damping > T(0) ? velocity_dot_separation<T>(s, i, entry.partner, d) : T(0);
    sum.force += bond_force(c, q, along) * d;
    sum.overstretched = sum.overstretched || is_overstretched(c, q);
  }
  for (std::int32_t k = view.angle_begin[slot]; k < view.angle_begin[slot + 1]; ++k) {
    const AngleEntry entry = view.angle[k];
    const AngleForces<T> forces = angle_forces(
        view.angle_kind[entry.kind], bond_separation<T>(view, s, entry.first, entry.vertex),
        bond_separation<T>(view, s, entry.last, entry.vertex));
    if (i == entry.first)
      sum.force += forces.first;
    else if (i == entry.last)
      sum.force += forces.last;
    else
      sum.force = sum.force - (forces.first + forces.last);
  }
  return sum;
}

/// Energy and virial of a body: half of each bond, and the angles of which it is the vertex. In
/// double.
struct BondEnergy {
  double energy = 0, virial = 0;
  MOTE_HOST_DEVICE BondEnergy& operator+=(const BondEnergy& o) {
    energy += o.energy, virial += o.virial;
    return *this;
  }
};
template <class Real>
MOTE_HOST_DEVICE BondEnergy body_bond_energy(const BondView<double>& view, const StateView<Real>& s,
                                             std::int32_t slot) {
  const std::int32_t i = view.body[slot];
  BondEnergy sum;
  for (std::int32_t k = view.bond_begin[slot]; k < view.bond_begin[slot + 1]; ++k) {
    const BondEntry entry = view.bond[k];
    const BondCoefficients<double> c = view.bond_kind[entry.kind];
    const engine::Vec3d d = bond_separation<double>(view, s, i, entry.partner);
    const double q = dot(d, d);
    const double along =
        c.damping > 0 ? velocity_dot_separation<double>(s, i, entry.partner, d) : 0;
    sum += {0.5 * bond_energy(c, q), 0.5 * bond_force(c, q, along) * q};
  }
  for (std::int32_t k = view.angle_begin[slot]; k < view.angle_begin[slot + 1]; ++k) {
    const AngleEntry entry = view.angle[k];
    if (entry.vertex != i) continue;
    const engine::Vec3d a = bond_separation<double>(view, s, entry.first, i),
                        b = bond_separation<double>(view, s, entry.last, i);
    const double qa = dot(a, a), qb = dot(b, b);
    if (qa > 0 && qb > 0)
      sum.energy += angle_energy(view.angle_kind[entry.kind], engine::Number<double>::rsqrt(qa) * a,
                                 engine::Number<double>::rsqrt(qb) * b);
  }
  return sum;
}

}  // namespace mote::sim
