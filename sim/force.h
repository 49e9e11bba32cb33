#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/math/vec.h"
#include "sim/division.h"
#include "sim/force_request.h"
#include "sim/impulse.h"
#include "sim/state.h"
#include "sim/step.h"
#include "sim/whole_steps.h"

namespace mote::sim {

/// Most bodies of a sample for errors of forces: enough that a hundredth of them are ten. Fewer
/// with the images of a periodic domain, whose direct sums are as long as those of 27 times the
/// bodies.
inline constexpr engine::Index error_sample_size = 1024, error_sample_size_of_periodic = 256,
                               usual_images = 27;

/// Relative errors of the forces on a sample of bodies, of a method that has an error on purpose.
struct ForceErrors {
  engine::Index bodies = 0;  ///< of the sample
  double median = 0, percentile_90 = 0, percentile_99 = 0, worst = 0;
  double asked = 0;  ///< what percentile_99 was asked to be below

  /// The percentile of a sample of a thousand is uncertain by some 20 %.
  bool kept() const { return percentile_99 <= 1.3 * asked; }
};

/// A force module on one backend. `Exec` is engine::Cpu or engine::Cuda.
template <class Exec>
class Force {
 public:
  using Space = typename Exec::Space;
  virtual ~Force() = default;
  /// Adds to the accelerations, which the force stage has cleared, and to the report. Forces run in
  /// the order of the modules, so that sums are reproducible.
  virtual void run(const Exec& exec, State<Space>& state, const ForceRequest& request,
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
  /// Adds to the accelerations what depends on velocities, at those of the state: for integrators
  /// that do without kicks.
  virtual void add_velocity_terms(const Exec&, State<Space>&, const StageTime&) {}
  /// True if it solves constraints; at most one force per scene does.
  virtual bool has_constraints() const { return false; }
  /// Degrees of freedom that its constraints take from the bodies. Not of elastic ones, which give
  /// way.
  virtual engine::Index constraint_count() const { return 0; }
  /// Moves positions to satisfy its constraints after a drift over h, and velocities consistently.
  /// On the device: no effect once the record is halted.
  virtual void constrain(const Exec&, State<Space>&, double /*h*/, const StageTime&) {}
  /// True if it exchanges heat with the bodies; at most one force per scene does.
  virtual bool has_heat_bath() const { return false; }
  /// Changes velocities over a time h. False, without any change, if h is too long; on a GPU the
  /// record says so instead.
  virtual bool exchange_heat(const Exec&, State<Space>&, double /*h*/, const StageTime&) {
    return true;
  }
  /// Energy of the heat bath, part of the conserved energy [energy].
  virtual double bath_energy(const Exec&, const State<Space>&) const { return 0; }
  /// True if it has state of its own beside the bodies'; at most one force per scene does. On the
  /// device it stalls a step for which its buffers are too small.
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
  /// True if an evaluation waits for the device, so that steps cannot be recorded as graphs.
  virtual bool waits() const { return false; }
  /// True if it has buffers that grow, and a step may find too small.
  virtual bool has_growing_buffers() const { return false; }
  /// Between steps: resizes buffers that earlier steps found too small. Returns true if graphs must
  /// be recorded again.
  virtual bool grow_buffers(const Exec&) { return false; }
  /// Reads the parameters of its module again, of which live ones may have changed.
  virtual void change() {}
  /// The potential at each body per unit mass [velocity^2], in the order of the state; empty for a
  /// force without one that snapshots hold. With ranks each finds those of all bodies, own ones and
  /// copies, which have positions, and so the errors below.
  virtual std::vector<double> potentials(const Exec&, const State<Space>&) { return {}; }
  /// The impulse that a force from outside has given to the bodies; at most one force per scene
  /// gives any.
  virtual std::optional<Impulse> impulse(const Exec&) { return {}; }
  /// Continues from this one: that of forces before it, or of a restored state.
  virtual void set_impulse(const Exec&, const Impulse&) {}
  /// Its errors in this state on a sample of bodies; empty for a method whose errors are round-off.
  virtual std::optional<ForceErrors> errors(const Exec&, const State<Space>&) { return {}; }

  /// The columns that it reads of other ranks' bodies; empty if it cannot be divided between
  /// ranks. With ranks, potential_energy() is called within with_summed_bodies(), and returns the
  /// sum over all ranks; it may read of copies what is declared here.
  virtual std::optional<CopiesNeeded> copies_needed() const { return {}; }

  // Order of the bodies in memory (sim/space/body_order.h).

  /// True if it keeps no slot of a body from one evaluation to the next, so that bodies may be
  /// reordered between steps.
  virtual bool follows_order() const { return false; }
  /// Number of steps after which it requests another order, in which its steps are faster; 0:
  /// never.
  virtual std::uint64_t orders_every() const { return 0; }
  /// That order, a function of the state alone: from[k] is the slot of the body that moves to slot
  /// k. In the memory of the state; does not wait.
  virtual void find_order(const Exec&, const State<Space>&, std::uint32_t* /*from*/) {}

  // If its module is all that acts on the bodies of a scene. Both must not outlive the force, and
  // are made again after change().

  /// Takes steps of these stages by itself; null if it does not.
  virtual std::unique_ptr<WholeSteps> whole_steps(const Exec&, const State<Space>&,
                                                  const Step& /*stages*/, Stepping) {
    return nullptr;
  }
  /// Measures samples of these bodies; null if it does not. `simulations`: that share the device.
  virtual std::unique_ptr<SampledMeasurement> sampled_measurement(const Exec&, const State<Space>&,
                                                                  std::size_t /*simulations*/) {
    return nullptr;
  }
};

/// Adapts a class with some of the functions of Force; the time argument is optional, and a request
/// in its place is for classes that act on chosen bodies and give jerks.
template <class Module, class Exec>
class ForceAdapter : public Force<Exec> {
 public:
  using Space = typename Exec::Space;
  /// `change`: applies changed parameters; may be empty.
  explicit ForceAdapter(Module module, std::function<void(Module&)> change = {})
      : module_(std::move(module)), change_(std::move(change)) {}
  void run(const Exec& exec, State<Space>& state, const ForceRequest& request,
           StepReport& report) override {
    if constexpr (requires { module_.run(exec, state, request, report); }) {
      module_.run(exec, state, request, report);
    } else {
      MOTE_EXPECT(request.plain());
      if constexpr (requires { module_.run(exec, state, request.time, report); })
        module_.run(exec, state, request.time, report);
      else if constexpr (requires { module_.run(exec, state, report); })
        module_.run(exec, state, report);
    }
  }
  double potential_energy(const Exec& exec, const State<Space>& state,
                          const StageTime& time) override {
    if constexpr (requires { module_.potential_energy(exec, state, time); })
      return module_.potential_energy(exec, state, time);
    else if constexpr (requires { module_.potential_energy(exec, state); })
      return module_.potential_energy(exec, state);
    else
      return 0;
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
  void add_velocity_terms(const Exec& exec, State<Space>& state, const StageTime& time) override {
    if constexpr (requires { module_.add_velocity_terms(exec, state, time); })
      module_.add_velocity_terms(exec, state, time);
  }
  bool has_constraints() const override { return constraining; }
  engine::Index constraint_count() const override {
    if constexpr (requires { module_.constraint_count(); })
      return module_.constraint_count();
    else
      return 0;
  }
  void constrain(const Exec& exec, State<Space>& state, double h, const StageTime& time) override {
    if constexpr (constraining) module_.constrain(exec, state, h, time);
  }
  bool has_heat_bath() const override { return heating; }
  bool exchange_heat(const Exec& exec, State<Space>& state, double h,
                     const StageTime& time) override {
    if constexpr (requires {
                    { module_.exchange_heat(exec, state, h, time) } -> std::same_as<bool>;
                  })
      return module_.exchange_heat(exec, state, h, time);
    else if constexpr (heating)
      module_.exchange_heat(exec, state, h, time);
    return true;
  }
  double bath_energy(const Exec& exec, const State<Space>& state) const override {
    if constexpr (requires { module_.bath_energy(exec, state); })
      return module_.bath_energy(exec, state);
    else
      return 0;
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
  bool has_growing_buffers() const override {
    return requires(Module m, const Exec& exec) {
      m.grow_buffers(exec);
    };
  }
  bool grow_buffers(const Exec& exec) override {
    if constexpr (requires { module_.grow_buffers(exec); })
      return module_.grow_buffers(exec);
    else
      return false;
  }
  std::optional<CopiesNeeded> copies_needed() const override {
    if constexpr (requires { Module::copies_needed; })
      return Module::copies_needed;
    else
      return {};
  }
  bool follows_order() const override {
    if constexpr (requires { Module::follows_order; })
      return Module::follows_order;
    else
      return false;
  }
  std::uint64_t orders_every() const override {
    if constexpr (requires { module_.orders_every(); })
      return module_.orders_every();
    else
      return 0;
  }
  void find_order(const Exec& exec, const State<Space>& state, std::uint32_t* from) override {
    if constexpr (requires { module_.find_order(exec, state, from); })
      module_.find_order(exec, state, from);
  }
  bool waits() const override {
    if constexpr (requires { Module::waits; })
      return Module::waits;
    else
      return false;
  }
  void change() override {
    if (change_) change_(module_);
  }
  std::optional<ForceErrors> errors(const Exec& exec, const State<Space>& state) override {
    if constexpr (requires { module_.errors(exec, state); })
      return module_.errors(exec, state);
    else
      return {};
  }
  std::optional<Impulse> impulse(const Exec& exec) override {
    if constexpr (requires { module_.impulse(exec); })
      return module_.impulse(exec);
    else
      return {};
  }
  void set_impulse(const Exec& exec, const Impulse& impulse) override {
    if constexpr (requires { module_.set_impulse(exec, impulse); })
      module_.set_impulse(exec, impulse);
  }
  std::vector<double> potentials(const Exec& exec, const State<Space>& state) override {
    if constexpr (requires { module_.potentials(exec, state); })
      return module_.potentials(exec, state);
    else
      return {};
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
  static constexpr bool heating =
      requires(Module m, const Exec& exec, State<Space>& state, const StageTime& time) {
    m.exchange_heat(exec, state, 0.0, time);
  };
  Module module_;
  std::function<void(Module&)> change_;
};

/// The forces of a scene, in the order in which they run.
template <class Exec>
using Forces = std::vector<std::unique_ptr<Force<Exec>>>;

template <class Exec, class Module>
void add_force(Forces<Exec>& forces, Module module, std::function<void(Module&)> change = {}) {
  forces.push_back(
      std::make_unique<ForceAdapter<Module, Exec>>(std::move(module), std::move(change)));
}

/// The first force for which `is(force)`, or null.
template <class Exec, class Is>
Force<Exec>* first_force(const Forces<Exec>& forces, const Is& is) {
  for (const auto& force : forces)
    if (is(*force)) return force.get();
  return nullptr;
}

/// The force that performs the kicks, solves constraints, exchanges heat, or has state of its own;
/// or null.
template <class Exec>
Force<Exec>* kicking_force(const Forces<Exec>& forces) {
  return first_force(forces, [](const Force<Exec>& f) { return f.velocity_dependent(); });
}
template <class Exec>
Force<Exec>* constraining_force(const Forces<Exec>& forces) {
  return first_force(forces, [](const Force<Exec>& f) { return f.has_constraints(); });
}
template <class Exec>
Force<Exec>* heating_force(const Forces<Exec>& forces) {
  return first_force(forces, [](const Force<Exec>& f) { return f.has_heat_bath(); });
}
template <class Exec>
Force<Exec>* stateful_force(const Forces<Exec>& forces) {
  return first_force(forces, [](const Force<Exec>& f) { return f.has_state(); });
}

/// The force that orders the bodies in memory; null if there is none, or another cannot follow.
template <class Exec>
Force<Exec>* ordering_force(const Forces<Exec>& forces) {
  if (first_force(forces, [](const Force<Exec>& f) { return !f.follows_order(); })) return nullptr;
  return first_force(forces, [](const Force<Exec>& f) { return f.orders_every() > 0; });
}

/// The columns of copies that all forces together read; empty if one of them cannot be divided
/// between ranks.
template <class Exec>
std::optional<CopiesNeeded> copies_needed(const Forces<Exec>& forces) {
  CopiesNeeded all = CopiesNeeded::none;
  for (const auto& force : forces) {
    const std::optional<CopiesNeeded> own = force->copies_needed();
    if (!own) return {};
    all = std::max(all, *own);
  }
  return all;
}

/// The errors of the force that is farthest from what was asked of it; empty if none has any.
template <class Exec>
std::optional<ForceErrors> worst_errors(const Forces<Exec>& forces, const Exec& exec,
                                        const State<typename Exec::Space>& state) {
  std::optional<ForceErrors> worst;
  for (const auto& force : forces)
    if (const auto errors = force->errors(exec, state);
        errors &&
        (!worst || errors->percentile_99 * worst->asked > worst->percentile_99 * errors->asked))
      worst = errors;
  return worst;
}

/// The impulse of the force that gives any.
template <class Exec>
std::optional<Impulse> impulse_of(const Forces<Exec>& forces, const Exec& exec) {
  for (const auto& force : forces)
    if (const auto impulse = force->impulse(exec)) return impulse;
  return {};
}

/// The energy of all forces, and the part that constraints have of it [energy].
struct PotentialEnergy {
  double all = 0, constraints = 0;
};
template <class Exec>
PotentialEnergy potential_energy(const Forces<Exec>& forces, const Exec& exec,
                                 const State<typename Exec::Space>& state, const StageTime& time) {
  PotentialEnergy sum;
  for (const auto& force : forces) {
    const double energy = force->potential_energy(exec, state, time);
    sum.all += energy;
    if (force->has_constraints()) sum.constraints += energy;
  }
  return sum;
}

/// The virial of all forces, in the state of the last potential_energy().
template <class Exec>
double virial(const Forces<Exec>& forces) {
  double sum = 0;
  for (const auto& force : forces) sum += force->virial();
  return sum;
}

/// Degrees of freedom that constraints take from the bodies.
template <class Exec>
engine::Index constraint_count(const Forces<Exec>& forces) {
  engine::Index sum = 0;
  for (const auto& force : forces) sum += force->constraint_count();
  return sum;
}

/// The longest step stable for all forces by their last evaluation [time]; infinite if none limits
/// it.
template <class Exec>
double largest_step(const Forces<Exec>& forces) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& force : forces) least = std::min(least, force->largest_step());
  return least;
}

}  // namespace mote::sim
