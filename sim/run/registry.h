#pragma once

#include <memory>
#include <vector>

#include "sim/module.h"
#include "sim/scene/description.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// A force module on one backend. `Exec` is engine::Cpu or engine::Cuda.
template <class Exec>
class Force {
 public:
  using Space = typename Exec::Space;
  virtual ~Force() = default;
  /// Adds to the accelerations, which the force stage has cleared, and to the report. Forces run in the order of
  /// `make_forces`, so that their sum has the same bits every time.
  virtual void run(const Exec& exec, State<Space>& state, StepReport& report) = 0;
  virtual double potential_energy(const Exec& exec, const State<Space>& state) = 0;
};

/// Descriptions of all modules, for lists, schema and docs.
std::vector<ModuleInfo> modules();

/// The force modules that a scene switches on, ready for its number of bodies. Defined for Cpu in
/// registry.cpp, for Cuda in a build that has it.
template <class Exec>
std::vector<std::unique_ptr<Force<Exec>>> make_forces(const SceneDescription& scene,
                                                      engine::Precision precision);

}  // namespace mote::sim
