#include "app/run/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "app/run/check_files.h"
#include "app/run/force_error_sampling.h"
#include "app/run/headless_run.h"
#include "engine/text.h"
#include "sim/motion/integration.h"
#include "sim/motion/integrators.h"
#include "sim/run/health.h"
#include "sim/script/hook_tables.h"
#include "sim/script/run_loop.h"

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Time limits [s]: of the full check; of one force evaluation, above which none is made; and of
/// the trial steps, at least (for a reliable timing) and at most (while hooks have not been
/// called).
constexpr double time_budget = 8, longest_evaluation = 4, shortest_trial = 0.1, longest_trial = 1;

/// Splits the verdict of a failed hook ("scene.lua:3: on_step: ..."), or describes another failure.
/// Reasons of an unhealthy run have its step.
engine::Diagnostic failure_of(const sim::SceneDescription& scene, std::uint64_t step,
                              sim::Health health, const std::string& reason) {
  if (health != sim::Health::hook_failed)
    return {scene.file.string(), "", "the run becomes unhealthy: " + reason, ""};
  const std::size_t location_end = reason.find(": "), hook = reason.find(": ", location_end + 2);
  const bool located =
      reason.starts_with(scene.hooks.files.empty() ? "\n" : scene.hooks.files.front());
  if (located && hook != std::string::npos)
    return {reason.substr(0, location_end),
            reason.substr(location_end + 2, hook - location_end - 2), reason.substr(hook + 2), ""};
  return {scene.file.string(), "", fmt::format("the run fails at step {}: {}", step, reason), ""};
}

/// Opens a run and takes its first steps, in a dedicated thread.
class Trial : private sim::RunHost {
 public:
  /// `total`: steps of the run, or `never` if only its end is known, a time. `series_every`: steps
  /// between its measurements.
  Trial(std::shared_ptr<const sim::SceneDescription> scene, sim::Plan plan, std::uint64_t total,
        std::optional<double> end, std::uint64_t series_every)
      : owned_scene_(std::move(scene)),
        scene_(*owned_scene_),
        plan_(std::move(plan)),
        total_(total),
        end_(end),
        series_every_(series_every) {}

  /// Results so far.
  struct Findings {
    bool done = false;
    std::exception_ptr refusal = nullptr;
    std::optional<double> opened;        ///< time to open the simulation [s]
    std::uint64_t steps = 0;             ///< taken so far
    double time = 0;                     ///< after these steps [time]
    double stepping = 0;                 ///< time of these steps [s]
    std::uint64_t bytes = 0;             ///< size of the table rows that hooks wrote
    std::uint64_t snapshots = 0;         ///< number that hooks wrote
    std::uint64_t checkpoint = 0;        ///< size of one [bytes]
    std::uint64_t total = sim::never;    ///< estimated steps of the run, where their length changes
    std::uint64_t stopped = sim::never;  ///< step at which a hook stopped the run
    std::optional<engine::Diagnostic> failure;
    std::vector<std::string> warnings = {};
    std::optional<sim::ForceErrors> force_errors = {};
    std::optional<sim::BlockSteps> block_steps = {};
    std::optional<double> received = {};  ///< by the GPU that receives most, in a step [bytes]
  };

  void run() {
    std::exception_ptr refusal;
    try {
      open_and_step();
    } catch (...) {
      refusal = std::current_exception();
    }
    simulation_.reset();  // not during program exit
    update([&](Findings& f) { f.done = true, f.refusal = std::move(refusal); });
    finished_.notify_all();
  }

  /// Waits until the trial is done, but no longer than `until`. Call once: the caller alone owns a
  /// refusal from then on, which must not be destroyed in the thread while it is printed.
  Findings wait_until(Clock::time_point until) {
    std::unique_lock lock(mutex_);
    finished_.wait_until(lock, until, [&] { return findings_.done; });
    return std::exchange(findings_, {});
  }

 private:
  template <class Change>
  void update(Change&& change) {
    const std::lock_guard lock(mutex_);
    change(findings_);
  }

  void open_and_step() {
    const auto start = Clock::now();
    simulation_ = sim::open_simulation(scene_, plan_);
    update([&](Findings& f) {
      f.opened = seconds_since(start), f.checkpoint = simulation_->saved_state_bytes();
    });
    sim::RepeatedEdits steps(*simulation_);
    sim::RunLoop loop(scene_, *simulation_, steps, *this, nullptr, sim::EnergyHealth(scene_));
    loop.measure();
    loop.start();
    note_encounter();  // that of the first state, as a run
    step(loop);
    measure_end(loop);
    note_end(loop);
    const auto block_steps = simulation_->block_steps();
    update([&](Findings& f) { f.block_steps = block_steps; });
    if (loop.ended()) return;
    const auto errors = simulation_->force_errors();
    update([&](Findings& f) { f.force_errors = errors; });
    if (errors)
      if (const std::string warning =
              force_errors_warning({*errors, simulation_->step(), simulation_->time()});
          !warning.empty())
        on_warning(warning);
    for (std::size_t k = 0; k < scene_.hooks.all.size(); ++k)
      if (!was_called(scene_.hooks.all[k])) try_hook(loop.hooks(), k);
  }

  void note_encounter() {
    const auto found = sim::hardest_encounter(*simulation_);
    if (found && sim::unresolved(*found, simulation_->dt()))
      on_warning(sim::encounter_message(*found, *simulation_));
  }

  void step(sim::RunLoop& loop) {
    const std::vector<sim::RankWork> before = simulation_->rank_work();
    const std::uint64_t first = simulation_->step();
    const auto start = Clock::now();
    const auto stop = [&] {
      const double taken = seconds_since(start);
      update([&](Findings& f) {
        f.steps = simulation_->step(), f.time = simulation_->time(), f.stepping = taken;
      });
      return taken > longest_trial || (taken > shortest_trial && all_called());
    };
    const auto target = [&] {
      return end_ ? std::min(total_, simulation_->ahead().step_at(*end_)) : total_;
    };
    if (!stop()) loop.advance(target, series_every_, stop);
    stop();
    note_received(before, simulation_->step() - first);
    if (end_ && (total_ == sim::never || sim::flow_of(scene_.integrator).courant))
      update([&](Findings& f) { f.total = simulation_->ahead().step_at(*end_); });
  }

  void note_received(const std::vector<sim::RankWork>& before, std::uint64_t steps) {
    const std::vector<sim::RankWork> now = simulation_->rank_work();
    if (now.empty() || steps == 0) return;
    std::uint64_t most = 0;
    for (std::size_t k = 0; k < now.size(); ++k)
      most = std::max(most, now[k].bytes_received - before[k].bytes_received);
    update(
        [&](Findings& f) { f.received = static_cast<double>(most) / static_cast<double>(steps); });
  }

  /// Measures where the trial ends between two rows: of a large scene it may reach none. A run that
  /// passes limits of its scene there need not pass them at its rows, which alone decide.
  void measure_end(sim::RunLoop& loop) {
    const bool limited = scene_.health.energy_error || scene_.health.escape_radius;
    const std::uint64_t step = simulation_->step();
    if (loop.ended() || step == measured_) return;
    if (!limited || step == total_) {
      loop.measure();
      return;
    }
    sim::EnergyHealth energy = loop.energy();
    const sim::Measurement end = simulation_->measure();
    energy.check(end, *simulation_);
    if (!energy.failure().empty()) on_warning(energy.failure());
  }

  void note_end(const sim::RunLoop& loop) {
    if (!loop.ended()) return;
    const std::uint64_t step = simulation_->step();
    if (loop.health() == sim::Health::good)
      update([&](Findings& f) { f.stopped = step; });
    else
      update(
          [&](Findings& f) { f.failure = failure_of(scene_, step, loop.health(), loop.reason()); });
  }

  bool was_called(const sim::Hook& hook) const {
    switch (hook.when) {
      case sim::Hook::When::start:
        return true;
      case sim::Hook::When::step:
        return simulation_->step() >= static_cast<std::uint64_t>(hook.step.every);
      case sim::Hook::When::time:
        return simulation_->time() >= (hook.time.every ? *hook.time.every : hook.time.at.front());
      default:
        return false;
    }
  }
  /// True if all hooks have been called, except those of the end.
  bool all_called() const {
    return std::all_of(scene_.hooks.all.begin(), scene_.hooks.all.end(),
                       [&](const sim::Hook& hook) {
                         return hook.when == sim::Hook::When::end ||
                                hook.when == sim::Hook::When::unhealthy || was_called(hook);
                       });
  }

  /// Warns only: at its own step the hook may find what it misses here.
  void try_hook(sim::Hooks& hooks, std::size_t index) {
    counting_output_ = false;
    const std::string wrong = hooks.try_out(index);
    if (wrong.empty()) return;
    update([&](Findings& f) {
      f.warnings.push_back(
          fmt::format("{} (called at step {} as a test)", wrong, simulation_->step()));
    });
  }

  bool on_measurement(const sim::Measurement& measurement) override {
    // The run itself ignores it, too: its last step may pass its end.
    if (simulation_->has_dense_output() && end_ && measurement.time > *end_) return false;
    measured_ = measurement.step;
    return true;
  }
  void on_warning(const std::string& warning) override {
    update([&](Findings& f) { f.warnings.push_back(warning); });
  }

  // Requests of hooks.
  void row(const std::string& name, const sim::HookRow& row) override {
    const auto known = columns_.find(name);
    sim::check_row(name, row, known == columns_.end() ? nullptr : &known->second, columns_.size());
    if (known == columns_.end()) columns_[name] = sim::columns_of(row);
    const std::size_t bytes = sim::row_text(simulation_->time(), simulation_->step(), row).size();
    if (counting_output_) update([&](Findings& f) { f.bytes += bytes; });
  }
  void snapshot() override {
    if (counting_output_) update([&](Findings& f) { ++f.snapshots; });
  }
  void picture(const std::string& name) override { sim::check_file_name(name); }

  const std::shared_ptr<const sim::SceneDescription> owned_scene_;
  const sim::SceneDescription& scene_;
  const sim::Plan plan_;
  const std::uint64_t total_;
  const std::optional<double> end_;  ///< [time]
  const std::uint64_t series_every_;
  std::uint64_t measured_ = 0;  ///< step of the last measurement
  std::unique_ptr<sim::Simulation> simulation_;
  std::map<std::string, std::vector<std::string>> columns_;  ///< names of columns, by table
  bool counting_output_ = true;                              ///< false while hooks are only tried
  std::mutex mutex_;
  std::condition_variable finished_;
  Findings findings_;
};

/// Predicted time of one force evaluation [s]; 0 where only a measurement tells.
double seconds_of_forces(const sim::SceneDescription& scene, const sim::Plan& plan) {
  double seconds = 0;
  for (const sim::Physics& p : scene.physics)
    if (plan.backend == engine::Backend::cpu)
      seconds += p.seconds_of_forces(plan.cpu, plan.precision, scene.body_count());
  return seconds;
}

/// The time at which the run ends [time].
double end_time(const sim::SceneDescription& scene, const sim::Stop& stop,
                const Trial::Findings& findings, std::uint64_t steps) {
  // A hook that stops the run does so at the last step of the trial.
  if (findings.stopped != sim::never) return findings.time;
  const bool equal = !sim::info_of(scene.integrator).chooses_steps;
  const double mean_step = equal ? scene.integrator.dt
                           : findings.steps > 0
                               ? findings.time / static_cast<double>(findings.steps)
                               : 0;
  double end = stop.steps ? static_cast<double>(*stop.steps) * mean_step
                          : std::numeric_limits<double>::infinity();
  if (stop.time) end = std::min(end, *stop.time);
  return std::isfinite(end) ? end : static_cast<double>(steps) * mean_step;
}

/// Returns what each of these processes, or of the GPUs of the plan, would need; empty if there is
/// one.
std::optional<CheckedRanks> ranks_needed(const sim::SceneDescription& scene, const sim::Plan& plan,
                                         sim::RunOptions options, int processes) {
  const int gpus = static_cast<int>(plan.devices.size());
  if (processes < 2 && gpus < 2) return {};
  if (processes < 2) return CheckedRanks{gpus, true, sim::needs_of_ranks(scene, plan), {}};
  // Process 0 of a run decides what is left to a plan, as a single process does.
  options.backend = plan.backend;
  options.precision = plan.precision;
  options.simd = plan.cpu.simd;
  options.processes = processes;
  return CheckedRanks{
      processes, false, sim::needs_of_ranks(scene, sim::make_plan(scene, options)), {}};
}

}  // namespace

double evaluations_in_step(const sim::SceneDescription& scene) {
  const sim::Step step = sim::step_of(scene);
  return static_cast<double>(std::max<std::ptrdiff_t>(
      1, std::count_if(step.begin(), step.end(),
                       [](const sim::Stage& s) { return s.kind == sim::StageKind::force; })));
}

CheckedRun check_run(const HeadlessRequest& request,
                     std::shared_ptr<const sim::SceneDescription> owned_scene,
                     Clock::time_point start, int processes) {
  CheckedRun checked;
  const sim::SceneDescription& scene = *owned_scene;
  const sim::RunOptions options = run_options(request, scene);
  const sim::Plan plan = sim::make_plan(scene, options);
  checked.ranks = ranks_needed(scene, plan, options, processes);
  const Times times = times_of(request, scene);
  checked.steps =
      total_steps(request, scene, times.stop, {}, sim::Clock{.dt = sim::step_of_all(scene)});
  checked.device = plan.backend == engine::Backend::cpu
                       ? fmt::format("{} CPU threads", plan.cpu.threads)
                       : gpus_text(plan);
  const double forces = seconds_of_forces(scene, plan);
  Trial::Findings findings;
  if (forces > longest_evaluation) {
    checked.unchecked.push_back(fmt::format(
        "the initial forces of {} bodies, which take about {}; therefore also not the initial "
        "state, the time step and hooks",
        engine::with_thousands(scene.body_count()), engine::duration_text(forces)));
    if (checked.steps == sim::never) checked.steps = 1;  // the integrator chooses them
    checked.seconds =
        forces * (1 + static_cast<double>(checked.steps) * evaluations_in_step(scene));
  } else {
    auto trial = std::make_shared<Trial>(
        std::move(owned_scene), plan, checked.steps, times.stop.time,
        static_cast<std::uint64_t>(request.series_steps.value_or(plan.series_steps)));
    std::thread([trial] { trial->run(); }).detach();
    const double left = std::max(2.0, time_budget - seconds_since(start));
    findings = trial->wait_until(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                    std::chrono::duration<double>(left)));
    if (findings.refusal) std::rethrow_exception(findings.refusal);
    checked.unfinished = !findings.done;
    if (checked.steps == sim::never) {
      checked.steps = findings.total;
      if (checked.steps == sim::never) {
        checked.steps = findings.steps;
        checked.unchecked.push_back(
            "the number of steps, which the integrator chooses: times and sizes are of the first");
      }
    } else if (findings.total != sim::never) {
      checked.steps = findings.total;
      if (times.stop.steps)
        checked.steps = std::min(checked.steps, static_cast<std::uint64_t>(*times.stop.steps));
      checked.unchecked.push_back(
          "the number of steps, whose length follows the flow: estimated by that of the first");
    }
    const double total = static_cast<double>(checked.steps);
    if (!findings.opened)
      checked.unchecked.push_back(
          fmt::format("bodies and initial forces, which take more than {}, steps and hooks",
                      engine::duration_text(left)));
    else if (!findings.done)
      checked.unchecked.push_back(
          fmt::format("hooks and steps after step {}, which take too long", findings.steps));
    if (findings.opened && findings.steps > 0)
      checked.seconds =
          *findings.opened + findings.stepping * (total / static_cast<double>(findings.steps));
    else
      checked.least_seconds = findings.opened ? (left - *findings.opened) * total : left;
  }
  if (findings.stopped != sim::never) checked.steps = findings.stopped;
  checked.warnings = std::move(findings.warnings);
  checked.force_errors = findings.force_errors;
  checked.block_steps = findings.block_steps;
  checked.failure = std::move(findings.failure);
  if (checked.ranks) checked.ranks->received_a_step = findings.received;
  if (processes > 1)
    checked.unchecked.push_back(
        fmt::format("steps on {} processes; the time is that of one", processes));
  const double run_steps = static_cast<double>(checked.steps);
  const double times_over =
      findings.steps > 0 ? run_steps / static_cast<double>(findings.steps) : 0;
  const OutputEstimate files =
      estimate_output(request, scene, plan, times,
                      {.steps = run_steps,
                       .time = end_time(scene, times.stop, findings, checked.steps),
                       .seconds = checked.seconds.value_or(checked.least_seconds),
                       .table_bytes = static_cast<double>(findings.bytes) * times_over,
                       .hook_snapshots = static_cast<double>(findings.snapshots) * times_over});
  checked.bytes = files.bytes;
  checked.files_text = files.text;
  return checked;
}

}  // namespace mote::app
