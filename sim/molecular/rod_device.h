#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/molecular/bonds.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// RodForce on a GPU, one thread per cluster: same semantics, different bits. A step in which
/// lengths cannot be restored sets `too_long` of its record.
class DeviceRodForce {
 public:
  DeviceRodForce(const engine::Cuda& exec, const BondForces& forces, const Domain& domain,
                 const State<engine::Host>& initial);
  DeviceRodForce(DeviceRodForce&&) noexcept;
  ~DeviceRodForce();

  static std::uint64_t device_bytes(const BondForces& forces);

  void run(const engine::Cuda&, State<engine::Device>&, StepReport&) {}
  /// Asynchronous.
  void constrain(const engine::Cuda& exec, State<engine::Device>& state, double h,
                 const StageTime& time);
  engine::Index constraint_count() const;
  /// Synchronises.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);
  double virial() const { return virial_; }

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
  double virial_ = 0;
};

}  // namespace mote::sim
