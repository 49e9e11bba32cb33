#include "sim/script/run_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/run/health.h"

namespace mote::sim {

RunLoop::RunLoop(const SceneDescription& scene, Simulation& simulation, Stepper& stepper,
                 RunHost& host, const engine::JsonBox& data, EnergyHealth energy)
    : scene_(scene),
      simulation_(simulation),
      stepper_(stepper),
      host_(host),
      hooks_(scene, simulation, *this, data),
      energy_(std::move(energy)),
      branch_(stepper.branch()) {}

void RunLoop::start() {
  hooks_.start();
  note_verdict();
}

void RunLoop::end_hooks() {
  hooks_.end(health_ == Health::good);
  note_verdict();
}

void RunLoop::advance(const Target& target, std::uint64_t every, const Stop& stop) {
  const bool stops_to_measure = every > 0 && host_.ends_at_rows() &&
                                (scene_.health.energy_error || scene_.health.escape_radius);
  while (!ended()) {
    if (hooks_due_ == simulation_.step()) {
      run_hooks();
      make_edits();
      continue;
    }
    const std::uint64_t now = simulation_.step(), last = target();
    if (now >= last) return;
    const std::uint64_t first_new = stepper_.first_new();
    const bool is_new = now >= first_new;
    const std::uint64_t next_row = stops_to_measure ? (now / every + 1) * every : never;
    const std::uint64_t next =
        std::min({last, is_new ? hooks_.next() : first_new, stepper_.next_edit(),
                  host_.next_due(simulation_.ahead()), next_row});
    const StepReport report =
        stepper_.advance(next - now, every, stop, [&](const Measurement& measurement) {
          note_discarded(now);
          add(measurement);
        });
    note_discarded(now);
    note(report);
    host_.on_steps(report);
    const bool reached = simulation_.step() == next;
    if (reached && is_new && report.steps > 0) {
      hooks_due_ = report.health == Health::good ? next : never;
      if (health_ == Health::good) run_hooks();
    }
    if (health_ == Health::good) make_edits();
    if (health_ == Health::good) host_.on_ready(std::exchange(changed_, false));
    if (!reached || (simulation_.step() < target() && stop && stop())) return;
  }
}

Measurement RunLoop::measure() {
  const Measurement measurement = simulation_.measure();
  add(measurement);
  return measurement;
}

void RunLoop::make_edits() {
  const std::size_t before = stepper_.edits_so_far().size();
  stepper_.make_edits();
  for (const Edit& edit : stepper_.edits_so_far().subspan(before)) {
    changed_ = true;
    if (edit.bodies)
      host_.on_bodies(*edit.bodies);
    else
      host_.on_edit(edit);
  }
}

bool RunLoop::ended() const {
  return health_ != Health::good || hooks_.verdict().kind != HookVerdict::Kind::none;
}

void RunLoop::clear() {
  escape_known_ = escape_known_ || has(health_, Health::escaped);
  health_ = Health::good;
  offender_ = -1;
  energy_known_ = !energy_.failure().empty();
  hooks_.clear_verdict();
}

void RunLoop::note_discarded(std::uint64_t step) {
  if (std::exchange(branch_, stepper_.branch()) == stepper_.branch()) return;
  energy_.discard_after(step);
  energy_known_ = energy_known_ && !energy_.failure().empty();
  escape_known_ = false;
  if (hooks_due_ != step) hooks_due_ = never;
  hooks_.rewind(step);
  host_.on_discard(step);
}

void RunLoop::edit(const std::string& path, const engine::ParamValue& value) {
  stepper_.edit(path, value);
  changed_ = true;
  host_.on_edit({simulation_.step(), path, value});
}

void RunLoop::change_bodies(const BodyChange& change) {
  stepper_.change_bodies(change);
  changed_ = true;
  host_.on_bodies(change);
}

void RunLoop::add(const Measurement& measurement) {
  if (!host_.on_measurement(measurement)) return;
  const bool warned = !energy_.warning().empty();
  energy_.check(measurement, simulation_);
  if (!warned && !energy_.warning().empty()) host_.on_warning(energy_.warning());
  if (energy_.failure().empty())
    energy_known_ = false;
  else if (!energy_known_)
    note_bad_step(Health::energy_drift, -1);
  if (!scene_.health.escape_radius) return;
  const auto id = escaped(simulation_, measurement, *scene_.health.escape_radius);
  escape_known_ = escape_known_ && id;
  if (id && !escape_known_) note_bad_step(Health::escaped, *id);
}

void RunLoop::note(const StepReport& report) {
  if (report.health != Health::good) note_bad_step(report.health, report.offender);
}

void RunLoop::note_verdict() {
  if (hooks_.verdict().kind == HookVerdict::Kind::fail) note_bad_step(Health::hook_failed, -1);
}

void RunLoop::run_hooks() {
  hooks_due_ = never;
  hooks_.run_due();
  note_verdict();
}

void RunLoop::note_bad_step(Health health, std::int64_t offender) {
  health_ = health_ | health;
  if (offender >= 0) offender_ = offender;
  bad_step_ = simulation_.step(), bad_time_ = simulation_.time();
}

std::string RunLoop::reason(const std::string& cause) const {
  if (has(health_, Health::bond_overstretched))
    return overstretched_message(simulation_, offender_, bad_step_, bad_time_);
  if (has(health_, Health::not_finite))
    return not_finite_message(simulation_, offender_, bad_step_, bad_time_, cause);
  if (has(health_, Health::step_too_long))
    return long_step_message(simulation_, bad_step_, bad_time_);
  if (has(health_, Health::escaped))
    return fmt::format(
        "{} is farther from the centre of mass than the scene's escape_radius {}{} at {}; {}",
        body_text(simulation_, offender_), scene_.health.escape_radius.value_or(0),
        scene_.units.length.empty() ? "" : " " + scene_.units.length,
        moment_text(bad_step_, bad_time_, scene_.units),
        cause.empty() ? "if that is intended, set a larger health.escape_radius" : cause);
  if (has(health_, Health::energy_drift))
    return energy_.failure() + (cause.empty() ? "" : ": " + cause);
  return hooks_.verdict().reason;
}

}  // namespace mote::sim
