#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/exec/policy.h"
#include "engine/memory/buffer.h"
#include "sim/space/solids.h"
#include "sim/step.h"

namespace mote::sim {

/// By solid: its axle, or one without inertia.
std::vector<AxleFormula> axles_by_solid(const std::vector<std::string>& solids,
                                        const std::vector<Axle>& axles);

/// Kinetic energy of the solids that turn [energy].
double energy_of_wheels(const std::vector<AxleFormula>& axles, const SolidState* solids);

/// Turns the solids of a state by what bodies exerted on them, and clears their forces before other
/// forces are evaluated. Second order, as the leapfrog of bodies: solids meet bodies where both are
/// after their drift. The energy of wheels is potential energy of this force.
class AxlesForce {
 public:
  static constexpr bool follows_order = true;

  explicit AxlesForce(std::vector<AxleFormula> axles) : axles_(std::move(axles)) {}
  void change(std::vector<AxleFormula> axles) { axles_ = std::move(axles); }
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state) const;

 private:
  std::vector<AxleFormula> axles_;
};

/// AxlesForce on a GPU.
class DeviceAxlesForce {
 public:
  static constexpr bool follows_order = true;

  DeviceAxlesForce(const engine::Cuda& exec, const std::vector<AxleFormula>& axles);
  /// Synchronises the stream.
  void change(const engine::Cuda& exec, const std::vector<AxleFormula>& axles);
  void run(const engine::Cuda& exec, State<engine::Device>& state, const StageTime& time,
           StepReport& report);
  /// Synchronises the stream.
  double potential_energy(const engine::Cuda& exec, const State<engine::Device>& state) const;

 private:
  engine::Buffer<AxleFormula, engine::Device> axles_;
  std::vector<AxleFormula> host_;
};

}  // namespace mote::sim
