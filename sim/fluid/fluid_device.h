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

/// What grains leave to a fluid, by place in the order of its cells; both pointers lead into device
/// memory, and are null where there are no grains. As those of FluidView.
template <class Real>
struct DevicePores {
  const Real* porosity = nullptr;
  Vec3<Real>* own = nullptr;  ///< [velocity / time]: written
};

/// How grains shorten the step of the fluid that they are in.
struct CrowdedStep {
  double crowding = 1;      ///< the largest 1 / porosity: of one pressure and less fluid, sound is
                            ///< faster
  double largest_step = 0;  ///< [time] that is stable
};

/// FluidForce on a GPU. What it says holds here; the bits are others. It comes behind all other
/// forces, and takes back what they do to walls. Neighbours are listed with a skin
/// (DeviceNeighbours), for as long as nobody has gone through half of it; where each was listed is
/// in the state.
///
/// An evaluation is a call of `run`; with grains, one each of `update`, `accelerate` and `judge`.
/// None of them waits. Once the record is halted or stalled, they leave rates and accelerations
/// alone.
class DeviceFluidForce {
 public:
  /// `kinds`: FluidKind, by column. `lanes`: 1 or 8 threads a particle; 0: as many as fill a GPU
  /// with so many particles.
  DeviceFluidForce(const engine::Cuda& exec, const Fluid& parameters, const Domain& domain,
                   engine::Vec3d gravity, const std::vector<std::uint8_t>& kinds,
                   engine::Precision precision, int lanes = 0);
  DeviceFluidForce(DeviceFluidForce&&) noexcept;
  ~DeviceFluidForce();

  static std::uint64_t device_bytes(const Fluid& fluid, engine::Index count,
                                    engine::Precision precision);

  /// The state is another one: neighbours are listed anew where it says that they were listed.
  void replaced(const engine::Cuda& exec);

  /// Looks a step ahead as FluidStage does. Interactions are those that were counted last. Where
  /// the step is too long, says so in the record; once that is halted, keeps the state as it was
  /// behind the step.
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);

  /// Lists the neighbours of the fluid and its walls where that is due; `cells` are the order in
  /// which they are.
  template <class Real>
  void update(const engine::Cuda& exec, const StateView<Real>& state, const StageTime& time);
  /// Brings their places up to date, and leaves the state as it is where somebody was listed
  /// before.
  template <class Real>
  void follow(const engine::Cuda& exec, const StateView<Real>& state);
  template <class Real>
  DeviceCellView<Real> cells() const;
  template <class Real>
  void accelerate(const engine::Cuda& exec, const StateView<Real>& state, const StageTime& time,
                  const DevicePores<Real>& pores);
  /// Whether the step is too long. `crowded`: in device memory; null without grains.
  template <class Real>
  void judge(const engine::Cuda& exec, const StateView<Real>& state, const StageTime& time,
             const CrowdedStep* crowded, StepReport& report);

  /// Waits.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state);
  /// The same with grains, of a state that has been followed. Waits.
  template <class Real>
  double internal_energy(const engine::Cuda& exec, const StateView<Real>& state,
                         const Real* porosity);
  /// Counts interactions and reads how long a step may be, of the last evaluation. Makes room for
  /// neighbours; what was recorded must be recorded again when it says true. Waits.
  bool settle(const engine::Cuda& exec);
  /// The longest stable step, of the evaluation before it was settled last [time].
  double largest_step() const { return largest_step_; }

 private:
  struct Memory;
  template <class Real>
  struct Records;
  template <class Real>
  Records<Real>& records();

  Fluid parameters_;
  engine::Vec3d gravity_, weight_;
  bool walls_;
  std::uint64_t interactions_ = 0;
  double largest_step_ = 0;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Records<float>> single_;
  std::unique_ptr<Records<double>> full_;
};

}  // namespace mote::sim
