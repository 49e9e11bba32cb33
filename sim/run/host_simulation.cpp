#include <utility>

#include "sim/motion/motion.h"
#include "sim/run/backends.h"
#include "sim/run/initial_state.h"
#include "sim/run/simulation.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;

struct SavedOnHost final : SavedState {
  SavedOnHost(engine::Index bodies, engine::Precision precision, const StateLayout& layout)
      : state(bodies, precision, layout) {}
  State<Host> state;
  std::string force_state;
};

/// Runs the stages of a scene's steps on the CPU.
class HostSimulation final : public Simulation {
 public:
  HostSimulation(const SceneDescription& scene, const Plan& plan, InitialState start)
      : Simulation(std::move(start.model), plan, start.state.count(), std::move(start.names)),
        exec_(plan.cpu),
        state_(std::move(start.state)),
        forces_(make_forces(exec_, model(), state_)),
        kicking_(kicking_force(forces_)),
        constraining_(constraining_force(forces_)),
        heating_(heating_force(forces_)),
        stages_(step_of(model())) {
    if (kicking_) stages_ = with_separate_kicks(stages_);
    elapsed_fractions_ = elapsed_fractions(stages_);
    if (!scene.resumed)
      for (const auto& force : forces_)
        force->check_start(exec_, state_, dt(), scene.file.string());
    evaluate_forces();
    note_largest_step();
    refuse_not_finite(first_not_finite(), precision(), scene.file.string());
    if (!scene.resumed) refuse_long_step(model(), dt(), largest_step());
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      const std::uint64_t counted = report.interactions;
      for (std::size_t k = 0; k < stages_.size(); ++k)
        run(stages_[k], elapsed_fractions_[k], report);
      ++report.steps;
      count_steps(1, report.interactions - counted);
      note_largest_step();
      const std::int64_t non_finite = first_not_finite();
      if (non_finite < 0) continue;
      report.offender = non_finite;
      report.health = report.health | Health::not_finite;
    }
    return report;
  }

  double largest_step() const override { return sim::largest_step(forces_); }
  std::uint64_t hash() override { return state_hash(exec_, state_, time(), step()); }
  const State<Host>& state() override { return state_; }

  Measurement measure() override {
    double potential = 0;
    const StageTime now = at(0);
    for (const auto& force : forces_) potential += force->potential_energy(exec_, state_, now);
    double virial = 0;
    for (const auto& force : forces_) virial += force->virial();
    Measurement measured = with_pressure(sim::measure(exec_, state_, potential, period()), virial);
    if (heating_) measured.energy += heating_->bath_energy(exec_, state_);
    return with_time(measured);
  }

  Histogram histogram(const HistogramRequest& request) override {
    return sim::histogram(exec_, state_, request);
  }

  std::unique_ptr<SavedState> save() override {
    auto saved = std::make_unique<SavedOnHost>(count(), precision(), layout());
    copy_columns(saved->state, state_, true);
    saved->force_state = force_state();
    save_common(*saved);
    return saved;
  }

  void restore(const SavedState& saved) override {
    const State<Host>& from = dynamic_cast<const SavedOnHost&>(saved).state;
    if (has_other_bodies(saved)) {
      State<Host> state(saved.count, precision(), layout());
      copy_columns(state, from, true);
      set_ids(saved.ids, saved.count);
      rebuild(std::move(state));
    } else {
      copy_columns(state_, from, true);
    }
    for (const auto& force : forces_) force->on_state_replaced(exec_, state_);
    set_force_state(dynamic_cast<const SavedOnHost&>(saved).force_state);
    restore_clock(saved.clockwork, saved.live);
  }

  std::string force_state() override {
    std::string all;
    for (const auto& force : forces_) all += force->serialize();
    return all;
  }

  void pack(const PackTarget& target) override { sim::pack(exec_, state_, target); }

  BodyState body(engine::Index index) override { return body_state(state_, index); }

 protected:
  void set_force_state(std::string_view bytes) override {
    for (const auto& force : forces_) force->deserialize(bytes);
  }

  void apply_live() override {
    for (const auto& force : forces_) force->change();
  }

  void evaluate_forces() override {
    StepReport ignored;
    evaluate(0, ignored);
  }

  std::int64_t first_not_finite() override { return sim::first_not_finite(exec_, state_); }

  void rebuild(State<Host> state) override {
    auto forces = make_forces(exec_, model(), state);
    const std::string bytes = force_state();
    state_ = std::move(state);
    forces_ = std::move(forces);
    set_force_state(bytes);  // of the bodies that remain
    kicking_ = kicking_force(forces_);
    constraining_ = constraining_force(forces_);
    heating_ = heating_force(forces_);
  }

  void copy_fields(const State<Host>& state) override {
    copy_columns(state_, state, layout().stores_accelerations);
    for (const auto& force : forces_) force->on_state_replaced(exec_, state_);
  }

 private:
  void run(const Stage& stage, double elapsed_fraction, StepReport& report) {
    switch (stage.kind) {
      case StageKind::force:
        evaluate(elapsed_fraction, report);
        break;
      case StageKind::kick:
        if (kicking_)
          kicking_->kick(exec_, state_, stage.fraction * dt(), at(elapsed_fraction));
        else
          kick(exec_, state_, stage.fraction * dt());
        break;
      case StageKind::drift:
        drift(exec_, state_, stage.fraction * dt());
        break;
      case StageKind::thermostat:
        if (!heating_->exchange_heat(exec_, state_, stage.fraction * dt(), at(elapsed_fraction)))
          report.health = report.health | Health::step_too_long;
        break;
      case StageKind::constrain:
        constraining_->constrain(exec_, state_, stage.fraction * dt(), at(elapsed_fraction));
        break;
    }
  }

  StageTime at(double elapsed_fraction) {
    const Clock c = ahead();
    clock_ = {c.base_time, c.dt, static_cast<std::int64_t>(c.step - c.base_step),
              static_cast<std::int64_t>(c.base_step)};
    return {&clock_, nullptr, elapsed_fraction};
  }

  void evaluate(double elapsed_fraction, StepReport& report) {
    clear_accelerations(exec_, state_);
    const StageTime time = at(elapsed_fraction);
    for (const auto& force : forces_) force->run(exec_, state_, time, report);
  }

  Cpu exec_;
  State<Host> state_;
  Forces<Cpu> forces_;
  Force<Cpu>*kicking_, *constraining_, *heating_;  // of them, or null
  Step stages_;
  std::vector<double> elapsed_fractions_;
  StepClock clock_;
};

}  // namespace

std::unique_ptr<Simulation> open_host_simulation(const SceneDescription& scene, const Plan& plan) {
  return std::make_unique<HostSimulation>(scene, plan, make_initial_state(scene, plan));
}

}  // namespace mote::sim
