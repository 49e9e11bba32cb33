#include "api/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/exec/forked.h"
#include "engine/json.h"
#include "sim/run/health.h"
#include "sim/schedule.h"

namespace mote {
namespace {

/// The energy is checked at the end of a call after at least this many steps: cheap in comparison.
constexpr std::uint64_t steps_before_check = 100;

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
  // Energy errors are relative to the start, whenever the user first measures; and first_energy in
  // checkpoints is bitwise that of `mote run`.
  if (!simulation->clockwork().measured) measure();
  last_check_ = simulation->step();
  hooks.start();
  handle_verdict();
}

std::uint64_t Simulation::Parts::step_at(double time) const {
  return simulation->ahead().step_at(time);
}

std::uint64_t Simulation::Parts::advance(const std::function<std::uint64_t()>& target,
                                         const StopWish& stop) {
  expect_healthy();
  if (!ended.empty()) {
    hooks.clear_verdict();
    ended.clear();
  }
  bool stopped = false;
  const std::function<bool()> stop_once = [&] { return stopped = stopped || (stop && stop()); };
  const std::uint64_t start = simulation->step();
  while (ended.empty() && !stopped) {
    const std::uint64_t now = simulation->step(), last = target();
    if (now >= last) break;
    const std::uint64_t energy_check = next_check();
    const std::uint64_t next = std::min({last, hooks.next(), energy_check});
    check(simulation->advance(next - now, stop_once));
    if (simulation->step() != next) continue;  // stopped
    if (next == energy_check) measure();
    expect_energy();
    hooks.run_due();
    handle_verdict();
  }
  if (simulation->step() >= last_check_ + steps_before_check) measure();
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
  if (!problem.empty()) throw UnhealthyError(problem);
}

void Simulation::Parts::handle_verdict() {
  const sim::HookVerdict& verdict = hooks.verdict();
  if (verdict.kind == sim::HookVerdict::Kind::fail) fail(verdict.reason);
  if (verdict.kind == sim::HookVerdict::Kind::stop)
    ended = verdict.reason.empty() ? "stopped by the scene" : verdict.reason;
}

void Simulation::Parts::check(const sim::StepReport& report) {
  if (has(report.health, sim::Health::step_too_long))
    fail(sim::long_step_message(*simulation, simulation->step(), simulation->time()));
  if (has(report.health, sim::Health::bond_overstretched))
    fail(sim::overstretched_message(*simulation, report.offender, simulation->step(),
                                    simulation->time()));
  if (has(report.health, sim::Health::not_finite))
    fail(sim::not_finite_message(*simulation, report.offender, simulation->step(),
                                 simulation->time()));
}

sim::Measurement Simulation::Parts::measure() {
  const sim::Measurement measured = simulation->measure();
  last_check_ = measured.step;
  energy.check(measured, simulation->clockwork().first_energy);
  return measured;
}

/// The next step with an energy check. If the scene sets a limit, at every row of series.csv that a
/// run would write; otherwise less often, where checks are cheap.
std::uint64_t Simulation::Parts::next_check() const {
  const auto every = scene.health.energy_error ? static_cast<std::uint64_t>(plan.series_steps)
                                               : sim::steps_between_checks(*simulation);
  return (simulation->step() / every + 1) * every;
}

void Simulation::Parts::expect_energy() {
  if (!energy.failure().empty()) fail(energy.failure());
}

void Simulation::Parts::fail(std::string why) {
  problem = std::move(why);
  if (hooks.verdict().kind != sim::HookVerdict::Kind::fail) hooks.end(false);
  throw UnhealthyError(problem);
}

}  // namespace mote
