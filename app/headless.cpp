#include "app/headless.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <span>
#include <utility>

#include "app/interrupt.h"
#include "app/record.h"
#include "app/replay.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/run/hooks.h"
#include "sim/run/run_folder.h"
#include "sim/run/schedule.h"

namespace mote::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr std::uint64_t most_steps = 1'000'000'000'000'000;

/// When the run ends and when snapshots are due: what the command line says, else what the scene says.
struct Times {
  sim::Stop stop;
  std::optional<double> between_snapshots;
};

Times times_of(const HeadlessRequest& request, const sim::SceneDescription& scene) {
  const auto until = time_in(request.until, "--until", scene.units);
  const auto snapshots = time_in(request.snapshot_time, "--snapshot-time", scene.units);
  return {until || request.steps ? sim::Stop{until, request.steps} : scene.stop,
          snapshots ? snapshots : scene.snapshots.time};
}

/// The last step of a run with such a clock that takes steps of `dt`, and is edited on its way.
std::uint64_t end_step(const sim::Stop& stop, std::span<const sim::Edit> edits, const sim::Clockwork& clock,
                       double dt) {
  std::uint64_t total = stop.steps ? static_cast<std::uint64_t>(*stop.steps) : sim::never;
  if (stop.time)
    total = std::min(total, sim::step_at(*stop.time, dt, edits, clock.base_step, clock.base_time));
  return total;
}

/// Steps of the whole run.
std::uint64_t total_steps(const HeadlessRequest& request, const sim::SceneDescription& scene,
                          const sim::Stop& stop, const std::vector<sim::Edit>& edits) {
  if (!stop.time && !stop.steps)
    throw engine::InputError(scene.file.string(), "the run has no end",
                             "add --until TIME or --steps N, or to the scene: stop = { time = ... }");
  const sim::Clockwork start;
  const std::uint64_t total = end_step(stop, edits, start, scene.integrator.dt);
  if (total > most_steps)
    throw engine::InputError(
        request.until ? "--until" : scene.file.string(),
        fmt::format("time {} is more than 1e15 steps of {} away", *stop.time, scene.integrator.dt),
        "no run gets there: choose an earlier end");
  return total;
}

/// One run from its first step to its last: steps, and what falls due between them.
class HeadlessRun : private sim::HookHost {
 public:
  HeadlessRun(const HeadlessRequest& request, const sim::SceneDescription& scene, const sim::Plan& plan,
              Times times, std::uint64_t total, std::vector<sim::Edit> edits,
              const std::filesystem::path& folder, std::unique_ptr<Pictures> pictures,
              std::unique_ptr<sim::Simulation> simulation, double opened)
      : request_(request),
        scene_(scene),
        plan_(plan),
        times_(times),
        total_(total),
        edits_(std::move(edits)),
        folder_(folder, scene, request.force),
        pictures_(std::move(pictures)),
        simulation_(std::move(simulation)),
        hooks_(scene, *simulation_, *this),
        start_(Clock::now()) {
    record_.opened = opened;
    for (const std::string& reason : plan.reasons) engine::log().info("{}", reason);
  }

  Outcome run() {
    schedule();
    series_row(simulation_->measure());
    if (pictures_ && !request_.pictures.movie.empty()) pictures_->movie_frame(*simulation_);
    hooks_.start();
    obey_hooks();
    make_edits();
    step_through();
    return finish();
  }

 private:
  double seconds() const { return seconds_since(start_); }

  void schedule() {
    series_every_ = static_cast<std::uint64_t>(request_.series_steps.value_or(plan_.series_steps));
    series_ = sim::Recurrence::every_steps(series_every_);
    const auto steps = request_.snapshot_steps ? request_.snapshot_steps : scene_.snapshots.steps;
    if (steps) snapshots_by_step_ = sim::Recurrence::every_steps(static_cast<std::uint64_t>(*steps));
    schedule_times();
    // Frames stand whole steps apart, all the same number, so that motion is even: at least as many as asked for.
    const auto intervals = static_cast<std::uint64_t>(std::max(1, request_.pictures.frames - 1));
    if (pictures_ && !request_.pictures.movie.empty() && total_ > 0)
      frames_ = sim::Recurrence::every_steps(std::max<std::uint64_t>(1, total_ / intervals));
  }

  /// Anew whenever the step was changed.
  void schedule_times() {
    if (times_.between_snapshots)
      snapshots_by_time_ = sim::Recurrence::every_time(*times_.between_snapshots, simulation_->dt(),
                                                       simulation_->step(), simulation_->time());
  }

  /// Changes parameters where this step is one at which they are to be changed. What is measured and written at this
  /// step was before.
  void make_edits() {
    for (; next_edit_ < edits_.size() && edits_[next_edit_].step == simulation_->step(); ++next_edit_) {
      make(edits_[next_edit_]);
    }
  }

  void make(const sim::Edit& edit) {
    sim::LiveSettings live = simulation_->live();
    set_live(live, edit.path, edit.value);
    simulation_->change(live);
    record_.edits.push_back(edit);
    engine::log().info("step {}: {} = {}", edit.step, edit.path, engine::text_of(edit.value));
    schedule_times();
  }

  // What hooks ask for.
  void edit(const std::string& path, const engine::ParamValue& value) override {
    const sim::Edit edit{simulation_->step(), path, value};
    make(edit);
    // The record of a run with these hooks has this edit, too.
    const auto same = [&](const sim::Edit& e) {
      return e.step == edit.step && e.path == path && e.value == value;
    };
    const auto ahead = edits_.begin() + static_cast<std::ptrdiff_t>(next_edit_);
    if (const auto found = std::find_if(ahead, edits_.end(), same); found != edits_.end())
      edits_.erase(found);
    const std::span<const sim::Edit> left(edits_.begin() + static_cast<std::ptrdiff_t>(next_edit_),
                                          edits_.end());
    total_ = std::max(end_step(times_.stop, left, simulation_->clockwork(), simulation_->dt()),
                      simulation_->step());
  }
  void change_bodies(const sim::BodyChange& change) override {
    simulation_->change_bodies(change);
    engine::log().info("step {}: bodies: {} added, {} removed, {} now", simulation_->step(),
                       change.added.count(), change.removed.size(), simulation_->count());
  }
  void row(const std::string& name, const sim::HookRow& row) override {
    folder_.hook_row(name, *simulation_, row);
  }
  void snapshot() override { folder_.snapshot(*simulation_, scene_); }
  void picture(const std::string& name) override {
    const std::filesystem::path file = folder_.picture_path(name);
    if (no_pictures_) return;
    try {
      if (!pictures_) pictures_ = make_pictures(scene_, request_.pictures);
      pictures_->picture(*simulation_, file);
    } catch (const std::exception& e) {
      no_pictures_ = true;
      engine::log().warn("no pictures of hooks: {}", e.what());
    }
  }

  /// Looks at what hooks say of the run.
  void obey_hooks() {
    if (hooks_.verdict().kind == sim::HookVerdict::Kind::fail)
      record_.health = record_.health | sim::Health::hook_failed;
  }
  bool stopped() const { return hooks_.verdict().kind == sim::HookVerdict::Kind::stop; }

  void step_through() {
    Progress progress(progress_style(request_.quiet, request_.json), total_, scene_.units.time);
    const auto stop = [&] {
      progress.update(simulation_->step(), simulation_->time(), simulation_->interactions());
      return InterruptGuard::asked();
    };
    while (simulation_->step() < total_ && record_.health == sim::Health::good && !stopped() &&
           !InterruptGuard::asked()) {
      const double before = seconds();
      const sim::StepReport report = advance(stop);
      record_.health = record_.health | report.health;
      record_.offender = report.offender;
      record_.stepping += seconds() - before;
      outputs();
      if (record_.health == sim::Health::good) hooks_.run_due();
      obey_hooks();
      progress.expect(total_);
      if (record_.health == sim::Health::good) make_edits();
    }
    progress.finish();
  }

  /// Steps to where the next output is due. Rows of the series need no stop: the simulation measures on its way, unless
  /// a row may end the run.
  sim::StepReport advance(const std::function<bool()>& stop) {
    const std::uint64_t now = simulation_->step();
    std::uint64_t next = std::min(
        {total_, snapshots_by_step_.next(), snapshots_by_time_.next(), frames_.next(), hooks_.next()});
    if (next_edit_ < edits_.size()) next = std::min(next, edits_[next_edit_].step);
    if (!scene_.health.energy_error)
      return simulation_->advance_measured(next - now, series_every_, stop,
                                           [&](const sim::Measurement& m) { series_row(m); });
    next = std::min(next, series_.next());
    const sim::StepReport report = simulation_->advance(next - now, stop);
    if (series_.due(simulation_->step())) {
      series_row(simulation_->measure());
      series_.advance(simulation_->step());
    }
    return report;
  }

  void outputs() {
    const std::uint64_t step = simulation_->step();
    if (snapshots_by_step_.due(step) || snapshots_by_time_.due(step)) {
      folder_.snapshot(*simulation_, scene_);
      snapshots_by_step_.advance(step);
      snapshots_by_time_.advance(step);
    }
    if (frames_.due(step)) {
      pictures_->movie_frame(*simulation_);
      frames_.advance(step);
    }
  }

  void series_row(const sim::Measurement& measurement) {
    record_.last = measurement;
    if (measurement.step == 0) record_.first = record_.last;
    folder_.series_row(record_.last);
    const auto limit = scene_.health.energy_error;
    if (limit && std::fabs(record_.last.energy_error) > *limit)
      record_.health = record_.health | sim::Health::energy_drift;
  }

  Outcome finish() {
    // The last row and the last snapshot are always those of the final state; the row may find it unhealthy.
    if (record_.last.step != simulation_->step()) series_row(simulation_->measure());
    const bool interrupted =
        record_.health == sim::Health::good && simulation_->step() < total_ && !stopped();
    hooks_.end(record_.health == sim::Health::good);
    obey_hooks();
    record_.verdict = hooks_.verdict();
    record_.data = hooks_.data();
    const Outcome outcome = record_.health != sim::Health::good ? Outcome::unhealthy
                            : interrupted                       ? Outcome::interrupted
                                                                : Outcome::done;
    record_.snapshot = folder_.snapshot(*simulation_, scene_);
    for (const sim::HistogramRequest& wanted : request_.histograms) {
      record_.histograms.push_back(simulation_->histogram(wanted));
      folder_.histogram(record_.histograms.back(), scene_.units);
    }
    if (pictures_) record_.renderer = pictures_->renderer();
    record_.total = record_.opened + seconds();
    record_.hash = simulation_->hash();
    record_.take_bodies(*simulation_);
    record_.interactions = simulation_->interactions();
    record_.steps = simulation_->step();
    record_.time = simulation_->time();
    folder_.finish(run_json(request_, scene_, plan_, record_, outcome));
    // Pictures last: whatever becomes of them, the numbers of the run are whole.
    if (pictures_ && !request_.pictures.picture.empty())
      pictures_->picture(*simulation_, request_.pictures.picture);
    if (pictures_) record_.movie = pictures_->finish_movie();
    report(request_, scene_, plan_, record_, outcome, *simulation_, folder_.path());
    return outcome;
  }

  const HeadlessRequest& request_;
  const sim::SceneDescription& scene_;
  const sim::Plan& plan_;
  Times times_;
  std::uint64_t total_, series_every_ = 1;
  std::vector<sim::Edit> edits_;
  std::size_t next_edit_ = 0;
  sim::RunFolder folder_;
  std::unique_ptr<Pictures> pictures_;
  std::unique_ptr<sim::Simulation> simulation_;
  sim::Hooks hooks_;
  bool no_pictures_ = false;
  Clock::time_point start_;
  RunRecord record_;
  sim::Recurrence series_, snapshots_by_step_, snapshots_by_time_, frames_;
};

/// Opens what draws before anything is written, so that a missing driver costs no run.
std::unique_ptr<Pictures> open_pictures(HeadlessRequest& request, const sim::SceneDescription& scene) {
  if (!request.pictures.any()) return nullptr;
  try {
    return make_pictures(scene, request.pictures);
  } catch (const std::exception& e) {
    if (!request.optional_pictures) throw;
    engine::log().warn("no picture: {}", e.what());
    request.pictures.picture.clear();
    request.pictures.movie.clear();
    return nullptr;
  }
}

}  // namespace

Outcome run_headless(HeadlessRequest request) {
  std::optional<Replay> replay;
  if (!request.replay.empty()) replay.emplace(request.replay);
  const sim::SceneDescription scene = replay && request.scene.empty()
                                          ? replay->scene(request.settings)
                                          : sim::read_scene(request.scene, request.settings, request.trust);
  if (replay) replay->complete(request);
  for (const sim::HistogramRequest& wanted : request.histograms)
    sim::check_scalar(scene, sim::scalar_info(wanted.scalar).name, "--histogram species");
  std::vector<sim::Edit> edits = replay ? replay->edits(scene) : std::vector<sim::Edit>();
  sim::Plan plan = sim::make_plan(scene, request.options);
  if (replay && request.scene.empty() && replay->had_hooks()) {
    plan.reasons.push_back("without the hooks of the run that is replayed: they are functions of its script");
    engine::log().warn("{}; the scene beside --replay brings them", plan.reasons.back());
  }
  const Times times = times_of(request, scene);
  const std::uint64_t total = total_steps(request, scene, times.stop, edits);
  const std::filesystem::path folder = sim::choose_run_folder(request.out, request.force);
  if (request.default_picture) request.pictures.picture = folder / "picture.png";
  if (request.default_movie) request.pictures.movie = folder / "movie.mp4";

  // Whatever can fail does so before the run's folder is made: bad numbers, no memory, no driver.
  const auto start = Clock::now();
  if (!request.quiet && !request.json && scene.body_count() > 1'000'000)
    fmt::print(stderr, "making {} bodies\n", engine::with_thousands(scene.body_count()));
  std::unique_ptr<sim::Simulation> simulation = sim::open_simulation(scene, plan);
  const double opened = seconds_since(start);
  std::unique_ptr<Pictures> pictures = open_pictures(request, scene);
  const InterruptGuard guard;
  return HeadlessRun(request, scene, plan, times, total, std::move(edits), folder, std::move(pictures),
                     std::move(simulation), opened)
      .run();
}

}  // namespace mote::app
