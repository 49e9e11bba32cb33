#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/fluid/fluid.h"
#include "sim/space/neighbours_device.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Porosity and fluid acceleration by slot in the fluid's cell order, as in FluidView. Device
/// pointers, null without grains.
template <class Real>
struct DevicePores {
  const Real* porosity = nullptr;
  Vec3<Real>* fluid_acceleration = nullptr;  ///< [velocity / time]: written
};

/// Limits that grains set to the time step of the fluid around them.
struct GrainStepLimits {
  /// Largest 1 / porosity; the speed of sound grows by its root.
  double inverse_porosity = 1;
  double largest_step = 0;  ///< [time], the largest stable step
};

/// FluidForce on a GPU: the same contract, but not the same bits. It runs after all other forces
/// and zeroes the accelerations of walls. Verlet lists with a skin (DeviceNeighbours) are rebuilt
/// once a particle has moved half the skin; the positions at the last build are part of the state.
///
/// An evaluation is a call of `run`, or with grains one call each of `update`, `accelerate` and
/// `check_step_size`. All are asynchronous. Once the record is halted or stalled, they do not
/// change rates and accelerations.
class DeviceFluidForce {
 public:
  /// `kinds`: FluidKind, by body index. `lanes`: threads a particle, 1 or 8; 0: chosen by the
  /// number of particles to fill the GPU.
  DeviceFluidForce(const engine::Cuda& exec, const Fluid& parameters, const Domain& domain,
                   engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                   engine::Precision precision, int lanes = 0, const Obstacles& obstacles = {});
  DeviceFluidForce(DeviceFluidForce&&) noexcept;
  ~DeviceFluidForce();

  static std::uint64_t device_bytes(const Fluid& fluid, engine::Index count,
                                    engine::Precision precision);

  /// Call after the state was replaced: rebuilds the lists at the list origins stored in it.
  void on_state_replaced(const engine::Cuda& exec);

  /// Extrapolates the density by one step as FluidStage does. Reports the last counted
  /// interactions. A step that is too long is flagged in the record; once the record is halted, the
  /// state stays as it was after that step.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);

  /// Rebuilds the neighbour lists of fluid and walls where due; `cells()` returns their cell order.
  template <class Real>
  void update(const engine::Cuda& exec, const StateView<Real>& state, const StageTime& time);
  /// Updates the packed positions; does not change the state if lists were built before.
  template <class Real>
  void update_positions(const engine::Cuda& exec, const StateView<Real>& state);
  template <class Real>
  DeviceCellView<Real> cells() const;
  /// `solids`: of the state, at this time; the forces on them are added. Null without solids.
  template <class Real>
  void accelerate(const engine::Cuda& exec, const StateView<Real>& state, SolidState* solids,
                  const StageTime& time, const DevicePores<Real>& pores);
  /// Checks whether the step is too long. `limits`: in device memory; null without grains.
  template <class Real>
  void check_step_size(const engine::Cuda& exec, const StateView<Real>& state,
                       const StageTime& time, const GrainStepLimits* limits, StepReport& report);

  /// Synchronises the stream.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);
  /// The energy with grains, after update_positions() on the same state. Synchronises the stream.
  template <class Real>
  double internal_energy(const engine::Cuda& exec, const StateView<Real>& state,
                         const Real* porosity);
  /// Reads back the interactions and the largest stable step of the last evaluation, and grows the
  /// neighbour lists. Returns true if recorded graphs must be recorded again. Synchronises the
  /// stream.
  bool grow_buffers(const engine::Cuda& exec);
  /// The largest stable step at the last grow_buffers() [time].
  double largest_step() const { return largest_step_; }

 private:
  struct Buffers;
  template <class Real>
  struct Records;
  template <class Real>
  Records<Real>& records();

  Fluid parameters_;
  Domain domain_;
  engine::Vec3d gravity_, weight_;
  bool walls_;
  int solids_;
  std::uint64_t interactions_ = 0;
  double largest_step_ = 0;
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<Records<float>> single_;
  std::unique_ptr<Records<double>> double_;
};

}  // namespace mote::sim
