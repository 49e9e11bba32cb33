#include "api/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/exec/forked.h"
#include "engine/json.h"
#include "sim/run/health.h"
#include "sim/run/schedule.h"

namespace mote {
namespace {

/// At the end of a call that takes so many steps a look at the energy costs little.
constexpr std::uint64_t enough_steps = 100;

}  // namespace

Simulation::Parts::Parts(sim::SceneDescription scene_, const sim::Plan& plan_,
                         std::unique_ptr<sim::Simulation> simulation_, std::vector<sim::Edit> past,
                         const engine::JsonBox& hook_data)
    : scene(std::move(scene_)),
      plan(plan_),
      simulation(std::move(simulation_)),
      edits(std::move(past)),
      hooks(scene, *simulation, *this, hook_data),
      energy(scene),
      generation_(engine::fork_generation()) {
  // Energy errors are since the start, whenever a user first asks. Also the bits of first_energy in
  // checkpoints are those of `mote run`.
  if (!simulation->clockwork().measured) measure();
  looked_ = simulation->step();
  hooks.start();
  obey_hooks();
}

std::uint64_t Simulation::Parts::step_at(double time) const {
  const sim::Clockwork& clock = simulation->clockwork();
  return sim::step_at(time, simulation->dt(), {}, clock.base_step, clock.base_time);
}

std::uint64_t Simulation::Parts::advance(const std::function<std::uint64_t()>& target,
                                         const StopWish& stop) {
  expect_healthy();
  if (!ended.empty()) {
    hooks.clear_verdict();
    ended.clear();
  }
  bool asked = false;
  const std::function<bool()> wish = [&] { return asked = asked || (stop && stop()); };
  const std::uint64_t start = simulation->step();
  while (ended.empty() && !asked) {
    const std::uint64_t now = simulation->step(), last = target();
    if (now >= last) break;
    const std::uint64_t look = next_look(), next = std::min({last, hooks.next(), look});
    check(simulation->advance(next - now, wish));
    if (simulation->step() != next) continue;  // told to stop
    if (next == look) measure();
    expect_energy();
    hooks.run_due();
    obey_hooks();
  }
  if (simulation->step() >= looked_ + enough_steps) measure();
  expect_energy();
  return simulation->step() - start;
}

void Simulation::Parts::change(const std::string& path, const engine::ParamValue& value) {
  sim::LiveSettings live = simulation->live();
  sim::set_live(live, path, value);
  simulation->change(live);
  edits.push_back({simulation->step(), path, value});
}

bool Simulation::Parts::lost_by_fork() const {
  return plan.backend == engine::Backend::cuda && generation_ != engine::fork_generation();
}

std::unique_ptr<api::Painter>& Simulation::Parts::painter_of_this_process() {
  if (painter && painter->generation != engine::fork_generation())
    static_cast<void>(painter.release());
  return painter;
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
    fail(sim::long_step_words(*simulation, simulation->step(), simulation->time()));
  const bool stretched = has(report.health, sim::Health::bond_overstretched);
  if (!has(report.health, sim::Health::not_finite) && !stretched) return;
  const auto id = static_cast<std::uint32_t>(report.offender);
  const std::string& name = simulation->name(id);
  if (stretched)
    fail(fmt::format(
        "a bond of body {}{} is longer than its extension at step {}, t = {}; set a smaller dt, or "
        "a larger "
        "extension or stiffness of its kind",
        id, name.empty() ? "" : " (" + name + ")", simulation->step(), simulation->time()));
  const bool unsoftened = scene.gravity && scene.gravity->softening == 0;
  fail(fmt::format(
      "body {}{} has numbers that are not finite at step {}, t = {}; {}{}", id,
      name.empty() ? "" : " (" + name + ")", simulation->step(), simulation->time(),
      unsoftened ? "likely two bodies met without softening: set gravity.softening, or a smaller dt"
                 : "likely the time step is too large: set a smaller dt",
      plan.precision == engine::Precision::full
          ? ""
          : "; or numbers outgrew single precision: use double precision"));
}

sim::Measurement Simulation::Parts::measure() {
  const sim::Measurement measured = simulation->measure();
  looked_ = measured.step;
  energy.look(measured, simulation->clockwork().first_energy);
  return measured;
}

/// Where the scene has a limit, with every row that a run would write; else where it costs little.
std::uint64_t Simulation::Parts::next_look() const {
  const auto every = scene.health.energy_error ? static_cast<std::uint64_t>(plan.series_steps)
                                               : sim::steps_between_looks(*simulation);
  return (simulation->step() / every + 1) * every;
}

void Simulation::Parts::expect_energy() {
  if (!energy.trouble().empty()) fail(energy.trouble());
}

void Simulation::Parts::fail(std::string why) {
  trouble = std::move(why);
  if (hooks.verdict().kind != sim::HookVerdict::Kind::fail) hooks.end(false);
  throw UnhealthyError(trouble);
}

}  // namespace mote
