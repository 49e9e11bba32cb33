#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/contact/contact_network.h"
#include "sim/measure/histogram.h"
#include "sim/measure/measurement.h"
#include "sim/measure/pack.h"
#include "sim/run/live.h"
#include "sim/run/plan.h"
#include "sim/run/roster.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

/// Where time stands: `base_time` at step `base_step`, and a step of `dt` since.
struct Clockwork {
  std::uint64_t step = 0, interactions = 0;
  std::uint64_t base_step = 0;
  double base_time = 0;
  double first_energy = 0;  ///< what energy errors are relative to, when `measured`
  bool measured = false;
  std::uint64_t added = 0, removed = 0;  ///< bodies since the start
};

/// A state that a simulation keeps, in the memory it steps in, with all that stepping on from it
/// needs.
class KeptState {
 public:
  virtual ~KeptState() = default;
  std::uint64_t step() const { return clockwork.step; }
  Clockwork clockwork;
  LiveSettings live;
  BodyIds ids;
  engine::Index count = 0;
  std::uint64_t bytes = 0;  ///< that it takes
};

/// The numbers of one body.
struct BodyNumbers {
  std::uint32_t id = 0;
  double mass = 0;
  engine::Vec3d position{}, velocity{}, acceleration{};
};

/// A scene that runs. Everything outside (headless runs, the window, sweeps) steps and looks
/// through this; which backend computes shows nowhere. Same scene, same plan, same machine: same
/// bits, however the steps are sliced.
class Simulation {
 public:
  virtual ~Simulation() = default;

  /// Takes up to `steps` whole steps; ends early between steps when `stop` says so, or when a step
  /// is unhealthy. `stop` is asked before every step on the CPU, and every 8 ms or more often on a
  /// GPU, beside a window that draws on it every 40.
  virtual StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) = 0;

  /// Takes steps as `advance` does, and measures at every step number that is a multiple of
  /// `every`, for which it calls `use` in the order of the steps. A GPU may have stepped on by the
  /// time that `use` is called.
  virtual StepReport advance_measured(std::uint64_t steps, std::uint64_t every,
                                      const std::function<bool()>& stop,
                                      const std::function<void(const Measurement&)>& use);

  /// Steps taken since the start.
  std::uint64_t step() const { return clockwork_.step; }
  /// In the scene's units: step() times dt, unless dt was changed on the way.
  double time() const { return time_of(clockwork_.step); }
  double dt() const { return live_.dt; }
  /// The longest step that forces take for stable [time], of their evaluation in the last step;
  /// infinity where none knows.
  virtual double largest_step() const = 0;
  /// Directed interactions of all steps so far.
  std::uint64_t interactions() const { return clockwork_.interactions; }

  const LiveSettings& live() const { return live_; }
  /// Changes live parameters between steps. Forces are evaluated anew; energy errors go on from
  /// where they were, for the energy that the change itself brought is no error. Throws InputError
  /// when it cannot be.
  void change(const LiveSettings& live);
  /// Takes bodies away and adds others, between steps. Forces are evaluated anew, for the new
  /// number of bodies; energy errors go on from where they were, as with `change`. Ids of bodies
  /// that are gone are not given again. All memory is laid out anew, so this is for rare events.
  /// Throws InputError, and leaves all as it was, when no body would be left, they would be too
  /// many, or numbers and forces would not be finite.
  void change_bodies(const BodyChange& change);
  /// Throws InputError when there is no room for so many bodies more.
  void check_room(engine::Index more) const;

  /// A copy of the state, to come back to. `restore` takes one of the same simulation, or of one
  /// opened for the same scene and plan: afterwards all is bit for bit as it was.
  virtual std::unique_ptr<KeptState> keep() = 0;
  virtual void restore(const KeptState& kept) = 0;
  /// Bytes that a kept state takes, with as many bodies as there are now.
  std::uint64_t kept_bytes() const;

  /// Continues from elsewhere: the numbers and ids of `state` (accelerations are evaluated), at
  /// this clockwork and with these settings. Counts, masses, species and precision must be those of
  /// this simulation; ids rise. `memory`: what force_memory() gave there.
  void resume(const State<engine::Host>& state, const Clockwork& clockwork,
              const LiveSettings& live, std::string_view memory = {});
  /// What forces remember beside the state, as bytes: contacts of grains.
  virtual std::string force_memory() { return {}; }
  const Clockwork& clockwork() const { return clockwork_; }

  /// Writes all bodies as floats. On the device it does not wait.
  virtual void pack(const PackTarget& target) = 0;
  /// Of the body in a column, 0 to count() - 1. Few bytes, whatever the number of bodies.
  virtual BodyNumbers body(engine::Index column) = 0;

  /// Measures the state as it is now; energy errors are relative to the first measurement ever
  /// made.
  virtual Measurement measure() = 0;
  /// Of all bodies as they are now. Throws InputError when the request cannot be fulfilled.
  virtual Histogram histogram(const HistogramRequest& request) = 0;
  virtual std::uint64_t hash() = 0;
  /// Which grains touch what as the state is now; nothing in scenes without grains. Computed by the
  /// host, whatever steps.
  ContactNetwork contacts();

  /// The state in host memory; valid until the next step.
  virtual const State<engine::Host>& state() = 0;
  /// The state where a GPU has it, and the stream that writes it; nothing is under way there
  /// between calls. Null on the CPU.
  struct OnDevice {
    const State<engine::Device>* state = nullptr;
    CUstream_st* stream = nullptr;
  };
  virtual OnDevice on_device() { return {}; }
  engine::Index count() const { return count_; }
  engine::Precision precision() const { return plan_.precision; }
  /// What its states hold beside the columns that all have.
  const StateShape& shape() const { return shape_; }
  /// Whether the scene has species, and the state a column of them.
  bool with_species() const { return shape_.species; }

  /// Which bodies the columns hold; another pointer whenever these are others.
  const BodyIds& ids() const { return ids_; }
  std::uint32_t id(engine::Index column) const { return id_of(ids_, column); }
  /// Nothing when there is no such body now.
  std::optional<engine::Index> column(std::uint32_t id) const {
    return column_of(ids_, count_, id);
  }
  /// What the next body gets that is added.
  std::uint32_t next_id() const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(count_) + clockwork_.removed);
  }
  /// Name of a body by its id, or "" when it has none.
  const std::string& name(std::uint32_t id) const;
  /// For one that goes on from elsewhere: names by id.
  void set_names(std::vector<std::string> names) { names_ = std::move(names); }

  const Plan& plan() const { return plan_; }

 protected:
  Simulation(const SceneDescription& scene, const Plan& plan, engine::Index count,
             std::vector<std::string> names, std::shared_ptr<const SoftMesh> soft_mesh);
  /// Of the scene: all that forces and steps are made from, with the settings of the start.
  const SceneDescription& physics() const { return physics_; }
  /// Whether nothing but bodies pushes bodies.
  /// One body alone has all of its heat in its momentum.
  bool keeps_momentum() const { return keeps_momentum_ && count_ > 1; }
  void count_steps(std::uint64_t steps, std::uint64_t interactions) {
    clockwork_.step += steps;
    clockwork_.interactions += interactions;
  }
  /// Fills in what a simulation knows and a state does not: step (that of now by default), time,
  /// energy error.
  Measurement with_time(Measurement measurement) { return with_time(measurement, step()); }
  Measurement with_time(Measurement measurement, std::uint64_t step);
  /// Fills in temperature and pressure, where the scene has forces that make them. `virial`: of
  /// near pairs, which gravity does not add to.
  Measurement with_pressure(Measurement measurement, double virial) const;
  /// Lengths of the domain along periodic axes, 0 along others.
  engine::Vec3d period() const;

  /// Takes back what force_memory() gave, here or elsewhere.
  virtual void set_force_memory(std::string_view) {}
  /// Makes forces and steps those of live().
  virtual void apply_live() = 0;
  /// Accelerations from the positions.
  virtual void evaluate_forces() = 0;
  /// Id of the first body that is not finite, or -1.
  virtual std::int64_t first_not_finite() = 0;
  /// Lays everything out for these bodies, with the settings of live(). What `state` has as
  /// accelerations counts for nothing.
  virtual void lay_out(State<engine::Host> state) = 0;
  /// Takes over masses, positions, velocities and ids. The number of bodies and the masses are the
  /// same.
  virtual void copy_numbers(const State<engine::Host>& state) = 0;

  /// Fills in what every kept state has.
  void note(KeptState& kept) const;
  /// Whether a kept state is of other bodies than those that memory is laid out for.
  bool of_others(const KeptState& kept) const { return kept.ids != ids_ || kept.count != count_; }
  /// Takes over which bodies there are; what is laid out is the caller's.
  void take_ids(BodyIds ids, engine::Index count) { ids_ = std::move(ids), count_ = count; }
  /// Takes over a clock and settings from elsewhere, and applies them; the state is the caller's.
  void put_back(const Clockwork& clockwork, const LiveSettings& live);

 private:
  double time_of(std::uint64_t step) const {
    return clockwork_.base_time + static_cast<double>(step - clockwork_.base_step) * live_.dt;
  }

  void name(std::size_t first, const Bodies& added);
  void replace(State<engine::Host> state, BodyIds ids);

  SceneDescription physics_;
  Plan plan_;
  engine::Index count_;
  BodyIds ids_;
  std::vector<std::string> names_;  ///< by id; of bodies that are gone, too
  StateShape shape_;
  bool keeps_momentum_;
  LiveSettings live_;
  Clockwork clockwork_;
  std::shared_ptr<class GrainStage> touching_;  ///< for contacts, of the bodies of `touching_ids_`
  BodyIds touching_ids_;
};

/// Makes the bodies, fills a state, and evaluates the first forces. Throws InputError when numbers
/// of the scene do not fit the precision.
std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
