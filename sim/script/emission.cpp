#include "sim/script/emission.h"

#include <algorithm>

#include "sim/schedule.h"

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

RunClock Emission::clock(std::uint64_t step) const {
  const Clockwork& clock = simulation_.clockwork();
  return {step, clock.base_step, clock.base_time, simulation_.dt()};
}

std::uint64_t Emission::next() const {
  std::uint64_t next = never;
  for (const auto& events : events_) next = std::min(next, events->next(clock(simulation_.step())));
  return next;
}

void Emission::run_due() {
  const std::uint64_t step = simulation_.step();
  if (step == 0) return;
  BodyChange change;
  change.routine = true;
  for (const auto& events : events_)
    if (events->next(clock(step - 1)) == step)
      events->run(clock(step), simulation_.state(), change);
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
