#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/fluid/fluid.h"
#include "sim/run/mixture_stage.h"
#include "sim/scene/description.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The fluid of a scene as a force on the CPU. It comes behind all others: bodies of walls feel
/// none of them.
class FluidStage {
 public:
  FluidStage(const SceneDescription& scene, const State<engine::Host>& initial);

  /// Where the positions are those of a step's end, pressure looks a step ahead (FluidForce::run).
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time);
  /// The longest stable step, of the last evaluation [time].
  double largest_step() const { return largest_step_; }

 private:
  FluidForce force_;
  std::vector<std::uint8_t> kind_;  ///< FluidKind, by column
  std::optional<GrainsInFluid> grains_;
  bool drifts_;
  double largest_step_ = 0;
};

/// The sum of the scene's even fields: gravity as a fluid knows it.
engine::Vec3d even_gravity(const SceneDescription& scene);
/// FluidKind of each body, by its species.
std::vector<std::uint8_t> fluid_kinds(const SceneDescription& scene,
                                      const State<engine::Host>& initial);

/// Columns of a fluid, and of a state that remembers its accelerations.
void add_fluid_columns(StateShape& shape, const Fluid& fluid);

}  // namespace mote::sim
