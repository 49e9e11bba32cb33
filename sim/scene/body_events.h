#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/initial/bodies.h"
#include "sim/state.h"

namespace mote::sim {

/// Bodies to remove and to add between two steps.
struct BodyChange {
  std::vector<std::uint32_t> removed = {};  ///< ids of existing bodies, each once
  Bodies added = {};                        ///< get the next ids, in order
  bool routine = false;                     ///< by BodyEvents: too frequent to report

  bool empty() const { return removed.empty() && added.count() == 0; }
};

/// The present step of a run, and the steps of `dt` since `base_step` at `base_time`.
struct RunClock {
  std::uint64_t step = 0, base_step = 0;
  double base_time = 0, dt = 0;

  double time_of(std::uint64_t any) const {
    return base_time + (static_cast<double>(any) - static_cast<double>(base_step)) * dt;
  }
};

/// Bodies that appear and vanish by themselves between the steps of a run. Stateless: what happens
/// depends on the step and the present bodies only, so a resumed run has the same bodies.
class BodyEvents {
 public:
  virtual ~BodyEvents() = default;
  /// The first step after the present one at which something may happen; `never` if none.
  virtual std::uint64_t next(const RunClock& clock) const = 0;
  /// Adds what happens at the present step to `change`.
  virtual void run(const RunClock& clock, const State<engine::Host>& state,
                   BodyChange& change) const = 0;
  /// The most bodies that `count` grow by until the time `stop`.
  virtual engine::Index most_added(engine::Index count, std::optional<double> stop) const = 0;
};

}  // namespace mote::sim
