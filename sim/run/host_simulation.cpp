#include <optional>
#include <utility>
#include <vector>

#include "sim/motion/integrators.h"
#include "sim/run/backends.h"
#include "sim/run/initial_state.h"
#include "sim/run/simulation.h"
#include "sim/space/body_order.h"

namespace mote::sim {
namespace {

using engine::Cpu;
using engine::Host;

struct SavedOnHost final : SavedState {
  SavedOnHost(engine::Index bodies, engine::Precision precision, const StateLayout& layout)
      : state(bodies, precision, layout) {}
  State<Host> state;
  BodyOrder<Cpu> order;
  std::string force_state, integrator_state;
};

/// Steps a scene on the CPU, by its integrator.
class HostSimulation final : public Simulation {
 public:
  HostSimulation(const SceneDescription& scene, const Plan& plan, InitialState start)
      : Simulation(start, plan),
        exec_(plan.cpu),
        state_(std::move(start.state)),
        forces_(make_forces(exec_, model(), state_)),
        integrator_(
            info_of(model().integrator).make(model().integrator, traits_of(model(), forces_))) {
    if (!scene.restored)
      for (const auto& force : forces_.all)
        force->check_start(exec_, state_, dt(), scene.file.string());
    evaluate_forces();
    note_largest_step();
    propose_first();
    refuse_not_finite(first_not_finite(), precision(), scene.file.string());
    if (!scene.restored) refuse_long_step(model(), dt(), largest_step());
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      const std::uint64_t counted = report.interactions;
      System<Cpu> system{state_, forces_, clock_ahead(), report};
      const StepTaken taken = integrator_->step(exec_, system);
      ++report.steps;
      if (chooses_steps()) {
        count_step(taken);
        evaluate(report);
        count_interactions(report.interactions - counted);
      } else {
        count_steps(1, report.interactions - counted);
      }
      note_largest_step();
      by_id_.reset();
      if (const std::int64_t non_finite = first_not_finite(); non_finite >= 0) {
        report.offender = non_finite;
        report.health = report.health | Health::not_finite;
      } else if (order_due(orders_every(forces_))) {
        order_bodies();
      }
    }
    return report;
  }

  double largest_step() const override { return sim::largest_step(forces_.all); }
  std::uint64_t hash() override { return state_hash(exec_, state_, time(), step()); }
  const State<Host>& state() override {
    if (order_.by_id()) return state_;
    if (!by_id_) {
      by_id_.emplace(count(), precision(), layout());
      order_.copy_by_id(exec_, *by_id_, state_);
    }
    return *by_id_;
  }
  std::optional<ForceErrors> force_errors() override {
    return worst_errors(forces_.all, exec_, state_);
  }
  std::vector<double> potentials() override {
    const State<Host>& by_id = state();
    for (const auto& force : forces_.all)
      if (auto found = force->potentials(exec_, by_id); !found.empty()) return found;
    return {};
  }
  bool moves_bodies() const override { return orders_every(forces_) > 0; }

  std::vector<SolidState> solids() override {
    const SolidState* const first = solids_of(state_);
    return {first, first + solid_names(model().obstacles).size()};
  }

  Measurement measure() override {
    const StepClock clock = clock_ahead();
    const PotentialEnergy potential =
        potential_energy(forces_.all, exec_, state_, StageTime{&clock, nullptr, 0});
    Measurement measured = with_pressure(sim::measure(exec_, state_, potential.all, period()),
                                         virial(forces_.all), constraint_count(forces_.all));
    measured.constraint_energy = potential.constraints;
    if (forces_.heating) measured.energy += forces_.heating->bath_energy(exec_, state_);
    return with_time(with_solids(std::move(measured)));
  }

  Histogram histogram(const HistogramRequest& request) override {
    if (is_computed(request.scalar.kind))
      return sim::histogram(exec_, computed(request.scalar), request);
    return sim::histogram(exec_, state_, request);
  }

  std::unique_ptr<SavedState> save() override {
    auto saved = std::make_unique<SavedOnHost>(count(), precision(), layout());
    copy_columns(saved->state, state_, true);
    saved->order.copy(exec_, order_);
    saved->force_state = force_state();
    saved->integrator_state = integrator_->serialize();
    save_common(*saved);
    return saved;
  }

  void restore(const SavedState& saved) override {
    const auto& own = dynamic_cast<const SavedOnHost&>(saved);
    const State<Host>& from = own.state;
    if (takes_other_modules(saved.live) || has_other_bodies(saved)) {
      State<Host> state(saved.count, precision(), layout());
      copy_columns(state, from, true);
      set_ids(saved.ids, saved.count);
      rebuild(std::move(state));
    } else {
      copy_columns(state_, from, true);
    }
    order_.copy(exec_, own.order);
    by_id_.reset();
    for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
    set_force_state(own.force_state);
    integrator_->deserialize(own.integrator_state);
    restore_common(saved);
  }

  std::string force_state() override {
    std::string all;
    for (const auto& force : forces_.all) all += force->serialize();
    return all;
  }

  HiddenState hidden_state() override {
    return {force_state(), integrator_->serialize(), order_.serialize(exec_)};
  }

  void pack(const engine::PointFrame& to, const PackRequest& request) override {
    sim::pack(exec_, state_, to, request, order_.slots(), computed(request.scalar));
  }

  BodyState body(engine::Index index) override {
    return body_state(state_, order_.slot(exec_, index));
  }

 protected:
  void set_hidden_state(const HiddenState& hidden) override {
    if (moves_bodies()) order_.restore(exec_, state_, hidden.order);
    by_id_.reset();
    set_force_state(hidden.forces);
    integrator_->deserialize(hidden.integrator);
  }

  double first_step() override { return integrator_->first_step(state_, live().dt); }

  bool has_dense_output() const override { return integrator_->has_dense_output(); }

  bool show_earlier(double before) override {
    State<Host> present(count(), precision(), layout());
    copy_columns(present, state_, true);
    if (!integrator_->write_within(before, state_)) return false;
    present_ = std::move(present);
    StepReport ignored;
    evaluate(ignored);
    return true;
  }

  void show_present() override {
    copy_columns(state_, *present_, true);
    present_.reset();
    by_id_.reset();
    for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
  }

  std::optional<Impulse> impulse_of_forces() override { return impulse_of(forces_.all, exec_); }
  void set_impulse_of_forces(const Impulse& impulse) override {
    for (const auto& force : forces_.all) force->set_impulse(exec_, impulse);
  }

  void apply_live() override {
    for (const auto& force : forces_.all) force->change();
  }

  void evaluate_forces() override {
    StepReport ignored;
    evaluate(ignored);
  }

  std::int64_t first_not_finite() override { return sim::first_not_finite(exec_, state_); }

  void rebuild(State<Host> state) override {
    ForceSet<Cpu> forces(make_forces(exec_, model(), state));
    const std::string bytes = force_state();
    if (takes_retention()) retained_.push_back(std::move(state_));
    state_ = std::move(state);
    order_.reset();
    forces_ = std::move(forces);
    set_force_state(bytes);  // of the bodies that remain
    integrator_ = info_of(model().integrator).make(model().integrator, traits_of(model(), forces_));
  }

  void copy_fields(const State<Host>& state) override {
    copy_columns(state_, state, layout().stores_accelerations);
    order_.reset();
    by_id_.reset();
    for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
  }

 private:
  void set_force_state(std::string_view bytes) {
    for (const auto& force : forces_.all) force->deserialize(bytes);
  }

  void order_bodies() {
    engine::Buffer<std::uint32_t, Host> from(count());
    forces_.ordering->find_order(exec_, state_, from.data());
    order_.move_bodies(exec_, state_, from.data());
  }

  StepClock clock_ahead() const {
    // An integrator may shorten a step that it chose: its time must not depend on that length.
    if (chooses_steps()) return {time(), dt(), 0, static_cast<std::int64_t>(step())};
    const Clock c = ahead();
    return {c.base_time, c.dt, static_cast<std::int64_t>(c.step - c.base_step),
            static_cast<std::int64_t>(c.base_step)};
  }

  /// Between steps.
  void evaluate(StepReport& report) {
    System<Cpu> system{state_, forces_, clock_ahead(), report};
    integrator_->evaluate(exec_, system);
    by_id_.reset();
  }

  Cpu exec_;
  State<Host> state_;
  BodyOrder<Cpu> order_;
  std::optional<State<Host>> by_id_;   ///< in the order of ids, if that is another
  std::vector<State<Host>> retained_;  ///< of earlier sets of bodies (retain_columns)
  ForceSet<Cpu> forces_;
  std::unique_ptr<Integrator<Cpu>> integrator_;
  std::optional<State<Host>> present_;  ///< while an earlier one is shown
};

}  // namespace

std::unique_ptr<Simulation> open_host_simulation(const SceneDescription& scene, const Plan& plan) {
  return std::make_unique<HostSimulation>(scene, plan, make_initial_state(scene, plan));
}

}  // namespace mote::sim
