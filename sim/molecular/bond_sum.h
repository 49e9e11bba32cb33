#pragma once

#include <cstdint>

#include "sim/molecular/bonds.h"
#include "sim/space/image_formula.h"
#include "sim/state.h"

namespace mote::sim {

/// What forces of bonds are summed from: pointers into the memory of the backend.
template <class T>
struct BondView {
  std::int32_t count;        ///< of `body`
  const std::int32_t* body;  ///< as in BondLists
  const std::int32_t* bond_begin;
  const std::int32_t* angle_begin;
  const BondEntry* bond;
  const AngleEntry* angle;
  const BondCoefficients<T>* bond_kind;
  const AngleCoefficients<T>* angle_kind;
  T length[3], inverse[3];  ///< of periodic axes and one over it, zeros along others
};

/// From body j to the nearest image of body i.
template <class T, class Real>
MOTE_FORMULA engine::Vec3<T> bond_separation(const BondView<T>& view, const StateView<Real>& s,
                                             std::int32_t i, std::int32_t j) {
  return {nearest_image(T(s.x[i]) - T(s.x[j]), view.length[0], view.inverse[0]),
          nearest_image(T(s.y[i]) - T(s.y[j]), view.length[1], view.inverse[1]),
          nearest_image(T(s.z[i]) - T(s.z[j]), view.length[2], view.inverse[2])};
}

/// The product of velocity and separation, for dashpots.
template <class T, class Real>
MOTE_FORMULA T bond_approach(const StateView<Real>& s, std::int32_t i, std::int32_t j,
                             engine::Vec3<T> d) {
  return dot(
      engine::Vec3<T>{T(s.vx[i]) - T(s.vx[j]), T(s.vy[i]) - T(s.vy[j]), T(s.vz[i]) - T(s.vz[j])},
      d);
}

/// The force of all bonds and angles on the body at a place of the lists: one sum in the order of
/// the lists. Whoever else takes part in one finds the same numbers with the other sign, so that
/// what two bodies do to each other cancels to the last bit.
template <class T>
struct BondSum {
  engine::Vec3<T> force;
  bool overstretched;
};
template <class T, class Real>
MOTE_FORMULA BondSum<T> bond_sum(const BondView<T>& view, const StateView<Real>& s,
                                 std::int32_t at) {
  const std::int32_t i = view.body[at];
  BondSum<T> sum{{T(0), T(0), T(0)}, false};
  for (std::int32_t k = view.bond_begin[at]; k < view.bond_begin[at + 1]; ++k) {
    const BondEntry entry = view.bond[k];
    const BondCoefficients<T> c = view.bond_kind[entry.kind];
    const engine::Vec3<T> d = bond_separation<T>(view, s, i, entry.partner);
    const T q = dot(d, d);
    const T along = c.damping > T(0) ? bond_approach<T>(s, i, entry.partner, d) : T(0);
    sum.force += bond_force(c, q, along) * d;
    sum.overstretched = sum.overstretched || is_overstretched(c, q);
  }
  for (std::int32_t k = view.angle_begin[at]; k < view.angle_begin[at + 1]; ++k) {
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

/// Energy and virial of a body's part: half of each bond, and the angles that it is the vertex of.
/// In double.
struct BondShare {
  double energy = 0, virial = 0;
  MOTE_HOST_DEVICE BondShare& operator+=(const BondShare& o) {
    energy += o.energy, virial += o.virial;
    return *this;
  }
};
template <class Real>
MOTE_HOST_DEVICE BondShare bond_share(const BondView<double>& view, const StateView<Real>& s,
                                      std::int32_t at) {
  const std::int32_t i = view.body[at];
  BondShare share;
  for (std::int32_t k = view.bond_begin[at]; k < view.bond_begin[at + 1]; ++k) {
    const BondEntry entry = view.bond[k];
    const BondCoefficients<double> c = view.bond_kind[entry.kind];
    const engine::Vec3d d = bond_separation<double>(view, s, i, entry.partner);
    const double q = dot(d, d);
    const double along = c.damping > 0 ? bond_approach<double>(s, i, entry.partner, d) : 0;
    share += {0.5 * bond_energy(c, q), 0.5 * bond_force(c, q, along) * q};
  }
  for (std::int32_t k = view.angle_begin[at]; k < view.angle_begin[at + 1]; ++k) {
    const AngleEntry entry = view.angle[k];
    if (entry.vertex != i) continue;
    const engine::Vec3d a = bond_separation<double>(view, s, entry.first, i),
                        b = bond_separation<double>(view, s, entry.last, i);
    const double qa = dot(a, a), qb = dot(b, b);
    if (qa > 0 && qb > 0)
      share.energy +=
          angle_energy(view.angle_kind[entry.kind], engine::Number<double>::inverse_root(qa) * a,
                       engine::Number<double>::inverse_root(qb) * b);
  }
  return share;
}

}  // namespace mote::sim
