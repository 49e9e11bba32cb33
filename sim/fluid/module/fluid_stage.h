#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/fluid/fluid.h"
#include "sim/fluid/module/fluid_tables.h"
#include "sim/mixture/module/mixture_stage.h"
#include "sim/model/model.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// The fluid of a scene as a force on the CPU. Runs after all others: it clears their accelerations
/// of walls.
class FluidStage {
 public:
  FluidStage(const engine::Cpu& exec, const FluidTables& fluid, const Model& model,
             const State<engine::Host>& initial);

  /// At the positions of a step's end, pressure is extrapolated by a step (FluidForce::run).
  void run(const engine::Cpu& exec, State<engine::Host>& state, const StageTime& time,
           StepReport& report);
  double potential_energy(const engine::Cpu& exec, const State<engine::Host>& state,
                          const StageTime& time);
  /// The longest stable step by the last evaluation [time].
  double largest_step() const { return largest_step_; }

 private:
  FluidForce force_;
  std::shared_ptr<const Obstacles> obstacles_;  ///< null if there are none
  std::vector<std::uint8_t> kind_;              ///< FluidKind by index
  std::optional<GrainsInFluid> grains_;
  bool drifts_;
  double largest_step_ = 0;
};

/// The obstacles of a scene as walls of its fluid. Throws InputError for an invalid one.
Obstacles fluid_obstacles(const FluidTables& fluid, const Model& model, int threads);

/// FluidKind of each body, from its species.
std::vector<std::uint8_t> fluid_kinds(const FluidTables& fluid, const Model& model,
                                      const State<engine::Host>& initial);

/// Scales mass and density of the fluid bodies from index `first` on by the porosity: grains take
/// part of their volume.
void fill_pores(State<engine::Host>& state, engine::Index first, const FluidTables& fluid,
                const Model& model);

}  // namespace mote::sim
