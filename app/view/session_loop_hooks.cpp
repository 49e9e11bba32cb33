// Hooks of the scene: when they run, and what they request.
#include <algorithm>
#include <utility>

#include "app/view/session_loop.h"
#include "engine/log.h"
#include "sim/script/hook_tables.h"

namespace mote::app {

void SessionLoop::run_steps_with_hooks(std::uint64_t steps, const Stop& stop) {
  std::uint64_t target = simulation_.step() + steps;
  const Mode mode = mode_;
  bool more = true;
  while (more && simulation_.step() < target) {
    const std::uint64_t before = simulation_.step(), first_new = first_new_step();
    const bool is_new = before >= first_new;
    const std::uint64_t halt = std::min(target, is_new ? hooks_->next() : first_new);
    const auto use = [&](const sim::Measurement& m) {
      discard_abandoned(before);
      add_measurement(m);
    };
    handle_report(history_->advance(halt - before, recorder_ ? recorder_->every() : series_.every(),
                                    stop, use));
    discard_abandoned(before);
    if (simulation_.step() != halt) return;  // interrupted or unhealthy
    if (is_new && mode_ != Mode::unhealthy) {
      hooks_->run_due();
      apply_hook_verdict();
    }
    if (mode_ != Mode::unhealthy) {
      if (mode == Mode::running)  // the end is a time, and steps may have another length now
        target = simulation_.step() + std::min(target - simulation_.step(), steps_to_end());
    }
    more = mode_ == mode && !(stop && halt < target && stop());
  }
}

/// The step after which steps are new on this branch, so that hooks run. For earlier ones hooks
/// have run already, and what they set is among the edits.
std::uint64_t SessionLoop::first_new_step() const {
  const bool edits_ahead = history_->edits_so_far().size() < history_->edits().size();
  return edits_ahead ? simulation_.step() : history_->last();
}

/// Pauses when a hook requests it.
void SessionLoop::apply_hook_verdict() {
  const sim::HookVerdict& verdict = hooks_->verdict();
  if (verdict.kind == sim::HookVerdict::Kind::none) return;
  mode_ = Mode::paused;
  if (hook_end_.kind != sim::HookVerdict::Kind::fail) hook_end_ = verdict;
  halt(verdict.kind == sim::HookVerdict::Kind::stop ? "stopped by the scene: " + verdict.reason
                                                    : verdict.reason);
}

void SessionLoop::clear_halt() {
  halt_.clear();
  hooks_->clear_verdict();
  if (hook_end_.kind == sim::HookVerdict::Kind::stop) hook_end_ = {};
}

void SessionLoop::edit(const std::string& path, const engine::ParamValue& value) {
  history_->edit(path, value);
  ++version_;
}

void SessionLoop::change_bodies(const sim::BodyChange& change) {
  history_->change_bodies(change);
  ++version_;
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

}  // namespace mote::app
