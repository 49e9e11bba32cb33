#include "app/view/recorder.h"

#include "engine/json.h"
#include "engine/log.h"
#include "sim/run/checkpoint.h"

namespace mote::app {
namespace {

HeadlessRequest request_of(const RecordRequest& wanted, const Opened& opened) {
  HeadlessRequest request;
  request.scene = opened.scene.file;
  request.settings = opened.request.settings;
  request.trust = opened.request.trust;
  request.options = opened.request.options;
  request.out = wanted.out;
  request.force = wanted.force;
  request.command_line = wanted.command_line;
  return request;
}

}  // namespace

Recorder::Recorder(const RecordRequest& request, const Opened& opened)
    : opened_(opened),
      request_(request_of(request, opened)),
      folder_(sim::RunClaim(request.out, request.force), opened.scene),
      every_(static_cast<std::uint64_t>(opened.plan.series_steps)),
      record_(opened.scene) {
  record_.opened = opened.seconds;
}

void Recorder::row(const sim::Measurement& measurement) {
  if (measurement.step < next_ || measurement.step % every_ != 0) return;
  next_ = measurement.step + 1;
  if (measurement.step == 0) record_.first = measurement;
  record_.last = measurement;
  folder_.series_row(measurement);
}

void Recorder::cut(std::uint64_t step) {
  folder_.cut_hook_rows(step);
  if (step + 1 >= next_) return;
  folder_.cut_series(step);
  next_ = step + 1;
}

void Recorder::finish(sim::Simulation& simulation, std::span<const sim::Edit> edits,
                      const sim::StepReport& end, double stepping_seconds, const HookEnd& hooks,
                      const sim::EnergyHealth& energy) {
  cut(simulation.step());
  if (record_.last.step != simulation.step()) {
    record_.last = simulation.measure();
    folder_.series_row(record_.last);
  }
  record_.energy = energy;
  record_.energy.look(record_.last, simulation.clockwork().first_energy);
  record_.reason = record_.energy.trouble();
  record_.snapshot = folder_.snapshot(simulation, opened_.scene);
  record_.hash = simulation.hash();
  record_.steps = simulation.step();
  record_.time = simulation.time();
  record_.interactions = simulation.interactions();
  record_.take_bodies(simulation);
  record_.stepping = stepping_seconds;
  record_.total = record_.opened + stepping_seconds;
  record_.health = end.health;
  record_.offender = end.offender;
  record_.edits.assign(edits.begin(), edits.end());
  record_.verdict = hooks.verdict;
  record_.data = hooks.data;
  if (!record_.reason.empty()) record_.health = record_.health | sim::Health::energy_drift;
  const bool good =
      record_.health == sim::Health::good && hooks.verdict.kind != sim::HookVerdict::Kind::fail;
  const Outcome outcome = good ? Outcome::done : Outcome::unhealthy;
  // Whatever becomes of the checkpoint, the run is made whole.
  try {
    const auto checkpoints = folder_.path() / "checkpoints";
    sim::make_folder(checkpoints);
    if (end.health == sim::Health::good)
      sim::write_checkpoint(checkpoints / "final.h5", simulation, opened_.scene, opened_.plan,
                            edits, hooks.kept);
  } catch (const std::exception& e) {
    engine::log().error("no checkpoint: {}", e.what());
  }
  folder_.finish(run_json(request_, opened_.scene, opened_.plan, record_, outcome));
  engine::log().info("the run is in {}", folder_.path().string());
}

}  // namespace mote::app
