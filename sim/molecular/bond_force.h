#pragma once

#include <array>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/molecular/bond_sum.h"
#include "sim/molecular/bonds.h"
#include "sim/space/periods.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Forces of bonds and angles, summed per body in the order of the scene: bitwise repeatable for
/// any number of threads. Terms and sums are in the number type of the state, energy and virial in
/// double. Dashpots use the velocities at the force evaluation, in a leapfrog step those at
/// mid-step.
class BondForce {
 public:
  BondForce(const BondForces& forces, const Domain& domain, const State<engine::Host>& initial);

  /// Memory of the lists [bytes].
  static std::uint64_t bytes(const BondForces& forces);

  /// Adds to the accelerations and to `report.interactions`; reports the first body with an
  /// overstretched bond.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);

  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);
  /// Sum over bonds of d . F [energy], at the last call of potential_energy. Angles have none.
  double virial() const { return virial_; }

 private:
  template <class T>
  struct Kinds {
    std::vector<BondCoefficients<T>> bond;
    std::vector<AngleCoefficients<T>> angle;
  };
  template <class T>
  BondView<T> view(const Kinds<T>& kinds) const;
  template <class Real>
  void add(const engine::Cpu& exec, const StateView<Real>& state, const Kinds<Real>& kinds,
           StepReport& report);

  BondLists lists_;
  Kinds<float> single_;
  Kinds<double> double_;
  Domain domain_;
  engine::Index count_;
  double virial_ = 0;
};

/// Throws InputError at `location` if bonded bodies cannot start: without mass, with a bond longer
/// than its extension, with a rod of another length or one that changes it, or if a step of dt is
/// not stable for one of the bonds alone: beyond 4 / (g + sqrt(g^2 + 4 w^2)) with w^2 = U'' (1/m_a
/// + 1/m_b) and g = c (1/m_a + 1/m_b). Likewise for angles, with w^2 = k sum over the three of |d
/// theta / d x|^2 / m.
void check_bonds(const BondForces& forces, const State<engine::Host>& state, const Domain& domain,
                 double dt, const std::string& location);

}  // namespace mote::sim
