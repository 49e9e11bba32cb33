#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/fluid/fluid_device.h"
#include "sim/mixture/mixture.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// MixtureForce on a GPU: the same contract, but not the same bits. Keeps no state of its own
/// between evaluations. Asynchronous.
///
/// The fluid is in the cell order of DeviceFluidForce, grains in that of their own cells. Both
/// sides of a pair evaluate distance and W with the same bits.
template <class Real>
class DeviceMixtureForce {
 public:
  /// `kinds`: FluidKind, by body index. `grains`: by body index, 0 for bodies that are not grains.
  /// `lanes`: threads a body, 1 or 8; 0: chosen by the number of bodies to fill the GPU.
  /// Synchronises the stream.
  DeviceMixtureForce(const engine::Cuda& exec, const Fluid& fluid, const Domain& domain,
                     const std::vector<std::uint8_t>& kinds,
                     const std::vector<std::uint8_t>& grains, int lanes = 0);
  DeviceMixtureForce(DeviceMixtureForce&&) noexcept;
  ~DeviceMixtureForce();

  /// Device memory for `count` bodies [bytes].
  static std::uint64_t device_bytes(engine::Index count);

  /// Computes porosities. Returns them and a buffer for the fluid's own accelerations.
  DevicePores<Real> porosities(const engine::Cuda& exec, const StateView<Real>& state,
                               const DeviceCellView<Real>& fluid);

  /// Adds accelerations, at the positions of the last call of `porosities`; none once the record is
  /// halted or stalled. Returns a device pointer.
  const GrainStepLimits* run(const engine::Cuda& exec, const StateView<Real>& state,
                             const DeviceCellView<Real>& fluid, const DeviceRecord* record);

 private:
  struct Buffers;

  Fluid parameters_;
  SmoothingKernel<Real> kernel_;
  double support_radius_;
  int fluid_lanes_, grain_lanes_;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace mote::sim
