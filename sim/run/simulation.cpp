#include "sim/run/simulation.h"

#include <algorithm>
#include <utility>

#include "engine/text.h"
#include "sim/run/grain_stage.h"
#include "sim/run/mixture_stage.h"
#include "sim/run/opening.h"
#include "sim/run/registry.h"
#include "sim/scene/matter.h"

namespace mote::sim {
namespace {

/// What forces, steps and columns are made from, without bodies, texts and hooks.
SceneDescription physics_of(const SceneDescription& scene) {
  SceneDescription physics;
  physics.file = scene.file;
  physics.units = scene.units;
  physics.gravity = scene.gravity;
  physics.fields = scene.fields;
  physics.domain = scene.domain;
  physics.pairs = scene.pairs;
  physics.bonds = scene.bonds;
  physics.thermostat = scene.thermostat;
  physics.fluid = scene.fluid;
  physics.grains = scene.grains;
  physics.obstacles = scene.obstacles;
  physics.soft = scene.soft;
  physics.head.seed = scene.head.seed;
  physics.integrator = scene.integrator;
  physics.species = scene.species;
  physics.series.displacement = scene.series.displacement;
  return physics;
}

}  // namespace

Simulation::Simulation(const SceneDescription& scene, const Plan& plan, engine::Index count,
                       std::vector<std::string> names, std::shared_ptr<const SoftMesh> soft_mesh)
    : physics_(physics_of(scene)),
      plan_(plan),
      count_(count),
      names_(std::move(names)),
      shape_(shape_of(scene)),
      keeps_momentum_(sim::keeps_momentum(scene)),
      live_(live_of(scene)) {
  physics_.soft_mesh = std::move(soft_mesh);
}

const std::string& Simulation::name(std::uint32_t id) const {
  static const std::string nameless;
  return id < names_.size() ? names_[id] : nameless;
}

ContactNetwork Simulation::contacts() {
  if (!physics_.grains) return {};
  if (!touching_ || touching_ids_ != ids_) {
    touching_ =
        std::make_shared<GrainStage>(plan_.cpu, physics_, state(), physics_.soft_mesh.get());
    touching_ids_ = ids_;
  }
  touching_->set_memory(force_memory());
  return touching_->contacts(plan_.cpu, state(), time());
}

Measurement Simulation::with_pressure(Measurement m, double virial) const {
  if (!has_temperature(physics_)) return m;
  const Domain domain = domain_of(physics_);
  const double degrees = degrees_of_freedom(static_cast<double>(count_), keeps_momentum()),
               kinetic =
                   keeps_momentum() ? Heat{m.kinetic, m.mass, m.momentum}.relative() : m.kinetic,
               size = domain.length.x * domain.length.y * domain.length.z;
  m.virial = virial;
  m.temperature = 2 * kinetic / degrees;
  m.pressure = domain.closed() ? (2 * kinetic + virial) / (3 * size) : 0;
  return m;
}

engine::Vec3d Simulation::period() const {
  const Domain domain = domain_of(physics_);
  return {domain.periodic[0] ? domain.length.x : 0, domain.periodic[1] ? domain.length.y : 0,
          domain.periodic[2] ? domain.length.z : 0};
}

Measurement Simulation::with_time(Measurement m, std::uint64_t step) {
  m.time = time_of(step);
  m.step = step;
  if (!clockwork_.measured) clockwork_.first_energy = m.energy;
  clockwork_.measured = true;
  m.energy_error = relative_error(m.energy, clockwork_.first_energy);
  return m;
}

void Simulation::change(const LiveSettings& live) {
  const bool forces = !same_forces(live, live_);
  if (!forces && live.dt == live_.dt) return;
  // Soft bodies keep the energy of constraints that a step has met, and a longer one meets more.
  const bool energy = forces || physics_.soft.has_value();
  const double before = energy && clockwork_.measured ? measure().energy : 0;
  clockwork_.base_time = time();
  clockwork_.base_step = step();
  live_ = live;
  apply_live();
  if (forces) evaluate_forces();
  if (energy && clockwork_.measured) clockwork_.first_energy += measure().energy - before;
}

void Simulation::check_room(engine::Index more) const {
  if (static_cast<engine::Index>(next_id()) + more > largest_id)
    throw engine::InputError("", "the ids of bodies are used up",
                             "a run gives at most " + engine::with_thousands(largest_id));
  check_memory_for(physics_, plan_, count_, more);
}

void Simulation::change_bodies(const BodyChange& change) {
  const engine::Index added = change.added.count(),
                      removed = static_cast<engine::Index>(change.removed.size());
  if (change.empty()) return;
  if (count_ + added == removed)
    throw engine::InputError("", "the last body cannot be removed", "sim:stop ends a run");
  check_room(added);
  const double before = clockwork_.measured ? measure().energy : 0;
  State<engine::Host> old(count_, precision(), shape());
  copy_columns(old, state(), false);
  const BodyIds old_ids = ids_;
  const std::string memory = force_memory();
  State<engine::Host> next = changed(old, change, next_id());
  check_members(next, next.count() - added, physics_, "");
  fill_extras(next, next.count() - added, physics_);
  if (physics_.fluid) fill_pores(next, next.count() - added, physics_);
  // Never null: kept states and pictures tell bodies apart by this pointer alone.
  auto next_ids =
      std::make_shared<const std::vector<std::uint32_t>>(next.id(), next.id() + next.count());
  const std::uint32_t first = next_id();
  try {
    replace(std::move(next), std::move(next_ids));
    refuse_not_finite(first_not_finite(), precision(), "", "");
  } catch (...) {
    replace(std::move(old), old_ids);
    set_force_memory(memory);
    throw;
  }
  name(first, change.added);
  clockwork_.added += static_cast<std::uint64_t>(added);
  clockwork_.removed += static_cast<std::uint64_t>(removed);
  if (clockwork_.measured) clockwork_.first_energy += measure().energy - before;
}

void Simulation::replace(State<engine::Host> state, BodyIds ids) {
  take_ids(std::move(ids), state.count());
  lay_out(std::move(state));
  evaluate_forces();
}

/// Where a search of the past comes by again, the same names come to the same places; those behind
/// stay.
void Simulation::name(std::size_t first, const Bodies& added) {
  for (std::size_t i = 0; i < added.mass.size(); ++i) {
    const std::string name = added.names.empty() ? "" : added.names[i];
    if (name.empty() && first + i >= names_.size()) continue;
    if (first + i >= names_.size()) names_.resize(first + i + 1);
    names_[first + i] = name;
  }
}

void Simulation::resume(const State<engine::Host>& state, const Clockwork& clockwork,
                        const LiveSettings& live, std::string_view memory) {
  const BodyIds ids = ids_of(state);
  for (engine::Index column = 0; column < count_; ++column) {
    if (id(column) == id_of(ids, column)) continue;
    // Who is bonded to whom goes by ids, and what is laid out is of others.
    State<engine::Host> own(count_, precision(), shape());
    copy_columns(own, state, true);
    lay_out(std::move(own));
    break;
  }
  copy_numbers(state);
  take_ids(ids, state.count());
  put_back(clockwork, live);
  set_force_memory(memory);
  if (!shape_.remembers) evaluate_forces();
}

void Simulation::note(KeptState& kept) const {
  kept.clockwork = clockwork_;
  kept.live = live_;
  kept.ids = ids_;
  kept.count = count_;
  kept.bytes = kept_bytes();
}

void Simulation::put_back(const Clockwork& clockwork, const LiveSettings& live) {
  const bool same = same_forces(live, live_) && live.dt == live_.dt;
  clockwork_ = clockwork;
  live_ = live;
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

std::uint64_t Simulation::kept_bytes() const {
  return State<engine::Host>::bytes(count_, precision(), shape_) +
         remembered_bytes(physics_, count_, precision());
}

std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan) {
  if (plan.backend == engine::Backend::cuda) return open_device_simulation(scene, plan);
  return open_host_simulation(scene, plan);
}

}  // namespace mote::sim
