#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "sim/molecular/pairs.h"
#include "sim/space/neighbours_device.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// What kernels know of the kinds of pairs.
template <class Real>
struct PairCoefficientsView {
  PairCoefficients<Real> same;          ///< of all pairs, where they are of one kind
  const PairCoefficients<Real>* table;  ///< kinds x kinds
  int kinds;
};

/// PairForce on a GPU. What it says holds here; the bits are others.
class DevicePairForce {
 public:
  DevicePairForce(const engine::Cuda& exec, const PairTable& table,
                  std::shared_ptr<DeviceNeighbours> near, engine::Index count,
                  engine::Precision precision);
  DevicePairForce(DevicePairForce&&) noexcept;
  ~DevicePairForce();

  static std::uint64_t device_bytes(engine::Index count);

  /// Does not wait, and counts no interactions: what is listed is known to the device only.
  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);
  /// Waits.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);
  double virial() const { return virial_; }

  /// For kernels that sum forces themselves.
  const PairTable& table() const { return table_; }
  DeviceNeighbours& near() const { return *near_; }
  template <class Real>
  PairCoefficientsView<Real> coefficients() const;

 private:
  struct Memory;
  PairTable table_;
  std::shared_ptr<DeviceNeighbours> near_;
  engine::Precision precision_;
  double virial_ = 0;
  std::unique_ptr<Memory> memory_;
};

}  // namespace mote::sim
