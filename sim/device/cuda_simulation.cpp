#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/check.h"
#include "engine/exec/lockstep.h"
#include "engine/log.h"
#include "engine/memory/device_messages.h"
#include "sim/device/cuda_simulation.h"
#include "sim/run/backends.h"

namespace mote::sim {
namespace {

using engine::Index;
using WallClock = std::chrono::steady_clock;

/// Target duration of a slice of steps: a window or an interrupt then waits less than 8 ms, and up
/// to ten times as long beside a window that draws on the same GPU.
constexpr double slice_seconds = 4e-3;
/// Steps per recorded graph.
constexpr std::uint64_t graph_steps = 16;

engine::Cuda with_ranks(engine::Cuda exec, engine::Ranks* ranks) {
  exec.ranks = ranks;
  return exec;
}

}  // namespace

CudaSimulation::CudaSimulation(const SceneDescription& scene, const Plan& plan,
                               std::shared_ptr<InitialState> initial)
    : OwnStream(plan.device),
      Machine(with_ranks(stream.policy(), plan.ranks), plan, std::move(initial)),
      stepping_(plan.stepping),
      record_(1),
      record_host_(1),
      clock_(1) {
  engine::allow_direct_copies(exec_);
  start(scene);
}

Simulation::OnDevice CudaSimulation::on_device() {
  if (ranks_.division()) return {};  // no rank has all bodies there
  engine::make_current(exec_);
  if (!order_.by_id()) {
    if (!by_id_) by_id_.emplace(count(), precision(), layout());
    order_.copy_by_id(exec_, *by_id_, state_);
  }
  engine::wait(exec_);
  return {order_.by_id() ? &state_ : &*by_id_, exec_.stream};
}

void CudaSimulation::start_stepping() {
  stepping_ = stepping_for(plan(), model(), count());
  slice_ = 1, step_seconds_ = std::numeric_limits<double>::infinity();
  reset_record();
  StepReport once;
  evaluate(once);
  if (grows_buffers()) {
    // The first evaluation has counted the neighbours.
    grow_buffers();
    once = {};
    evaluate(once);
  }
  interactions_per_step_ =
      once.interactions * static_cast<std::uint64_t>(integrator_->evaluations());
}

void CudaSimulation::release() {
  one_step_.reset(), many_steps_.reset();
  whole_steps_.reset();
  sampled_.reset();
  by_id_.reset();
}

std::optional<Measurement> CudaSimulation::measured_by_module() {
  if (sampled_) return sampled_->measure(exec_, state_);
  return {};
}

bool CudaSimulation::grows_buffers() const {
  return std::any_of(forces_.all.begin(), forces_.all.end(),
                     [](const auto& force) { return force->has_growing_buffers(); });
}

bool CudaSimulation::grow_buffers() {
  bool grown = false;
  for (const auto& force : forces_.all) grown = force->grow_buffers(exec_) || grown;
  return grown;
}

StepReport CudaSimulation::advance(std::uint64_t steps, const std::function<bool()>& stop) {
  const bool has_stages = !info_of(model().integrator).stages.empty();
  std::uint64_t left = steps;
  return advance_on_all_ranks(
      steps, stop, [&](std::uint64_t n, const std::function<bool()>& until) {
        if (!has_stages) return advance_without_stages(n, until);
        // A call that others repeat is for one step. They take as many as rank 0 says, which is as
        // many as a slice: a call takes as long as several steps of few bodies.
        if (exec_.ranks)
          n = engine::gather_one(exec_.ranks, std::max(n, std::min(left, slice_))).front();
        const StepReport taken = run_slices(n, 0, until, {});
        left -= std::min(left, taken.steps);
        return taken;
      });
}

StepReport CudaSimulation::advance_without_stages(std::uint64_t steps,
                                                  const std::function<bool()>& stop) {
  engine::make_current(exec_);
  // Forces that act on chosen bodies write no record: reading it would wait.
  const bool reports = !info_of(model().integrator).block_steps;
  StepReport report;
  while (report.steps < steps && report.health == Health::good && !(stop && stop())) {
    current_time();
    const StepReport one = advance_one_by_one(1, {});
    report.steps += one.steps, report.interactions += one.interactions;
    report.health = one.health, report.offender = one.offender;
    if (reports) read_record();
    handle_halt(record_host_.data()[0], report);
    if (grows_buffers()) grow_buffers();
  }
  return report;
}

StepReport CudaSimulation::advance_measured(std::uint64_t steps, std::uint64_t every,
                                            const std::function<bool()>& stop,
                                            const std::function<void(const Measurement&)>& use) {
  if (!whole_steps_ || !whole_steps_->stores_samples() || !sampled_)
    return Simulation::advance_measured(steps, every, stop, use);
  return run_slices(steps, every, stop, use);
}

void CudaSimulation::prepare() {
  graphs_outdated_ = false;
  whole_steps_.reset();
  sampled_.reset();
  if (only_module(model()) && !exec_.ranks)
    for (const auto& force : forces_.all)
      if (auto sampled = force->sampled_measurement(exec_, state_,
                                                    plan().lockstep ? plan().lockstep->jobs() : 1))
        sampled_ = std::move(sampled);
  make_whole_steps();
  recorded_dt_ = dt();
  one_step_.reset(), many_steps_.reset();
  const bool recorded = std::none_of(forces_.all.begin(), forces_.all.end(),
                                     [](const auto& force) { return force->waits(); });
  if (stepping_ == Stepping::graph && recorded) {
    one_step_.emplace(exec_, [&] { enqueue_step(); });
    many_steps_.emplace(exec_, [&] {
      for (std::uint64_t i = 0; i < graph_steps; ++i) enqueue_step();
    });
  }
}

void CudaSimulation::make_whole_steps() {
  if (stepping_ != Stepping::cooperative && stepping_ != Stepping::cluster) return;
  for (const auto& force : forces_.all)
    if (auto whole = force->whole_steps(exec_, state_, step_of(model()), stepping_))
      whole_steps_ = std::move(whole);
  MOTE_EXPECT(whole_steps_);
  const bool starts =
      whole_steps_->run(exec_, state_, {dt(), 0, {}, record_.data()}, kernel_clock_);
  if (!engine::any_of(exec_.ranks, !starts)) return;
  whole_steps_.reset();
  if (exec_.ranks) {
    if (exec_.ranks->rank() == 0)
      engine::log().info(
          "the GPUs cannot run kernels that exchange positions: stages are launched one by one, "
          "which is slower and gives the same bits");
    stepping_ = Stepping::launch;
    return;
  }
  engine::log().warn(
      "the GPU cannot launch the persistent kernel ({}): using CUDA graphs, which is slower and "
      "gives the same bits",
      name_of(stepping_));
  stepping_ = Stepping::graph;
}

System<engine::Cuda> CudaSimulation::system(StepReport& report) {
  return {state_, forces_, clock_ahead(), report, clock_.data(), record_.data()};
}

StepReport CudaSimulation::run_slices(std::uint64_t steps, std::uint64_t every,
                                      const std::function<bool()>& stop,
                                      const std::function<void(const Measurement&)>& use) {
  engine::make_current(exec_);
  StepReport report;
  while (report.steps < steps && report.health == Health::good && !stopped(stop)) {
    if (dt() != recorded_dt_ && integrator_->records_length(system(report))) prepare();
    StepSamples samples;
    const std::uint64_t slice = next_slice(steps - report.steps, every, samples);
    current_time();
    const DeviceRecord record =
        in_batch() ? step_in_batch(slice, samples) : step_alone(slice, samples);
    mirrored_ = false;
    const std::uint64_t taken = record.steps - steps_recorded_;
    if (taken > slice)  // PersistentGravity
      throw engine::SystemError("take steps together with other GPUs",
                                "one of them has sent no positions for 5 s",
                                "see its error; resume from the last checkpoint");
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
    if (taken > 0 && report.health == Health::good && order_due(orders_every(forces_)))
      order_bodies();
  }
  count_interactions(ranks_.add_others(report));
  return report;
}

std::uint64_t CudaSimulation::next_slice(std::uint64_t most, std::uint64_t every,
                                         StepSamples& samples) {
  // Ranks that launch stages learn between slices that another has halted: each slice has one step,
  // so that all halt after the same one.
  if (exec_.ranks && !whole_steps_) return 1;
  std::uint64_t slice = std::min(
      {most, steady_until() - step(), in_batch() ? whole_steps_->steps_per_batch() : slice_});
  if (exec_.ranks)  // their clocks differ
    slice =
        static_cast<std::uint64_t>(engine::least_of(exec_.ranks, static_cast<std::int64_t>(slice)));
  if (const std::uint64_t moved = orders_every(forces_); moved > 0)
    slice = std::min(slice, moved - step() % moved);
  if (every == 0) return slice;
  samples = {nullptr, every - step() % every, every};
  const auto capacity = static_cast<std::uint64_t>(sampled_->capacity());
  slice = std::min(slice, samples.first + (capacity - 1) * every);
  const std::uint64_t due = slice < samples.first ? 0 : 1 + (slice - samples.first) / every;
  samples.to = sampled_->reserve(static_cast<Index>(due));
  return slice;
}

DeviceRecord CudaSimulation::step_alone(std::uint64_t steps, const StepSamples& samples) {
  const auto start = WallClock::now();
  enqueue(steps, samples);
  if (whole_steps_) kernel_clock_.fetch(exec_);
  read_record();
  const double seconds =
      slice_duration(std::chrono::duration<double>(WallClock::now() - start).count());
  while (clear_stall()) finish_step();
  refresh_graphs();
  adapt_slice(steps, seconds);
  return record_host_.data()[0];
}

bool CudaSimulation::in_batch() const {
  return plan().lockstep && whole_steps_ && whole_steps_->steps_per_batch() > 0;
}

DeviceRecord CudaSimulation::step_in_batch(std::uint64_t steps, const StepSamples& samples) {
  engine::wait(exec_);
  return whole_steps_->run_in_batch(*plan().lockstep, exec_, state_,
                                    {dt(), steps, samples, record_.data()});
}

void CudaSimulation::report_samples(std::uint64_t first, std::uint64_t samples, std::uint64_t every,
                                    const std::function<void(const Measurement&)>& use) {
  std::uint64_t at = first;
  for (const Measurement& m :
       sampled_->measure_samples(exec_, state_, static_cast<Index>(samples))) {
    use(with_time(m, at));
    at += every;
  }
}

void CudaSimulation::enqueue_step() {
  StepReport ignored;
  System<engine::Cuda> now = system(ignored);
  integrator_->step(exec_, now);
}

StageTime CudaSimulation::current_time() {
  StepClock now = clock_ahead();
  now.steps -= static_cast<std::int64_t>(steps_recorded_);  // the kernels add those of the record
  const bool current = uploaded_clock_ && uploaded_clock_->base_time == now.base_time &&
                       uploaded_clock_->dt == now.dt && uploaded_clock_->steps == now.steps &&
                       uploaded_clock_->first == now.first;
  if (!current) engine::copy_to_device(clock_.data(), &now, 1, exec_.stream);
  uploaded_clock_ = now;
  return {clock_.data(), record_.data(), 0};
}

void CudaSimulation::enqueue(std::uint64_t steps, const StepSamples& samples) {
  if (whole_steps_) {
    if (!whole_steps_->run(exec_, state_, {dt(), steps, samples, record_.data()}, kernel_clock_))
      throw engine::SystemError("launch the persistent kernel",
                                "the GPU refuses it, although it accepted it before",
                                "use --stepping graph");
    return;
  }
  for (; many_steps_ && steps >= graph_steps; steps -= graph_steps) many_steps_->run(exec_);
  for (; steps > 0; --steps) one_step_ ? one_step_->run(exec_) : enqueue_step();
}

void CudaSimulation::evaluate(StepReport& report) {
  current_time();
  System<engine::Cuda> now = system(report);
  do {
    integrator_->evaluate(exec_, now);
    if (forces_.stateful) read_record();
  } while (clear_stall());
}

bool CudaSimulation::clear_stall() {
  if (record_host_.data()[0].stalled == 0) return false;
  record_host_.data()[0].stalled = 0;
  engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
  engine::wait(exec_);
  graphs_outdated_ = grow_buffers() || graphs_outdated_;
  return true;
}

void CudaSimulation::finish_step() {
  StepReport ignored;
  System<engine::Cuda> now = system(ignored);
  integrator_->finish_stalled(exec_, now);
  read_record();
}

void CudaSimulation::refresh_graphs() {
  if (graphs_outdated_) prepare();
}

void CudaSimulation::settle() {
  if (!forces_.stateful) return;
  do {
    forces_.stateful->potential_energy(exec_, state_, current_time());
    read_record();
  } while (clear_stall());
  graphs_outdated_ = grow_buffers() || graphs_outdated_;
  refresh_graphs();
}

void CudaSimulation::evaluate_forces() {
  Machine::evaluate_forces();
  graphs_outdated_ = grow_buffers() || graphs_outdated_;
  refresh_graphs();
}

void CudaSimulation::read_record() {
  engine::copy_to_host(record_host_.data(), record_.data(), 1, exec_.stream);
  engine::wait(exec_);
}

void CudaSimulation::reset_record() {
  record_host_.data()[0] = DeviceRecord{};
  steps_recorded_ = 0;
  engine::copy_to_device(record_.data(), record_host_.data(), 1, exec_.stream);
  engine::wait(exec_);
}

double CudaSimulation::slice_duration(double on_host) const {
  const double on_device = whole_steps_ ? kernel_clock_.seconds() : 0;
  return on_device > 0 ? on_device : on_host;
}

void CudaSimulation::adapt_slice(std::uint64_t steps, double seconds) {
  // If a window draws on the same GPU, a slice takes the time of its steps plus the wait for
  // frames. The recent minimum estimates the steps alone; the last value alone would shrink slices
  // to single steps, each of which waits.
  const double a_step = std::max(seconds / static_cast<double>(steps), 1e-8);
  const bool far_too_long = seconds > 10 * slice_seconds;
  step_seconds_ = far_too_long ? a_step : std::min(a_step, 1.05 * step_seconds_);
  const auto wanted = static_cast<std::uint64_t>(slice_seconds / step_seconds_);
  slice_ = std::clamp<std::uint64_t>(wanted, 1, 4 * slice_);
}

void CudaSimulation::handle_halt(const DeviceRecord& record, StepReport& report) {
  const std::uint32_t index = std::min(record.offender[0], record.offender[1]);
  if (record.too_long != 0) report.health = report.health | Health::step_too_long;
  if (index != no_offender) {
    report.health = report.health |
                    (record.overstretched != 0 ? Health::bond_overstretched : Health::not_finite);
    std::uint32_t id;  // of that slot
    engine::copy_to_host(&id, state_.id() + index, 1, exec_.stream);
    engine::wait(exec_);
    report.offender = id;
  }
  ranks_.agree(report);
  if (report.health == Health::good) return;
  reset_record();
  if (has(report.health, Health::step_too_long) && !forces_.heating) return;
  StepReport ignored;
  evaluate(ignored);
  if (has(report.health, Health::bond_overstretched))
    reset_record();  // the same bond has been recorded again
  refresh_graphs();
  mirrored_ = false;
}

std::unique_ptr<Simulation> open_cuda_simulation(const SceneDescription& scene, const Plan& plan,
                                                 std::shared_ptr<InitialState> start) {
  return std::make_unique<CudaSimulation>(scene, plan, std::move(start));
}

}  // namespace mote::sim
