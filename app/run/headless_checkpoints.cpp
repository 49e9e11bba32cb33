// Checkpoints of a run that writes a folder, and what it keeps of a healthy state.
#include <fmt/format.h>

#include <utility>

#include "app/run/headless_run.h"
#include "app/run/run_state.h"
#include "engine/json.h"
#include "engine/log.h"
#include "sim/output/checkpoint.h"

namespace mote::app {

using engine::Json;

/// Contents of a checkpoint besides the simulation (Checkpoint::run).
Json HeadlessRun::checkpoint_json(bool sync) {
  update_report();
  report_.total_seconds = report_.earlier_seconds + report_.opening_seconds + seconds();
  Json movie;
  if (sync && pictures_ && !request_.pictures.movie.empty()) {
    const Pictures::MoviePosition position = pictures_->suspend_movie();
    movie = Json{{"pictures", position.pictures},
                 {"parts", position.parts},
                 {"colors", {position.range.low, position.range.high, position.range.constant}}};
  }
  Json json{{"request", request_json(request_, folder_.path())},
            {"progress", progress_json(report_)},
            {"edits_ahead", sim::edits_json(steps_.edits_ahead())},
            // After suspend_movie, so that the movie's closed part is synced with all files.
            {"positions", folder_.output_sizes(sync)},
            {"frames_every", frames_every_},
            {"between_frames", between_frames_ ? Json(*between_frames_) : Json()},
            {"shown_until", shown_until()},
            {"snapshot_time", snapshot_time_ ? Json(*snapshot_time_) : Json()},
            {RadialSampling::key, radial_.json()},
            {ForceErrorSampling::key, force_errors_.json()}};
  if (!movie.is_null()) {
    movie["finished"] = at_end_;
    json["movie"] = std::move(movie);
  }
  return json;
}

/// Writes a checkpoint of the current state; call after all output due at its step.
void HeadlessRun::write_checkpoint() {
  const std::uint64_t step = simulation_->step();
  const double before = seconds();
  // Before checkpoint_json: creates the folder, which is then synced with the rest.
  const std::filesystem::path file = checkpoints_.name(step);
  const Json state = checkpoint_json(true);
  try {
    sim::write_checkpoint(file, *simulation_, scene_, plan_, report_.edits, loop_.hooks().data(),
                          state);
  } catch (const engine::SystemError& error) {
    const sim::CheckpointTimes& wanted = times_.checkpoints;
    if (!at_end_ || wanted.requested() || wanted.at_end == "always") throw;
    report_.without_checkpoint = fmt::format("no checkpoint of the end: {}", error.what());
    engine::log().warn("{}", report_.without_checkpoint);
    return;
  }
  if (!at_end_) checkpoints_.prune();  // until the last row has found the end healthy
  checkpointed_ = step;
  report_.checkpoint = file.lexically_relative(folder_.path());
  checkpoint_clock_.on_written(simulation_->clock(), seconds() - before);
  engine::log().info("checkpoint of step {}: {}", step, file.filename().string());
}

/// Removes the checkpoint of a state that the last row has found to be unhealthy: a resumed run
/// shall begin with the last good one.
void HeadlessRun::forget_checkpoint() {
  report_.without_checkpoint.clear();
  if (checkpointed_ != simulation_->step()) return;
  std::error_code ignored;
  std::filesystem::remove(checkpoints_.name(simulation_->step()), ignored);
  report_.checkpoint.clear();
  checkpointed_.reset();
}

void HeadlessRun::monitor_health(bool now) {
  health_monitor_.update(now, [&] {
    engine::Json run = checkpoint_json(false);  // also updates the report
    return HealthMonitor::CheckpointData{report_.edits, loop_.hooks().data(), std::move(run)};
  });
}

/// Finds the cause when a run has become unhealthy, and writes the offenders and, unless a hook has
/// failed, a checkpoint to resume from.
void HeadlessRun::diagnose() {
  const auto keep = [&](const HealthMonitor::CheckpointData& data) {
    if (has(report_.health, sim::Health::hook_failed))
      return;  // not worth resuming: the script is wrong
    const std::uint64_t step = simulation_->step();
    const std::filesystem::path file = checkpoints_.name(step);
    folder_.output_sizes(true);
    sim::write_checkpoint(file, *simulation_, scene_, plan_, data.edits, data.hook_data, data.run);
    report_.checkpoint = file.lexically_relative(folder_.path());
  };
  std::vector<std::uint32_t> offenders;
  if (report_.offender >= 0) offenders.push_back(static_cast<std::uint32_t>(report_.offender));
  const std::filesystem::path file = folder_.path() / "offenders.csv";
  try {
    const auto step = health_monitor_.rewind(keep, offenders, file);
    if (step) engine::log().info("the last good state is step {}", *step);
    if (health_monitor_.encounter())
      report_.encounter = sim::encounter_message(*health_monitor_.encounter(), *simulation_);
    if (std::filesystem::exists(file)) report_.offenders = file;
  } catch (const std::exception& e) {
    engine::log().warn("the cause was not investigated: {}", e.what());
  }
}

}  // namespace mote::app
