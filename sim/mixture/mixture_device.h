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

/// MixtureForce on a GPU. What it says holds here; the bits are others. Remembers nothing beside
/// the state. Nothing waits.
///
/// The fluid is in the order of DeviceFluidForce's cells, grains are in that of their own. Whether
/// two bodies are near, and how much, comes out with the same bits from both sides.
template <class Real>
class DeviceMixtureForce {
 public:
  /// `kinds`: FluidKind, by column. `grains`: by column too, 0 for bodies that are none. `lanes`: 1
  /// or 8 threads a body; 0: as many as fill a GPU with so many bodies. Waits.
  DeviceMixtureForce(const engine::Cuda& exec, const Fluid& fluid, const Domain& domain,
                     const std::vector<std::uint8_t>& kinds,
                     const std::vector<std::uint8_t>& grains, int lanes = 0);
  DeviceMixtureForce(DeviceMixtureForce&&) noexcept;
  ~DeviceMixtureForce();

  static std::uint64_t device_bytes(engine::Index count);

  /// What grains leave to each particle of the fluid, and room for what the fluid does to itself.
  DevicePores<Real> porosities(const engine::Cuda& exec, const StateView<Real>& state,
                               const DeviceCellView<Real>& fluid);

  /// Adds accelerations, where the bodies of the last call of `porosities` stand; none once the
  /// record is halted or stalled. What it returns is in device memory.
  const CrowdedStep* run(const engine::Cuda& exec, const StateView<Real>& state,
                         const DeviceCellView<Real>& fluid, const DeviceRecord* record);

 private:
  struct Memory;

  Fluid fluid_of_;
  SmoothingKernel<Real> kernel_;
  double reach_;
  int fluid_lanes_, grain_lanes_;
  std::unique_ptr<Memory> memory_;
};

}  // namespace mote::sim
