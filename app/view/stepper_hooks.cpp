// What a stepper does about the hooks of its scene, and for them.
#include <algorithm>
#include <utility>

#include "app/view/stepper.h"
#include "engine/log.h"
#include "sim/run/row_files.h"

namespace mote::app {

void Stepper::take_part(std::uint64_t steps, const Stop& stop) {
  std::uint64_t target = simulation_.step() + steps;
  const Mode mode = mode_;
  bool more = true;
  while (more && simulation_.step() < target) {
    const std::uint64_t before = simulation_.step(), first_new = first_new_step();
    const bool is_new = before >= first_new;
    const std::uint64_t halt = std::min(target, is_new ? hooks_->next() : first_new);
    const auto use = [&](const sim::Measurement& m) {
      cut_rows(before);
      add_row(m);
    };
    take_report(history_->advance(halt - before, recorder_ ? recorder_->every() : rows_.every(),
                                  stop, use));
    cut_rows(before);
    if (simulation_.step() != halt) return;  // told to stop, or unhealthy
    if (is_new && mode_ != Mode::unhealthy) {
      const double dt = simulation_.dt();
      hooks_->run_due();
      obey_hooks();
      if (mode == Mode::running && simulation_.dt() != dt)  // the end is a time
        target = simulation_.step() + std::min(target - simulation_.step(), steps_to_end());
    }
    more = mode_ == mode && !(stop && halt < target && stop());
  }
}

/// The step behind which stepping on from here takes steps that were never taken on this branch:
/// hooks are called for those. Others have had them, and what hooks set then is among the edits.
std::uint64_t Stepper::first_new_step() const {
  const bool edits_ahead = history_->edits_so_far().size() < history_->edits().size();
  return edits_ahead ? simulation_.step() : history_->last();
}

/// Pauses where a hook says so.
void Stepper::obey_hooks() {
  const sim::HookVerdict& verdict = hooks_->verdict();
  if (verdict.kind == sim::HookVerdict::Kind::go_on) return;
  mode_ = Mode::paused;
  if (hook_end_.kind != sim::HookVerdict::Kind::fail) hook_end_ = verdict;
  halt(verdict.kind == sim::HookVerdict::Kind::stop ? "stopped by the scene: " + verdict.reason
                                                    : verdict.reason);
}

void Stepper::go_on_after_hooks() {
  halt_.clear();
  hooks_->clear_verdict();
  if (hook_end_.kind == sim::HookVerdict::Kind::stop) hook_end_ = {};
}

void Stepper::edit(const std::string& path, const engine::ParamValue& value) {
  history_->edit(path, value);
  ++version_;
}

void Stepper::change_bodies(const sim::BodyChange& change) {
  history_->change_bodies(change);
  ++version_;
}

void Stepper::row(const std::string& name, const sim::HookRow& row) {
  if (!recorder_) return only_recorded();
  recorder_->hook_row(simulation_, name, row);
}

void Stepper::snapshot() {
  if (!recorder_) return only_recorded();
  recorder_->snapshot(simulation_);
}

void Stepper::picture(const std::string& name) {
  sim::check_file_name(name);
  if (!std::exchange(told_of_pictures_, true))
    engine::log().info("pictures of hooks are drawn by mote run, not by a window");
}

void Stepper::only_recorded() {
  if (!std::exchange(told_of_records_, true))
    engine::log().info(
        "rows and snapshots of hooks are written when the run is recorded, with --out");
}

}  // namespace mote::app
