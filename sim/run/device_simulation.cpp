#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "engine/exec/graph.h"
#include "engine/exec/stream.h"
#include "sim/measure/histogram_device.h"
#include "sim/measure/measurement_device.h"
#include "sim/molecular/thermostat_device.h"
#include "sim/motion/motion.h"
#include "sim/run/batch.h"
#include "sim/run/cooperative.h"
#include "sim/run/device_columns.h"
#include "sim/run/lockstep.h"
#include "sim/run/opening.h"
#include "sim/run/pair_steps.h"
#include "sim/run/registry.h"
#include "sim/run/row_measure.h"

namespace mote::sim {
namespace {

using engine::Cuda;
using engine::Device;
using engine::Host;
using engine::Index;
using Clock = std::chrono::steady_clock;

/// Work is given to the GPU in slices of about this long, so that a window or an interrupt waits less than 8 ms.
constexpr double slice_seconds = 4e-3;
/// Steps that one recorded graph holds.
constexpr std::uint64_t graph_steps = 16;

struct KeptOnDevice final : KeptState {
  KeptOnDevice(Index bodies, engine::Precision precision, const StateShape& shape)
      : state(bodies, precision, shape) {}
  State<Device> state;
  std::string memory;  ///< of the forces
};

/// A scene on one GPU. The state lives there; the host has a mirror, filled when it is asked for.
class DeviceSimulation final : public Simulation {
 public:
  DeviceSimulation(const SceneDescription& scene, const Plan& plan, Start start)
      : Simulation(scene, plan, start.state.count(), std::move(start.names), std::move(start.soft_mesh)),
        stages_(step_of(scene)),
        stepping_(plan.stepping),
        stream_(plan.device),
        exec_(stream_.policy()),
        mirror_(std::move(start.state)),
        state_(mirror_.count(), mirror_.precision(), mirror_.shape()),
        forces_(make_forces<Cuda>(exec_, physics(), mirror_)),
        kicking_(kicking_force(forces_)),
        constraining_(constraining_force(forces_)),
        measure_(std::make_unique<DeviceMeasure>(mirror_.count())),
        record_(1),
        record_host_(1),
        clock_(1) {
    if (kicking_) stages_ = with_separate_kicks(stages_);
    moves_ = moves_of(stages_, scene.integrator.dt);
    make_thermostat();
    start_stepping();
    outdated_ = false;
    refuse_not_finite(first_not_finite(), precision(), scene.file.string());
    if (!scene.goes_on) refuse_long_step(scene, dt(), largest_step());
    prepare();
  }

  StepReport advance(std::uint64_t steps, const std::function<bool()>& stop) override {
    return take(steps, 0, stop, {});
  }

  StepReport advance_measured(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                              const std::function<void(const Measurement&)>& use) override {
    if (!cooperative_ || !rows_) return Simulation::advance_measured(steps, every, stop, use);
    return take(steps, every, stop, use);
  }

  double largest_step() const override { return sim::largest_step(forces_); }

  std::uint64_t hash() override {
    engine::make_current(exec_);
    return measure_->state_hash(exec_, state_, time(), step());
  }

  const State<Host>& state() override {
    if (!mirrored_) {
      engine::make_current(exec_);
      copy_columns(mirror_, state_, exec_.stream, Direction::to_host);
      engine::wait(exec_);
      mirrored_ = true;
    }
    return mirror_;
  }

  OnDevice on_device() override {
    engine::make_current(exec_);
    engine::wait(exec_);
    return {&state_, exec_.stream};
  }

  Measurement measure() override {
    engine::make_current(exec_);
    if (rows_) return with_time(rows_->measure(exec_, state_));
    double potential = 0;
    for (const auto& force : forces_) potential += force->potential_energy(exec_, state_, at_rest());
    double virial = 0;
    for (const auto& force : forces_) virial += force->virial();
    Measurement measured = with_pressure(measure_->measure(exec_, state_, potential, period()), virial);
    if (thermostat_) measured.energy += thermostat_->energy(exec_, state_);
    return with_time(measured);
  }

  Histogram histogram(const HistogramRequest& request) override {
    engine::make_current(exec_);
    return sim::histogram(exec_, state_, request);
  }

  std::unique_ptr<KeptState> keep() override {
    engine::make_current(exec_);
    auto kept = std::make_unique<KeptOnDevice>(count(), precision(), shape());
    copy_columns(kept->state, state_, exec_.stream, Direction::on_device);
    kept->memory = force_memory();
    note(*kept);
    return kept;
  }

  void restore(const KeptState& kept) override {
    engine::make_current(exec_);
    const State<Device>& from = dynamic_cast<const KeptOnDevice&>(kept).state;
    if (of_others(kept)) {
      State<Host> state(kept.count, precision(), shape());
      copy_columns(state, from, exec_.stream, Direction::to_host);
      engine::wait(exec_);
      take_ids(kept.ids, kept.count);
      lay_out(std::move(state));
    }
    copy_columns(state_, from, exec_.stream, Direction::on_device);
    for (const auto& force : forces_) force->replaced(exec_, state_);
    set_force_memory(dynamic_cast<const KeptOnDevice&>(kept).memory);
    mirrored_ = false;
    put_back(kept.clockwork, kept.live);
  }

  std::string force_memory() override {
    engine::make_current(exec_);
    std::string all;
    for (const auto& force : forces_) all += force->memory();
    return all;
  }

  void pack(const PackTarget& target) override {
    engine::make_current(exec_);
    sim::pack(exec_, state_, target);
  }

  BodyNumbers body(Index column) override {
    engine::make_current(exec_);
    State<Host> one(1, precision());
    copy_body(one, state_, column, exec_);
    return body_numbers(one, 0);
  }

 protected:
  void set_force_memory(std::string_view bytes) override {
    engine::make_current(exec_);
    for (const auto& force : forces_) force->set_memory(bytes);
    look_once();
  }

  /// What was recorded or laid down with the old settings is made anew.
  void apply_live() override {
    engine::make_current(exec_);
    engine::wait(exec_);
    for (const auto& force : forces_) force->change(live());
    moves_ = moves_of(stages_, dt());
    prepare();
  }

  void evaluate_forces() override {
    engine::make_current(exec_);
    StepReport ignored;
    evaluate(ignored);
    record_anew();
    mirrored_ = false;
  }

  std::int64_t first_not_finite() override {
    engine::make_current(exec_);
    return measure_->first_not_finite(exec_, state_);
  }

  /// Everything old goes before anything new comes: the device may not have room for both.
  void lay_out(State<Host> state) override {
    engine::make_current(exec_);
    engine::wait(exec_);
    const std::string memory = force_memory();
    one_step_.reset(), many_steps_.reset();
    cooperative_.reset();
    pair_steps_.reset();
    rows_.reset();
    kicking_ = constraining_ = nullptr;
    forces_.clear();
    measure_.reset();
    state_ = State<Device>(0, precision());
    mirror_ = std::move(state);
    state_ = State<Device>(mirror_.count(), precision(), shape());
    forces_ = make_forces<Cuda>(exec_, physics(), mirror_);
    for (const auto& force : forces_) force->set_memory(memory);  // of those that stay
    kicking_ = kicking_force(forces_);
    constraining_ = constraining_force(forces_);
    measure_ = std::make_unique<DeviceMeasure>(mirror_.count());
    for (const auto& force : forces_) force->change(live());
    make_thermostat();
    stepping_ = stepping_for(plan(), physics(), mirror_.count());
    slice_ = 1;
    start_stepping();
    prepare();
  }

  void copy_numbers(const State<Host>& state) override {
    engine::make_current(exec_);
    copy_columns(state_, state, exec_.stream, Direction::to_device);
    for (const auto& force : forces_) force->replaced(exec_, state_);
    look_once();
    mirrored_ = false;
  }

 private:
  using Direct = ForceOf<DeviceDirectGravity, Cuda>;

  /// Of bodies that have just been laid out.
  void start_stepping() {
    measures_rows_ = measures_rows(physics(), mirror_.count());
    copy_columns(state_, mirror_, exec_.stream, Direction::to_device);
    mirrored_ = false;
    reset_record();
    StepReport once;
    evaluate(once);
    if (settles()) {
      // Only now is known how many neighbours there are.
      settle();
      once = {};
      evaluate(once);
    }
    const auto evaluations =
        std::count_if(moves_.begin(), moves_.end(), [](const Moves& m) { return m.clears; });
    interactions_of_step_ = once.interactions * static_cast<std::uint64_t>(evaluations);
  }

  void make_thermostat() {
    thermostat_.reset();
    if (physics().thermostat)
      thermostat_ = std::make_unique<DeviceThermostat>(
          *physics().thermostat, static_cast<std::uint64_t>(physics().head.seed), mirror_.count());
  }

  /// Whether there are forces that count neighbours, and do so later than the steps.
  bool settles() const { return physics().pairs || physics().fluid || physics().grains; }

  /// Whether what was recorded is no longer right.
  bool settle() {
    bool again = false;
    for (const auto& force : forces_) again = force->settle(exec_) || again;
    return again;
  }

  void prepare() {
    if (measures_rows_) {
      const auto& gravity = dynamic_cast<const Direct&>(*forces_.front()).module();
      rows_.emplace(count(), precision(), gravity.softening(), gravity.gravitational(),
                    RowMeasure::room_for(plan().lockstep ? plan().lockstep->jobs() : 1, exec_));
    }
    if (stepping_ == Stepping::graph) {
      one_step_.emplace(exec_, [&] { enqueue_step(); });
      many_steps_.emplace(exec_, [&] {
        for (std::uint64_t i = 0; i < graph_steps; ++i) enqueue_step();
      });
    } else if (physics().pairs && stepping_ == Stepping::cooperative) {
      const auto& pairs = dynamic_cast<const ForceOf<DevicePairForce, Cuda>&>(*forces_[1]).module();
      pair_steps_.emplace(exec_, count(), precision(), pairs, moves_);
    } else if (stepping_ == Stepping::cooperative || stepping_ == Stepping::cluster) {
      const auto kind =
          stepping_ == Stepping::cluster ? CooperativeSteps::Kind::cluster : CooperativeSteps::Kind::grid;
      cooperative_.emplace(exec_, kind, state_, dynamic_cast<const Direct&>(*forces_.front()).module(),
                           stages_, dt());
    }
  }

  /// Steps in slices; `every` > 0 and in one kernel: with a row of measurements at each multiple of it.
  StepReport take(std::uint64_t steps, std::uint64_t every, const std::function<bool()>& stop,
                  const std::function<void(const Measurement&)>& use) {
    engine::make_current(exec_);
    StepReport report;
    while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
      std::uint64_t slice =
          std::min(steps - report.steps, with_others() ? steps_of_a_batch(count()) : slice_);
      CooperativeSteps::Rows rows;
      if (every > 0) {
        rows = {nullptr, every - step() % every, every};
        const auto room = static_cast<std::uint64_t>(rows_->capacity());
        slice = std::min(slice, rows.first + (room - 1) * every);
        const std::uint64_t due = slice < rows.first ? 0 : 1 + (slice - rows.first) / every;
        rows_->reserve(static_cast<Index>(due));
        rows.to = rows_room();
      }
      at_rest();
      const DeviceRecord record = with_others() ? step_in_batch(slice, rows) : step_alone(slice, rows);
      mirrored_ = false;
      const std::uint64_t taken = record.steps - steps_recorded_;
      steps_recorded_ = record.steps;
      report.steps += taken;
      report.interactions += taken * interactions_of_step_;
      const std::uint64_t before = step();
      count_steps(taken, taken * interactions_of_step_);
      if (every > 0 && taken >= rows.first)
        use_rows(before + rows.first, 1 + (taken - rows.first) / every, every, use);
      note_trouble(record, report);
      if (settles() && settle()) prepare();
    }
    return report;
  }

  DeviceRecord step_alone(std::uint64_t steps, const CooperativeSteps::Rows& rows) {
    const auto start = Clock::now();
    enqueue(steps, rows);
    read_record();
    while (make_room()) finish_step();
    record_anew();
    adapt_slice(steps, std::chrono::duration<double>(Clock::now() - start).count());
    return record_host_.data()[0];
  }

  bool with_others() const { return plan().lockstep && cooperative_ && count() <= largest_system; }

  /// The others may be on other streams: what was started before ends first.
  DeviceRecord step_in_batch(std::uint64_t steps, const CooperativeSteps::Rows& rows) {
    engine::wait(exec_);
    const auto& gravity = dynamic_cast<const Direct&>(*forces_.front()).module();
    return step_with_others(*plan().lockstep, exec_,
                            {&state_, &gravity, &stages_, dt(), steps, rows, record_.data()});
  }

  void* rows_room() {
    return state_.precision() == engine::Precision::single ? static_cast<void*>(rows_->rows<float>())
                                                           : static_cast<void*>(rows_->rows<double>());
  }

  void use_rows(std::uint64_t first, std::uint64_t rows, std::uint64_t every,
                const std::function<void(const Measurement&)>& use) {
    std::uint64_t at = first;
    for (const Measurement& m : rows_->measure_rows(exec_, state_, static_cast<Index>(rows))) {
      use(with_time(m, at));
      at += every;
    }
  }

  void enqueue_step() {
    StepReport ignored;
    for (std::size_t k = 0; k < moves_.size(); ++k) {
      if (kicking_)
        enqueue_kicks(moves_[k]);
      else
        move(exec_, state_, moves_[k], record_.data());
      if (moves_[k].thermostat != 0)
        thermostat_->apply(exec_, state_, moves_[k].thermostat,
                           {clock_.data(), record_.data(), moves_[k].passed});
      if (moves_[k].constrain != 0)
        constraining_->constrain(exec_, state_, moves_[k].constrain,
                                 {clock_.data(), record_.data(), moves_[k + 1].passed});
      if (!moves_[k].clears) continue;
      const StageTime time{clock_.data(), record_.data(), moves_[k + 1].passed};
      for (const auto& force : forces_) force->run(exec_, state_, time, ignored);
    }
  }

  /// Moves whose kicks are those of a force. What falls due at the start and at the end stays with the moves of its own:
  /// the record must not change under a kernel that asks it for the time.
  void enqueue_kicks(const Moves& all) {
    const StageTime time{clock_.data(), record_.data(), all.passed};
    if (all.first) move(exec_, state_, {.moves = {}, .first = true}, record_.data());
    for (const Moves::Move& m : all.moves)
      if (m.kind == StageKind::kick)
        kicking_->kick(exec_, state_, m.h, time);
      else
        move(exec_, state_, {.moves = {m}, .clears = all.clears}, record_.data());
    if (all.last) move(exec_, state_, {.moves = {}, .last = true}, record_.data());
  }

  /// The time of the state as it is between steps. Tells the device where the clock stands, when that has changed.
  StageTime at_rest() {
    const Clockwork& c = clockwork();
    const StepClock now{
        c.base_time, dt(),
        static_cast<std::int64_t>(c.step - c.base_step) - static_cast<std::int64_t>(steps_recorded_),
        static_cast<std::int64_t>(c.base_step)};
    const bool known = clock_known_ && clock_known_->base_time == now.base_time &&
                       clock_known_->dt == now.dt && clock_known_->steps == now.steps &&
                       clock_known_->first == now.first;
    if (!known) engine::copy_to_device(clock_.data(), &now, 1, exec_.stream);
    clock_known_ = now;
    return {clock_.data(), record_.data(), 0};
  }

  void enqueue(std::uint64_t steps, const CooperativeSteps::Rows& rows) {
    if (cooperative_) return cooperative_->run(exec_, state_, steps, rows, record_.data());
    if (pair_steps_) return pair_steps_->run(exec_, state_, steps, record_.data());
    for (; many_steps_ && steps >= graph_steps; steps -= graph_steps) many_steps_->run(exec_);
    for (; steps > 0; --steps) one_step_ ? one_step_->run(exec_) : enqueue_step();
  }

  void evaluate(StepReport& report) {
    const StageTime time = at_rest();
    do {
      clear_accelerations(exec_, state_);
      for (const auto& force : forces_) force->run(exec_, state_, time, report);
      if (physics().grains) read_record();
    } while (make_room());
  }

  /// Whether the record, as it was read last, has stalled: then a force has room now, and is to be run again.
  bool make_room() {
    if (record_host_.data()[0].stalled == 0) return false;
    record_host_.data()[0].stalled = 0;
    engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
    engine::wait(exec_);
    outdated_ = settle() || outdated_;
    return true;
  }

  /// The rest of a step whose forces had no room: forces, and what comes behind them.
  void finish_step() {
    // The only forces of the step are those before its last moves.
    MOTE_EXPECT(!kicking_ &&
                std::count_if(moves_.begin(), moves_.end(), [](const Moves& m) { return m.clears; }) == 1);
    MOTE_EXPECT(moves_[moves_.size() - 2].clears);
    const StageTime time{clock_.data(), record_.data(), moves_.back().passed};
    StepReport ignored;
    clear_accelerations(exec_, state_);
    for (const auto& force : forces_) force->run(exec_, state_, time, ignored);
    move(exec_, state_, moves_.back(), record_.data());
    read_record();
  }

  /// Steps that were recorded with memory that is no more.
  void record_anew() {
    if (std::exchange(outdated_, false)) prepare();
  }

  /// Forces that list grains do so for a state from elsewhere, until there is room.
  void look_once() {
    if (!physics().grains) return;
    do {
      for (const auto& force : forces_) force->potential_energy(exec_, state_, at_rest());
      read_record();
    } while (make_room());
    outdated_ = settle() || outdated_;
    record_anew();
  }

  void read_record() {
    engine::copy_to_host(record_host_.data(), record_.data(), 1, exec_.stream);
    engine::wait(exec_);
  }

  void reset_record() {
    record_host_.data()[0] = DeviceRecord{};
    steps_recorded_ = 0;
    engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
    engine::wait(exec_);
  }

  /// The clock decides how long a slice is, never what is in it: bits do not depend on slices.
  void adapt_slice(std::uint64_t steps, double seconds) {
    const double a_step = seconds / static_cast<double>(steps);
    const auto wanted = static_cast<std::uint64_t>(slice_seconds / std::max(a_step, 1e-8));
    slice_ = std::clamp<std::uint64_t>(wanted, 1, 4 * slice_);
  }

  /// Takes over what the device noted, and makes stepping possible again: the halted steps have moved nobody. Where a body is
  /// not finite they may have left sums of forces; a force that found the step too long has put back those of before.
  void note_trouble(const DeviceRecord& record, StepReport& report) {
    const std::uint32_t column = std::min(record.offender[0], record.offender[1]);
    const bool too_long = record.too_long != 0;
    if (too_long) report.health = report.health | Health::step_too_long;
    if (column != no_offender) {
      report.health =
          report.health | (record.overstretched != 0 ? Health::bond_overstretched : Health::not_finite);
      report.offender = state().id()[column];
    }
    if (report.health == Health::good) return;
    reset_record();
    if (too_long) return;
    StepReport ignored;
    evaluate(ignored);
    if (record.overstretched != 0) reset_record();  // the same bond has been noted again
    record_anew();
    mirrored_ = false;
  }

  Step stages_;
  Stepping stepping_;  // of as many bodies as there are
  bool measures_rows_ = false;
  engine::Stream stream_;
  Cuda exec_;
  State<Host> mirror_;
  State<Device> state_;
  std::vector<Moves> moves_;
  std::vector<std::unique_ptr<Force<Cuda>>> forces_;
  Force<Cuda>*kicking_, *constraining_;  // of them, or null
  std::unique_ptr<DeviceThermostat> thermostat_;
  std::unique_ptr<DeviceMeasure> measure_;
  engine::Buffer<DeviceRecord, Device> record_;
  engine::Buffer<DeviceRecord, engine::Pinned> record_host_;
  engine::Buffer<StepClock, Device> clock_;
  std::optional<StepClock> clock_known_;  // what the device was told
  std::optional<engine::Graph> one_step_, many_steps_;
  std::optional<CooperativeSteps> cooperative_;
  std::optional<PairSteps> pair_steps_;
  std::optional<RowMeasure> rows_;
  std::uint64_t steps_recorded_ = 0, interactions_of_step_ = 0, slice_ = 1;
  bool mirrored_ = false;
  bool outdated_ = false;  // what was recorded
};

}  // namespace

std::unique_ptr<Simulation> open_device_simulation(const SceneDescription& scene, const Plan& plan) {
  return std::make_unique<DeviceSimulation>(scene, plan, make_start(scene, plan));
}

}  // namespace mote::sim
