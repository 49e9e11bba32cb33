#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"
#include "sim/run/batch.h"
#include "sim/run/device_simulation.h"
#include "sim/run/lockstep.h"

namespace mote::sim {
namespace {

using engine::Index;
using Clock = std::chrono::steady_clock;

/// Work is given to the GPU in slices of about this long, so that a window or an interrupt waits
/// less than 8 ms; beside a window that draws on the same GPU up to ten times as long.
constexpr double slice_seconds = 4e-3;
/// Steps that one recorded graph holds.
constexpr std::uint64_t graph_steps = 16;

}  // namespace

StepReport DeviceSimulation::advance(std::uint64_t steps, const std::function<bool()>& stop) {
  return take(steps, 0, stop, {});
}

StepReport DeviceSimulation::advance_measured(std::uint64_t steps, std::uint64_t every,
                                              const std::function<bool()>& stop,
                                              const std::function<void(const Measurement&)>& use) {
  if (!cooperative_ || !rows_) return Simulation::advance_measured(steps, every, stop, use);
  return take(steps, every, stop, use);
}

void DeviceSimulation::prepare() {
  if (measures_rows_) {
    const auto& gravity = module_of<DeviceDirectGravity>(forces_);
    rows_.emplace(count(), precision(), gravity.softening(), gravity.gravitational(),
                  RowMeasure::room_for(plan().lockstep ? plan().lockstep->jobs() : 1, exec_));
  }
  make_one_kernel();
  if (stepping_ == Stepping::graph) {
    one_step_.emplace(exec_, [&] { enqueue_step(); });
    many_steps_.emplace(exec_, [&] {
      for (std::uint64_t i = 0; i < graph_steps; ++i) enqueue_step();
    });
  }
}

/// What takes whole steps in one kernel, where that is wished for. A device that refuses so many
/// blocks at once, though the plan was promised them, records steps.
void DeviceSimulation::make_one_kernel() {
  if (stepping_ != Stepping::cooperative && stepping_ != Stepping::cluster) return;
  if (physics().pairs) {
    const auto& pairs = module_of<DevicePairForce>(forces_);
    pair_steps_.emplace(exec_, count(), precision(), pairs, moves_);
    return;
  }
  const auto kind = stepping_ == Stepping::cluster ? CooperativeSteps::Kind::cluster
                                                   : CooperativeSteps::Kind::grid;
  cooperative_.emplace(exec_, kind, state_, module_of<DeviceDirectGravity>(forces_), stages_, dt());
  if (cooperative_->run(exec_, state_, 0, {}, record_.data(), kernel_clock_)) return;
  engine::log().warn(
      "the GPU refuses to step in one kernel ({}): steps are recorded, which is slower and gives "
      "the same "
      "bits",
      name_of(stepping_));
  cooperative_.reset();
  stepping_ = Stepping::graph;
}

StepReport DeviceSimulation::take(std::uint64_t steps, std::uint64_t every,
                                  const std::function<bool()>& stop,
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
    const DeviceRecord record =
        with_others() ? step_in_batch(slice, rows) : step_alone(slice, rows);
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

DeviceRecord DeviceSimulation::step_alone(std::uint64_t steps, const CooperativeSteps::Rows& rows) {
  const auto start = Clock::now();
  enqueue(steps, rows);
  if (cooperative_ || pair_steps_) kernel_clock_.fetch(exec_);
  read_record();
  const double seconds =
      seconds_of_slice(std::chrono::duration<double>(Clock::now() - start).count());
  while (make_room()) finish_step();
  record_anew();
  adapt_slice(steps, seconds);
  return record_host_.data()[0];
}

bool DeviceSimulation::with_others() const {
  return plan().lockstep && cooperative_ && count() <= largest_system;
}

DeviceRecord DeviceSimulation::step_in_batch(std::uint64_t steps,
                                             const CooperativeSteps::Rows& rows) {
  engine::wait(exec_);
  const auto& gravity = module_of<DeviceDirectGravity>(forces_);
  return step_with_others(*plan().lockstep, exec_,
                          {&state_, &gravity, &stages_, dt(), steps, rows, record_.data()});
}

void* DeviceSimulation::rows_room() {
  return state_.precision() == engine::Precision::single
             ? static_cast<void*>(rows_->rows<float>())
             : static_cast<void*>(rows_->rows<double>());
}

void DeviceSimulation::use_rows(std::uint64_t first, std::uint64_t rows, std::uint64_t every,
                                const std::function<void(const Measurement&)>& use) {
  std::uint64_t at = first;
  for (const Measurement& m : rows_->measure_rows(exec_, state_, static_cast<Index>(rows))) {
    use(with_time(m, at));
    at += every;
  }
}

void DeviceSimulation::enqueue_step() {
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

void DeviceSimulation::enqueue_kicks(const Moves& all) {
  const StageTime time{clock_.data(), record_.data(), all.passed};
  if (all.first) move(exec_, state_, {.moves = {}, .first = true}, record_.data());
  for (const Moves::Move& m : all.moves)
    if (m.kind == StageKind::kick)
      kicking_->kick(exec_, state_, m.h, time);
    else
      move(exec_, state_, {.moves = {m}, .clears = all.clears}, record_.data());
  if (all.last) move(exec_, state_, {.moves = {}, .last = true}, record_.data());
}

StageTime DeviceSimulation::at_rest() {
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

void DeviceSimulation::enqueue(std::uint64_t steps, const CooperativeSteps::Rows& rows) {
  if (cooperative_) {
    const bool started =
        cooperative_->run(exec_, state_, steps, rows, record_.data(), kernel_clock_);
    if (!started)
      throw engine::SystemError("step in one kernel", "the GPU refuses it, and did not before",
                                "use --stepping graph");
    return;
  }
  if (pair_steps_) return pair_steps_->run(exec_, state_, steps, record_.data(), kernel_clock_);
  for (; many_steps_ && steps >= graph_steps; steps -= graph_steps) many_steps_->run(exec_);
  for (; steps > 0; --steps) one_step_ ? one_step_->run(exec_) : enqueue_step();
}

void DeviceSimulation::evaluate(StepReport& report) {
  const StageTime time = at_rest();
  do {
    clear_accelerations(exec_, state_);
    for (const auto& force : forces_) force->run(exec_, state_, time, report);
    if (physics().grains) read_record();
  } while (make_room());
}

bool DeviceSimulation::make_room() {
  if (record_host_.data()[0].stalled == 0) return false;
  record_host_.data()[0].stalled = 0;
  engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
  engine::wait(exec_);
  outdated_ = settle() || outdated_;
  return true;
}

void DeviceSimulation::finish_step() {
  // The only forces of the step are those before its last moves.
  MOTE_EXPECT(!kicking_ && std::count_if(moves_.begin(), moves_.end(),
                                         [](const Moves& m) { return m.clears; }) == 1);
  MOTE_EXPECT(moves_[moves_.size() - 2].clears);
  const StageTime time{clock_.data(), record_.data(), moves_.back().passed};
  StepReport ignored;
  clear_accelerations(exec_, state_);
  for (const auto& force : forces_) force->run(exec_, state_, time, ignored);
  move(exec_, state_, moves_.back(), record_.data());
  read_record();
}

void DeviceSimulation::record_anew() {
  if (std::exchange(outdated_, false)) prepare();
}

void DeviceSimulation::look_once() {
  if (!physics().grains) return;
  do {
    for (const auto& force : forces_)
      if (force->has_memory()) force->potential_energy(exec_, state_, at_rest());
    read_record();
  } while (make_room());
  outdated_ = settle() || outdated_;
  record_anew();
}

void DeviceSimulation::read_record() {
  engine::copy_to_host(record_host_.data(), record_.data(), 1, exec_.stream);
  engine::wait(exec_);
}

void DeviceSimulation::reset_record() {
  record_host_.data()[0] = DeviceRecord{};
  steps_recorded_ = 0;
  engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
  engine::wait(exec_);
}

double DeviceSimulation::seconds_of_slice(double on_host) const {
  const double on_device = cooperative_ || pair_steps_ ? kernel_clock_.seconds() : 0;
  return on_device > 0 ? on_device : on_host;
}

void DeviceSimulation::adapt_slice(std::uint64_t steps, double seconds) {
  // Where a window draws on the same GPU, a slice takes its steps' time and what it waits for
  // pictures. The least of late tells the steps' own: by the last alone slices would shrink to
  // single steps, each of which waits.
  const double a_step = std::max(seconds / static_cast<double>(steps), 1e-8);
  const bool far_too_long = seconds > 10 * slice_seconds;
  step_seconds_ = far_too_long ? a_step : std::min(a_step, 1.05 * step_seconds_);
  const auto wanted = static_cast<std::uint64_t>(slice_seconds / step_seconds_);
  slice_ = std::clamp<std::uint64_t>(wanted, 1, 4 * slice_);
}

void DeviceSimulation::note_trouble(const DeviceRecord& record, StepReport& report) {
  const std::uint32_t column = std::min(record.offender[0], record.offender[1]);
  const bool too_long = record.too_long != 0;
  if (too_long) report.health = report.health | Health::step_too_long;
  if (column != no_offender) {
    report.health = report.health |
                    (record.overstretched != 0 ? Health::bond_overstretched : Health::not_finite);
    report.offender = state().id()[column];
  }
  if (report.health == Health::good) return;
  reset_record();
  if (too_long && !thermostat_) return;
  StepReport ignored;
  evaluate(ignored);
  if (record.overstretched != 0) reset_record();  // the same bond has been noted again
  record_anew();
  mirrored_ = false;
}

}  // namespace mote::sim
