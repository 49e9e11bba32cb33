#include <utility>

#include "sim/motion/motion.h"
#include "sim/run/opening.h"
#include "sim/run/registry.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;

struct KeptOnHost final : KeptState {
  KeptOnHost(engine::Index bodies, engine::Precision precision, const StateShape& shape)
      : state(bodies, precision, shape) {}
  State<Host> state;
  std::string memory;  ///< of the forces
};

/// Runs the stages of a scene one after the other on the CPU.
class HostSimulation final : public Simulation {
 public:
  HostSimulation(const SceneDescription& scene, const Plan& plan, Start start)
      : Simulation(scene, plan, start.state.count(), std::move(start.names),
                   std::move(start.soft_mesh)),
        exec_(plan.cpu),
        state_(std::move(start.state)),
        forces_(make_forces<Cpu>(exec_, physics(), state_)),
        kicking_(kicking_force(forces_)),
        constraining_(constraining_force(forces_)),
        stages_(step_of(scene)) {
    if (physics().thermostat)
      thermostat_.emplace(*physics().thermostat, static_cast<std::uint64_t>(physics().head.seed),
                          keeps_momentum());
    if (kicking_) stages_ = with_separate_kicks(stages_);
    passed_ = passed_before(stages_);
    if (!scene.goes_on)
      for (const auto& force : forces_)
        force->check_start(exec_, state_, dt(), scene.file.string());
    evaluate_forces();
    refuse_not_finite(first_not_finite(), precision(), scene.file.string());
    if (!scene.goes_on) refuse_long_step(scene, dt(), largest_step());
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      const std::uint64_t counted = report.interactions;
      for (std::size_t k = 0; k < stages_.size(); ++k) run(stages_[k], passed_[k], report);
      ++report.steps;
      count_steps(1, report.interactions - counted);
      const std::int64_t lost = first_not_finite();
      if (lost < 0) continue;
      report.offender = lost;
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
    if (thermostat_) measured.energy += thermostat_->energy(state_);
    return with_time(measured);
  }

  Histogram histogram(const HistogramRequest& request) override {
    return sim::histogram(exec_, state_, request);
  }

  std::unique_ptr<KeptState> keep() override {
    auto kept = std::make_unique<KeptOnHost>(count(), precision(), shape());
    copy_columns(kept->state, state_, true);
    kept->memory = force_memory();
    note(*kept);
    return kept;
  }

  void restore(const KeptState& kept) override {
    const State<Host>& from = dynamic_cast<const KeptOnHost&>(kept).state;
    if (of_others(kept)) {
      State<Host> state(kept.count, precision(), shape());
      copy_columns(state, from, true);
      take_ids(kept.ids, kept.count);
      lay_out(std::move(state));
    } else {
      copy_columns(state_, from, true);
    }
    for (const auto& force : forces_) force->replaced(exec_, state_);
    set_force_memory(dynamic_cast<const KeptOnHost&>(kept).memory);
    put_back(kept.clockwork, kept.live);
  }

  std::string force_memory() override {
    std::string all;
    for (const auto& force : forces_) all += force->memory();
    return all;
  }

  void pack(const PackTarget& target) override { sim::pack(exec_, state_, target); }

  BodyNumbers body(engine::Index column) override { return body_numbers(state_, column); }

 protected:
  void set_force_memory(std::string_view bytes) override {
    for (const auto& force : forces_) force->set_memory(bytes);
  }

  void apply_live() override {
    for (const auto& force : forces_) force->change(live());
  }

  void evaluate_forces() override {
    StepReport ignored;
    evaluate(0, ignored);
  }

  std::int64_t first_not_finite() override { return sim::first_not_finite(exec_, state_); }

  void lay_out(State<Host> state) override {
    auto forces = make_forces<Cpu>(exec_, physics(), state);
    const std::string memory = force_memory();
    state_ = std::move(state);
    forces_ = std::move(forces);
    set_force_memory(memory);  // of those that stay
    kicking_ = kicking_force(forces_);
    constraining_ = constraining_force(forces_);
    apply_live();
  }

  void copy_numbers(const State<Host>& state) override {
    copy_columns(state_, state, shape().remembers);
    for (const auto& force : forces_) force->replaced(exec_, state_);
  }

 private:
  void run(const Stage& stage, double passed, StepReport& report) {
    switch (stage.kind) {
      case StageKind::force:
        evaluate(passed, report);
        break;
      case StageKind::kick:
        if (kicking_)
          kicking_->kick(exec_, state_, stage.fraction * dt(), at(passed));
        else
          kick(exec_, state_, stage.fraction * dt());
        break;
      case StageKind::drift:
        drift(exec_, state_, stage.fraction * dt());
        break;
      case StageKind::thermostat:
        if (!thermostat_->apply(exec_, state_, stage.fraction * dt(), at(passed)))
          report.health = report.health | Health::step_too_long;
        break;
      case StageKind::constrain:
        constraining_->constrain(exec_, state_, stage.fraction * dt(), at(passed));
        break;
    }
  }

  StageTime at(double passed) {
    const Clockwork& c = clockwork();
    clock_ = {c.base_time, dt(), static_cast<std::int64_t>(c.step - c.base_step),
              static_cast<std::int64_t>(c.base_step)};
    return {&clock_, nullptr, passed};
  }

  void evaluate(double passed, StepReport& report) {
    clear_accelerations(exec_, state_);
    const StageTime time = at(passed);
    for (const auto& force : forces_) force->run(exec_, state_, time, report);
  }

  Cpu exec_;
  State<Host> state_;
  std::vector<std::unique_ptr<Force<Cpu>>> forces_;
  Force<Cpu>*kicking_, *constraining_;  // of them, or null
  std::optional<ThermostatStage> thermostat_;
  Step stages_;
  std::vector<double> passed_;
  StepClock clock_;
};

}  // namespace

std::unique_ptr<Simulation> open_host_simulation(const SceneDescription& scene, const Plan& plan) {
  return std::make_unique<HostSimulation>(scene, plan, make_start(scene, plan));
}

}  // namespace mote::sim
