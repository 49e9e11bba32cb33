#pragma once

#include <cstdint>
#include <memory>

#include "sim/force.h"
#include "sim/gravity/multipole/multipole.h"

namespace mote::sim {

/// MultipoleGravity on a GPU: the same expansions, acceptance and tree, but lists are in another
/// order, and the field scale is a lower bound that the walk itself has (decision 0053). Bitwise
/// repeatable, on GPUs of any size.
///
/// Everything is sized by the device: if there is no room for cells or lists, the record is
/// stalled, and grow_buffers() makes room. The same class computes forces and energies.
class DeviceMultipoleGravity {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;

  /// `initial`: the bodies at the start; masses never change.
  DeviceMultipoleGravity(const engine::Cuda& exec, const MultipoleSettings& settings,
                         double softening, double gravitational,
                         const State<engine::Host>& initial);
  DeviceMultipoleGravity(DeviceMultipoleGravity&&) noexcept;
  ~DeviceMultipoleGravity();

  /// Device memory for `count` bodies [bytes]: an estimate, since the numbers of cells and pairs
  /// depend on where the bodies are.
  static std::uint64_t device_bytes(engine::Index count, const MultipoleSettings& settings);

  void change_softening(double softening);

  /// Adds to the accelerations of all bodies, and the pairs of an earlier evaluation to
  /// `report.interactions`. Asynchronous.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  /// True if graphs must be recorded again. Synchronises.
  bool grow_buffers(const engine::Cuda& exec);

  /// Potential energy [energy], summed in double. Synchronises.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);

  /// Evaluates the forces again, and compares those of a sample with direct sums. Synchronises.
  ForceErrors errors(const engine::Cuda& exec, const State<engine::Device>& state);

  /// Of the last evaluation that grow_buffers(), potential_energy() or errors() waited for.
  const MultipoleGravity::Counts& counts() const;

 private:
  struct Solver;
  template <class T>
  struct Expansions;

  std::unique_ptr<Solver> solver_;
};

}  // namespace mote::sim
