#include "sim/run/simulation.h"

#include <cmath>
#include <limits>
#include <utility>

#include "sim/motion/motion.h"
#include "sim/run/registry.h"

namespace mote::sim {
namespace {

using engine::Host;
using engine::Index;

/// Copies bodies as made into a state, in its precision; ids count from 0.
void fill(State<Host>& state, const Bodies& bodies, const std::string& file) {
  state.visit([&]<class Real>(StateView<Real> s) {
    for (Index i = 0; i < s.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const engine::Vec3d x = bodies.position[k], v = bodies.velocity[k];
      state.id()[i] = static_cast<std::uint32_t>(i);
      s.mass[i] = static_cast<Real>(bodies.mass[k]);
      s.x[i] = static_cast<Real>(x.x), s.y[i] = static_cast<Real>(x.y), s.z[i] = static_cast<Real>(x.z);
      s.vx[i] = static_cast<Real>(v.x), s.vy[i] = static_cast<Real>(v.y), s.vz[i] = static_cast<Real>(v.z);
      for (Real value : {s.mass[i], s.x[i], s.y[i], s.z[i], s.vx[i], s.vy[i], s.vz[i]})
        if (!std::isfinite(value))
          throw engine::InputError(
              file, "body " + std::to_string(i + 1) + " has a number that is too large for this precision",
              "use --precision double, or other units");
    }
  });
}

/// Runs the stages of a scene one after the other on one backend.
template <class Exec>
class StagedSimulation final : public Simulation {
 public:
  using Space = typename Exec::Space;

  StagedSimulation(const SceneDescription& scene, const Plan& plan, Exec exec)
      : exec_(exec),
        state_(scene.body_count(), plan.precision),
        stages_(scheme_named(scene.integrator.name)->step),
        dt_(scene.integrator.dt),
        forces_(make_forces<Exec>(scene, plan.precision)) {
    Bodies bodies = make_bodies(scene, plan.cpu.threads);
    fill(state_, bodies, scene.file.string());
    names_ = std::move(bodies.names);
    StepReport ignored;
    evaluate(ignored);
    refuse_not_finite(scene, plan);
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      const std::uint64_t counted = report.interactions;
      for (const Stage& stage : stages_) run(stage, report);
      ++step_;
      ++report.steps;
      report.offender = first_not_finite(exec_, state_);
      interactions_ += report.interactions - counted;
      if (report.offender >= 0) report.health = report.health | Health::not_finite;
    }
    return report;
  }

  std::uint64_t step() const override { return step_; }
  double dt() const override { return dt_; }
  std::uint64_t interactions() const override { return interactions_; }
  std::uint64_t hash() const override { return state_hash(exec_, state_, time(), step_); }
  const State<Host>& state() override { return state_; }

  Measurement measure() override {
    double potential = 0;
    for (const auto& force : forces_) potential += force->potential_energy(exec_, state_);
    Measurement m = sim::measure(exec_, state_, potential);
    m.time = time();
    m.step = step_;
    if (!measured_) first_energy_ = m.energy;
    measured_ = true;
    m.energy_error = relative_error(m.energy, first_energy_);
    return m;
  }

 private:
  /// Distances are squared and cubed: what fits a number type by itself may not fit it as a force.
  void refuse_not_finite(const SceneDescription& scene, const Plan& plan) {
    const std::int64_t id = first_not_finite(exec_, state_);
    if (id < 0) return;
    const bool full = plan.precision == engine::Precision::full;
    throw engine::InputError(scene.file.string(),
                             "body " + std::to_string(id + 1) +
                                 " feels a force at the start that is not finite in " +
                                 std::string(engine::name_of(plan.precision)) + " precision",
                             std::string(full ? "use" : "use --precision double,") +
                                 " other units, or a softening if two bodies nearly touch");
  }

  void run(const Stage& stage, StepReport& report) {
    switch (stage.kind) {
      case StageKind::force:
        evaluate(report);
        break;
      case StageKind::kick:
        kick(exec_, state_, stage.fraction * dt_);
        break;
      case StageKind::drift:
        drift(exec_, state_, stage.fraction * dt_);
        break;
    }
  }

  void evaluate(StepReport& report) {
    clear_accelerations(exec_, state_);
    for (const auto& force : forces_) force->run(exec_, state_, report);
  }

  Exec exec_;
  State<Space> state_;
  Step stages_;
  double dt_;
  std::vector<std::unique_ptr<Force<Exec>>> forces_;
  std::uint64_t step_ = 0, interactions_ = 0;
  double first_energy_ = 0;
  bool measured_ = false;
};

}  // namespace

const std::string& Simulation::name(std::uint32_t id) const {
  static const std::string nameless;
  return id < names_.size() ? names_[id] : nameless;
}

std::unique_ptr<Simulation> open_simulation(const SceneDescription& scene, const Plan& plan) {
  return std::make_unique<StagedSimulation<engine::Cpu>>(scene, plan, plan.cpu);
}

}  // namespace mote::sim
