#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/module.h"
#include "sim/run/live.h"
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
  /// Takes over what may change while a simulation runs.
  virtual void change(const LiveSettings& live) = 0;
};

/// The live parameters that a module has a part of.
inline const Gravity& part_of(const LiveSettings& live, const Gravity*) {
  return *live.gravity;
}

/// Any class with the three functions of a force module.
template <class Module, class Exec>
class ForceOf final : public Force<Exec> {
 public:
  using Space = typename Exec::Space;
  explicit ForceOf(Module module) : module_(std::move(module)) {}
  void run(const Exec& exec, State<Space>& state, StepReport& report) override {
    module_.run(exec, state, report);
  }
  double potential_energy(const Exec& exec, const State<Space>& state) override {
    return module_.potential_energy(exec, state);
  }
  void change(const LiveSettings& live) override {
    module_.change(part_of(live, static_cast<const typename Module::Parameters*>(nullptr)));
  }
  const Module& module() const { return module_; }

 private:
  Module module_;
};

/// Descriptions of all modules, for lists, schema and docs.
std::vector<ModuleInfo> modules();

/// The force modules that a scene switches on, ready for these bodies. Defined for Cpu in registry.cpp, for Cuda in
/// registry_device.cpp of a build that has it.
template <class Exec>
std::vector<std::unique_ptr<Force<Exec>>> make_forces(const Exec& exec, const SceneDescription& scene,
                                                      const State<engine::Host>& initial);

/// Bytes that the forces of a scene take besides the state, in host and in device memory.
std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count, engine::Precision precision);
std::uint64_t device_force_bytes(const SceneDescription& scene, engine::Index count,
                                 engine::Precision precision);

}  // namespace mote::sim
