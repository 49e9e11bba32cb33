#include "app/view/recorder.h"

#include "engine/json.h"
#include "engine/log.h"
#include "sim/output/checkpoint.h"

namespace mote::app {
namespace {

HeadlessRequest request_of(const RecordRequest& recording, const Opened& opened) {
  HeadlessRequest request;
  request.scene = opened.scene.file;
  request.settings = opened.request.settings;
  request.trust = opened.request.trust;
  request.options = opened.request.options;
  request.out = recording.out;
  request.force = recording.force;
  request.command_line = recording.command_line;
  return request;
}

}  // namespace

Recorder::Recorder(const RecordRequest& request, const Opened& opened)
    : opened_(opened),
      request_(request_of(request, opened)),
      folder_(sim::RunClaim(request.out, request.force), opened.scene),
      every_(static_cast<std::uint64_t>(opened.plan.series_steps)),
      report_(opened.scene) {
  report_.opening_seconds = opened.seconds;
}

void Recorder::add_measurement(const sim::Measurement& measurement) {
  if (measurement.step < next_ || measurement.step % every_ != 0) return;
  if (next_ == 0) report_.first = measurement;  // later than step 0 where a run is continued
  next_ = measurement.step + 1;
  report_.last = measurement;
  folder_.series_row(measurement);
}

void Recorder::discard_after(std::uint64_t step) {
  folder_.discard_hook_rows_after(step);
  if (step + 1 >= next_) return;
  folder_.discard_series_after(step);
  next_ = step + 1;
}

void Recorder::finish(sim::Simulation& simulation, std::span<const sim::Edit> edits,
                      const RecordedEnd& end, double stepping_seconds, const HookEnd& hooks,
                      const sim::EnergyHealth& energy) {
  discard_after(simulation.step());
  if (report_.last.step != simulation.step()) {
    report_.last = simulation.measure();
    folder_.series_row(report_.last);
  }
  report_.note_energy(simulation);
  report_.energy = energy;
  report_.energy.check(report_.last, simulation);
  const bool drifted = !report_.energy.failure().empty();
  report_.reason = end.reason.empty() ? report_.energy.failure() : end.reason;
  report_.snapshot = folder_.snapshot(simulation, opened_.scene);
  report_.hash = simulation.hash();
  report_.steps = simulation.step();
  report_.time = simulation.time();
  report_.interactions = simulation.interactions();
  report_.set_bodies(simulation);
  report_.stepping_seconds = stepping_seconds;
  report_.total_seconds = report_.opening_seconds + stepping_seconds;
  report_.health = end.step.health | end.found;
  report_.offender = end.step.offender >= 0 ? end.step.offender : end.offender;
  report_.edits.assign(edits.begin(), edits.end());
  report_.verdict = hooks.verdict;
  report_.data = hooks.final_data;
  if (drifted) report_.health = report_.health | sim::Health::energy_drift;
  const bool good =
      report_.health == sim::Health::good && hooks.verdict.kind != sim::HookVerdict::Kind::fail;
  const Outcome outcome = good ? Outcome::done : Outcome::unhealthy;
  // The run is completed even if the checkpoint fails.
  try {
    const auto checkpoints = folder_.path() / "checkpoints";
    sim::make_folder(checkpoints);
    if (end.step.health == sim::Health::good)
      sim::write_checkpoint(checkpoints / "final.h5", simulation, opened_.scene, opened_.plan,
                            edits, hooks.checkpoint_data);
  } catch (const std::exception& e) {
    engine::log().error("no checkpoint was written: {}", e.what());
  }
  folder_.finish(run_json(request_, opened_.scene, opened_.plan, report_, outcome));
  engine::log().info("the run is in {}", folder_.path().string());
}

}  // namespace mote::app
