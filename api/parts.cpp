#include "api/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/exec/forked.h"
#include "engine/json.h"
#include "engine/quantity.h"
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
      steps(*simulation, std::move(past)),
      loop(scene, *simulation, steps, *this, hook_data, sim::EnergyHealth(scene)),
      generation_(engine::fork_generation()) {
  // Energy errors are relative to the start, whenever the user first measures; and first_energy in
  // checkpoints is bitwise that of `mote run`.
  if (!simulation->run_clock().measured) measure();
  last_check_ = simulation->step();
  loop.start();
  // An energy that is not finite is reported by the first call to step: the start can be looked at.
  if (loop.hooks().verdict().kind != sim::HookVerdict::Kind::none) handle_end();
}

std::uint64_t Simulation::Parts::step_at(double time) const {
  return simulation->ahead().step_at(time);
}

void Simulation::Parts::begin_change() {
  expect_healthy();
  if (std::exchange(exported, false)) simulation->retain_columns();
  changed = true;
}

double Simulation::Parts::time_of(const std::string& text) const {
  const engine::Converted read = engine::convert_typed(text, "time", scene.units);
  if (!read.value) throw InputError("run until " + text, read.problem, read.remedy);
  return *read.value;
}

std::uint64_t Simulation::Parts::last_step() const {
  const std::uint64_t by_steps =
      scene.stop.steps ? static_cast<std::uint64_t>(*scene.stop.steps) : ~std::uint64_t{0};
  return scene.stop.time ? std::min(by_steps, step_at(*scene.stop.time)) : by_steps;
}

void Simulation::Parts::expect_end() const {
  if (!scene.stop.time && !scene.stop.steps)
    throw InputError(scene.file.string(), "the scene sets no end",
                     "run until a time, take a number of steps, or set stop.time or stop.steps");
}

std::uint64_t Simulation::Parts::advance(const std::function<std::uint64_t()>& target,
                                         const StopWish& stop) {
  expect_healthy();
  if (loop.health() != sim::Health::good) handle_end();  // found by a measurement in between
  if (!ended.empty()) {
    loop.clear();
    ended.clear();
  }
  // A stop function may step as well.
  const struct Stepping {
    std::atomic<std::thread::id>& now;
    std::thread::id before = now.exchange(std::this_thread::get_id());
    ~Stepping() { now = before; }
  } mark{stepping};
  bool stopped = false;
  const std::function<bool()> stop_once = [&] { return stopped = stopped || (stop && stop()); };
  const std::uint64_t start = simulation->step();
  loop.advance(target, 0, stop_once);
  handle_end();
  if (simulation->step() >= last_check_ + steps_before_check) measure();
  handle_end();
  return simulation->step() - start;
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

void Simulation::Parts::on_steps(const sim::StepReport& report) {
  if (report.health == sim::Health::good && simulation->step() == next_check_) measure();
}

void Simulation::Parts::handle_end() {
  if (!loop.ended()) return;
  if (loop.health() == sim::Health::good) {
    ended = loop.reason().empty() ? "stopped by the scene" : loop.reason();
    return;
  }
  problem = loop.reason();
  if (!has(loop.health(), sim::Health::hook_failed)) loop.end_hooks();
  throw UnhealthyError(problem);
}

/// The next step with an energy check. If the scene sets a limit, at every row of series.csv that a
/// run would write; otherwise less often, where checks are cheap.
std::uint64_t Simulation::Parts::next_check() const {
  const bool limited = scene.health.energy_error || scene.health.escape_radius;
  const auto every = limited ? static_cast<std::uint64_t>(plan.series_steps)
                             : sim::steps_between_checks(*simulation);
  return (simulation->step() / every + 1) * every;
}

}  // namespace mote
