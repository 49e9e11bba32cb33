#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/expansions/multipole.h"
#include "sim/force.h"

namespace mote::sim {

/// MultipoleSolver on a GPU: the same expansions, acceptance and tree, but lists are in another
/// order, and the field scale is a lower bound that the walk itself has (decisions 0053, 0065).
/// Bitwise repeatable, on GPUs of any size.
///
/// Only the device knows the numbers of cells and pairs: each evaluation waits for them between the
/// walk and the sums, and repeats the walk if there was no room. Lists and expansions are in memory
/// for MultipoleSettings::targets bodies at a time. The same class computes forces and energies.
///
/// With ranks, each makes the tree of all bodies, and sums for a range along its curve
/// (CurveShares); the sums are then sent to all.
class DeviceMultipoleSolver {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;
  static constexpr bool waits = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::positions;
  /// Steps after which bodies are ordered along the curve, so that those of a leaf are near each
  /// other in memory, too; 0: never. Not for so many bodies that the copies would take the memory.
  std::uint64_t orders_every() const;
  void find_order(const engine::Cuda& exec, const State<engine::Device>& state,
                  std::uint32_t* from);

  /// `initial`: the bodies at the start; masses never change. `domain`: open, or periodic along all
  /// axes.
  DeviceMultipoleSolver(const MultipoleSettings& settings, double softening, double gravitational,
                        const State<engine::Host>& initial, const Domain& domain = {});
  /// Forces between charges instead of masses. Species never change.
  DeviceMultipoleSolver(const MultipoleSettings& settings, const Charges& charges,
                        const State<engine::Host>& initial, const Domain& domain = {});
  DeviceMultipoleSolver(DeviceMultipoleSolver&&) noexcept;
  ~DeviceMultipoleSolver();

  /// Device memory for `count` bodies [bytes]: an estimate, since the numbers of cells and pairs
  /// depend on where the bodies are.
  static std::uint64_t device_bytes(engine::Index count, const MultipoleSettings& settings,
                                    bool periodic, bool charged, engine::Precision precision);

  /// No force accelerates the bodies before it: with ranks, its sums need not begin with theirs.
  void be_first() { is_first_ = true; }

  void change_softening(double softening);

  /// Adds to the accelerations of all bodies, and the counts to `report.interactions`.
  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report) {
    run(exec, state, ForceRequest{}, report);
  }
  /// Adds to the accelerations of chosen bodies, with the same bits: the walk skips cells without
  /// chosen bodies, and sums are formed for all bodies of a leaf that has one. The request asks for
  /// no jerks.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const ForceRequest& request,
           StepReport& report);

  /// Potential energy [energy], summed in double. Synchronises.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);

  /// The virial, as MultipoleSolver::virial.
  double virial() const;

  /// The potential at each body per unit mass [velocity^2]; NaN if a number of the state is not
  /// finite. Empty for charges. Synchronises.
  std::vector<double> potentials(const engine::Cuda& exec, const State<engine::Device>& state);

  /// Evaluates the forces again, and compares those of a sample with direct sums; images that are
  /// not nearest are summed as in the evaluation. Synchronises.
  ForceErrors errors(const engine::Cuda& exec, const State<engine::Device>& state);

  /// Counts of the pairs of bodies and of cells that the last evaluation has summed.
  const MultipoleSolver::Counts& counts() const;
  /// Walks so far that were repeated: there was no room, or keys of a second stage were needed.
  std::uint32_t repeated() const;

 private:
  struct Solver;

  std::unique_ptr<Solver> solver_;
  bool is_first_ = false;
};

}  // namespace mote::sim
