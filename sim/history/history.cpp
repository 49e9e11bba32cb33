#include "sim/history/history.h"

#include <algorithm>
#include <utility>

#include "engine/check.h"

namespace mote::sim {
namespace {

constexpr std::uint64_t max_interval = 1024;

/// Steps between states: a power of two, so that doubled intervals of any two runs fall on the same
/// steps. Long enough that saving is cheap in comparison, short enough that seeks are quick.
std::uint64_t chosen_interval(const Simulation& simulation) {
  constexpr double between = 0x1p30;  // interactions
  double per_step = 0;
  for (const Evaluation& evaluation : simulation.plan().evaluations)
    per_step = std::max(per_step, evaluation.interactions);
  std::uint64_t steps = 1;
  while (steps < max_interval && static_cast<double>(steps) * per_step < between) steps *= 2;
  return steps;
}

/// The first state of a history.
SavedStates::Entry first_of(Simulation& simulation, std::size_t edits) {
  if (!simulation.run_clock().measured) simulation.measure();
  return {simulation.save(), edits, SavedStates::Kind::grid};
}

}  // namespace

History::History(Simulation& simulation, std::uint64_t budget, std::vector<Edit> past,
                 std::uint64_t interval)
    : simulation_(simulation),
      budget_(budget),
      first_(simulation.step()),
      last_(first_),
      edits_(std::move(past)),
      edits_at_start_(edits_.size()),
      applied_(edits_.size()),
      saved_(budget, simulation.saved_state_bytes(),
             interval > 0 ? interval : chosen_interval(simulation),
             first_of(simulation, edits_.size())) {
  MOTE_EXPECT(edits_.empty() || edits_.back().step <= first_);
}

StepReport History::advance(std::uint64_t steps, std::uint64_t every, const Stop& stop,
                            const Use& use) {
  StepReport total;
  const bool edits_ahead = applied_ < edits_.size();
  if (steps == 0 || (edits_ahead && stop && stop())) return total;
  if (edits_ahead) discard_ahead();
  while (total.steps < steps && total.health == Health::good) {
    const std::uint64_t now = simulation_.step();
    const std::uint64_t planned = std::min(steps - total.steps, saved_.next(now) - now);
    const StepReport part = step_to(now + planned, every, stop, use);
    total.steps += part.steps;
    total.interactions += part.interactions;
    total.health = part.health;
    total.offender = part.offender;
    last_ = std::max(last_, simulation_.step());
    if (part.steps < planned) break;
    if (part.health == Health::good)
      saved_.save_on_grid(simulation_.step(), applied_, make_state());
  }
  return total;
}

void History::edit(const std::string& path, const engine::ParamValue& value) {
  LiveSettings live = simulation_.live();
  set_live(live, path, value);
  refuse_unstable(live, simulation_.model());
  const Edit edit{simulation_.step(), path, value};
  if (!replace(edit)) {
    if (applied_ == 0 || edits_[applied_ - 1].step < edit.step)
      saved_.save_before_edit(edit.step, applied_, make_state());
    simulation_.change(live);
  }
  discard_ahead();
  edits_.push_back(edit);
  ++applied_;
}

void History::edit_together(const LiveEdits& changes, std::size_t kept) {
  LiveSettings live = simulation_.live();
  for (const auto& [path, value] : changes) set_live(live, path, value);
  MOTE_EXPECT(!difference(live, simulation_.live()).potential);
  const std::uint64_t now = simulation_.step();
  if (applied_ == 0 || edits_[applied_ - 1].step < now)
    saved_.save_before_edit(now, applied_, make_state());
  simulation_.change(live);
  discard_ahead();
  // The accelerations depend on the last values alone.
  const auto replaced = [&](const Edit& e) {
    return e.step == now && std::any_of(changes.begin(), changes.end(),
                                        [&](const auto& change) { return change.first == e.path; });
  };
  std::size_t from = edits_.size();
  while (from > std::max(edits_at_start_, kept) && edits_[from - 1].step == now &&
         !edits_[from - 1].bodies)
    --from;
  const auto first = edits_.begin() + static_cast<std::ptrdiff_t>(from);
  edits_.erase(std::remove_if(first, edits_.end(), replaced), edits_.end());
  for (const auto& [path, value] : changes) edits_.push_back({now, path, value});
  applied_ = edits_.size();
}

void History::undo(std::size_t edit) {
  MOTE_EXPECT(edits_at_start_ <= edit && edit < edits_.size());
  const std::uint64_t step = edits_[edit].step;
  applied_ = std::min(applied_, edit);
  edits_.resize(edit);
  if (last_ > step) {
    saved_.discard_after(step);
    last_ = step;
  }
  ++branch_;
  restore(saved_.nearest(step));
  seek(step, {});
}

void History::add_change(const BodyChange& change, bool by_scene) {
  const std::uint64_t now = simulation_.step();
  if (!by_scene && (applied_ == 0 || edits_[applied_ - 1].step < now))
    saved_.save_before_edit(now, applied_, make_state());
  simulation_.change_bodies(change);
  discard_ahead();
  edits_.push_back({now, "", {}, std::make_shared<const BodyChange>(change), by_scene});
  ++applied_;
  saved_.adapt(simulation_.saved_state_bytes(), chosen_interval(simulation_));
}

bool History::seek(std::uint64_t step, const Stop& stop) {
  MOTE_EXPECT(first_ <= step && step <= last_);
  const SavedStates::Entry& nearest = saved_.nearest(step);
  if (simulation_.step() > step || simulation_.step() < nearest.step()) restore(nearest);
  while (simulation_.step() < step) {
    const std::uint64_t pause = next_pause(step);
    const StepReport report = step_to(pause, 0, stop, {});
    if (report.health == Health::good && simulation_.step() == pause) {
      saved_.save_on_grid(pause, applied_, make_state());
      saved_.save_for_seek(pause, applied_, make_state());
    }
    apply_due();
    if (simulation_.step() < pause && report.health == Health::good) return false;
  }
  return true;
}

StepReport History::step_to(std::uint64_t step, std::uint64_t every, const Stop& stop,
                            const Use& use) {
  const std::uint64_t steps = step - simulation_.step();
  return every > 0 ? simulation_.advance_measured(steps, every, stop, use)
                   : simulation_.advance(steps, stop);
}

SavedStates::Make History::make_state() {
  return [this] { return simulation_.save(); };
}

void History::restore(const SavedStates::Entry& entry) {
  simulation_.restore(*entry.state);
  applied_ = entry.edits;
  apply_due();
}

void History::apply(const Edit& edit) {
  if (edit.bodies) return simulation_.change_bodies(*edit.bodies);
  LiveSettings live = simulation_.live();
  set_live(live, edit.path, edit.value);
  simulation_.change(live);
}

void History::apply_due() {
  while (applied_ < edits_.size() && edits_[applied_].step == simulation_.step())
    apply(edits_[applied_++]);
}

/// Applies an edit in place of an earlier one of the same path at this step, starting from the
/// state before both: two changes of the energy round differently from one. Returns false when
/// there is no earlier edit or no such state.
bool History::replace(const Edit& edit) {
  const SavedStates::Entry* before = saved_.at(edit.step);
  if (!before) return false;
  const auto at = [this](std::size_t index) {
    return edits_.begin() + static_cast<std::ptrdiff_t>(index);
  };
  const auto end = at(applied_);
  const auto rest =
      std::remove_if(at(before->edits), end, [&](const Edit& e) { return e.path == edit.path; });
  if (rest == end) return false;
  edits_.erase(rest, end);
  restore(*before);
  apply(edit);
  return true;
}

void History::discard_ahead() {
  const std::uint64_t now = simulation_.step();
  edits_.resize(applied_);
  if (last_ == now) return;
  saved_.discard_after(now);
  last_ = now;
  ++branch_;
}

/// The next step at which a seek pauses, for an edit, a grid state, or half-way to the target: that
/// state serves further seeks to nearby steps, which usually follow.
std::uint64_t History::next_pause(std::uint64_t target) const {
  const std::uint64_t now = simulation_.step(), left = target - now;
  std::uint64_t pause = std::min(target, saved_.next(now));
  if (applied_ < edits_.size()) pause = std::min(pause, edits_[applied_].step);
  if (left > 2 * saved_.min_interval()) pause = std::min(pause, now + left / 2);
  return pause;
}

}  // namespace mote::sim
