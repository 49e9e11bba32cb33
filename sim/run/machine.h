#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/motion/integrators.h"
#include "sim/ranks/copies.h"
#include "sim/run/host_memory.h"
#include "sim/run/initial_state.h"
#include "sim/run/rank_share.h"
#include "sim/run/simulation.h"
#include "sim/space/body_order.h"

namespace mote::sim {

/// A simulation on one backend: all but how its steps are launched. What is done with states is
/// written here once; the two classes derived from it (cpu_simulation.cpp and sim/device/
/// cuda_simulation.h) loop over steps, or launch slices of them.
///
/// With ranks (Plan::ranks), each has a Machine, whose state has the rank's own bodies and copies
/// of others. They make the same calls in the same order, with the same arguments; what they return
/// is of all bodies, and the same on every rank, but for what rank 0 gathers for a program that
/// looks at it (state(), pack()).
///
/// `Exec`: engine::Cpu or engine::Cuda. Functions of it are overloads for its memory
/// (host_memory.h, sim/device/device_columns.h), declared before a class is derived.
template <class Exec>
class Machine : public Simulation {
 public:
  using Space = typename Exec::Space;

  double largest_step() const override { return sim::largest_step(forces_.all); }
  bool moves_bodies() const override { return orders_every(forces_) > 0; }

  std::uint64_t hash() override {
    return on_all_ranks([](FollowingRanks& others) { others.hash(); },
                        [&] {
                          make_current(exec_);
                          return measure_->state_hash(exec_, state_, time(), step());
                        });
  }

  const State<engine::Host>& state() override {
    const bool here_alone = leads();
    if (mirrored_ && ranks_.division() && (here_alone || mirrored_on_all_)) return *mirror_;
    return *on_all_ranks([](FollowingRanks& others) { others.state(); },
                         [&] { return &state_here(here_alone); });
  }
  const State<engine::Host>& state_here(bool here_alone) {
    const State<engine::Host>* const here = in_host_memory(state_);
    const Division* const division = ranks_.division();
    if (here && order_.by_id() && !division) return *here;
    if (!mirrored_ || division) {
      make_current(exec_);
      if (!mirror_) mirror_.emplace(count(), precision(), layout());
      if (division && here_alone)
        ranks_.gather_on_first(&*mirror_, state_);
      else if (division)
        ranks_.gather(*mirror_, state_, *division);
      else
        order_.copy_by_id(exec_, *mirror_, state_);
      mirrored_ = true, mirrored_on_all_ = !here_alone;
    }
    return *mirror_;
  }
  void give_state() override {
    MOTE_EXPECT(ranks_.division());
    make_current(exec_);
    ranks_.gather_on_first(nullptr, state_);
  }

  std::vector<SolidState> solids() override {
    std::vector<SolidState> solids(solid_names(model().obstacles).size());
    if (solids.empty()) return solids;
    make_current(exec_);
    copy_here(exec_, solids.data(), solids_of(std::as_const(state_)), solids.size());
    return solids;
  }

  Measurement measure() override {
    return on_all_ranks([](FollowingRanks& others) { others.measure(); },
                        [&] { return measure_here(); });
  }
  Measurement measure_here() {
    make_current(exec_);
    if (auto found = measured_by_module()) return with_time(*std::move(found));
    PotentialEnergy potential;
    const Measurement of_bodies = with_summed_bodies(exec_, state_, ranks_.division(), [&] {
      potential = potential_energy(forces_.all, exec_, state_, current_time());
      return measure_->measure(exec_, state_, potential.all, period());
    });
    Measurement measured =
        with_pressure(of_bodies, virial(forces_.all), constraint_count(forces_.all));
    measured.constraint_energy = potential.constraints;
    if (forces_.heating) measured.energy += forces_.heating->bath_energy(exec_, state_);
    return with_time(with_solids(std::move(measured)));
  }

  std::optional<ForceErrors> force_errors() override {
    return on_all_ranks([](FollowingRanks& others) { others.force_errors(); },
                        [&] { return force_errors_here(); });
  }
  std::optional<ForceErrors> force_errors_here() {
    make_current(exec_);
    return ranks_.with_positions(state_, [&](const Exec& exec, const State<Space>& state) {
      return worst_errors(forces_.all, exec, state);
    });
  }

  std::vector<double> potentials() override {
    return on_all_ranks([](FollowingRanks& others) { others.potentials(); },
                        [&] { return potentials_here(); });
  }
  std::vector<double> potentials_here() {
    make_current(exec_);
    const std::vector<double> by_slot =
        ranks_.with_positions(state_, [&](const Exec& exec, const State<Space>& state) {
          std::vector<double> found;
          for (const auto& force : forces_.all)
            if (found.empty()) found = force->potentials(exec, state);
          return found;
        });
    MOTE_EXPECT(by_slot.empty() || by_slot.size() == static_cast<std::size_t>(count()));
    if (order_.by_id() || by_slot.empty()) return by_slot;
    std::vector<double> by_index(by_slot.size());
    const std::vector<std::uint32_t> slots = slots_of(order_.serialize(exec_));
    for (std::size_t i = 0; i < slots.size(); ++i) by_index[i] = by_slot[slots[i]];
    return by_index;
  }

  Histogram histogram(const HistogramRequest& request) override {
    if (is_computed(request.scalar.kind))
      return sim::histogram(plan().cpu, computed(request.scalar), request);
    return on_all_ranks([&](FollowingRanks& others) { others.histogram(request); },
                        [&] { return histogram_here(request); });
  }
  Histogram histogram_here(const HistogramRequest& request) {
    using sim::histogram;
    make_current(exec_);
    return histogram(exec_, state_, request);
  }

  std::unique_ptr<SavedState> save() override {
    std::shared_ptr<const std::uint64_t> number;
    auto saved = on_all_ranks([&](FollowingRanks& others) { number = others.save(); },
                              [&] { return save_here(); });
    saved->of_followers = number;
    return saved;
  }
  std::unique_ptr<SavedState> save_here() {
    make_current(exec_);
    auto saved = std::make_unique<Saved>(state_.count(), precision(), layout());
    copy_columns(exec_, saved->state, state_);
    saved->order.copy(exec_, order_);
    saved->force_state = force_state();
    saved->integrator_state = integrator_->serialize(exec_);
    save_common(*saved);
    return saved;
  }

  void restore(const SavedState& saved) override {
    on_all_ranks([&](FollowingRanks& others) { others.restore(*saved.of_followers); },
                 [&] { restore_here(saved); });
  }
  void restore_here(const SavedState& saved) {
    make_current(exec_);
    const auto& own = dynamic_cast<const Saved&>(saved);
    if (takes_other_modules(saved.live) || has_other_bodies(saved)) {
      State<engine::Host> state(saved.count, precision(), layout());
      if (const auto division = ranks_.divided(saved.count, forces_.all, model())) {
        ranks_.gather(state, own.state, *division);
      } else {
        copy_columns(exec_, state, own.state);
        wait(exec_);
      }
      set_ids(saved.ids, saved.count);
      rebuild(std::move(state));
    }
    copy_columns(exec_, state_, own.state);
    order_.copy(exec_, own.order);
    mirrored_ = false;
    for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
    set_force_state(own.force_state);
    integrator_->deserialize(exec_, own.integrator_state);
    restore_common(saved);
  }

  std::string force_state() override {
    make_current(exec_);
    std::string all;
    for (const auto& force : forces_.all) all += force->serialize();
    return all;
  }

  std::vector<RankWork> rank_work() override {
    return on_all_ranks([](FollowingRanks& others) { others.rank_work(); },
                        [&] { return ranks_.work(); });
  }

  HiddenState hidden_state() override {
    return on_all_ranks([](FollowingRanks& others) { others.hidden_state(); },
                        [&] { return hidden_state_here(); });
  }
  HiddenState hidden_state_here() {
    make_current(exec_);
    return {force_state(), ranks_.gather_kept(integrator_->kept(), integrator_->serialize(exec_)),
            order_.serialize(exec_)};
  }

  void pack(const engine::PointFrame& to, const PackRequest& request) override {
    using sim::pack;
    const std::vector<double> scalar = computed(request.scalar);
    on_all_ranks([&](FollowingRanks& others) { others.pack(kind_of(to), request); },
                 [&] {
                   make_current(exec_);
                   if (ranks_.division())
                     ranks_.pack(state_, kind_of(to), to, request, scalar);
                   else
                     pack(exec_, state_, to, request, order_.slots(), scalar);
                 });
  }
  void give_points(const FrameKind& kind, const PackRequest& request) override {
    MOTE_EXPECT(ranks_.division());
    make_current(exec_);
    ranks_.pack(state_, kind, {}, request, {});
  }

  BodyState body(engine::Index index) override {
    make_current(exec_);
    if (ranks_.division()) return body_state(state(), index);
    return body_state(exec_, state_, order_.slot(exec_, index));
  }

 protected:
  struct Saved final : SavedState {
    Saved(engine::Index bodies, engine::Precision precision, const StateLayout& layout)
        : state(bodies, precision, layout) {}
    State<Space> state;
    BodyOrder<Exec> order;
    std::string force_state, integrator_state;
  };

  /// Allocates nothing but the forces; start() follows.
  ///
  /// `start`: the ranks of a process may share it, and only read it; the last one frees it.
  Machine(const Exec& exec, const Plan& plan, std::shared_ptr<InitialState> start)
      : Simulation(*start, plan),
        exec_(exec),
        ranks_(exec),
        state_(0, start->state.precision()),
        forces_(make_forces(exec_, model(), std::as_const(start->state))),
        integrator_(new_integrator()) {
    divide(start->state.count());
    if (ranks_.division())
      place_share(exec_, state_, ranks_.share(start->state));
    else
      place(exec_, state_, mirror_, std::move(start->state));
    start.reset();
    measure_.emplace(count());
    MOTE_EXPECT(integrator_->kept().columns.empty() ==
                (info_of(model().integrator).bytes_per_body == 0));
  }

  /// Evaluates the first forces, and refuses a start that is not valid.
  void start(const SceneDescription& scene) {
    const std::string file = scene.file.string();
    if (!scene.restored)
      for (const auto& force : forces_.all) force->check_start(exec_, state_, dt(), file);
    start_stepping();
    note_largest_step();
    propose_first();
    refuse_not_finite(first_not_finite(), precision(), file);
    if (!scene.restored) refuse_long_step(model(), dt(), largest_step());
    prepare();
  }

  // Each backend does the following in its own way.

  /// The system as the integrator sees it, for steps of the present length.
  virtual System<Exec> system(StepReport& report) = 0;
  /// The time between steps, in the backend's memory.
  virtual StageTime current_time() = 0;
  /// Evaluates the forces between steps.
  virtual void evaluate(StepReport& report) = 0;
  /// Evaluates the forces of new bodies for the first time.
  virtual void start_stepping() = 0;
  /// Prepares steps of the present length and settings.
  virtual void prepare() {}
  /// Frees what refers to the state and the forces.
  virtual void release() {}
  /// Makes what forces derive from their hidden state, after that was replaced.
  virtual void settle() {}
  /// The measurement of a module that measures by itself (Force::sampled_measurement).
  virtual std::optional<Measurement> measured_by_module() { return {}; }

  /// Steps one by one, and looks at the state after each. For integrators without stages, and on
  /// the CPU for all.
  StepReport advance_one_by_one(std::uint64_t steps, const std::function<bool()>& stop) {
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !stopped(stop)) {
      const std::uint64_t counted = report.interactions;
      System<Exec> now = system(report);
      const StepTaken taken = integrator_->step(exec_, now);
      ++report.steps;
      if (chooses_steps()) {
        count_step(taken);
        if (!integrator_->leaves_accelerations()) evaluate(report);
        count_interactions(report.interactions - counted);
      } else {
        count_steps(1, report.interactions - counted);
      }
      note_largest_step();
      mirrored_ = false;
      const bool all_finite =
          integrator_->reports_not_finite() && !has(report.health, Health::not_finite);
      if (const std::int64_t non_finite = all_finite ? -1 : first_not_finite(); non_finite >= 0) {
        report.offender = non_finite;
        report.health = report.health | Health::not_finite;
      } else if (order_due(orders_every(forces_))) {
        order_bodies();
      }
      ranks_.agree(report);
    }
    count_interactions(ranks_.add_others(report));
    return report;
  }

  /// True if any rank is to stop.
  bool stopped(const std::function<bool()>& stop) const {
    return engine::any_of(exec_.ranks, stop && stop());
  }

  /// Clock of the steps ahead.
  StepClock clock_ahead() const {
    // An integrator may shorten a step that it chose: its time must not depend on that length.
    if (chooses_steps()) return {time(), dt(), 0, static_cast<std::int64_t>(step())};
    const Clock c = ahead();
    return {c.base_time, c.dt, static_cast<std::int64_t>(c.step - c.base_step),
            static_cast<std::int64_t>(c.base_step)};
  }

  void order_bodies() {
    engine::Buffer<std::uint32_t, Space> from(count());
    forces_.ordering->find_order(exec_, state_, from.data());
    order_.move_bodies(exec_, state_, from.data());
  }

  void set_hidden_state(const HiddenState& hidden) override {
    make_current(exec_);
    if (moves_bodies()) order_.restore(exec_, state_, hidden.order);
    mirrored_ = false;
    set_force_state(hidden.forces);
    integrator_->deserialize(exec_, ranks_.own_kept(integrator_->kept(), hidden.integrator));
  }

  double first_step() override { return integrator_->first_step(exec_, state_, live().dt); }

  bool restart_integrator() override { return integrator_->restart(); }

  std::optional<BlockSteps> block_steps() override {
    return on_all_ranks([](FollowingRanks& others) { others.block_steps(); },
                        [&] {
                          make_current(exec_);
                          return integrator_->block_steps(exec_);
                        });
  }

  bool has_dense_output() const override { return integrator_->has_dense_output(); }

  bool show_earlier(double before) override {
    make_current(exec_);
    State<Space> present(state_.count(), precision(), layout());
    copy_columns(exec_, present, state_);
    if (!integrator_->write_within(exec_, before, state_)) return false;
    present_ = std::move(present);
    StepReport ignored;
    if (!integrator_->leaves_accelerations()) evaluate(ignored);
    mirrored_ = false;
    return true;
  }

  void show_present() override {
    make_current(exec_);
    copy_columns(exec_, state_, *present_);
    present_.reset();
    mirrored_ = false;
    for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
  }

  std::optional<Impulse> impulse_of_forces() override {
    make_current(exec_);
    return impulse_of(forces_.all, exec_);
  }
  void set_impulse_of_forces(const Impulse& impulse) override {
    make_current(exec_);
    for (const auto& force : forces_.all) force->set_impulse(exec_, impulse);
  }

  void apply_live() override {
    make_current(exec_);
    wait(exec_);
    for (const auto& force : forces_.all) force->change();
    prepare();
  }

  void evaluate_forces() override {
    make_current(exec_);
    StepReport ignored;
    evaluate(ignored);
    mirrored_ = false;
  }

  std::int64_t first_not_finite() override {
    make_current(exec_);
    return measure_->first_not_finite(exec_, state_);
  }

  /// Frees the old buffers first: the memory may not hold both.
  void rebuild(State<engine::Host> state) override {
    make_current(exec_);
    wait(exec_);
    const std::string bytes = force_state();
    release();
    forces_ = {};
    measure_.reset();
    if (takes_retention()) retained_.push_back(std::move(state_));
    state_ = State<Space>(0, precision());
    mirror_.reset();
    order_.reset();
    forces_ = ForceSet<Exec>(make_forces(exec_, model(), state));
    divide(state.count());
    if (ranks_.division())
      place_share(exec_, state_, ranks_.share(state));
    else
      place(exec_, state_, mirror_, std::move(state));
    mirrored_ = false;
    for (const auto& force : forces_.all) force->deserialize(bytes);  // of the bodies that remain
    measure_.emplace(count());
    integrator_ = new_integrator();
    start_stepping();
    prepare();
  }

  void copy_fields(const State<engine::Host>& state) override {
    make_current(exec_);
    if (ranks_.division())
      place_share(exec_, state_, ranks_.share(state));
    else
      copy_columns(exec_, state_, state);
    order_.reset();
    mirrored_ = false;
    for (const auto& force : forces_.all) force->on_state_replaced(exec_, state_);
    settle();
  }

  Exec exec_;
  RankShare<Exec> ranks_;
  State<Space> state_;  ///< with ranks, own bodies and copies
  BodyOrder<Exec> order_;
  std::optional<State<engine::Host>> mirror_;  ///< in the order of ids; empty where not needed
  bool mirrored_ = false;                      ///< the mirror has the present state
  bool mirrored_on_all_ = false;               ///< and so have those of all ranks
  std::vector<State<Space>> retained_;         ///< of earlier sets of bodies (retain_columns)
  ForceSet<Exec> forces_;
  std::unique_ptr<Integrator<Exec>> integrator_;
  std::optional<StateMeasure<Exec>> measure_;
  std::optional<State<Space>> present_;  ///< while an earlier one is shown

 private:
  void divide(engine::Index bodies) {
    ranks_.divide(bodies, forces_.all, model());
    forces_.division = ranks_.division();
  }

  void set_force_state(std::string_view bytes) {
    make_current(exec_);
    for (const auto& force : forces_.all) force->deserialize(bytes);
    settle();
  }

  std::unique_ptr<Integrator<Exec>> new_integrator() const {
    return make_integrator<Exec>(model().integrator, traits_of(model(), forces_));
  }
};

}  // namespace mote::sim
