#pragma once

#include <memory>

#include "engine/exec/policy.h"
#include "sim/molecular/pair_view.h"
#include "sim/molecular/pairs.h"
#include "sim/space/neighbours_device.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// PairForce on a GPU: same semantics, different bits.
class DevicePairForce {
 public:
  DevicePairForce(const engine::Cuda& exec, const PairTable& table,
                  std::shared_ptr<DeviceNeighbours> neighbours, engine::Index count,
                  engine::Precision precision);
  DevicePairForce(DevicePairForce&&) noexcept;
  ~DevicePairForce();

  static std::uint64_t device_bytes(engine::Index count);

  /// Asynchronous. Counts no interactions: only the device knows the length of the lists.
  void run(const engine::Cuda& exec, State<engine::Device>& state, StepReport& report);
  /// Synchronises.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);
  double virial() const { return virial_; }

  /// The data for kernels that sum forces themselves.
  const PairTable& table() const { return table_; }
  DeviceNeighbours& neighbours() const { return *neighbours_; }
  template <class Real>
  PairCoefficientsView<Real> coefficients() const;

 private:
  struct Buffers;
  PairTable table_;
  std::shared_ptr<DeviceNeighbours> neighbours_;
  engine::Precision precision_;
  double virial_ = 0;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mote::sim
