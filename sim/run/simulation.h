#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/clock.h"
#include "sim/contact_network.h"
#include "sim/impulse.h"
#include "sim/measure/histogram.h"
#include "sim/measure/measurement.h"
#include "sim/measure/pack.h"
#include "sim/measure/temperature_formula.h"
#include "sim/motion/block_steps.h"
#include "sim/motion/integration.h"
#include "sim/run/body_ids.h"
#include "sim/run/body_state.h"
#include "sim/run/live.h"
#include "sim/run/plan.h"
#include "sim/state.h"
#include "sim/step.h"

namespace mote::sim {

struct InitialState;
/// Time and counters of a simulation.
struct RunClock {
  Clock clock;  ///< of the steps taken
  /// The largest stable step by the forces [time], at the last step at which lengths may change.
  /// None: `clock.dt` remains. Only with steps that follow a flow.
  std::optional<double> largest_step = {};
  /// Length that the integrator proposes for the next step [time], if it chooses its steps; else 0.
  double proposed = 0;
  std::uint64_t interactions = 0;
  double first_energy = 0;  ///< reference of energy errors, if `measured`
  bool measured = false;
  /// The last step at which modules began to give the bodies less energy (EnergyBalance), or 0.
  std::uint64_t less_given_since = 0;
  /// The energy when a module began to work on the bodies from outside (Physics), while it does.
  std::optional<double> energy_before_work = {};
  std::uint64_t added = 0, removed = 0;  ///< bodies since the start
};

/// The energy that a measured one is compared with.
struct EnergyReference {
  double energy = 0;         ///< Simulation::energy_reference
  double start = 0;          ///< RunClock::first_energy: changes by what edits bring
  EnergyBalance balance;     ///< what else may change the energy now
  std::uint64_t since = 0;   ///< RunClock::less_given_since
  engine::Index bodies = 0;  ///< their number
};

/// The state that later bits depend on beside bodies, clock and settings, as bytes; each may be
/// empty.
struct HiddenState {
  std::string forces;      ///< such as contacts
  std::string integrator;  ///< what it keeps from step to step
  std::string order;       ///< of bodies in memory (BodyOrder::serialize)
};

/// The other ranks of a simulation, which repeat its calls (calls.h). Each function begins one, and
/// end() waits for it.
class FollowingRanks {
 public:
  virtual ~FollowingRanks() = default;
  virtual void advance() = 0;  ///< by a step
  virtual void measure() = 0;
  virtual void hash() = 0;
  virtual void state() = 0;
  virtual void potentials() = 0;
  virtual void force_errors() = 0;
  virtual void rank_work() = 0;
  virtual void hidden_state() = 0;
  virtual void block_steps() = 0;
  virtual void show_time(double time) = 0;
  virtual void show_present_time() = 0;
  virtual void histogram(const HistogramRequest& request) = 0;
  virtual void pack(const FrameKind& kind, const PackRequest& request) = 0;
  virtual void check_capacity(engine::Index more) = 0;
  virtual void change(const LiveSettings& live) = 0;
  virtual void change_bodies(const BodyChange& change) = 0;
  virtual void change_values(const BodyValues& values) = 0;
  virtual void resume(const State<engine::Host>& state, const RunClock& run_clock,
                      const LiveSettings& live, const HiddenState& hidden) = 0;
  /// The number of the states that they save; they free these some time after the pointer is
  /// destroyed.
  virtual std::shared_ptr<const std::uint64_t> save() = 0;
  virtual void restore(std::uint64_t number) = 0;
  virtual void end() = 0;
  /// Throws SystemError if one of them has ended.
  virtual void check() = 0;
};

/// A saved state, in the memory that the simulation steps in, with everything needed to continue
/// from it.
class SavedState {
 public:
  virtual ~SavedState() = default;
  std::uint64_t step() const { return run_clock.clock.step; }
  RunClock run_clock;
  LiveSettings live;
  BodyIds ids;
  engine::Index count = 0;
  Impulse impulse;                                         ///< of forces from outside
  std::shared_ptr<const std::uint64_t> of_followers = {};  ///< null if no ranks follow
  std::uint64_t bytes = 0;                                 ///< its size in memory
};

/// The work of one of several ranks since the simulation was opened.
struct RankWork {
  std::uint64_t interactions = 0;                    ///< directed, of its own bodies, in steps
  std::uint64_t bytes_sent = 0, bytes_received = 0;  ///< to and from others, by all calls
};

/// A running scene. Everything outside (headless runs, the window, sweeps) uses this interface,
/// which is the same for all backends. The same scene, plan and machine give the same bits, however
/// the steps are sliced.
///
/// With ranks (Plan::ranks) every rank has one, all make the same calls of it in the same order,
/// and what a call returns is of all bodies. A call that looks at columns of bodies, or at one,
/// gathers all of them in host memory. Where the other ranks follow (Plan::devices), a program
/// calls rank 0, the others repeat its calls, and what is gathered is on rank 0 alone.
class Simulation {
 public:
  virtual ~Simulation() = default;

  /// Takes up to `steps` steps; ends early between steps if `stop` returns true or a step is
  /// unhealthy. `stop` is polled before every step on the CPU, and at least every 8 ms on a GPU
  /// (every 40 ms beside a window that draws on it).
  virtual StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) = 0;

  /// Steps as `advance` does, measures at every multiple of `every`, and passes the measurements to
  /// `use` in the order of the steps. A GPU may be further ahead when `use` is called.
  virtual StepReport advance_measured(std::uint64_t steps, std::uint64_t every,
                                      const std::function<bool()>& stop,
                                      const std::function<void(const Measurement&)>& use);

  /// Clock of the steps taken.
  const Clock& clock() const { return run_clock_.clock; }
  /// Steps taken since the start.
  std::uint64_t step() const { return clock().step; }
  /// [time]: step() times dt, if all steps are equal.
  double time() const { return clock().time(); }
  /// Length of the next step [time].
  double dt() const;
  /// Clock of the steps ahead, if they are as long as the next one: certain up to steady_until().
  Clock ahead() const { return clock().with(dt()); }
  /// The first step after the present one at which the length of steps may change by itself.
  std::uint64_t steady_until() const;
  /// The longest stable step by the forces' last evaluation [time]; infinity if no force limits it.
  virtual double largest_step() const = 0;
  /// Directed interactions of all steps so far.
  std::uint64_t interactions() const { return run_clock_.interactions; }

  /// The scene's physics, with the current settings.
  const Model& model() const { return model_; }
  const LiveSettings& live() const { return live_; }
  /// Changes live parameters between steps and evaluates the forces again. The reference of energy
  /// errors is shifted by the change of energy, which is no error. Throws InputError for invalid
  /// settings.
  void change(const LiveSettings& live);
  /// Removes and adds bodies between steps and evaluates the forces again; the reference of energy
  /// errors is shifted as with `change`. Ids of removed bodies are not reused. Reallocates
  /// everything, so this is for rare events. Throws InputError, leaving the simulation unchanged,
  /// if no body would be left, there would be too many, or values or forces would not be finite.
  void change_bodies(const BodyChange& change);
  /// Replaces numbers of all bodies between steps and evaluates the forces again; the reference of
  /// energy errors is shifted as with `change`. Throws InputError, leaving the simulation
  /// unchanged, for numbers that are not finite, negative masses, or forces that would not be
  /// finite.
  void change_values(const BodyValues& values);
  /// The next time that bodies are reallocated, keeps the memory of the columns for pointers that a
  /// program holds: they stay readable, and do not change any more.
  void retain_columns() { retains_ = true; }
  /// Throws InputError if there is no memory for `more` bodies.
  void check_capacity(engine::Index more);

  /// Copies the state, for `restore`, which accepts those of the same simulation or, where no ranks
  /// follow, of one opened for the same scene and plan, and restores the state bit for bit.
  virtual std::unique_ptr<SavedState> save() = 0;
  virtual void restore(const SavedState& saved) = 0;
  /// Bytes of a saved state with the current number of bodies.
  std::uint64_t saved_state_bytes() const;

  /// Continues from an imported state (accelerations are evaluated), clock and settings. Count and
  /// precision must be those of this simulation; ids must ascend. `hidden`: that of the source.
  /// The forces are made again, unless the simulation was opened with this very state
  /// (SceneDescription::restored).
  void resume(const State<engine::Host>& state, const RunClock& run_clock, const LiveSettings& live,
              const HiddenState& hidden = {});
  /// Calls `use` with the state at a time within the last step in place of the present one, for
  /// outputs at exact times. The present state is the same bits afterwards. False, without a call,
  /// if the integrator cannot tell it: outputs are then of the first step at or after their time.
  bool with_state_at(double time, const std::function<void()>& use);
  /// Its parts, which other ranks repeat: shows the state at this time, if show_time() is true
  /// until show_present_time().
  bool show_time(double time);
  void show_present_time();
  virtual bool has_dense_output() const { return false; }

  /// Steps of the bodies that have their own (block time steps); empty for other integrators.
  virtual std::optional<BlockSteps> block_steps() { return {}; }

  virtual HiddenState hidden_state() = 0;
  /// HiddenState::forces alone.
  virtual std::string force_state() = 0;
  const RunClock& run_clock() const { return run_clock_; }

  // Arrays of bodies are in the order of their ids, wherever the bodies are in memory.

  /// Values of a computed scalar by index, on the host; empty for others. The density of bodies
  /// that are no fluid takes about ten seconds of a core for a million; a potential, as long as
  /// the forces. 0 where there is no potential.
  std::vector<double> computed(const Quantity& quantity);

  /// Writes all bodies as floats. Does not wait on the device, but for computed scalars. With ranks
  /// rank 0 has the frame, and the others call give_points().
  virtual void pack(const engine::PointFrame& to, const PackRequest& request) = 0;
  virtual void give_points(const FrameKind& /*kind*/, const PackRequest& /*request*/) {}
  /// One body by index, 0 to count() - 1. Transfers O(1) bytes.
  virtual BodyState body(engine::Index index) = 0;

  /// The work of each rank; empty without ranks.
  virtual std::vector<RankWork> rank_work() { return {}; }

  /// The solids of the scene, in the order of solid_names.
  virtual std::vector<SolidState> solids() = 0;
  /// Measures the current state; energy errors are relative to the first measurement.
  virtual Measurement measure() = 0;
  /// Histogram over all bodies. Throws InputError for an invalid request.
  virtual Histogram histogram(const HistogramRequest& request) = 0;
  virtual std::uint64_t hash() = 0;
  /// The contacts of bodies in the current state; empty in scenes of bodies that do not touch.
  /// Always computed on the host.
  ContactNetwork contacts();

  /// Potential of gravity at each body per unit mass [velocity^2], by all others with mass: half
  /// the sum of mass times potential is the potential energy. Empty without gravity
  /// (ModuleInfo::has_potentials). Takes about as long as the forces; changes nothing.
  virtual std::vector<double> potentials() { return {}; }

  /// Momentum given by forces that work from outside [mass velocity]: since the start, also in an
  /// earlier state that was restored; in a resumed run from its first evaluation of forces on.
  engine::Vec3d momentum_given() { return impulse().momentum; }

  /// The reference of energy errors for a measured energy: the first one, shifted by changes from
  /// outside.
  double energy_reference(double energy) const {
    const auto& before = run_clock_.energy_before_work;
    return run_clock_.first_energy + (before ? energy - *before : 0);
  }

  EnergyReference reference_for(const Measurement& measured) const {
    return {energy_reference(measured.energy), run_clock_.first_energy, energy_balance(model_),
            run_clock_.less_given_since, count_};
  }

  /// Errors of the present forces on a sample of bodies; empty where they are round-off.
  virtual std::optional<ForceErrors> force_errors() { return {}; }

  /// The state in host memory; valid until the next step. Ranks that follow do not have it: they
  /// call give_state().
  virtual const State<engine::Host>& state() = 0;
  virtual void give_state() {}
  /// The state in device memory, valid until the next step, and the stream that writes it, idle
  /// between calls. Null on the CPU, and with ranks.
  struct OnDevice {
    const State<engine::Device>* state = nullptr;
    CUstream_st* stream = nullptr;
  };
  virtual OnDevice on_device() { return {}; }
  engine::Index count() const { return count_; }
  engine::Precision precision() const { return plan_.precision; }
  /// The optional columns of its states.
  const StateLayout& layout() const { return layout_; }
  /// True if the scene has species, and the state a column of them.
  bool with_species() const { return layout_.species; }

  /// True if a force moves bodies in memory between steps: pointers to columns are then of a copy.
  virtual bool moves_bodies() const { return false; }

  /// Ids of the bodies by index; the pointer changes whenever the set of bodies does.
  const BodyIds& ids() const { return ids_; }
  std::uint32_t id(engine::Index index) const { return id_of(ids_, index); }
  /// Empty if there is no such body.
  std::optional<engine::Index> index_of(std::uint32_t id) const {
    return sim::index_of(ids_, count_, id);
  }
  /// Id of the next body added.
  std::uint32_t next_id() const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(count_) + run_clock_.removed);
  }
  /// Name of a body by its id, or "".
  const std::string& name(std::uint32_t id) const;
  /// Indices of the first bodies with names, at most `most`, ascending.
  std::vector<engine::Index> named(std::size_t most = 64) const;
  /// How a body is drawn apart from its species, by its id.
  const BodyLook& look(std::uint32_t id) const;
  /// Indices of the first bodies that have such a look, at most `most`, ascending.
  std::vector<engine::Index> with_looks(std::size_t most = most_own_looks) const;
  /// Sets labels by id, for a resumed run.
  void set_labels(BodyLabels labels) { labels_ = std::move(labels); }

  const Plan& plan() const { return plan_; }

  /// Makes it rank 0 of these: its calls from now on are repeated by the others.
  void lead(std::unique_ptr<FollowingRanks> followers) { followers_ = std::move(followers); }

 protected:
  /// True in a call that on_all_ranks() would begin on ranks that follow.
  bool leads() const { return followers_ && !leads_call_; }
  /// Makes a call on all ranks, and returns what it returns here: `own()` here, `begin(ranks)` on
  /// those that follow, unless this is a part of such a call. Without followers: `own()`.
  ///
  /// An InputError is thrown by all ranks alike, and they go on, as they do after an error of this
  /// one alone unless they wait for it. Throws SystemError if one of them has ended.
  template <class Begin, class Own>
  std::invoke_result_t<Own> on_all_ranks(Begin&& begin, Own&& own) {
    if (!leads()) return own();
    struct Led {
      Simulation& simulation;
      explicit Led(Simulation& s) : simulation(s) { simulation.leads_call_ = true; }
      ~Led() {
        simulation.followers_->end();
        simulation.leads_call_ = false;
      }
    };
    begin(*followers_);
    if constexpr (std::is_void_v<std::invoke_result_t<Own>>) {
      {
        const Led led(*this);
        own();
      }
      followers_->check();
    } else {
      std::invoke_result_t<Own> result = [&] {
        const Led led(*this);
        return own();
      }();
      followers_->check();
      return result;
    }
  }
  /// Advances on all ranks by `own(steps, stop)`, which does so here. With followers a call has one
  /// step, or as many as all agree on in it; `stop` between calls may itself call the simulation.
  template <class Own>
  StepReport advance_on_all_ranks(std::uint64_t steps, const std::function<bool()>& stop,
                                  Own&& own) {
    if (!leads()) return own(steps, stop);
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      const StepReport one = on_all_ranks([](FollowingRanks& others) { others.advance(); },
                                          [&] { return own(std::uint64_t{1}, {}); });
      report.steps += one.steps, report.interactions += one.interactions;
      report.health = one.health, report.offender = one.offender;
    }
    return report;
  }
  /// `start`: without ranks it is moved from, but for the state, of which the caller makes the
  /// forces. The ranks of a process may share it, and copy it.
  Simulation(InitialState& start, const Plan& plan);
  void count_steps(std::uint64_t steps, std::uint64_t interactions) {
    run_clock_.clock.take(dt(), steps);
    count_interactions(interactions);
  }
  /// Counts one, of an integrator that chooses its steps.
  void count_step(const StepTaken& taken) {
    run_clock_.clock.take_compensated(taken.dt);
    run_clock_.proposed = taken.next;
  }
  void count_interactions(std::uint64_t more) { run_clock_.interactions += more; }
  /// True once after retain_columns().
  bool takes_retention() { return std::exchange(retains_, false); }
  bool chooses_steps() const { return chooses_steps_; }
  /// Steps after which a force orders the bodies in memory; 0: never, as on several ranks.
  /// `forces`: a ForceSet.
  template <class Set>
  std::uint64_t orders_every(const Set& forces) const {
    return forces.ordering && !keeps_bodies_ && !plan_.ranks ? forces.ordering->orders_every() : 0;
  }
  /// True if that is due now, after a step: a function of the step alone.
  bool order_due(std::uint64_t every) const { return every > 0 && step() % every == 0; }
  /// Once the first forces are known.
  void propose_first() {
    if (chooses_steps_) run_clock_.proposed = first_step();
  }
  /// Length that the integrator would begin with [time].
  virtual double first_step() { return 0; }
  /// Forces, their parameters or the limit of the step have changed. True if the integrator
  /// restarts from the state: an evaluation and first_step() must follow.
  virtual bool restart_integrator() { return false; }
  /// After each evaluation of forces at the end of a step, or between steps.
  void note_largest_step();
  /// Fills in step (the current one by default), time and energy error.
  Measurement with_time(Measurement measurement) { return with_time(measurement, step()); }
  Measurement with_time(Measurement measurement, std::uint64_t step);
  /// Fills in temperature and pressure, where the scene's forces define them. `virial`: of
  /// short-range pairs and rods; gravity does not contribute. `constraints`: their number.
  /// Finds which motion is conserved beside the momentum, if no body is fixed.
  Conserved conserved(const Measurement& measurement) const;
  Measurement with_pressure(Measurement measurement, double virial,
                            engine::Index constraints) const;
  /// Fills in the solids of the scene.
  Measurement with_solids(Measurement measurement);
  /// Lengths of the domain along periodic axes, 0 along others.
  engine::Vec3d period() const;

  /// Restores that of this or another simulation; the bodies are in the order of their ids.
  virtual void set_hidden_state(const HiddenState& hidden) = 0;
  /// Applies the settings of live(), which model() has already, to forces and steps.
  virtual void apply_live() = 0;
  /// Evaluates accelerations from positions.
  virtual void evaluate_forces() = 0;
  /// Replaces the state by that of a time before the present; false if it cannot.
  virtual bool show_earlier(double /*before_present*/) { return false; }
  /// Restores the present one.
  virtual void show_present() {}
  /// The least id of a body that is not finite, or -1.
  virtual std::int64_t first_not_finite() = 0;
  /// The impulse of forces that work from outside; empty if there is none.
  virtual std::optional<Impulse> impulse_of_forces() { return {}; }
  virtual void set_impulse_of_forces(const Impulse&) {}
  /// Reallocates everything for these bodies, which are in the order of their ids. Ignores the
  /// accelerations of `state`.
  virtual void rebuild(State<engine::Host> state) = 0;
  /// Copies the fields of all bodies. The number of bodies and the masses are the same.
  virtual void copy_fields(const State<engine::Host>& state) = 0;

  /// Fills in the members of SavedState.
  void save_common(SavedState& saved);
  /// Restores them but the bodies and what the forces saved, which the caller restores before.
  void restore_common(const SavedState& saved);
  /// True if the saved state has a different set of bodies.
  bool has_other_bodies(const SavedState& saved) const {
    return saved.ids != ids_ || saved.count != count_;
  }
  /// Sets the bodies' ids and count only; the caller reallocates the state.
  void set_ids(BodyIds ids, engine::Index count) {
    ids_ = std::move(ids), count_ = count;
    made_for_.reset();
    plan_.evaluations = evaluations_of(model_, {count_, plan_.backend, plan_.precision});
  }
  /// If these settings have other modules that act, takes the settings: everything must be rebuilt
  /// before the state is restored.
  bool takes_other_modules(const LiveSettings& live);

 private:
  void check_capacity_here(engine::Index more) const;
  void change_here(const LiveSettings& live);
  void change_bodies_here(const BodyChange& change);
  void change_values_here(const BodyValues& values);
  void resume_here(const State<engine::Host>& state, const RunClock& run_clock,
                   const LiveSettings& live, const HiddenState& hidden);
  /// Restores the clock, and restores and applies the settings; the caller restores the state.
  void restore_clock(const RunClock& run_clock, const LiveSettings& live);
  Impulse impulse() { return impulse_of_forces().value_or(impulse_); }
  /// After the forces were made again, showed another time, or a state was restored.
  void set_impulse(const Impulse& impulse);
  bool follows_flow() const { return flow_.courant.has_value(); }
  /// Evaluates forces between steps.
  void refresh_forces() { evaluate_forces(), note_largest_step(); }
  void name(std::size_t first, const Bodies& added);
  void replace(State<engine::Host> state, BodyIds ids);
  /// The same, with the reference of energy errors shifted. Throws InputError, leaving everything
  /// as it was, if forces are not finite then.
  void exchange(State<engine::Host> old, State<engine::Host> next);

  /// True if modules were added or removed.
  bool set_settings(const LiveSettings& live);
  bool is_worked_on() const;
  /// By a change from outside.
  void shift_energy(double by);

  Model model_;
  Plan plan_;
  engine::Index count_;
  BodyIds ids_;
  BodyLabels labels_;  ///< by id, including removed bodies
  StateLayout layout_;
  bool conserves_momentum_;  ///< while no body is fixed
  FlowOptions flow_;
  bool retains_ = false;
  bool chooses_steps_, keeps_bodies_;  ///< the integrator; keeps: data by slot
  LiveSettings live_;
  RunClock run_clock_;
  Impulse impulse_;                                ///< while no force works from outside
  std::unique_ptr<ContactFinder> contact_finder_;  ///< of bodies `contact_ids_`
  BodyIds contact_ids_;
  std::unique_ptr<FollowingRanks> followers_;  ///< null: none follow
  bool leads_call_ = false;                    ///< within on_all_ranks()
  // While the state at an earlier time is shown.
  RunClock present_clock_ = {};
  Impulse present_impulse_ = {};
  /// The imported state for which the forces were made; expired if there is none.
  std::weak_ptr<const State<engine::Host>> made_for_;
};

/// Generates the bodies, fills a state and evaluates the first forces. Throws InputError if values
/// of the scene overflow the precision.
std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan);

}  // namespace mote::sim
