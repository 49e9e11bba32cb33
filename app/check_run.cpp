#include "app/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "app/check_files.h"
#include "app/headless_run.h"
#include "engine/text.h"
#include "sim/gravity/direct.h"
#include "sim/run/hooks.h"
#include "sim/run/registry.h"
#include "sim/run/row_files.h"

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;

/// Seconds from the start until the answer, whatever is still open; what forces may take to be
/// evaluated at all; and for which steps are taken: at least, so that their time is known, and at
/// most, where hooks are waited for.
constexpr double seconds_in_all = 8, longest_forces = 4, shortest_trial = 0.1, longest_trial = 1;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Interactions a second of gravity on this machine's processor, from a short evaluation.
double gravity_rate(const sim::SceneDescription& scene, const sim::Plan& plan) {
  constexpr engine::Index bodies = 4096;
  sim::State<engine::Host> state(bodies, plan.precision, {});
  state.visit([&](auto s) {
    using Real = std::remove_reference_t<decltype(s.x[0])>;
    for (engine::Index i = 0; i < bodies; ++i) {
      const double angle = static_cast<double>(i);
      s.mass[i] = Real{1};
      s.x[i] = static_cast<Real>(std::sin(angle)),
      s.y[i] = static_cast<Real>(std::cos(1.3 * angle));
      s.z[i] = static_cast<Real>(std::sin(0.7 * angle));
      s.ax[i] = s.ay[i] = s.az[i] = Real{0};
    }
  });
  sim::DirectGravity gravity(*scene.gravity, 1, bodies, plan.precision);
  double fastest = 0;
  for (int k = 0; k < 3; ++k) {
    sim::StepReport report;
    const auto start = Clock::now();
    gravity.run(plan.cpu, state, report);
    fastest = std::max(fastest, static_cast<double>(report.interactions) / seconds_since(start));
  }
  return fastest;
}

/// Evaluations of the forces in a step.
double evaluations(const sim::SceneDescription& scene) {
  const sim::Step step = sim::step_of(scene);
  return static_cast<double>(std::max<std::ptrdiff_t>(
      1, std::count_if(step.begin(), step.end(),
                       [](const sim::Stage& s) { return s.kind == sim::StageKind::force; })));
}

/// A hook that failed, as its verdict says it ("scene.lua:3: on_step: ..."), or another end.
engine::Diagnostic bad_end(const sim::SceneDescription& scene, std::uint64_t step,
                           const std::string& reason) {
  const std::size_t place = reason.find(": "), hook = reason.find(": ", place + 2);
  const bool located =
      reason.starts_with(scene.hooks.files.empty() ? "\n" : scene.hooks.files.front());
  if (located && hook != std::string::npos)
    return {reason.substr(0, place), reason.substr(place + 2, hook - place - 2),
            reason.substr(hook + 2), ""};
  return {scene.file.string(), "", fmt::format("the run fails at step {}: {}", step, reason), ""};
}

/// Opens a run and takes its first steps, in a thread of its own.
class Trial : private sim::HookHost {
 public:
  Trial(std::shared_ptr<const sim::SceneDescription> scene, sim::Plan plan, std::uint64_t total)
      : kept_(std::move(scene)), scene_(*kept_), plan_(std::move(plan)), total_(total) {}

  /// What has been found so far.
  struct Found {
    bool done = false;
    std::exception_ptr refusal = nullptr;
    std::optional<double> opened;           ///< seconds that took
    std::uint64_t steps = 0;                ///< taken
    double stepping = 0;                    ///< seconds that they took
    std::uint64_t bytes = 0;                ///< of rows that hooks wrote in them
    std::uint64_t snapshots = 0;            ///< of hooks, too
    std::uint64_t checkpoint = 0;           ///< bytes
    std::uint64_t stopped = sim::never;     ///< the step at which the scene stops it
    std::optional<engine::Diagnostic> bad;  ///< how it ends
    std::vector<std::string> warnings = {};
  };

  void go() {
    std::exception_ptr refusal;
    try {
      open_and_step();
    } catch (...) {
      refusal = std::current_exception();
    }
    simulation_.reset();  // here, and not while the program ends
    note([&](Found& f) { f.done = true, f.refusal = refusal; });
    ended_.notify_all();
  }

  /// Waits until all is done or it is time.
  Found found(Clock::time_point until) {
    std::unique_lock lock(mutex_);
    ended_.wait_until(lock, until, [&] { return found_.done; });
    return found_;
  }

 private:
  template <class Change>
  void note(Change&& change) {
    const std::lock_guard lock(mutex_);
    change(found_);
  }

  void open_and_step() {
    const auto start = Clock::now();
    simulation_ = sim::open_simulation(scene_, plan_);
    note([&](Found& f) {
      f.opened = seconds_since(start), f.checkpoint = simulation_->kept_bytes();
    });
    simulation_->measure();
    sim::Hooks hooks(scene_, *simulation_, *this);
    hooks.start();
    step(hooks);
    if (found_.bad || found_.stopped != sim::never) return;
    for (std::size_t k = 0; k < scene_.hooks.all.size(); ++k)
      if (!was_called(scene_.hooks.all[k])) try_out(hooks, k);
  }

  void step(sim::Hooks& hooks) {
    const auto start = Clock::now();
    const auto stop = [&] {
      const double taken = seconds_since(start);
      note([&](Found& f) { f.steps = simulation_->step(), f.stepping = taken; });
      return taken > longest_trial || (taken > shortest_trial && all_called());
    };
    while (!ended(hooks) && simulation_->step() < total_ && !stop()) {
      const std::uint64_t now = simulation_->step();
      const sim::StepReport report =
          simulation_->advance(std::min(total_, hooks.next()) - now, stop);
      if (report.health != sim::Health::good) {
        const std::uint64_t at = simulation_->step();
        return note([&](Found& f) {
          f.bad =
              bad_end(scene_, at,
                      report.offender < 0 ? "it becomes unhealthy"
                                          : fmt::format("body {} is not finite", report.offender));
        });
      }
      if (report.steps > 0) hooks.run_due();
    }
    stop();
  }

  bool ended(const sim::Hooks& hooks) {
    const sim::HookVerdict& verdict = hooks.verdict();
    const std::uint64_t step = simulation_->step();
    if (verdict.kind == sim::HookVerdict::Kind::stop) note([&](Found& f) { f.stopped = step; });
    if (verdict.kind == sim::HookVerdict::Kind::fail)
      note([&](Found& f) { f.bad = bad_end(scene_, step, verdict.reason); });
    return verdict.kind != sim::HookVerdict::Kind::go_on;
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
  /// But those of the end.
  bool all_called() const {
    return std::all_of(scene_.hooks.all.begin(), scene_.hooks.all.end(),
                       [&](const sim::Hook& hook) {
                         return hook.when == sim::Hook::When::end ||
                                hook.when == sim::Hook::When::unhealthy || was_called(hook);
                       });
  }

  /// At its own step a hook may find what it does not find here, so this warns.
  void try_out(sim::Hooks& hooks, std::size_t index) {
    counts_ = false;
    const std::string wrong = hooks.try_out(index);
    if (wrong.empty()) return;
    note([&](Found& f) {
      f.warnings.push_back(
          fmt::format("{} (called at step {} to try it)", wrong, simulation_->step()));
    });
  }

  // What hooks ask for.
  void edit(const std::string& path, const engine::ParamValue& value) override {
    sim::LiveSettings live = simulation_->live();
    set_live(live, path, value);
    simulation_->change(live);
  }
  void change_bodies(const sim::BodyChange& change) override { simulation_->change_bodies(change); }
  void row(const std::string& name, const sim::HookRow& row) override {
    const auto known = columns_.find(name);
    sim::check_row(name, row, known == columns_.end() ? nullptr : &known->second, columns_.size());
    if (known == columns_.end()) columns_[name] = sim::columns_of(row);
    const std::size_t bytes = sim::row_text(simulation_->time(), simulation_->step(), row).size();
    if (counts_) note([&](Found& f) { f.bytes += bytes; });
  }
  void snapshot() override {
    if (counts_) note([&](Found& f) { ++f.snapshots; });
  }
  void picture(const std::string& name) override { sim::check_file_name(name); }

  const std::shared_ptr<const sim::SceneDescription> kept_;
  const sim::SceneDescription& scene_;
  const sim::Plan plan_;
  const std::uint64_t total_;
  std::unique_ptr<sim::Simulation> simulation_;
  std::map<std::string, std::vector<std::string>> columns_;  ///< of the rows of hooks
  bool counts_ = true;                                       ///< what hooks write
  std::mutex mutex_;
  std::condition_variable ended_;
  Found found_;
};

/// What forces take that are known before they are evaluated: direct sums of a processor.
double seconds_of_forces(const sim::SceneDescription& scene, const sim::Plan& plan) {
  const double bodies = static_cast<double>(scene.body_count());
  constexpr double few = 20'000;  // soon evaluated on any machine
  if (!scene.gravity || plan.backend != engine::Backend::cpu || bodies < few) return 0;
  return bodies * bodies / gravity_rate(scene, plan);
}

}  // namespace

CheckedRun check_run(const HeadlessRequest& request,
                     std::shared_ptr<const sim::SceneDescription> kept, Clock::time_point start) {
  CheckedRun checked;
  const sim::SceneDescription& scene = *kept;
  const sim::Plan plan = sim::make_plan(scene, run_options(request, scene));
  const Times times = times_of(request, scene);
  checked.steps =
      total_steps(request, scene, times.stop, {}, sim::Clockwork(), scene.integrator.dt);
  checked.where = plan.backend == engine::Backend::cpu
                      ? fmt::format("{} threads of the processor", plan.cpu.threads)
                      : plan.device_name;
  const double total = static_cast<double>(checked.steps);
  const double forces = seconds_of_forces(scene, plan);
  Trial::Found found;
  if (forces > longest_forces) {
    checked.left_out.push_back(fmt::format(
        "the first forces of {} bodies, which take about {}, and with them what depends on "
        "bodies: whether their start and "
        "step are good, and hooks",
        engine::with_thousands(scene.body_count()), engine::duration_text(forces)));
    checked.seconds = forces * (1 + total * evaluations(scene));
  } else {
    auto trial = std::make_shared<Trial>(std::move(kept), plan, checked.steps);
    std::thread([trial] { trial->go(); }).detach();
    const double left = std::max(2.0, seconds_in_all - seconds_since(start));
    found = trial->found(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(left)));
    if (found.refusal) std::rethrow_exception(found.refusal);
    checked.unfinished = !found.done;
    if (!found.opened)
      checked.left_out.push_back(
          fmt::format("bodies and first forces, which take more than {}, steps and hooks",
                      engine::duration_text(left)));
    else if (!found.done)
      checked.left_out.push_back(
          fmt::format("hooks and steps after step {}, which take long", found.steps));
    if (found.opened && found.steps > 0)
      checked.seconds = *found.opened + found.stepping * (total / static_cast<double>(found.steps));
    else
      checked.at_least = found.opened ? (left - *found.opened) * total : left;
  }
  if (found.stopped != sim::never) checked.steps = found.stopped;
  checked.warnings = std::move(found.warnings);
  checked.ends_badly = std::move(found.bad);
  const double run_steps = static_cast<double>(checked.steps);
  const double times_over = found.steps > 0 ? run_steps / static_cast<double>(found.steps) : 0;
  const FilesOfRun files =
      files_of_run(request, scene, plan, times,
                   {.steps = run_steps,
                    .seconds = checked.seconds.value_or(checked.at_least),
                    .rows = static_cast<double>(found.bytes) * times_over,
                    .hook_snapshots = static_cast<double>(found.snapshots) * times_over});
  checked.bytes = files.bytes;
  checked.files = files.words;
  return checked;
}

}  // namespace mote::app
