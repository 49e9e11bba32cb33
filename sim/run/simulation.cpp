#include "sim/run/simulation.h"

#include <algorithm>
#include <utility>

#include "sim/motion/motion.h"
#include "sim/run/opening.h"
#include "sim/run/registry.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;

struct KeptOnHost final : KeptState {
  KeptOnHost(engine::Index count, engine::Precision precision) : state(count, precision) {}
  State<Host> state;
};

/// Runs the stages of a scene one after the other on the CPU.
class HostSimulation final : public Simulation {
 public:
  HostSimulation(const SceneDescription& scene, const Plan& plan, Start start)
      : Simulation(scene, start.state.count(), start.state.precision(), std::move(start.names)),
        exec_(plan.cpu),
        state_(std::move(start.state)),
        forces_(make_forces<Cpu>(exec_, scene, state_)),
        kicking_(kicking_force(forces_)),
        stages_(scheme_named(scene.integrator.name)->step) {
    if (kicking_) stages_ = with_separate_kicks(stages_);
    passed_ = passed_before(stages_);
    evaluate_forces();
    refuse_not_finite(first_not_finite(exec_, state_), scene, plan);
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      const std::uint64_t counted = report.interactions;
      for (std::size_t k = 0; k < stages_.size(); ++k) run(stages_[k], passed_[k], report);
      ++report.steps;
      report.offender = first_not_finite(exec_, state_);
      count_steps(1, report.interactions - counted);
      if (report.offender >= 0) report.health = report.health | Health::not_finite;
    }
    return report;
  }

  std::uint64_t hash() override { return state_hash(exec_, state_, time(), step()); }
  const State<Host>& state() override { return state_; }

  Measurement measure() override {
    double potential = 0;
    const StageTime now = at(0);
    for (const auto& force : forces_) potential += force->potential_energy(exec_, state_, now);
    return with_time(sim::measure(exec_, state_, potential));
  }

  Histogram histogram(const HistogramRequest& request) override {
    return sim::histogram(exec_, state_, request);
  }

  std::unique_ptr<KeptState> keep() override {
    auto kept = std::make_unique<KeptOnHost>(count(), precision());
    copy_columns(kept->state, state_, true);
    kept->clockwork = clockwork();
    kept->live = live();
    return kept;
  }

  void restore(const KeptState& kept) override {
    copy_columns(state_, dynamic_cast<const KeptOnHost&>(kept).state, true);
    put_back(kept.clockwork, kept.live);
  }

  void resume(const State<Host>& state, const Clockwork& clockwork, const LiveSettings& live) override {
    copy_columns(state_, state, false);
    put_back(clockwork, live);
    evaluate_forces();
  }

  void pack(const PackTarget& target) override { sim::pack(exec_, state_, target); }

  BodyNumbers body(engine::Index column) override { return body_numbers(state_, column); }

 protected:
  void apply_live() override {
    for (const auto& force : forces_) force->change(live());
  }

  void evaluate_forces() override {
    StepReport ignored;
    evaluate(0, ignored);
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
    }
  }

  StageTime at(double passed) {
    const Clockwork& c = clockwork();
    clock_ = {c.base_time, dt(), static_cast<std::int64_t>(c.step - c.base_step)};
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
  Force<Cpu>* kicking_;  // one of them, or null
  Step stages_;
  std::vector<double> passed_;
  StepClock clock_;
};

}  // namespace

const std::string& Simulation::name(std::uint32_t id) const {
  static const std::string nameless;
  return id < names_.size() ? names_[id] : nameless;
}

Simulation::Simulation(const SceneDescription& scene, engine::Index count, engine::Precision precision,
                       std::vector<std::string> names)
    : count_(count), precision_(precision), names_(std::move(names)), live_(live_of(scene)) {}

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
  const double before = forces && clockwork_.measured ? measure().energy : 0;
  clockwork_.base_time = time();
  clockwork_.base_step = step();
  live_ = live;
  apply_live();
  if (!forces) return;
  evaluate_forces();
  if (clockwork_.measured) clockwork_.first_energy += measure().energy - before;
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

std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan) {
  if (plan.backend == engine::Backend::cuda) return open_device_simulation(scene, plan);
  return std::make_unique<HostSimulation>(scene, plan, make_start(scene, plan));
}

}  // namespace mote::sim
