#include "sim/script/emission.h"

#include <algorithm>

namespace mote::sim {

Emission::Emission(const Model& model, std::optional<double> stop, Simulation& simulation,
                   HookHost& host)
    : simulation_(simulation), host_(host) {
  engine::Index more = 0;
  for (const Physics& p : model.physics) {
    auto events = p.body_events(model);
    if (!events) continue;
    more += events->most_added(simulation.count(), stop);
    events_.push_back(std::move(events));
  }
  if (more > 0) simulation.check_capacity(more);
}

std::uint64_t Emission::next() const {
  std::uint64_t next = never;
  for (const auto& events : events_) next = std::min(next, events->next(simulation_.ahead()));
  return next;
}

void Emission::run_due() {
  const std::uint64_t step = simulation_.step();
  if (step == 0) return;
  BodyChange change;
  change.routine = true;
  const Clock now = simulation_.clock();
  Clock before = now;
  before.step = step - 1;
  for (const auto& events : events_)
    if (events->next(before) == step) events->run(now, simulation_.state(), change);
  // A simulation has at least one body: keep the last one.
  if (!change.removed.empty() && simulation_.count() + change.added.count() ==
                                     static_cast<engine::Index>(change.removed.size()))
    change.removed.pop_back();
  if (!change.empty()) host_.change_bodies(change);
}

bool changes_bodies(const Model& model) {
  for (const Physics& p : model.physics)
    if (p.body_events(model)) return true;
  return false;
}

}  // namespace mote::sim
