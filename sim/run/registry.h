#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check.h"
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
  /// Adds to the accelerations, which the force stage has cleared, and to the report. Forces run in
  /// the order of `make_forces`, so that their sum has the same bits every time.
  virtual void run(const Exec& exec, State<Space>& state, const StageTime& time,
                   StepReport& report) = 0;
  virtual double potential_energy(const Exec& exec, const State<Space>& state,
                                  const StageTime& time) = 0;
  /// Sum over pairs of d . F, of the state whose energy was asked for last; 0 for what adds no
  /// pressure.
  virtual double virial() const { return 0; }
  /// The state has been replaced by another one of the same shape, whose accelerations are right.
  virtual void replaced(const Exec&, State<Space>&) {}
  /// Whether it takes over the kicks, because it depends on velocities; at most one force of a
  /// scene does.
  virtual bool kicks() const { return false; }
  /// Kicks by the accelerations and itself. On the device: nobody, once the record is halted.
  virtual void kick(const Exec&, State<Space>&, double /*h*/, const StageTime&) {}
  /// Whether it meets constraints; at most one force of a scene does.
  virtual bool constrains() const { return false; }
  /// Moves positions to where its constraints want them, and velocities with them, behind a drift
  /// over h. On the device: nobody, once the record is halted.
  virtual void constrain(const Exec&, State<Space>&, double /*h*/, const StageTime&) {}
  /// Whether it remembers something beside the state; at most one force of a scene does.
  virtual bool has_memory() const { return false; }
  /// That, as bytes, and back. A state that goes on needs it.
  virtual std::string memory() const { return {}; }
  virtual void set_memory(std::string_view) {}
  /// Throws InputError when bodies cannot begin as they stand, or with such a step.
  virtual void check_start(const Exec&, const State<Space>&, double /*dt*/,
                           const std::string& /*place*/) {}
  /// The longest step that is stable, of the last evaluation [time]; infinite for forces that know
  /// of none.
  virtual double largest_step() const { return std::numeric_limits<double>::infinity(); }
  /// Between steps: makes room for what the steps before have needed more of. Says whether they
  /// must be recorded anew.
  virtual bool settle(const Exec&) { return false; }
  /// Takes over what may change while a simulation runs.
  virtual void change(const LiveSettings& live) = 0;
};

/// The live parameters that a module has a part of.
inline const Gravity& part_of(const LiveSettings& live, const Gravity*) {
  return *live.gravity;
}

/// Any class with the functions of a force module; those that do not ask for the time do without.
template <class Module, class Exec>
class ForceOf final : public Force<Exec> {
 public:
  using Space = typename Exec::Space;
  explicit ForceOf(Module module) : module_(std::move(module)) {}
  void run(const Exec& exec, State<Space>& state, const StageTime& time,
           StepReport& report) override {
    if constexpr (requires { module_.run(exec, state, time, report); })
      module_.run(exec, state, time, report);
    else
      module_.run(exec, state, report);
  }
  double potential_energy(const Exec& exec, const State<Space>& state,
                          const StageTime& time) override {
    if constexpr (requires { module_.potential_energy(exec, state, time); })
      return module_.potential_energy(exec, state, time);
    else
      return module_.potential_energy(exec, state);
  }
  bool kicks() const override {
    if constexpr (timed)
      return module_.kicks();
    else
      return false;
  }
  void kick(const Exec& exec, State<Space>& state, double h, const StageTime& time) override {
    if constexpr (timed) module_.kick(exec, state, h, time);
  }
  bool constrains() const override { return constraining; }
  void constrain(const Exec& exec, State<Space>& state, double h, const StageTime& time) override {
    if constexpr (constraining) module_.constrain(exec, state, h, time);
  }
  double virial() const override {
    if constexpr (requires { module_.virial(); })
      return module_.virial();
    else
      return 0;
  }
  void replaced(const Exec& exec, State<Space>& state) override {
    if constexpr (requires { module_.replaced(exec, state); }) module_.replaced(exec, state);
  }
  bool has_memory() const override {
    return requires {
      module_.memory();
    };
  }
  std::string memory() const override {
    if constexpr (requires { module_.memory(); })
      return module_.memory();
    else
      return {};
  }
  void set_memory(std::string_view bytes) override {
    if constexpr (requires { module_.set_memory(bytes); }) module_.set_memory(bytes);
  }
  void check_start(const Exec& exec, const State<Space>& state, double dt,
                   const std::string& place) override {
    if constexpr (requires { module_.check_start(exec, state, dt, place); })
      module_.check_start(exec, state, dt, place);
  }
  double largest_step() const override {
    if constexpr (requires { module_.largest_step(); })
      return module_.largest_step();
    else
      return Force<Exec>::largest_step();
  }
  bool settle(const Exec& exec) override {
    if constexpr (requires { module_.settle(exec); })
      return module_.settle(exec);
    else
      return false;
  }
  void change(const LiveSettings& live) override {
    if constexpr (requires { typename Module::Parameters; })
      module_.change(part_of(live, static_cast<const typename Module::Parameters*>(nullptr)));
  }
  const Module& module() const { return module_; }

 private:
  static constexpr bool timed =
      requires(Module m, const Exec& exec, State<Space>& state, const StageTime& time) {
    m.kick(exec, state, 0.0, time);
  };
  static constexpr bool constraining =
      requires(Module m, const Exec& exec, State<Space>& state, const StageTime& time) {
    m.constrain(exec, state, 0.0, time);
  };
  Module module_;
};

/// The force that takes over the kicks, or null.
template <class Exec>
Force<Exec>* kicking_force(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  for (const auto& force : forces)
    if (force->kicks()) return force.get();
  return nullptr;
}

/// The module of this type among the forces of a scene, which has one.
template <class Module, class Exec>
const Module& module_of(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  const ForceOf<Module, Exec>* found = nullptr;
  for (const auto& force : forces)
    if (!found) found = dynamic_cast<const ForceOf<Module, Exec>*>(force.get());
  MOTE_EXPECT(found);
  return found->module();
}

/// The longest step that all forces take for stable, of the last evaluation [time]; infinite where
/// none knows.
template <class Exec>
double largest_step(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& force : forces) least = std::min(least, force->largest_step());
  return least;
}

/// The force that meets constraints, or null.
template <class Exec>
Force<Exec>* constraining_force(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  for (const auto& force : forces)
    if (force->constrains()) return force.get();
  return nullptr;
}

/// Stages of a scene's step.
Step step_of(const SceneDescription& scene);

/// Descriptions of all modules, for lists, schema and docs.
std::vector<ModuleInfo> modules();

/// Of them, those that a scene switches on.
std::vector<ModuleInfo> modules_of(const SceneDescription& scene);

/// Whether nothing but bodies pushes bodies: total momentum stays as it is, and is no part of the
/// heat.
bool keeps_momentum(const SceneDescription& scene);

/// The force modules that a scene switches on, ready for these bodies. Defined for Cpu in
/// registry.cpp, for Cuda in registry_device.cpp of a build that has it.
template <class Exec>
std::vector<std::unique_ptr<Force<Exec>>> make_forces(const Exec& exec,
                                                      const SceneDescription& scene,
                                                      const State<engine::Host>& initial);
template <>
std::vector<std::unique_ptr<Force<engine::Cpu>>> make_forces(const engine::Cpu& exec,
                                                             const SceneDescription& scene,
                                                             const State<engine::Host>& initial);
template <>
std::vector<std::unique_ptr<Force<engine::Cuda>>> make_forces(const engine::Cuda& exec,
                                                              const SceneDescription& scene,
                                                              const State<engine::Host>& initial);

/// Open space where the scene says nothing.
Domain domain_of(const SceneDescription& scene);

/// What states of a scene hold beside the columns that all have.
StateShape shape_of(const SceneDescription& scene);

/// G of a scene: that of its units, unless its gravity has another.
double gravitational_of(const SceneDescription& scene);

/// Why a GPU of a compute capability ("9.0") cannot evaluate the scene's fields here, or "".
/// Otherwise, how it will, as a line for the plan; "" when there is nothing to say.
struct FieldSupport {
  std::string problem, remedy, note;
};
FieldSupport device_field_support(const SceneDescription& scene,
                                  const std::string& compute_capability);

/// Bytes that the forces of a scene take besides the state, in host and in device memory.
std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count,
                          engine::Precision precision);
/// Of them, what a state that is kept takes along (Force::memory).
std::uint64_t remembered_bytes(const SceneDescription& scene, engine::Index count,
                               engine::Precision precision);
std::uint64_t device_force_bytes(const SceneDescription& scene, engine::Index count,
                                 engine::Precision precision);

}  // namespace mote::sim
