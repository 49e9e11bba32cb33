#include "sim/run/history.h"

#include <algorithm>
#include <utility>

#include "engine/check.h"

namespace mote::sim {
namespace {

constexpr std::uint64_t most_steps_between = 1024;

/// A power of two, so that doubled intervals of any two runs fall on the same steps. So much work
/// lies between two states that keeping them costs little beside it, and so little that nobody
/// waits for a step between them.
std::uint64_t chosen_interval(const Simulation& simulation) {
  const auto n = static_cast<std::uint64_t>(simulation.count());
  const bool gravity = simulation.live().gravity.has_value();
  // Interactions. Without gravity a body meets some 64 others, and a CPU takes as long for them as
  // for more of gravity's.
  const bool quick = gravity || simulation.plan().backend == engine::Backend::cuda;
  const std::uint64_t of_a_step = n * (gravity ? n : std::min<std::uint64_t>(n, 64)),
                      between = std::uint64_t{1} << (quick ? 30 : 26);
  std::uint64_t steps = 1;
  while (steps < most_steps_between && steps * of_a_step < between) steps *= 2;
  return steps;
}

/// The state that a history begins with.
KeptStates::Entry first_of(Simulation& simulation, std::size_t edits) {
  if (!simulation.clockwork().measured) simulation.measure();
  return {simulation.keep(), edits, KeptStates::Kind::grid};
}

}  // namespace

History::History(Simulation& simulation, std::uint64_t budget, std::vector<Edit> past,
                 std::uint64_t interval)
    : simulation_(simulation),
      budget_(budget),
      first_(simulation.step()),
      last_(first_),
      edits_(std::move(past)),
      applied_(edits_.size()),
      kept_(budget, simulation.kept_bytes(), interval > 0 ? interval : chosen_interval(simulation),
            first_of(simulation, edits_.size())) {
  MOTE_EXPECT(edits_.empty() || edits_.back().step <= first_);
}

StepReport History::advance(std::uint64_t steps, std::uint64_t every, const Stop& stop,
                            const Use& use) {
  StepReport total;
  const bool edits_ahead = applied_ < edits_.size();
  if (steps == 0 || (edits_ahead && stop && stop())) return total;
  if (edits_ahead) give_up_ahead();
  while (total.steps < steps && total.health == Health::good) {
    const std::uint64_t now = simulation_.step();
    const std::uint64_t wanted = std::min(steps - total.steps, kept_.next(now) - now);
    const StepReport part = step_to(now + wanted, every, stop, use);
    total.steps += part.steps;
    total.interactions += part.interactions;
    total.health = part.health;
    total.offender = part.offender;
    last_ = std::max(last_, simulation_.step());
    if (part.steps < wanted) break;
    if (part.health == Health::good) kept_.keep_on_grid(simulation_.step(), applied_, make_state());
  }
  return total;
}

void History::edit(const std::string& path, const engine::ParamValue& value) {
  LiveSettings live = simulation_.live();
  set_live(live, path, value);
  const Edit edit{simulation_.step(), path, value};
  if (!replace(edit)) {
    if (applied_ == 0 || edits_[applied_ - 1].step < edit.step)
      kept_.keep_before_edit(edit.step, applied_, make_state());
    simulation_.change(live);
  }
  give_up_ahead();
  edits_.push_back(edit);
  ++applied_;
}

void History::change_bodies(const BodyChange& change) {
  simulation_.change_bodies(change);
  give_up_ahead();
  edits_.push_back({simulation_.step(), "", {}, std::make_shared<const BodyChange>(change)});
  ++applied_;
  kept_.fit(simulation_.kept_bytes(), chosen_interval(simulation_));
}

bool History::seek(std::uint64_t step, const Stop& stop) {
  MOTE_EXPECT(first_ <= step && step <= last_);
  const KeptStates::Entry& nearest = kept_.nearest(step);
  if (simulation_.step() > step || simulation_.step() < nearest.step()) restore(nearest);
  while (simulation_.step() < step) {
    const std::uint64_t halt = next_halt(step);
    const StepReport report = step_to(halt, 0, stop, {});
    if (report.health == Health::good && simulation_.step() == halt) {
      kept_.keep_on_grid(halt, applied_, make_state());
      kept_.keep_near(halt, applied_, make_state());
    }
    apply_due();
    if (simulation_.step() < halt && report.health == Health::good) return false;
  }
  return true;
}

StepReport History::step_to(std::uint64_t step, std::uint64_t every, const Stop& stop,
                            const Use& use) {
  const std::uint64_t steps = step - simulation_.step();
  return every > 0 ? simulation_.advance_measured(steps, every, stop, use)
                   : simulation_.advance(steps, stop);
}

KeptStates::Make History::make_state() {
  return [this] { return simulation_.keep(); };
}

void History::restore(const KeptStates::Entry& entry) {
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

/// Changes the parameter as if the earlier edit of it at this step had never been: from the state
/// before both, for two changes of an energy round otherwise than one. False when there is no
/// earlier edit or no such state.
bool History::replace(const Edit& edit) {
  const KeptStates::Entry* before = kept_.at(edit.step);
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

void History::give_up_ahead() {
  const std::uint64_t now = simulation_.step();
  edits_.resize(applied_);
  if (last_ == now) return;
  kept_.drop_behind(now);
  last_ = now;
  ++branch_;
}

/// Where a search for a step stops to keep a state: half of the way that is left, so that the
/// searches for the steps around it, which usually follow, find one near.
std::uint64_t History::next_halt(std::uint64_t target) const {
  const std::uint64_t now = simulation_.step(), left = target - now;
  std::uint64_t halt = std::min(target, kept_.next(now));
  if (applied_ < edits_.size()) halt = std::min(halt, edits_[applied_].step);
  if (left > 2 * kept_.least_interval()) halt = std::min(halt, now + left / 2);
  return halt;
}

}  // namespace mote::sim
