#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/check.h"
#include "engine/log.h"
#include "sim/device/batch.h"
#include "sim/device/device_simulation.h"
#include "sim/device/lockstep.h"

namespace mote::sim {
namespace {

using engine::Index;
using WallClock = std::chrono::steady_clock;

/// Target duration of a slice of steps: a window or an interrupt then waits less than 8 ms, and up
/// to ten times as long beside a window that draws on the same GPU.
constexpr double slice_seconds = 4e-3;
/// Steps per recorded graph.
constexpr std::uint64_t graph_steps = 16;

}  // namespace

StepReport DeviceSimulation::advance(std::uint64_t steps, const std::function<bool()>& stop) {
  return run_slices(steps, 0, stop, {});
}

StepReport DeviceSimulation::advance_measured(std::uint64_t steps, std::uint64_t every,
                                              const std::function<bool()>& stop,
                                              const std::function<void(const Measurement&)>& use) {
  if (!persistent_gravity_ || !batched_measurement_)
    return Simulation::advance_measured(steps, every, stop, use);
  return run_slices(steps, every, stop, use);
}

void DeviceSimulation::prepare() {
  if (measures_in_batches_) {
    const auto& gravity = module_of<DeviceDirectGravity>(forces_);
    batched_measurement_.emplace(
        count(), precision(), gravity.softening(), gravity.gravitational(),
        BatchedMeasurement::bytes_for(plan().lockstep ? plan().lockstep->jobs() : 1, exec_));
  }
  make_persistent_kernel();
  recorded_dt_ = dt();
  if (stepping_ == Stepping::graph) {
    one_step_.emplace(exec_, [&] { enqueue_step(); });
    many_steps_.emplace(exec_, [&] {
      for (std::uint64_t i = 0; i < graph_steps; ++i) enqueue_step();
    });
  }
}

/// Makes the persistent kernel, if the plan has one. A device that refuses the launch, although its
/// attributes promised the plan enough co-resident blocks, falls back to graphs.
void DeviceSimulation::make_persistent_kernel() {
  if (stepping_ != Stepping::cooperative && stepping_ != Stepping::cluster) return;
  if (const auto* const pairs = find_module<DevicePairForce>(forces_)) {
    persistent_pairs_.emplace(exec_, count(), precision(), *pairs, moves_);
    return;
  }
  const auto kind = stepping_ == Stepping::cluster ? PersistentGravity::Kind::cluster
                                                   : PersistentGravity::Kind::grid;
  persistent_gravity_.emplace(exec_, kind, state_, module_of<DeviceDirectGravity>(forces_),
                              stages_);
  if (persistent_gravity_->run(exec_, state_, dt(), 0, {}, record_.data(), kernel_clock_)) return;
  engine::log().warn(
      "the GPU cannot launch the persistent kernel ({}): using CUDA graphs, which is slower and "
      "gives the same bits",
      name_of(stepping_));
  persistent_gravity_.reset();
  stepping_ = Stepping::graph;
}

StepReport DeviceSimulation::run_slices(std::uint64_t steps, std::uint64_t every,
                                        const std::function<bool()>& stop,
                                        const std::function<void(const Measurement&)>& use) {
  engine::make_current(exec_);
  StepReport report;
  while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
    if ((kicking_ || heating_ || constraining_) && dt() != recorded_dt_) prepare();
    std::uint64_t slice = std::min({steps - report.steps, steady_until() - step(),
                                    in_batch() ? steps_per_batch(count()) : slice_});
    PersistentGravity::Samples samples;
    if (every > 0) {
      samples = {nullptr, every - step() % every, every};
      const auto capacity = static_cast<std::uint64_t>(batched_measurement_->capacity());
      slice = std::min(slice, samples.first + (capacity - 1) * every);
      const std::uint64_t due = slice < samples.first ? 0 : 1 + (slice - samples.first) / every;
      batched_measurement_->reserve(static_cast<Index>(due));
      samples.to = sample_buffer();
    }
    current_time();
    const DeviceRecord record =
        in_batch() ? step_in_batch(slice, samples) : step_alone(slice, samples);
    mirrored_ = false;
    const std::uint64_t taken = record.steps - steps_recorded_;
    steps_recorded_ = record.steps;
    report.steps += taken;
    report.interactions += taken * interactions_per_step_;
    const std::uint64_t before = step();
    count_steps(taken, taken * interactions_per_step_);
    if (every > 0 && taken >= samples.first)
      report_samples(before + samples.first, 1 + (taken - samples.first) / every, every, use);
    handle_halt(record, report);
    if (grows_buffers() && grow_buffers()) prepare();
    note_largest_step();
  }
  return report;
}

DeviceRecord DeviceSimulation::step_alone(std::uint64_t steps,
                                          const PersistentGravity::Samples& samples) {
  const auto start = WallClock::now();
  enqueue(steps, samples);
  if (persistent_gravity_ || persistent_pairs_) kernel_clock_.fetch(exec_);
  read_record();
  const double seconds =
      slice_duration(std::chrono::duration<double>(WallClock::now() - start).count());
  while (clear_stall()) finish_step();
  refresh_graphs();
  adapt_slice(steps, seconds);
  return record_host_.data()[0];
}

bool DeviceSimulation::in_batch() const {
  return plan().lockstep && persistent_gravity_ && count() <= largest_system;
}

DeviceRecord DeviceSimulation::step_in_batch(std::uint64_t steps,
                                             const PersistentGravity::Samples& samples) {
  engine::wait(exec_);
  const auto& gravity = module_of<DeviceDirectGravity>(forces_);
  return sim::step_in_batch(*plan().lockstep, exec_,
                            {&state_, &gravity, &stages_, dt(), steps, samples, record_.data()});
}

void* DeviceSimulation::sample_buffer() {
  return state_.precision() == engine::Precision::single
             ? static_cast<void*>(batched_measurement_->samples<float>())
             : static_cast<void*>(batched_measurement_->samples<double>());
}

void DeviceSimulation::report_samples(std::uint64_t first, std::uint64_t samples,
                                      std::uint64_t every,
                                      const std::function<void(const Measurement&)>& use) {
  std::uint64_t at = first;
  for (const Measurement& m :
       batched_measurement_->measure_samples(exec_, state_, static_cast<Index>(samples))) {
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
      move(exec_, state_, moves_[k], clock_.data(), record_.data());
    if (moves_[k].thermostat != 0)
      heating_->exchange_heat(exec_, state_, moves_[k].thermostat * dt(),
                              {clock_.data(), record_.data(), moves_[k].elapsed_fraction});
    if (moves_[k].constrain != 0)
      constraining_->constrain(exec_, state_, moves_[k].constrain * dt(),
                               {clock_.data(), record_.data(), moves_[k + 1].elapsed_fraction});
    if (!moves_[k].clears) continue;
    const StageTime time{clock_.data(), record_.data(), moves_[k + 1].elapsed_fraction};
    for (const auto& force : forces_) force->run(exec_, state_, time, ignored);
  }
}

void DeviceSimulation::enqueue_kicks(const Moves& all) {
  const StageTime time{clock_.data(), record_.data(), all.elapsed_fraction};
  if (all.first) move(exec_, state_, {.moves = {}, .first = true}, clock_.data(), record_.data());
  for (const Moves::Move& m : all.moves)
    if (m.kind == StageKind::kick)
      kicking_->kick(exec_, state_, m.fraction * dt(), time);
    else
      move(exec_, state_, {.moves = {m}, .clears = all.clears}, clock_.data(), record_.data());
  if (all.last) move(exec_, state_, {.moves = {}, .last = true}, clock_.data(), record_.data());
}

StageTime DeviceSimulation::current_time() {
  const Clock c = ahead();
  const StepClock now{
      c.base_time, c.dt,
      static_cast<std::int64_t>(c.step - c.base_step) - static_cast<std::int64_t>(steps_recorded_),
      static_cast<std::int64_t>(c.base_step)};
  const bool current = uploaded_clock_ && uploaded_clock_->base_time == now.base_time &&
                       uploaded_clock_->dt == now.dt && uploaded_clock_->steps == now.steps &&
                       uploaded_clock_->first == now.first;
  if (!current) engine::copy_to_device(clock_.data(), &now, 1, exec_.stream);
  uploaded_clock_ = now;
  return {clock_.data(), record_.data(), 0};
}

void DeviceSimulation::enqueue(std::uint64_t steps, const PersistentGravity::Samples& samples) {
  if (persistent_gravity_) {
    const bool started = persistent_gravity_->run(exec_, state_, dt(), steps, samples,
                                                  record_.data(), kernel_clock_);
    if (!started)
      throw engine::SystemError("launch the persistent kernel",
                                "the GPU refuses it, although it accepted it before",
                                "use --stepping graph");
    return;
  }
  if (persistent_pairs_)
    return persistent_pairs_->run(exec_, state_, dt(), steps, record_.data(), kernel_clock_);
  for (; many_steps_ && steps >= graph_steps; steps -= graph_steps) many_steps_->run(exec_);
  for (; steps > 0; --steps) one_step_ ? one_step_->run(exec_) : enqueue_step();
}

void DeviceSimulation::evaluate(StepReport& report) {
  const StageTime time = current_time();
  do {
    clear_accelerations(exec_, state_);
    for (const auto& force : forces_) force->run(exec_, state_, time, report);
    if (stateful_) read_record();
  } while (clear_stall());
}

bool DeviceSimulation::clear_stall() {
  if (record_host_.data()[0].stalled == 0) return false;
  record_host_.data()[0].stalled = 0;
  engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
  engine::wait(exec_);
  graphs_outdated_ = grow_buffers() || graphs_outdated_;
  return true;
}

void DeviceSimulation::finish_step() {
  // The only forces of the step are those before its last moves.
  MOTE_EXPECT(!kicking_ && std::count_if(moves_.begin(), moves_.end(),
                                         [](const Moves& m) { return m.clears; }) == 1);
  MOTE_EXPECT(moves_[moves_.size() - 2].clears);
  const StageTime time{clock_.data(), record_.data(), moves_.back().elapsed_fraction};
  StepReport ignored;
  clear_accelerations(exec_, state_);
  for (const auto& force : forces_) force->run(exec_, state_, time, ignored);
  move(exec_, state_, moves_.back(), clock_.data(), record_.data());
  read_record();
}

void DeviceSimulation::refresh_graphs() {
  if (std::exchange(graphs_outdated_, false)) prepare();
}

void DeviceSimulation::rebuild_contacts() {
  if (!stateful_) return;
  do {
    stateful_->potential_energy(exec_, state_, current_time());
    read_record();
  } while (clear_stall());
  graphs_outdated_ = grow_buffers() || graphs_outdated_;
  refresh_graphs();
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

double DeviceSimulation::slice_duration(double on_host) const {
  const double on_device = persistent_gravity_ || persistent_pairs_ ? kernel_clock_.seconds() : 0;
  return on_device > 0 ? on_device : on_host;
}

void DeviceSimulation::adapt_slice(std::uint64_t steps, double seconds) {
  // If a window draws on the same GPU, a slice takes the time of its steps plus the wait for
  // frames. The recent minimum estimates the steps alone; the last value alone would shrink slices
  // to single steps, each of which waits.
  const double a_step = std::max(seconds / static_cast<double>(steps), 1e-8);
  const bool far_too_long = seconds > 10 * slice_seconds;
  step_seconds_ = far_too_long ? a_step : std::min(a_step, 1.05 * step_seconds_);
  const auto wanted = static_cast<std::uint64_t>(slice_seconds / step_seconds_);
  slice_ = std::clamp<std::uint64_t>(wanted, 1, 4 * slice_);
}

void DeviceSimulation::handle_halt(const DeviceRecord& record, StepReport& report) {
  const std::uint32_t index = std::min(record.offender[0], record.offender[1]);
  const bool too_long = record.too_long != 0;
  if (too_long) report.health = report.health | Health::step_too_long;
  if (index != no_offender) {
    report.health = report.health |
                    (record.overstretched != 0 ? Health::bond_overstretched : Health::not_finite);
    report.offender = state().id()[index];
  }
  if (report.health == Health::good) return;
  reset_record();
  if (too_long && !heating_) return;
  StepReport ignored;
  evaluate(ignored);
  if (record.overstretched != 0) reset_record();  // the same bond has been recorded again
  refresh_graphs();
  mirrored_ = false;
}

}  // namespace mote::sim
