#include "app/headless_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/interrupt.h"
#include "app/run_state.h"
#include "engine/json.h"
#include "engine/log.h"
#include "engine/text.h"
#include "sim/run/snapshot_writer.h"

namespace mote::app {
namespace {

using engine::Json;

sim::RunFolder folder_of(RunParts& parts) {
  if (parts.from) return {std::move(parts.claim), parts.scene, parts.from->run->at("positions")};
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
      edits_(std::move(parts.edits)),
      folder_(folder_of(parts)),
      pictures_(std::move(parts.pictures)),
      simulation_(std::move(parts.simulation)),
      hooks_(scene_, *simulation_, *this, parts.from ? parts.from->hook_data : engine::JsonBox()),
      start_(Clock::now()),
      record_(scene_),
      radial_(scene_, parts.from),
      checkpoints_(folder_.path(), static_cast<int>(times_.checkpoints.keep)),
      checkpoint_clock_(times_.checkpoints, request_.wall, parts.start, *simulation_),
      watch_(*simulation_, scene_) {
  record_.opened = parts.opened;
  for (const std::string& reason : plan_.reasons) engine::log().info("{}", reason);
  if (!parts.from) return;
  read_progress(parts.from->run->at("progress"), record_);
  record_.edits = parts.from->edits;
  record_.resumed.push_back(simulation_->step());
  checkpoints_.cut(simulation_->step());
  checkpointed_ = simulation_->step();
  engine::log().info("goes on at step {} from {}", simulation_->step(), parts.from->file.string());
}

Outcome HeadlessRun::run() {
  try {
    folder_.record(run_json_of(request_, scene_, plan_, "running"));
    schedule();
    if (record_.resumed.empty())
      begin();
    else
      make_edits();
    step_through();
    return finish();
  } catch (const std::exception& e) {
    // What is there stays, for the run to go on from. Once its numbers are whole, a picture that
    // fails changes none.
    engine::log().info("failed: {}", e.what());
    if (recorded_) throw;
    try {
      folder_.record(run_json_of(request_, scene_, plan_, "failed", e.what()));
    } catch (const std::exception&) {  // the same disk, mostly
    }
    if (!checkpointed_) throw;
    const std::string remedy = fmt::format(
        "what was written stays; when that is mended, go on from step {} with: mote resume {}",
        *checkpointed_, folder_.path().string());
    engine::log().info("{}", remedy);
    throw RunFailed(std::current_exception(), e.what(), remedy);
  }
}

void HeadlessRun::begin() {
  series_row(simulation_->measure());
  radial_.look(*simulation_);
  if (pictures_ && !request_.pictures.movie.empty()) pictures_->movie_frame(*simulation_);
  if (!scene_.snapshots.times.empty() && scene_.snapshots.times.front() <= 0)
    folder_.snapshot(*simulation_, scene_);
  hooks_.start();
  obey_hooks();
  make_edits();
  if (times_.checkpoints.asked()) write_checkpoint();
}

void HeadlessRun::schedule() {
  const std::uint64_t step = simulation_->step();
  series_every_ = static_cast<std::uint64_t>(request_.series_steps.value_or(plan_.series_steps));
  series_ = sim::Recurrence::every_steps(series_every_);
  series_.advance(step);
  const auto steps = request_.snapshot_steps ? request_.snapshot_steps : scene_.snapshots.steps;
  if (steps) {
    snapshots_by_step_ = sim::Recurrence::every_steps(static_cast<std::uint64_t>(*steps));
    snapshots_by_step_.advance(step);
  }
  const bool movie = pictures_ && !request_.pictures.movie.empty() && total_ > 0;
  const auto intervals = static_cast<std::uint64_t>(std::max(1, request_.pictures.frames - 1));
  if (movie && !between_frames_ && frames_every_ == 0 && scene_.integrator.courant &&
      times_.stop.time)
    between_frames_ = *times_.stop.time / static_cast<double>(intervals);
  schedule_times();
  if (!movie || between_frames_) return;
  // Frames stand whole steps apart, all the same number, so that motion is even: at least as many
  // as asked for.
  if (frames_every_ == 0) frames_every_ = std::max<std::uint64_t>(1, total_ / intervals);
  frames_ = sim::Recurrence::every_steps(frames_every_);
  frames_.advance(step);
}

/// Anew whenever the step was changed.
void HeadlessRun::schedule_times() {
  checkpoint_clock_.schedule_times(*simulation_);
  const sim::Clockwork& clock = simulation_->clockwork();
  snapshot_of_list_ = sim::next_of_times(scene_.snapshots.times, simulation_->step(),
                                         simulation_->dt(), clock.base_step, clock.base_time);
  if (between_frames_) {
    frames_ = sim::Recurrence::every_time(*between_frames_, simulation_->dt(), clock.base_step,
                                          clock.base_time);
    frames_.advance(simulation_->step());
  }
  if (!times_.between_snapshots) return;
  snapshots_by_time_ = sim::Recurrence::every_time(*times_.between_snapshots, simulation_->dt(),
                                                   clock.base_step, clock.base_time);
  snapshots_by_time_.advance(simulation_->step());
}

/// Changes parameters where this step is one at which they are to be changed. What is measured and
/// written at this step was before.
void HeadlessRun::make_edits() {
  for (; next_edit_ < edits_.size() && edits_[next_edit_].step == simulation_->step(); ++next_edit_)
    make(edits_[next_edit_]);
}

void HeadlessRun::make(const sim::Edit& edit) {
  sim::LiveSettings live = simulation_->live();
  set_live(live, edit.path, edit.value);
  simulation_->change(live);
  changed_ = true;
  record_.edits.push_back(edit);
  engine::log().info("step {}: {} = {}", edit.step, edit.path, engine::text_of(edit.value));
  schedule_times();
}

void HeadlessRun::edit(const std::string& path, const engine::ParamValue& value) {
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

void HeadlessRun::change_bodies(const sim::BodyChange& change) {
  simulation_->change_bodies(change);
  changed_ = true;
  if (change.routine) return;
  engine::log().info("step {}: bodies: {} added, {} removed, {} now", simulation_->step(),
                     change.added.count(), change.removed.size(), simulation_->count());
}

void HeadlessRun::picture(const std::string& name) {
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
void HeadlessRun::obey_hooks() {
  if (hooks_.verdict().kind == sim::HookVerdict::Kind::fail)
    record_.health = record_.health | sim::Health::hook_failed;
}

bool HeadlessRun::ends() const {
  return simulation_->step() >= total_ || record_.health != sim::Health::good || stopped() ||
         InterruptGuard::asked() || checkpoint_clock_.over();
}

void HeadlessRun::step_through() {
  Progress progress(progress_style(request_.quiet, request_.json), total_, scene_.units.time);
  const auto stop = [&] {
    progress.update(simulation_->step(), simulation_->time(), simulation_->interactions());
    const bool interrupts = checkpoint_clock_.interrupts();
    return InterruptGuard::asked() || interrupts;
  };
  look_after(true);
  while (!ends()) {
    const double before = seconds();
    const sim::StepReport report = advance(stop);
    record_.health = record_.health | report.health;
    if (report.offender >= 0) record_.offender = report.offender;
    record_.stepping += seconds() - before;
    // Asked before anything changes how long steps are, and with that which steps times fall on.
    const bool checkpoint = checkpoint_clock_.due(simulation_->step());
    if (report.steps > 0) {
      outputs();
      if (record_.health == sim::Health::good) hooks_.run_due();
      obey_hooks();
      progress.expect(total_);
      if (record_.health == sim::Health::good) make_edits();
    }
    if (record_.health != sim::Health::good) break;
    look_after(std::exchange(changed_, false));
    if (checkpoint || checkpoint_clock_.due(simulation_->step())) write_checkpoint();
  }
  progress.finish();
}

/// Steps to where the next output is due. Rows of the series need no stop: the simulation measures
/// on its way, unless a row may end the run.
sim::StepReport HeadlessRun::advance(const std::function<bool()>& stop) {
  const std::uint64_t now = simulation_->step();
  std::uint64_t next = std::min({total_, snapshots_by_step_.next(), snapshots_by_time_.next(),
                                 snapshot_of_list_, frames_.next(), hooks_.next(),
                                 checkpoint_clock_.next(), watch_.next(), radial_.next()});
  if (next_edit_ < edits_.size()) next = std::min(next, edits_[next_edit_].step);
  if (!scene_.health.energy_error && !scene_.health.escape_radius)
    return simulation_->advance_measured(next - now, series_every_, stop,
                                         [&](const sim::Measurement& m) { series_row(m); });
  next = std::min(next, series_.next());
  const sim::StepReport report = simulation_->advance(next - now, stop);
  if (report.steps > 0 && series_.due(simulation_->step())) {
    series_row(simulation_->measure());
    series_.advance(simulation_->step());
  }
  return report;
}

void HeadlessRun::outputs() {
  const std::uint64_t step = simulation_->step();
  if (frames_.due(step)) {
    pictures_->movie_frame(*simulation_);
    frames_.advance(step);
  }
  if (snapshots_by_step_.due(step) || snapshots_by_time_.due(step) || step >= snapshot_of_list_) {
    folder_.snapshot(*simulation_, scene_);
    snapshots_by_step_.advance(step);
    schedule_times();
  }
  if (record_.health == sim::Health::good) radial_.look(*simulation_);
}

void HeadlessRun::series_row(const sim::Measurement& measurement) {
  record_.last = measurement;
  if (measurement.step == 0) record_.first = record_.last;
  folder_.series_row(record_.last);
  const bool warned = !record_.energy.warning().empty();
  record_.energy.look(measurement, simulation_->clockwork().first_energy);
  if (!warned && !record_.energy.warning().empty())
    engine::log().warn("{}", record_.energy.warning());
  if (!record_.energy.trouble().empty())
    record_.health = record_.health | sim::Health::energy_drift;
  if (!scene_.health.escape_radius) return;
  if (const auto id = sim::escaped(*simulation_, measurement, *scene_.health.escape_radius)) {
    record_.health = record_.health | sim::Health::escaped;
    record_.offender = *id;
  }
}

/// What a checkpoint has beside the simulation (Checkpoint::run).
Json HeadlessRun::state_json(bool sync) {
  const std::span<const sim::Edit> ahead(edits_.begin() + static_cast<std::ptrdiff_t>(next_edit_),
                                         edits_.end());
  record_.total = record_.before + record_.opened + seconds();
  Json movie;
  if (sync && pictures_ && !request_.pictures.movie.empty()) {
    const Pictures::MoviePosition position = pictures_->put_movie_by();
    movie = Json{{"pictures", position.pictures},
                 {"parts", position.parts},
                 {"colors", {position.range.low, position.range.high, position.range.alike}}};
  }
  Json json{{"request", request_json(request_, folder_.path())},
            {"progress", progress_json(record_)},
            {"edits_ahead", sim::edits_json(ahead)},
            {"positions", folder_.positions(sync)},  // after the movie, whose part is synced with
                                                     // all files
            {"frames_every", frames_every_},
            {"between_frames", between_frames_ ? Json(*between_frames_) : Json()},
            {RadialSampling::key, radial_.json()}};
  if (!movie.is_null()) json["movie"] = std::move(movie);
  return json;
}

/// Of the present state, which is good and has all in it that is due at its step.
void HeadlessRun::write_checkpoint() {
  const std::uint64_t step = simulation_->step();
  const double before = seconds();
  const std::filesystem::path file = checkpoints_.name(step);  // its folder is synced with the rest
  const Json state = state_json(true);
  sim::write_checkpoint(file, *simulation_, scene_, plan_, record_.edits, hooks_.data(), state);
  checkpoints_.thin();
  checkpointed_ = step;
  record_.checkpoint = file.lexically_relative(folder_.path());
  checkpoint_clock_.written(step, seconds() - before);
  engine::log().info("checkpoint of step {}: {}", step, file.filename().string());
}

void HeadlessRun::look_after(bool now) {
  watch_.look(now, [&] { return Watch::Notes{record_.edits, hooks_.data(), state_json(false)}; });
}

/// Of a run that has become unhealthy: why, a checkpoint to go on from, and the offenders.
void HeadlessRun::autopsy() {
  const auto keep = [&](const Watch::Notes& notes) {
    if (has(record_.health, sim::Health::hook_failed))
      return;  // goes on from nowhere: the script is wrong
    const std::uint64_t step = simulation_->step();
    const std::filesystem::path file = checkpoints_.name(step);
    folder_.positions(true);
    sim::write_checkpoint(file, *simulation_, scene_, plan_, notes.edits, notes.hook_data,
                          notes.run);
    record_.checkpoint = file.lexically_relative(folder_.path());
  };
  std::vector<std::uint32_t> offenders;
  if (record_.offender >= 0) offenders.push_back(static_cast<std::uint32_t>(record_.offender));
  const std::filesystem::path file = folder_.path() / "offenders.csv";
  try {
    const auto step = watch_.go_back(keep, offenders, file);
    if (step) engine::log().info("the last good state is that of step {}", *step);
    if (watch_.encounter())
      record_.encounter = sim::encounter_words(*watch_.encounter(), *simulation_);
    if (std::filesystem::exists(file)) record_.offenders = file;
  } catch (const std::exception& e) {
    engine::log().warn("the cause was not looked into: {}", e.what());
  }
}

/// Everything that shows the final state.
void HeadlessRun::last_outputs() {
  record_.snapshot = folder_.snapshot(*simulation_, scene_);
  for (const sim::HistogramRequest& wanted : request_.histograms) {
    record_.histograms.push_back(simulation_->histogram(wanted));
    folder_.histogram(record_.histograms.back(), scene_.units);
  }
  radial_.write(folder_, scene_.units);
  if (pictures_) record_.renderer = pictures_->renderer();
  record_.hash = simulation_->hash();
  record_.take_bodies(*simulation_);
  record_.interactions = simulation_->interactions();
  record_.steps = simulation_->step();
  record_.time = simulation_->time();
}

Outcome HeadlessRun::finish() {
  const bool good = record_.health == sim::Health::good;
  const bool interrupted = good && simulation_->step() < total_ && !stopped();
  // Before the rows of the end, which a run that goes on does not have.
  if (good && (interrupted || times_.checkpoints.asked()) && checkpointed_ != simulation_->step())
    write_checkpoint();
  // The last row and the last snapshot are always those of the final state; the row may find it
  // unhealthy.
  if (record_.last.step != simulation_->step()) series_row(simulation_->measure());
  hooks_.end(record_.health == sim::Health::good);
  obey_hooks();
  record_.verdict = hooks_.verdict();
  record_.data = hooks_.data();
  const Outcome outcome = record_.health != sim::Health::good ? Outcome::unhealthy
                          : interrupted                       ? Outcome::interrupted
                                                              : Outcome::done;
  last_outputs();
  const bool picture = pictures_ && !request_.pictures.picture.empty();
  if (outcome == Outcome::unhealthy) {
    std::unique_ptr<sim::KeptState> bad;
    if (picture) bad = simulation_->keep();
    autopsy();
    if (bad) simulation_->restore(*bad);
    record_.reason = diagnosis(record_, scene_, plan_, *simulation_);
  } else {
    if (watch_.encounter())
      record_.encounter = sim::encounter_words(*watch_.encounter(), *simulation_);
    if (interrupted && checkpoint_clock_.over()) record_.reason = "the wall-clock limit";
  }
  // The frames of a movie are nowhere else, so that the run is not done before it is whole.
  // Whatever becomes of pictures, the numbers of the run are recorded.
  std::exception_ptr trouble;
  try {
    if (pictures_) record_.movie = pictures_->finish_movie(true);
  } catch (const std::exception&) {
    trouble = std::current_exception();
  }
  record_.total = record_.before + record_.opened + seconds();
  folder_.finish(run_json(request_, scene_, plan_, record_, outcome));
  recorded_ = true;
  if (trouble) std::rethrow_exception(trouble);
  if (pictures_ && outcome == Outcome::done) pictures_->settle_movie();
  if (picture) pictures_->picture(*simulation_, request_.pictures.picture);
  report(request_, scene_, plan_, record_, outcome, folder_.path());
  return outcome;
}

}  // namespace mote::app
