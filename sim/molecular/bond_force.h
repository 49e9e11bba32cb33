#pragma once

#include <array>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/module.h"
#include "sim/molecular/bond_sum.h"
#include "sim/molecular/bonds.h"
#include "sim/space/periods.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Forces of bonds and angles. Each body adds up its own, in the order of the scene: bitwise
/// repeatable for any number of threads. Terms and sums are in the number type of the state, energy
/// and virial in double. Dashpots take the velocities that forces find, in a leapfrog step those of
/// its middle.
class BondForce {
 public:
  BondForce(const BondForces& forces, const Domain& domain, const State<engine::Host>& initial);

  static const ModuleInfo& info();
  /// Bytes of the lists.
  static std::uint64_t bytes(const BondForces& forces);

  /// Adds to the accelerations and to the interactions of the report; says who has an overstretched
  /// bond.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);

  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);
  /// Sum over bonds of d . F [energy], of the state whose energy was asked for last. Angles have
  /// none.
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
  Kinds<double> full_;
  Domain domain_;
  engine::Index count_;
  double virial_ = 0;
};

/// Throws InputError with this place when bonded bodies cannot start so: without mass, with a bond
/// longer than it can be or than half of a periodic domain, or when a step of dt is not stable for
/// one of the bonds alone: with w^2 = U'' (1/m_a + 1/m_b) and g = c (1/m_a + 1/m_b), beyond 4 / (g
/// + sqrt(g^2 + 4 w^2)); and likewise for angles, w^2 = k sum over the three of |d theta / d x|^2 /
/// m.
void check_bonds(const BondForces& forces, const State<engine::Host>& state, const Domain& domain,
                 double dt, const std::string& place);

}  // namespace mote::sim
