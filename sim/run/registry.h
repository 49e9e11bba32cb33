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
  /// the order of `make_forces`, so that sums are reproducible.
  virtual void run(const Exec& exec, State<Space>& state, const StageTime& time,
                   StepReport& report) = 0;
  virtual double potential_energy(const Exec& exec, const State<Space>& state,
                                  const StageTime& time) = 0;
  /// Sum over pairs of d . F, in the state of the last potential_energy(); 0 for forces without
  /// pressure.
  virtual double virial() const { return 0; }
  /// The state was replaced by one of the same layout whose accelerations are valid.
  virtual void on_state_replaced(const Exec&, State<Space>&) {}
  /// True if the force depends on velocities and therefore performs the kicks; at most one per
  /// scene.
  virtual bool velocity_dependent() const { return false; }
  /// Kicks by the accelerations and by itself. On the device: no effect once the record is halted.
  virtual void kick(const Exec&, State<Space>&, double /*h*/, const StageTime&) {}
  /// True if it solves constraints; at most one force per scene does.
  virtual bool has_constraints() const { return false; }
  /// Moves positions to satisfy its constraints after a drift over h, and velocities consistently.
  /// On the device: no effect once the record is halted.
  virtual void constrain(const Exec&, State<Space>&, double /*h*/, const StageTime&) {}
  /// True if it has state of its own beside the bodies'; at most one force per scene does.
  virtual bool has_state() const { return false; }
  /// That state as bytes, needed to continue a run.
  virtual std::string serialize() const { return {}; }
  virtual void deserialize(std::string_view) {}
  /// Throws InputError if the initial state or the step is invalid.
  virtual void check_start(const Exec&, const State<Space>&, double /*dt*/,
                           const std::string& /*location*/) {}
  /// The longest stable step by the last evaluation [time]; infinite if the force does not limit
  /// it.
  virtual double largest_step() const { return std::numeric_limits<double>::infinity(); }
  /// Between steps: resizes buffers that earlier steps found too small. Returns true if graphs must
  /// be recorded again.
  virtual bool grow_buffers(const Exec&) { return false; }
  /// Applies live parameters.
  virtual void change(const LiveSettings& live) = 0;
};

/// A module's live parameters.
inline const Gravity& parameters_of(const LiveSettings& live, const Gravity*) {
  return *live.gravity;
}

/// Adapts a class with the functions of a force module to Force; the time argument is optional.
template <class Module, class Exec>
class ForceAdapter final : public Force<Exec> {
 public:
  using Space = typename Exec::Space;
  explicit ForceAdapter(Module module) : module_(std::move(module)) {}
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
  bool velocity_dependent() const override {
    if constexpr (timed)
      return module_.velocity_dependent();
    else
      return false;
  }
  void kick(const Exec& exec, State<Space>& state, double h, const StageTime& time) override {
    if constexpr (timed) module_.kick(exec, state, h, time);
  }
  bool has_constraints() const override { return constraining; }
  void constrain(const Exec& exec, State<Space>& state, double h, const StageTime& time) override {
    if constexpr (constraining) module_.constrain(exec, state, h, time);
  }
  double virial() const override {
    if constexpr (requires { module_.virial(); })
      return module_.virial();
    else
      return 0;
  }
  void on_state_replaced(const Exec& exec, State<Space>& state) override {
    if constexpr (requires { module_.on_state_replaced(exec, state); })
      module_.on_state_replaced(exec, state);
  }
  bool has_state() const override {
    return requires {
      module_.serialize();
    };
  }
  std::string serialize() const override {
    if constexpr (requires { module_.serialize(); })
      return module_.serialize();
    else
      return {};
  }
  void deserialize(std::string_view bytes) override {
    if constexpr (requires { module_.deserialize(bytes); }) module_.deserialize(bytes);
  }
  void check_start(const Exec& exec, const State<Space>& state, double dt,
                   const std::string& location) override {
    if constexpr (requires { module_.check_start(exec, state, dt, location); })
      module_.check_start(exec, state, dt, location);
  }
  double largest_step() const override {
    if constexpr (requires { module_.largest_step(); })
      return module_.largest_step();
    else
      return Force<Exec>::largest_step();
  }
  bool grow_buffers(const Exec& exec) override {
    if constexpr (requires { module_.grow_buffers(exec); })
      return module_.grow_buffers(exec);
    else
      return false;
  }
  void change(const LiveSettings& live) override {
    if constexpr (requires { typename Module::Parameters; })
      module_.change(parameters_of(live, static_cast<const typename Module::Parameters*>(nullptr)));
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

/// The force that performs the kicks, or null.
template <class Exec>
Force<Exec>* kicking_force(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  for (const auto& force : forces)
    if (force->velocity_dependent()) return force.get();
  return nullptr;
}

/// The module of this type; the scene must have one.
template <class Module, class Exec>
const Module& module_of(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  const ForceAdapter<Module, Exec>* found = nullptr;
  for (const auto& force : forces)
    if (!found) found = dynamic_cast<const ForceAdapter<Module, Exec>*>(force.get());
  MOTE_EXPECT(found);
  return found->module();
}

/// The longest step stable for all forces by their last evaluation [time]; infinite if none limits
/// it.
template <class Exec>
double largest_step(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& force : forces) least = std::min(least, force->largest_step());
  return least;
}

/// The force that solves constraints, or null.
template <class Exec>
Force<Exec>* constraining_force(const std::vector<std::unique_ptr<Force<Exec>>>& forces) {
  for (const auto& force : forces)
    if (force->has_constraints()) return force.get();
  return nullptr;
}

/// Stages of a scene's step.
Step step_of(const SceneDescription& scene);

/// Descriptions of all modules, for help, schema and docs.
std::vector<ModuleInfo> modules();

/// The modules that a scene uses.
std::vector<ModuleInfo> modules_of(const SceneDescription& scene);

/// True if bodies are pushed by each other only: total momentum is conserved and is not part of the
/// thermal energy.
bool conserves_momentum(const SceneDescription& scene);

/// Makes the forces of a scene for these bodies. Defined for Cpu in registry.cpp, for Cuda in
/// registry_device.cpp.
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

/// The optional columns of a scene's states.
StateLayout layout_of(const SceneDescription& scene);

/// `problem`: why a GPU of a compute capability ("9.0") cannot evaluate the scene's fields here, or
/// "". `note`: a line for the plan about how it will, or "".
struct FieldSupport {
  std::string problem, remedy, note;
};
FieldSupport device_field_support(const SceneDescription& scene,
                                  const std::string& compute_capability);

/// Bytes of the forces of a scene beside the state, in host and in device memory.
std::uint64_t force_bytes(const SceneDescription& scene, engine::Index count,
                          engine::Precision precision);
/// Bytes of the forces' own state, which a saved state includes (Force::serialize).
std::uint64_t force_state_bytes(const SceneDescription& scene, engine::Index count,
                                engine::Precision precision);
std::uint64_t device_force_bytes(const SceneDescription& scene, engine::Index count,
                                 engine::Precision precision);

}  // namespace mote::sim
