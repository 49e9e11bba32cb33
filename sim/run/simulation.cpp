#include "sim/run/simulation.h"

#include <algorithm>
#include <utility>

#include "engine/text.h"
#include "sim/measure/temperature_formula.h"
#include "sim/model/matter.h"
#include "sim/motion/flow_step.h"
#include "sim/motion/integrators.h"
#include "sim/run/computed.h"
#include "sim/run/initial_state.h"
#include "sim/space/neighbours.h"

namespace mote::sim {

namespace {

/// Returns the value, moved if no other rank reads it (`alone`), else a copy.
template <class T>
T taken(T& value, bool alone) {
  return alone ? std::move(value) : value;
}

}  // namespace

Simulation::Simulation(InitialState& start, const Plan& plan)
    : model_(taken(start.model, plan.ranks == nullptr)),
      plan_(plan),
      count_(start.state.count()),
      ids_(ids_of(start.state)),
      labels_(taken(start.labels, plan.ranks == nullptr)),
      layout_(layout_of(model_)),
      conserves_momentum_(conserves_momentum_of_free(model_)),
      flow_(flow_of(model_.integrator)),
      chooses_steps_(info_of(model_.integrator).chooses_steps),
      keeps_bodies_(info_of(model_.integrator).bytes_per_body > 0),
      live_(live_of(model_)),
      made_for_(start.restored) {
  run_clock_.clock.dt = live_.dt;
  set_settings(live_);  // without modules that do not act
}

double Simulation::dt() const {
  if (chooses_steps_)
    return live_.dt > 0 ? std::min(run_clock_.proposed, live_.dt) : run_clock_.proposed;
  if (!follows_flow()) return live_.dt;
  const double now = std::min(clock().dt, live_.dt);
  if (step() % static_cast<std::uint64_t>(flow_.every) != 0 || !run_clock_.largest_step) return now;
  return flow_step(now, *flow_.courant * *run_clock_.largest_step, live_.dt);
}

std::uint64_t Simulation::steady_until() const {
  if (chooses_steps_) return step() + 1;
  if (!follows_flow()) return never;
  const auto every = static_cast<std::uint64_t>(flow_.every);
  return (step() / every + 1) * every;
}

/// Kept in the run_clock because forces know it of their last evaluation only, which is another
/// one after a rewind.
void Simulation::note_largest_step() {
  if (follows_flow() && step() % static_cast<std::uint64_t>(flow_.every) == 0)
    run_clock_.largest_step = largest_step();
}

namespace {

/// Indices of the first bodies whose ids have a value other than the default.
template <class T>
std::vector<engine::Index> labelled(const Simulation& simulation, const std::vector<T>& by_id,
                                    std::size_t most) {
  std::vector<engine::Index> found;
  for (std::size_t id = 0; id < by_id.size() && found.size() < most; ++id) {
    if (by_id[id] == T{}) continue;
    if (const auto index = simulation.index_of(static_cast<std::uint32_t>(id)))
      found.push_back(*index);
  }
  return found;
}

template <class T>
const T& label(const std::vector<T>& by_id, std::uint32_t id) {
  static const T none;
  return id < by_id.size() ? by_id[id] : none;
}

/// Replaying a step assigns the same labels to the same ids; later ones are left as they are.
template <class T>
void add_labels(std::vector<T>& by_id, std::size_t first, std::size_t count,
                const std::vector<T>& added) {
  for (std::size_t i = 0; i < count; ++i) {
    const T own = added.empty() ? T{} : added[i];
    if (own == T{} && first + i >= by_id.size()) continue;
    if (first + i >= by_id.size()) by_id.resize(first + i + 1);
    by_id[first + i] = own;
  }
}

}  // namespace

std::vector<engine::Index> Simulation::named(std::size_t most) const {
  return labelled(*this, labels_.names, most);
}

std::vector<engine::Index> Simulation::with_looks(std::size_t most) const {
  return labelled(*this, labels_.looks, most);
}

const std::string& Simulation::name(std::uint32_t id) const {
  return label(labels_.names, id);
}

const BodyLook& Simulation::look(std::uint32_t id) const {
  return label(labels_.looks, id);
}

ContactNetwork Simulation::contacts() {
  for (const Physics& p : model_.physics) {
    if (!p.info().has_contacts) continue;
    if (!contact_finder_ || contact_ids_ != ids_) {
      contact_finder_ = p.contacts(plan_.cpu, model_, state());
      contact_ids_ = ids_;
    }
    return contact_finder_->contacts(plan_.cpu, state(), time(), force_state());
  }
  return {};
}

Measurement Simulation::with_pressure(Measurement m, double virial,
                                      engine::Index constraints) const {
  if (!has_temperature(model_)) return m;
  const Domain domain = domain_of(model_);
  const engine::Index free = count_ - m.fixed_bodies;
  // Total momentum is not heat where it is conserved; that of a single body is its thermal motion.
  const bool without_momentum = conserves_momentum_ && m.fixed_bodies == 0 && count_ > 1;
  const double degrees = degrees_of_freedom(static_cast<double>(free),
                                            without_momentum ? conserved(m) : Conserved::nothing) -
                         static_cast<double>(constraints),
               kinetic = without_momentum ? KineticSums{m.kinetic, m.mass, m.momentum}.thermal()
                                          : m.free_kinetic,
               size = domain.length.x * domain.length.y * domain.length.z;
  m.virial = virial;
  m.temperature = degrees > 0 ? 2 * kinetic / degrees : 0;
  m.pressure = domain.closed() ? (2 * kinetic + virial) / (3 * size) : 0;
  return m;
}

Conserved Simulation::conserved(const Measurement& m) const {
  if (!is_isotropic(model_)) return Conserved::momentum;
  // About the centre of mass; the moment of inertia is at least a tenth of the mass at radius_90.
  const engine::Vec3d turning = m.angular_momentum - cross(m.center_of_mass, m.momentum);
  const double radius = m.lagrangian_radii.back();
  if (!turns(turning, KineticSums{m.kinetic, m.mass, m.momentum}.thermal(),
             m.mass * radius * radius))
    return Conserved::at_rest;
  return scales_velocities(model_) ? Conserved::direction : Conserved::momentum;
}

std::vector<double> Simulation::computed(const Quantity& quantity) {
  if (!is_computed(quantity.kind)) return {};
  const std::vector<double> phi =
      quantity.kind == Scalar::potential ? potentials() : std::vector<double>();
  return computed_values({state(), time(), period(), phi}, quantity);
}

engine::Vec3d Simulation::period() const {
  return period_of(domain_of(model_));
}

Measurement Simulation::with_time(Measurement m, std::uint64_t step) {
  m.time = clock().time_of(step);
  m.step = step;
  if (!run_clock_.measured) {
    run_clock_.first_energy = m.energy;
    if (is_worked_on()) run_clock_.energy_before_work = m.energy;
  }
  run_clock_.measured = true;
  m.energy_error = relative_error(m.energy, energy_reference(m.energy));
  return m;
}

Measurement Simulation::with_solids(Measurement m) {
  const std::vector<std::string> names = solid_names(model().obstacles);
  const std::vector<SolidState> states = solids();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string& name = names[k];
    const SolidState& solid = states[k];
    MeasuredSolid& measured = m.solids.emplace_back();
    measured.force = solid.force, measured.torque = solid.torque;
    for (const Axle& axle : axles_of(model())) {
      if (axle.name != name) continue;
      measured.on_axle = true;
      measured.angle = solid.angle;
      measured.angular_velocity = formula_of(axle).speed_at(solid);
    }
  }
  return m;
}

void Simulation::change(const LiveSettings& live) {
  on_all_ranks([&](FollowingRanks& others) { others.change(live); }, [&] { change_here(live); });
}

void Simulation::change_here(const LiveSettings& live) {
  const LiveDifference changed = difference(live, live_);
  if (!changed.forces && live.dt == live_.dt) return;
  refuse_unstable(live, model_);
  const bool worked_on = is_worked_on(), other_modules = !same_modules(live, model_);
  // Those that come and go are not divided.
  if (other_modules && plan_.ranks)
    throw engine::InputError("", "hands cannot be divided between GPUs or processes yet",
                             "use one");
  const EnergyBalance balance = energy_balance(model_);
  bool energy = changed.potential || other_modules;
  if (live.dt != live_.dt)
    for (const Physics& p : model_.physics) energy = energy || p.energy_depends_on_step();
  energy = energy && run_clock_.measured;
  const double before = energy ? measure().energy : 0;
  const Impulse given = impulse();
  set_settings(live);
  const EnergyBalance now = energy_balance(model_);
  if (now.kind < balance.kind || now.warmth < balance.warmth) run_clock_.less_given_since = step();
  if (other_modules) {
    // It continues as if resumed from a checkpoint: nothing of the past is lost.
    const HiddenState hidden = hidden_state();
    State<engine::Host> same(count_, precision(), layout()), bodies(count_, precision(), layout());
    copy_columns(same, state(), true);
    copy_columns(bodies, same, true);
    rebuild(std::move(bodies));
    copy_fields(same);
    set_hidden_state(hidden);
    set_impulse(given);
    refresh_forces();
  } else if (changed.forces) {
    apply_live();
    refresh_forces();
  }
  if (restart_integrator()) {
    refresh_forces();
    propose_first();
  }
  const double after = energy ? measure().energy : 0;
  if (energy) shift_energy(after - before);
  // What works from outside has no potential energy; while it works, errors are not counted.
  if (worked_on == is_worked_on()) return;
  if (!worked_on && energy) run_clock_.energy_before_work = after;
  if (worked_on && run_clock_.energy_before_work)
    run_clock_.first_energy += after - *std::exchange(run_clock_.energy_before_work, {});
}

void Simulation::shift_energy(double by) {
  run_clock_.first_energy += by;
  if (run_clock_.energy_before_work) *run_clock_.energy_before_work += by;
}

bool Simulation::set_settings(const LiveSettings& live) {
  live_ = live;
  const bool others = apply(live_, model_);
  if (!others) return false;
  conserves_momentum_ = conserves_momentum_of_free(model_);
  layout_ = layout_of(model_);
  plan_.evaluations = evaluations_of(model_, {count_, plan_.backend, plan_.precision});
  return true;
}

bool Simulation::takes_other_modules(const LiveSettings& live) {
  return !same_modules(live, model_) && set_settings(live);
}

bool Simulation::is_worked_on() const {
  return std::any_of(model_.physics.begin(), model_.physics.end(),
                     [](const Physics& p) { return p.works_from_outside(); });
}

bool Simulation::with_state_at(double time, const std::function<void()>& use) {
  if (clock().time() == time) return use(), true;
  if (!show_time(time)) return false;
  try {
    use();
  } catch (...) {
    show_present_time();
    throw;
  }
  show_present_time();
  return true;
}

bool Simulation::show_time(double time) {
  return on_all_ranks([&](FollowingRanks& others) { others.show_time(time); },
                      [&] {
                        const double before = clock().time() - time;
                        present_clock_ = run_clock_, present_impulse_ = impulse();
                        run_clock_.clock = {step(), step(), time, 0, clock().dt};
                        const bool shown = show_earlier(before);
                        if (!shown) run_clock_ = present_clock_;
                        return shown;
                      });
}

void Simulation::show_present_time() {
  on_all_ranks([](FollowingRanks& others) { others.show_present_time(); },
               [&] {
                 run_clock_ = present_clock_;
                 show_present();
                 set_impulse(present_impulse_);
               });
}

void Simulation::check_capacity(engine::Index more) {
  on_all_ranks([&](FollowingRanks& others) { others.check_capacity(more); },
               [&] { check_capacity_here(more); });
}

void Simulation::check_capacity_here(engine::Index more) const {
  if (static_cast<engine::Index>(next_id()) + more > largest_id)
    throw engine::InputError("", "no body ids are left",
                             "a run can assign at most " + engine::with_thousands(largest_id));
  refuse_expansions(model_, count_ + more,
                    evaluations_of(model_, {count_ + more, plan_.backend, plan_.precision}));
  check_memory_for(model_, plan_, count_, more);
}

void Simulation::change_bodies(const BodyChange& change) {
  on_all_ranks([&](FollowingRanks& others) { others.change_bodies(change); },
               [&] { change_bodies_here(change); });
}

void Simulation::change_bodies_here(const BodyChange& change) {
  const engine::Index added = change.added.count(),
                      removed = static_cast<engine::Index>(change.removed.size());
  if (change.empty()) return;
  if (count_ + added == removed)
    throw engine::InputError("", "the last body cannot be removed",
                             "keep one; a hook ends a run by sim:stop");
  std::vector<std::uint32_t> ids = change.removed;
  std::sort(ids.begin(), ids.end());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!index_of(ids[i]) || (i > 0 && ids[i] == ids[i - 1]))
      throw engine::InputError("",
                               "no body has the number " + std::to_string(ids[i]) +
                                   (i > 0 && ids[i] == ids[i - 1] ? " any more" : ""),
                               "remove bodies that exist, each once");
  if (const std::string problem = problem_of_added(change.added, model_.species.size(), layout_);
      !problem.empty())
    throw engine::InputError("", problem, "add bodies like those of the scene");
  check_capacity_here(added);
  State<engine::Host> old(count_, precision(), layout());
  copy_columns(old, state(), true);
  State<engine::Host> next = changed(old, change, next_id());
  check_members(next, next.count() - added, model_, "");
  fill_fields(next, next.count() - added, model_, FillTime::added);
  const std::uint32_t first = next_id();
  exchange(std::move(old), std::move(next));
  name(first, change.added);
  run_clock_.added += static_cast<std::uint64_t>(added);
  run_clock_.removed += static_cast<std::uint64_t>(removed);
}

void Simulation::change_values(const BodyValues& values) {
  on_all_ranks([&](FollowingRanks& others) { others.change_values(values); },
               [&] { change_values_here(values); });
}

void Simulation::change_values_here(const BodyValues& values) {
  State<engine::Host> old(count_, precision(), layout()), next(count_, precision(), layout());
  copy_columns(old, state(), true);
  copy_columns(next, old, false);
  put_values(next, values);
  reset_list_origins(next);
  exchange(std::move(old), std::move(next));
}

void Simulation::exchange(State<engine::Host> old, State<engine::Host> next) {
  const double before = run_clock_.measured ? measure().energy : 0;
  const BodyIds old_ids = ids_;
  const HiddenState old_hidden = hidden_state();
  const double old_proposed = run_clock_.proposed;
  const Impulse given = impulse();
  // Never null: saved states and frames compare sets of bodies by this pointer alone.
  auto next_ids =
      std::make_shared<const std::vector<std::uint32_t>>(next.id(), next.id() + next.count());
  const auto put_back = [&] {
    State<engine::Host> same(old.count(), precision(), layout());
    copy_columns(same, old, true);
    replace(std::move(same), old_ids);
    // With the accelerations that they had: a new evaluation may differ, since damping takes
    // velocities within a step.
    copy_fields(old);
    set_hidden_state(old_hidden);
    set_impulse(given);
    run_clock_.proposed = old_proposed;
  };
  try {
    const bool driven = is_driven(model_, next);
    replace(std::move(next), std::move(next_ids));
    model_.driven = model_.driven || driven;
    refuse_not_finite(first_not_finite(), precision(), "", "");
  } catch (const engine::InputError&) {  // the same on all ranks
    put_back();
    throw;
  } catch (...) {
    if (!plan_.ranks) put_back();
    throw;
  }
  if (run_clock_.measured) shift_energy(measure().energy - before);
}

void Simulation::replace(State<engine::Host> state, BodyIds ids) {
  set_ids(std::move(ids), state.count());
  const Impulse given = impulse();
  rebuild(std::move(state));
  set_impulse(given);
  refresh_forces();
  // Added bodies may be close to others.
  if (chooses_steps_) {
    const double first = first_step();
    const bool begins = info_of(model_.integrator).block_steps;
    run_clock_.proposed = begins ? first : std::min(run_clock_.proposed, first);
  }
}

void Simulation::name(std::size_t first, const Bodies& added) {
  add_labels(labels_.names, first, added.mass.size(), added.names);
  add_labels(labels_.looks, first, added.mass.size(), added.looks);
}

void Simulation::resume(const State<engine::Host>& state, const RunClock& run_clock,
                        const LiveSettings& live, const HiddenState& hidden) {
  on_all_ranks([&](FollowingRanks& others) { others.resume(state, run_clock, live, hidden); },
               [&] { resume_here(state, run_clock, live, hidden); });
}

void Simulation::resume_here(const State<engine::Host>& state, const RunClock& run_clock,
                             const LiveSettings& live, const HiddenState& hidden) {
  // Forces keep what they read in the state for which they were made: ids, which bodies are fixed.
  // Ranks that follow have been sent a copy.
  const bool others = takes_other_modules(live);
  if (others || followers_ || made_for_.lock().get() != &state) {
    State<engine::Host> own(count_, precision(), layout());
    copy_columns(own, state, true);
    rebuild(std::move(own));
  }
  copy_fields(state);
  set_ids(ids_of(state), state.count());
  restore_clock(run_clock, live);
  set_hidden_state(hidden);
  set_impulse({});
  if (!layout_.stores_accelerations) evaluate_forces();
}

void Simulation::save_common(SavedState& saved) {
  saved.run_clock = run_clock_;
  saved.live = live_;
  saved.impulse = impulse();
  saved.ids = ids_;
  saved.count = count_;
  saved.bytes = saved_state_bytes();
}

void Simulation::set_impulse(const Impulse& impulse) {
  set_impulse_of_forces(impulse);
  impulse_ = impulse;
  impulse_.evaluations = 0;  // another force will not go on from the last value of this one
}

void Simulation::restore_common(const SavedState& saved) {
  restore_clock(saved.run_clock, saved.live);
  set_impulse(saved.impulse);
}

void Simulation::restore_clock(const RunClock& run_clock, const LiveSettings& live) {
  const bool same = !difference(live, live_).forces;
  run_clock_ = run_clock;
  set_settings(live);
  if (!same) apply_live();
}

StepReport Simulation::advance_measured(std::uint64_t steps, std::uint64_t every,
                                        const std::function<bool()>& stop,
                                        const std::function<void(const Measurement&)>& use) {
  StepReport report;
  while (report.steps < steps && report.health == Health::good) {
    const std::uint64_t wanted = std::min(steps - report.steps, every - step() % every);
    const StepReport part = advance(wanted, stop);
    report.steps += part.steps;
    report.interactions += part.interactions;
    report.health = part.health;
    report.offender = part.offender;
    if (part.steps > 0 && step() % every == 0) use(measure());
    if (part.steps < wanted) break;
  }
  return report;
}

std::uint64_t Simulation::saved_state_bytes() const {
  // Each rank saves its own bodies.
  const engine::Index ranks = ranks_of(plan_), own = (count_ + ranks - 1) / ranks;
  return State<engine::Host>::bytes(own, precision(), layout_) +
         static_cast<std::uint64_t>(own) * info_of(model_.integrator).bytes_per_body +
         force_state_bytes(model_, count_, precision());
}

}  // namespace mote::sim
