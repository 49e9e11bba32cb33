#include "app/run/headless_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/run/interrupt.h"
#include "app/run/run_state.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/output/snapshot_writer.h"

namespace mote::app {
namespace {

using engine::Json;

/// The report of a run, with what it found before it was interrupted.
RunReport report_of(const RunParts& parts) {
  RunReport report(parts.scene);
  if (parts.resumed)
    read_progress(parts.from->run->at("progress"), report);
  else if (parts.from)
    report.continued = Json{{"file", parts.from->file.string()},
                            {"step", parts.from->run_clock.clock.step},
                            {"interactions", parts.from->run_clock.interactions}};
  return report;
}

/// The findings of ForceErrorSampling before the run was interrupted; null if it had none.
Json errors_before(const RunParts& parts) {
  return parts.resumed ? parts.from->run->value(ForceErrorSampling::key, Json()) : Json();
}

sim::RunFolder open_folder(RunParts& parts) {
  if (parts.resumed) return {std::move(parts.claim), parts.scene, parts.from->run->at("positions")};
  return {std::move(parts.claim), parts.scene};
}

}  // namespace

HeadlessRun::HeadlessRun(RunParts parts)
    : request_(parts.request),
      scene_(parts.scene),
      plan_(parts.plan),
      times_(parts.times),
      total_(parts.total),
      frames_every_(parts.frames_every),
      between_frames_(parts.between_frames),
      folder_(open_folder(parts)),
      pictures_(std::move(parts.pictures)),
      watcher_(parts.watcher),
      simulation_(std::move(parts.simulation)),
      steps_(*simulation_, parts.from ? parts.from->edits : std::vector<sim::Edit>(),
             std::move(parts.edits)),
      report_(report_of(parts)),
      loop_(scene_, *simulation_, steps_, *this,
            parts.from ? parts.from->hook_data : engine::JsonBox(), report_.energy),
      start_(Clock::now()),
      radial_(scene_, parts.resumed ? parts.from : nullptr),
      force_errors_(*simulation_, errors_before(parts)),
      checkpoints_(folder_.path(), static_cast<int>(times_.checkpoints.keep)),
      checkpoint_clock_(times_.checkpoints, request_.wall, parts.start, *simulation_),
      health_monitor_(*simulation_, scene_) {
  report_.opening_seconds = parts.opening_seconds;
  if (watcher_) watcher_->begin({request_, scene_, plan_, folder_.path(), *simulation_});
  for (const std::string& reason : plan_.reasons) engine::log().info("{}", reason);
  if (!parts.from) return;
  from_checkpoint_ = !parts.resumed;
  engine::log().info("{} at step {} from {}", parts.resumed ? "resuming" : "continuing",
                     simulation_->step(), parts.from->file.string());
  if (parts.from->run->contains("shown_until")) shown_before_ = parts.from->run->at("shown_until");
  if (!parts.resumed) return;
  // Absent in older ones.
  if (const Json time = parts.from->run->value("snapshot_time", Json()); time.is_number())
    snapshot_time_ = time.get<double>();
  report_.resumed.push_back(simulation_->step());
  checkpoints_.discard_after(simulation_->step());
  checkpointed_ = simulation_->step();
}

Outcome HeadlessRun::run() {
  try {
    Json record = run_json_of(request_, scene_, plan_, "running");
    // `mote runs` says how far a run is.
    if (times_.stop.steps) record["stop"]["steps"] = *times_.stop.steps;
    if (times_.stop.time) record["stop"]["time"] = *times_.stop.time;
    folder_.record(record);
    schedule();
    if (report_.resumed.empty()) {
      begin();
    } else {
      // The row of a step past the end of the run that is taken further.
      if (report_.last.step < simulation_->step() && simulation_->step() % series_every_ == 0)
        loop_.measure();
      if (simulation_->has_dense_output()) write_snapshots_within();
      force_errors_.sample(*simulation_);  // if the checkpoint has none yet
      loop_.make_edits();
    }
    step_to_end();
    return finish();
  } catch (const std::exception& e) {
    // The files are kept, so that the run can be resumed. A picture that fails after run.json is
    // complete does not change it.
    engine::log().info("failed: {}", e.what());
    const std::string how = std::string("the run has failed: ") + e.what();
    if (report_written_) {
      if (watcher_) watcher_->end(how);
      throw;
    }
    try {
      folder_.record(run_json_of(request_, scene_, plan_, "failed", e.what()));
    } catch (const std::exception&) {  // most likely for the same reason, such as a full disk
    }
    if (watcher_) watcher_->end(how);
    if (!checkpointed_) throw;
    const std::string remedy =
        fmt::format("output so far is kept; once fixed, continue from step {} with: mote resume {}",
                    *checkpointed_, folder_.path().string());
    engine::log().info("{}", remedy);
    throw RunFailed(std::current_exception(), e.what(), remedy);
  }
}

void HeadlessRun::begin() {
  loop_.measure();
  radial_.sample(*simulation_);
  force_errors_.sample(*simulation_);
  if (pictures_ && !request_.pictures.movie.empty()) pictures_->movie_frame(*simulation_);
  if (!from_checkpoint_) {
    const std::vector<double>& listed = scene_.snapshots.times;
    if (snapshot_steps() || times_.between_snapshots || (!listed.empty() && listed.front() <= 0))
      write_snapshot();
    loop_.start();
  } else if (simulation_->has_dense_output()) {
    write_snapshots_within();
  }
  loop_.make_edits();
  // `mote verify` cannot begin with the scene: a program may have moved bodies before.
  if (times_.checkpoints.requested() || from_checkpoint_) write_checkpoint();
}

void HeadlessRun::schedule() {
  sim::Clock now = simulation_->ahead();
  // A run that is taken further has not shown the rest of the step past its former end.
  if (simulation_->has_dense_output() && shown_before_)
    now = {now.step, now.step, *shown_before_, 0, now.dt};
  series_every_ = static_cast<std::uint64_t>(request_.series_steps.value_or(plan_.series_steps));
  if (const auto steps = snapshot_steps()) {
    snapshots_by_step_ = sim::Recurrence::every_steps(static_cast<std::uint64_t>(*steps));
    snapshots_by_step_.advance(now);
  }
  if (times_.between_snapshots)
    snapshots_by_time_ = sim::Recurrence::every_time(*times_.between_snapshots);
  snapshots_by_time_.advance(now);
  listed_snapshots_ = sim::Recurrence::at_times(scene_.snapshots.times);
  listed_snapshots_.advance(now);
  const bool movie = pictures_ && !request_.pictures.movie.empty() && total_ > 0;
  const auto intervals = static_cast<std::uint64_t>(std::max(1, request_.pictures.frames - 1));
  if (movie && !between_frames_ && frames_every_ == 0 && simulation_->steady_until() < sim::never &&
      times_.stop.time)
    between_frames_ = (*times_.stop.time - simulation_->time()) / static_cast<double>(intervals);
  if (!movie) return;
  // All frames are the same number of steps apart, so that motion is smooth: at least as many
  // frames as requested.
  if (!between_frames_ && frames_every_ == 0)
    frames_every_ = std::max<std::uint64_t>(1, (total_ - simulation_->step()) / intervals);
  frames_ = between_frames_ ? sim::Recurrence::every_time(*between_frames_)
                            : sim::Recurrence::every_steps(frames_every_);
  frames_.advance(now);
}

void HeadlessRun::find_end() {
  total_ = std::max(end_step(times_.stop, steps_.edits_ahead(), simulation_->ahead()),
                    simulation_->step());
}

void HeadlessRun::on_edit(const sim::Edit& edit) {
  snapshot_time_.reset();
  engine::log().info("step {}: {} = {}", edit.step, edit.path, engine::text_of(edit.value));
}

void HeadlessRun::on_bodies(const sim::BodyChange& change) {
  snapshot_time_.reset();
  if (change.routine) return;
  engine::log().info("step {}: bodies: {} added, {} removed, {} now", simulation_->step(),
                     change.added.count(), change.removed.size(), simulation_->count());
}

void HeadlessRun::picture(const std::string& name) {
  const std::filesystem::path file = folder_.picture_path(name);
  if (pictures_failed_) return;
  try {
    if (!pictures_) pictures_ = make_pictures(scene_, request_.pictures);
    pictures_->picture(*simulation_, file);
  } catch (const std::exception& e) {
    pictures_failed_ = true;
    engine::log().warn("pictures requested by hooks are skipped: {}", e.what());
  }
}

bool HeadlessRun::ends() const {
  return simulation_->step() >= total_ || loop_.ended() || InterruptGuard::requested() ||
         checkpoint_clock_.out_of_time();
}

void HeadlessRun::step_to_end() {
  Progress progress(progress_style(request_.quiet, request_.json), total_, scene_.units);
  progress.set_block_steps([&] { return simulation_->block_steps(); });
  const auto stop = [&] {
    progress.update(simulation_->step(), simulation_->time(), simulation_->interactions());
    const bool clock_stops = checkpoint_clock_.poll();
    return InterruptGuard::requested() || clock_stops || (watcher_ && watcher_->wants_visit());
  };
  const auto target = [&] {
    find_end();
    progress.set_total(total_);
    return total_;
  };
  monitor_health(true);
  for (target(); !ends(); target()) {
    loop_.advance(target, series_every_, stop);
    if (watcher_ && watcher_->wants_visit()) watcher_->visit(total_);
  }
  progress.finish();
}

std::uint64_t HeadlessRun::next_due(const sim::Clock& ahead) {
  stepping_since_ = seconds();  // the steps follow
  return std::min({snapshots_by_step_.next(ahead), snapshots_by_time_.next(ahead),
                   listed_snapshots_.next(ahead), frames_.next(ahead),
                   checkpoint_clock_.next(ahead), health_monitor_.next(), radial_.next(),
                   force_errors_.next()});
}

void HeadlessRun::on_steps(const sim::StepReport& report) {
  report_.stepping_seconds += seconds() - stepping_since_;
  if (report.steps > 0) write_due_outputs();
}

void HeadlessRun::on_ready(bool changed) {
  monitor_health(changed);
  if (checkpoint_clock_.due(simulation_->clock())) write_checkpoint();
}

void HeadlessRun::write_due_outputs() {
  const sim::Clock& now = simulation_->clock();
  if (simulation_->has_dense_output()) write_snapshots_within();
  if (is_past_end()) return;
  if (frames_.due(now)) {
    pictures_->movie_frame(*simulation_);
    frames_.advance(now);
  }
  if (snapshots_by_step_.due(now) || snapshots_by_time_.due(now) || listed_snapshots_.due(now)) {
    write_snapshot();
    for (sim::Recurrence* r : {&snapshots_by_step_, &snapshots_by_time_, &listed_snapshots_})
      r->advance(now);
  }
  if (!healthy()) return;
  radial_.sample(*simulation_);
  force_errors_.sample(*simulation_);
}

void HeadlessRun::write_snapshot() {
  report_.snapshot = folder_.snapshot(*simulation_, scene_);
  snapshot_time_ = simulation_->time();
}

void HeadlessRun::write_snapshots_within() {
  std::vector<double> times;
  for (sim::Recurrence* r : {&snapshots_by_time_, &listed_snapshots_}) {
    const std::vector<double> some = r->times_until(shown_until());
    times.insert(times.end(), some.begin(), some.end());
    r->advance(shown());
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  const auto write = [&] { write_snapshot(); };
  for (const double time : times)
    if (!simulation_->with_state_at(time, write)) write();
}

double HeadlessRun::shown_until() const {
  return is_past_end() ? *times_.stop.time : simulation_->time();
}

sim::Clock HeadlessRun::shown() const {
  const std::uint64_t step = simulation_->step();
  return {step, step, shown_until(), 0, simulation_->clock().dt};
}

bool HeadlessRun::is_past_end() const {
  return simulation_->has_dense_output() && times_.stop.time &&
         simulation_->time() > *times_.stop.time && healthy();
}

void HeadlessRun::with_final_state(const std::function<void()>& use) {
  if (!is_past_end() || !simulation_->with_state_at(*times_.stop.time, use)) use();
}

bool HeadlessRun::on_measurement(const sim::Measurement& measurement) {
  if (simulation_->has_dense_output() && times_.stop.time && measurement.time > *times_.stop.time)
    return false;
  report_.last = measurement;
  if (watcher_) watcher_->add_row(measurement);
  if (measurement.step == report_.first_step()) report_.first = report_.last;
  report_.note_energy(*simulation_);
  folder_.series_row(report_.last);
  return true;
}

void HeadlessRun::update_report() {
  report_.health = loop_.health();
  report_.offender = loop_.offender();
  report_.energy = loop_.energy();
  report_.edits.assign(steps_.edits_so_far().begin(), steps_.edits_so_far().end());
}

/// Writes the final snapshot, histograms and radial distribution, and reports the final state.
void HeadlessRun::write_final_outputs() {
  const auto write = [&] {
    if (snapshot_time_ != simulation_->time()) write_snapshot();
    for (const sim::HistogramRequest& wanted : request_.histograms) {
      report_.histograms.push_back(simulation_->histogram(wanted));
      folder_.histogram(report_.histograms.back(), scene_.units);
    }
    report_.time = simulation_->time();
  };
  with_final_state(write);
  radial_.write(folder_, scene_.units);
  report_.radial_samples = radial_.samples();
  if (pictures_) report_.renderer = pictures_->renderer();
  report_.hash = simulation_->hash();
  report_.set_bodies(*simulation_);
  report_forces();
  report_.interactions = simulation_->interactions();
  report_.steps = simulation_->step();
  report_.ranks = simulation_->rank_work();
}

void HeadlessRun::report_forces() {
  if (healthy()) force_errors_.finish(*simulation_);
  report_.force_errors = force_errors_.sampled();
  // Bodies that come and go, and outer forces, change the momentum by themselves.
  if (report_.force_errors && report_.added + report_.removed == 0 &&
      conserves_momentum(simulation_->model()))
    report_.center_of_mass = center_of_mass_speed(report_.first, report_.last);
}

std::string HeadlessRun::how_ended(Outcome outcome) const {
  const std::string steps = engine::counted(static_cast<long long>(report_.steps), "step");
  const std::string place = folder_.path().string();
  if (outcome == Outcome::done) return fmt::format("the run is done: {}, in {}", steps, place);
  if (outcome == Outcome::interrupted)
    return fmt::format("the run was interrupted after {}: mote resume {}", steps, place);
  return fmt::format("the run has ended after {}: {}", steps, report_.reason);
}

Outcome HeadlessRun::finish() {
  const bool good = healthy();
  const bool interrupted = good && simulation_->step() < total_ && !loop_.ended();
  // Before the final rows, which a resumed run must not have.
  at_end_ = good && !interrupted;
  if (good && checkpointed_ != simulation_->step()) {
    if (interrupted || times_.checkpoints.wants_end(simulation_->saved_state_bytes()))
      write_checkpoint();
    else
      report_.set_without_checkpoint(times_.checkpoints, simulation_->saved_state_bytes());
  }
  // The last row and the last snapshot are always of the final state. The row may reveal that it
  // is unhealthy.
  const auto last_row = [&] {
    if (report_.last.step != simulation_->step()) loop_.measure();
  };
  with_final_state(last_row);
  loop_.end_hooks();
  update_report();
  report_.verdict = loop_.hooks().verdict();
  report_.data = loop_.hooks().data();
  const Outcome outcome = report_.health != sim::Health::good ? Outcome::unhealthy
                          : interrupted                       ? Outcome::interrupted
                                                              : Outcome::done;
  if (good && outcome == Outcome::unhealthy) forget_checkpoint();
  if (outcome == Outcome::done) checkpoints_.prune();
  write_final_outputs();
  const bool picture = pictures_ && !request_.pictures.picture.empty();
  if (outcome == Outcome::unhealthy) {
    std::unique_ptr<sim::SavedState> bad;
    if (picture) bad = simulation_->save();
    diagnose();
    if (bad) simulation_->restore(*bad);
    report_.reason = loop_.reason(report_.encounter);
  } else {
    if (health_monitor_.encounter())
      report_.encounter = sim::encounter_message(*health_monitor_.encounter(), *simulation_);
    if (interrupted && checkpoint_clock_.out_of_time()) report_.reason = "the wall-clock limit";
  }
  // The movie must be complete before the run is marked done: its frames exist nowhere else.
  // run.json is written even if the movie fails.
  std::exception_ptr movie_error;
  try {
    if (pictures_) report_.movie = pictures_->finish_movie(true);
  } catch (const std::exception&) {
    movie_error = std::current_exception();
  }
  report_.total_seconds = report_.earlier_seconds + report_.opening_seconds + seconds();
  folder_.finish(run_json(request_, scene_, plan_, report_, outcome));
  report_written_ = true;
  if (movie_error) std::rethrow_exception(movie_error);
  if (pictures_ && outcome == Outcome::done) pictures_->discard_movie_parts();
  if (picture)
    with_final_state([&] { pictures_->picture(*simulation_, request_.pictures.picture); });
  print_summary(request_, scene_, plan_, report_, outcome, folder_.path());
  if (watcher_) watcher_->end(how_ended(outcome));
  return outcome;
}

}  // namespace mote::app
