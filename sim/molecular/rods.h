#pragma once

#include <cstdint>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/molecular/bonds.h"
#include "sim/molecular/rod_formula.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Rods by cluster. Fixed bodies connect no clusters: what hangs on them does not feel each other.
struct RodLists {
  std::vector<Rod> rods;
  std::vector<RodCluster> clusters;
  std::int64_t elements = 0;  ///< number in the matrices of all clusters
};

/// Lists of the rods of `forces` whose bodies are both present, and not both fixed.
RodLists make_rod_lists(const BondForces& forces, const State<engine::Host>& state);

/// The leapfrog step with lengths restored after each drift, and velocities along rods removed
/// after the last kick.
Step step_with_rods(const Step& leapfrog);

/// Rods on the CPU, one thread per cluster: bitwise repeatable for any number of threads. Keeps
/// nothing from step to step.
class RodForce {
 public:
  RodForce(const BondForces& forces, const Domain& domain, const State<engine::Host>& initial);

  /// Memory besides the state [bytes], for chains; rods in a net or a star need more.
  static std::uint64_t bytes(const BondForces& forces);

  /// Adds no force. Reports that the step is too long, if lengths could not be restored in it.
  void run(const engine::Cpu& exec, State<engine::Host>& state, StepReport& report);
  /// After a drift over h: restores all lengths. h = 0, after a kick: removes velocities along
  /// rods. Rods of a cluster in which that fails stay as they are.
  void constrain(const engine::Cpu& exec, State<engine::Host>& state, double h,
                 const StageTime& time);
  /// A rod each, of those that have an end to move.
  engine::Index constraint_count() const { return static_cast<engine::Index>(lists_.rods.size()); }
  /// 0: rods do no work.
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state);
  /// Sum over rods of d . F [energy], at the last call of potential_energy.
  double virial() const { return virial_; }

 private:
  RodView view();

  RodLists lists_;
  std::vector<RodWork> work_;
  std::vector<double> matrix_;
  Domain domain_;
  bool failed_ = false;  ///< constraining failed in the present step
  double virial_ = 0;
};

}  // namespace mote::sim
