#pragma once

#include <memory>
#include <vector>

#include "engine/exec/policy.h"
#include "sim/division.h"
#include "sim/field/expression_device.h"
#include "sim/field/fields.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// FieldForce on a GPU. Only expressions are compiled when a scene opens, by NVRTC (see
/// ExpressionKernels).
class DeviceFieldForce {
 public:
  /// Keeps no slots of bodies (Force::follows_order).
  static constexpr bool follows_order = true;
  static constexpr CopiesNeeded copies_needed = CopiesNeeded::none;

  DeviceFieldForce(const engine::Cuda& exec, const std::vector<Field>& fields, double gravitational,
                   int order, engine::Index count, engine::Precision precision);
  ~DeviceFieldForce();
  DeviceFieldForce(DeviceFieldForce&&) noexcept;

  static std::uint64_t device_bytes(engine::Index count);

  /// Changes fields as FieldForce does; kernels recorded in a graph keep the old parameters.
  void change(const std::vector<Field>& fields) { fields_ = fields; }

  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  bool velocity_dependent() const { return flows_ || kicks_by_expressions_; }
  /// Does nothing once the record of `time` is halted.
  void kick(const engine::Cuda& exec, State<engine::Device>& state, double h,
            const StageTime& time);
  /// For fields that are not expressions (IntegratorInfo::excludes_on_gpu).
  void add_velocity_terms(const engine::Cuda& exec, State<engine::Device>& state,
                          const StageTime& time);
  /// Synchronises the stream.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state,
                          const StageTime& time);

 private:
  struct Scratch;
  std::vector<Field> fields_;
  double gravitational_;
  bool flows_, adds_expressions_, kicks_by_expressions_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace mote::sim
