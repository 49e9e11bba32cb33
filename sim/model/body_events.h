#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/clock.h"
#include "sim/initial/bodies.h"
#include "sim/state.h"

namespace mote::sim {

/// Bodies to remove and to add between two steps.
struct BodyChange {
  std::vector<std::uint32_t> removed = {};  ///< ids of existing bodies, each once
  Bodies added = {};                        ///< get the next ids, in order
  bool routine = false;                     ///< made by BodyEvents: too frequent to report

  bool empty() const { return removed.empty() && added.count() == 0; }
};

/// Bodies that appear and vanish by themselves between the steps of a run. Stateless: what happens
/// depends on the step and the present bodies only, so a resumed run has the same bodies.
class BodyEvents {
 public:
  virtual ~BodyEvents() = default;
  /// The first step after the present one at which something may happen, if steps have the length
  /// of this clock; `never` if none.
  virtual std::uint64_t next(const Clock& clock) const = 0;
  /// Adds what happens at the present step to `change`. `clock`: of the steps taken.
  virtual void run(const Clock& clock, const State<engine::Host>& state,
                   BodyChange& change) const = 0;
  /// The most bodies that `count` grow by until the time `stop`.
  virtual engine::Index most_added(engine::Index count, std::optional<double> stop) const = 0;
};

}  // namespace mote::sim
