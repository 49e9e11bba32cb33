#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "sim/domain.h"
#include "sim/molecular/bonds.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// BondForce on a GPU, one thread per body: same semantics, different bits.
class DeviceBondForce {
 public:
  DeviceBondForce(const engine::Cuda& exec, const BondForces& forces, const Domain& domain,
                  const State<engine::Host>& initial);
  DeviceBondForce(DeviceBondForce&&) noexcept;
  ~DeviceBondForce();

  static std::uint64_t device_bytes(const BondForces& forces);

  /// Asynchronous. Records a body with an overstretched bond.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  /// Synchronises.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);
  double virial() const { return virial_; }

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
  double virial_ = 0;
};

}  // namespace mote::sim
