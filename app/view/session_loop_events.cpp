// The session hears what the loop of the run says, and what hooks of the scene request.
#include <algorithm>
#include <utility>

#include "app/view/session_loop.h"
#include "engine/log.h"
#include "sim/run/health.h"
#include "sim/script/hook_tables.h"

namespace mote::app {

void SessionLoop::advance_loop(std::uint64_t steps, const Stop& stop) {
  const std::uint64_t last = simulation_.step() + steps;
  const bool running = mode_ == Mode::running;
  end_past_drag();
  loop_->clear();
  loop_->advance(
      [&] {
        // The end is a time, and steps may have another length now.
        const std::uint64_t now = simulation_.step();
        return running && now < last ? now + std::min(last - now, steps_to_end()) : last;
      },
      recorder_ ? recorder_->every() : series_.every(), stop);
  note_end();
}

void SessionLoop::note_end() {
  if (!loop_->ended()) return;
  const sim::HookVerdict& verdict = loop_->hooks().verdict();
  if (verdict.kind != sim::HookVerdict::Kind::none &&
      hook_end_.kind != sim::HookVerdict::Kind::fail)
    hook_end_ = verdict;
  const std::string why = loop_->reason();
  mode_ = Mode::paused;
  if (bad_step_ > 0 && bad_step_ == simulation_.step()) {
    mode_ = Mode::unhealthy;
    bad_reason_ = why;
  }
  const bool by_hook = loop_->health() == sim::Health::good;
  halt(by_hook ? "stopped by the scene: " + why : why);
}

bool SessionLoop::on_measurement(const sim::Measurement& measurement) {
  series_.add(measurement);
  if (recorder_) recorder_->add_measurement(measurement);
  return true;
}

void SessionLoop::on_steps(const sim::StepReport& report) {
  steps_done_ += report.steps;
  const bool good = report.health == sim::Health::good;
  if (good && simulation_.step() < bad_step_) return;
  bad_report_ = report;
  bad_step_ = good ? 0 : simulation_.step();
}

void SessionLoop::on_discard(std::uint64_t step) {
  // Actions among the discarded edits are gone.
  const std::size_t left = history_->edits_so_far().size();
  while (!actions_.empty() && actions_.back() >= left) actions_.pop_back();
  series_.discard_after(step);
  if (recorder_) recorder_->discard_after(step);
}

void SessionLoop::clear_halt() {
  halt_.clear();
  loop_->clear();
  if (hook_end_.kind == sim::HookVerdict::Kind::stop) hook_end_ = {};
}

void SessionLoop::row(const std::string& name, const sim::HookRow& row) {
  if (!recorder_) return report_unrecorded();
  recorder_->hook_row(simulation_, name, row);
}

void SessionLoop::snapshot() {
  if (!recorder_) return report_unrecorded();
  recorder_->snapshot(simulation_);
}

void SessionLoop::picture(const std::string& name) {
  sim::check_file_name(name);
  if (!std::exchange(reported_pictures_, true))
    engine::log().info("sim:picture has an effect in mote run only, not in a window");
}

void SessionLoop::report_unrecorded() {
  if (!std::exchange(reported_records_, true))
    engine::log().info(
        "rows and snapshots of hooks are written only when the run is recorded: --out DIR");
}

void SessionLoop::update_force_errors() {
  if (mode_ == Mode::seeking || mode_ == Mode::unhealthy) return;
  const std::uint64_t step = simulation_.step();
  if (!force_errors_outdated_) {
    if (!force_errors_) return;  // they have none
    const std::uint64_t last = force_errors_->step;
    const std::uint64_t passed = step > last ? step - last : last - step;
    if (passed < sim::steps_between_error_samples(simulation_)) return;
  }
  force_errors_outdated_ = false;
  const auto errors = simulation_.force_errors();
  force_errors_.reset();
  if (errors) force_errors_ = ForceErrorSample{*errors, step, simulation_.time()};
}

}  // namespace mote::app
