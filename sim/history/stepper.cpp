#include "sim/history/stepper.h"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/check.h"

namespace mote::sim {

RepeatedEdits::RepeatedEdits(Simulation& simulation, std::vector<Edit> past,
                             std::vector<Edit> ahead)
    : simulation_(simulation), edits_(std::move(past)), applied_(edits_.size()) {
  edits_.insert(edits_.end(), std::make_move_iterator(ahead.begin()),
                std::make_move_iterator(ahead.end()));
}

StepReport RepeatedEdits::advance(std::uint64_t steps, std::uint64_t every,
                                  const std::function<bool()>& stop,
                                  const std::function<void(const Measurement&)>& use) {
  return every > 0 ? simulation_.advance_measured(steps, every, stop, use)
                   : simulation_.advance(steps, stop);
}

void RepeatedEdits::apply(const Edit& edit) {
  if (edit.bodies) {
    try {
      return simulation_.change_bodies(*edit.bodies);
    } catch (const engine::InputError& e) {
      throw engine::InputError("the edit of bodies at step " + std::to_string(edit.step), e.what(),
                               "correct the record, or repeat it with the scene that it is of");
    }
  }
  LiveSettings live = simulation_.live();
  set_live(live, edit.path, edit.value);
  simulation_.change(live);
}

void RepeatedEdits::edit(const std::string& path, const engine::ParamValue& value) {
  const Edit edit{simulation_.step(), path, value};
  apply(edit);
  const auto ahead = edits_.begin() + static_cast<std::ptrdiff_t>(applied_);
  const auto same = std::find_if(ahead, edits_.end(), [&](const Edit& e) {
    return e.step == edit.step && e.path == path && e.value == value;
  });
  if (same != edits_.end()) edits_.erase(same);
  edits_.insert(edits_.begin() + static_cast<std::ptrdiff_t>(applied_++), edit);
}

std::uint64_t RepeatedEdits::next_edit() const {
  // Edits of the present step are made after its hooks, before the next step.
  return applied_ < edits_.size() ? edits_[applied_].step : never;
}

void RepeatedEdits::make_edits() {
  while (applied_ < edits_.size() && edits_[applied_].step == simulation_.step())
    apply(edits_[applied_++]);
}

}  // namespace mote::sim
