#include "api/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/run/health.h"
#include "sim/run/schedule.h"

namespace mote {

Simulation::Parts::Parts(sim::SceneDescription scene_, const sim::Plan& plan_,
                         std::unique_ptr<sim::Simulation> simulation_, std::vector<sim::Edit> past,
                         engine::Json hook_data)
    : scene(std::move(scene_)),
      plan(plan_),
      simulation(std::move(simulation_)),
      edits(std::move(past)),
      hooks(scene, *simulation, *this, std::move(hook_data)) {
  // Energy errors are since the start, whenever a user first asks. Also the bits of first_energy in checkpoints are those
  // of `mote run`.
  if (!simulation->clockwork().measured) simulation->measure();
  hooks.start();
  obey_hooks();
}

std::uint64_t Simulation::Parts::step_at(double time) const {
  const sim::Clockwork& clock = simulation->clockwork();
  return sim::step_at(time, simulation->dt(), {}, clock.base_step, clock.base_time);
}

std::uint64_t Simulation::Parts::advance(const std::function<std::uint64_t()>& target, const StopWish& stop) {
  expect_healthy();
  if (!ended.empty()) {
    hooks.clear_verdict();
    ended.clear();
  }
  bool asked = false;
  const std::function<bool()> wish = [&] { return asked = asked || (stop && stop()); };
  const std::uint64_t start = simulation->step();
  const auto measured_every =
      scene.health.energy_error ? static_cast<std::uint64_t>(plan.series_steps) : sim::never;
  while (ended.empty() && !asked) {
    const std::uint64_t now = simulation->step(), last = target();
    if (now >= last) break;
    std::uint64_t next = std::min(last, hooks.next());
    if (scene.health.energy_error) next = std::min(next, (now / measured_every + 1) * measured_every);
    check(simulation->advance(next - now, wish));
    if (simulation->step() != next) continue;  // told to stop
    if (next % measured_every == 0) check_energy();
    hooks.run_due();
    obey_hooks();
  }
  return simulation->step() - start;
}

void Simulation::Parts::change(const std::string& path, const engine::ParamValue& value) {
  sim::LiveSettings live = simulation->live();
  sim::set_live(live, path, value);
  simulation->change(live);
  edits.push_back({simulation->step(), path, value});
}

void Simulation::Parts::expect_healthy() const {
  if (!trouble.empty()) throw UnhealthyError(trouble);
}

void Simulation::Parts::obey_hooks() {
  const sim::HookVerdict& verdict = hooks.verdict();
  if (verdict.kind == sim::HookVerdict::Kind::fail) fail(verdict.reason);
  if (verdict.kind == sim::HookVerdict::Kind::stop)
    ended = verdict.reason.empty() ? "stopped by the scene" : verdict.reason;
}

void Simulation::Parts::check(const sim::StepReport& report) {
  if (has(report.health, sim::Health::step_too_long))
    fail(sim::long_step_words(simulation->dt(), simulation->step(), simulation->time()));
  const bool stretched = has(report.health, sim::Health::bond_overstretched);
  if (!has(report.health, sim::Health::not_finite) && !stretched) return;
  const auto id = static_cast<std::uint32_t>(report.offender);
  const std::string& name = simulation->name(id);
  if (stretched)
    fail(fmt::format(
        "a bond of body {}{} is longer than its extension at step {}, t = {}; set a smaller dt, or a larger "
        "extension or stiffness of its kind",
        id, name.empty() ? "" : " (" + name + ")", simulation->step(), simulation->time()));
  const bool unsoftened = scene.gravity && scene.gravity->softening == 0;
  fail(fmt::format("body {}{} has numbers that are not finite at step {}, t = {}; {}{}", id,
                   name.empty() ? "" : " (" + name + ")", simulation->step(), simulation->time(),
                   unsoftened
                       ? "likely two bodies met without softening: set gravity.softening, or a smaller dt"
                       : "likely the time step is too large: set a smaller dt",
                   plan.precision == engine::Precision::full
                       ? ""
                       : "; or numbers outgrew single precision: use double precision"));
}

void Simulation::Parts::check_energy() {
  const double error = simulation->measure().energy_error, limit = *scene.health.energy_error;
  if (std::fabs(error) > limit)
    fail(
        fmt::format("the energy has changed by {:.3g} of itself at step {}, t = {}; the scene allows {:g}; "
                    "likely the time step is too large or the softening too small",
                    error, simulation->step(), simulation->time(), limit));
}

void Simulation::Parts::fail(std::string why) {
  trouble = std::move(why);
  if (hooks.verdict().kind != sim::HookVerdict::Kind::fail) hooks.end(false);
  throw UnhealthyError(trouble);
}

}  // namespace mote
